// Goes through the steps of a log: keeps where it stands, applies what is different, and listens to keys.
const KEPT = 200;

class Course {
  constructor(data) {
    this.data = data;
    const names = new Map(data.pieces.map((one) => [bare(one), true]));
    this.signed = [...names.keys()];
    this.kept = [this.beginning()];
    this.now = this.beginning();
    this.at = -1;
    this.touched = NOTHING;
  }

  beginning() {
    return { turn: null, asked: null, winners: null, open: true,
      zones: this.data.places.map(() => ({ number: 0, seen: true, at: new Map(), pieces: [] })),
      values: this.data.values.map(() => ({ value: null, text: "", open: false, default: false })) };
  }

  // The position after a step, and what has changed by it.
  go(step) {
    if (step < this.at) {
      const from = Math.min(Math.floor((step + 1) / KEPT), this.kept.length - 1);
      this.now = copied(this.kept[from]);
      this.at = from * KEPT - 1;
    }
    while (this.at < step) {
      this.at += 1;
      this.touched = this.apply(this.data.steps[this.at].change);
      if ((this.at + 1) % KEPT === 0 && this.kept.length === (this.at + 1) / KEPT) this.kept.push(copied(this.now));
    }
    return { scene: this.now.open ? null : this.scene(), touched: step === 0 ? NOTHING : this.touched };
  }

  apply(change) {
    this.now.open = change === null;
    if (change === null) return NOTHING;
    for (const key of ["turn", "asked", "winners"]) if (key in change) this.now[key] = change[key];
    const touched = { zones: new Map(), values: new Set() };
    for (const [at, one] of Object.entries(change.zones ?? {})) {
      const zone = this.now.zones[at];
      zone.number = one.number;
      zone.seen = one.seen;
      const spots = Object.entries(one.at ?? {});
      for (const [spot, piece] of spots) {
        if (piece === null) zone.at.delete(spot); else zone.at.set(spot, piece);
      }
      if (one.pieces !== undefined) zone.pieces.splice(one.pieces[0], one.pieces[1], ...one.pieces[2]);
      touched.zones.set(Number(at), new Set(spots.map(([spot]) => spot)));
    }
    for (const [at, one] of Object.entries(change.values ?? {})) {
      this.now.values[at] = one;
      touched.values.add(Number(at));
    }
    return touched;
  }

  scene() {
    const { data, now } = this;
    const zones = data.places.map((place, at) => {
      const zone = now.zones[at];
      const spotted = place.spots.filter((spot) => zone.at.has(spot)).map((spot) => ({ ...data.pieces[zone.at.get(spot)], number: 1, spot, together: false }));
      const others = zone.pieces.map(([piece, number, together]) => ({ ...data.pieces[piece], number, spot: null, together: together === 1 }));
      return { ...place, number: zone.number, seen: zone.seen, pieces: [...spotted, ...others] };
    });
    return { boards: data.boards, players: data.players, turn: now.turn, asked: now.asked, winners: now.winners, zones,
      values: data.values.map((one, at) => ({ ...one, ...now.values[at] })), signed: this.signed, pictures: data.pictures };
  }
}

function copied(position) {
  return { ...position, zones: position.zones.map((one) => ({ ...one, at: new Map(one.at), pieces: [...one.pieces] })), values: [...position.values] };
}

// ---------------------------------------------------------------------- what is said of a line
function wordingsOf(cites, statements) {
  const known = cites.filter((cite) => Object.hasOwn(statements, cite));
  return known.length ? make("dl", { class: "statements" }, known.map((cite) => make("div", {}, make("dt", {}, named(cite)), make("dd", {}, named(statements[cite]))))) : null;
}

function legalOf(data, step) {
  if (!step.legal.length) return null;
  const items = step.legal.map((number) => named(data.texts[number]));
  if (step.more) items.push("and more");
  return folded(`Legal here: ${step.legal.length}${step.more ? " and more" : ""}`, listed("ul", { class: "legal" }, items));
}

function lineElement(data, step, wrong) {
  const learned = (step.learned ?? []).map(([line, text]) => [`line ${line}: `, named(text)]);
  return make("section", { class: `line${wrong ? " wrong" : ""}` },
    make("h2", {}, `Line ${step.line}`), make("p", { class: "what" }, named(step.text)),
    step.asked ? make("p", {}, "Asked before it: ", named(spoken(step.asked))) : null,
    learned.length ? section("Known from now on", 3, listed("ul", {}, learned)) : null,
    wrong ? wrongElement(wrong, data.statements) : wordingsOf(step.statements, data.statements), legalOf(data, step));
}

function logPage(data) {
  const wrongAt = new Map();
  for (const one of [data.verdict.wrong, ...data.verdict.after]) if (one !== null) wrongAt.set(one.line, one);
  const main = make("main", {});
  if (data.steps.length) main.append(stepper(data, wrongAt));
  else if (data.verdict.wrong !== null) main.append(wrongElement(data.verdict.wrong, data.statements));
  const { wrong } = data.verdict;
  const leftOut = wrong !== null && data.steps.length > 0 && data.steps.every((one) => one.line !== wrong.line);
  main.append(verdictElement(data.verdict, data.statements, leftOut));
  return main;
}

function stepper(data, wrongAt) {
  const course = new Course(data);
  const last = data.steps.length - 1;
  const table = make("section", { class: "scene", "aria-label": "Table" });
  const line = make("div", { class: "beside" });
  const near = make("ol", { class: "near", "aria-label": "Lines near this one" });
  const status = make("p", { class: "heard", role: "status" });
  const slider = make("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Line of the log" });
  const where = make("output", {});
  let at = 0;

  const show = (step) => {
    at = Math.max(0, Math.min(last, step));
    const one = data.steps[at];
    const { scene, touched } = course.go(at);
    table.replaceChildren(scene === null ? make("p", { class: "state" }, "What lies where is open here: too much is possible, or not all of this game is known.") : tableElement(scene, touched));
    line.replaceChildren(lineElement(data, one, wrongAt.get(one.line)));
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", clean(`line ${one.line}: ${one.text}`));
    where.textContent = `line ${one.line} of ${data.steps[last].line + data.left_out}`;
    status.textContent = clean(`Line ${one.line}: ${one.text}${wrongAt.has(one.line) ? ". This line cannot stand." : ""}`);
    for (const [button, off] of [[first, at === 0], [back, at === 0], [next, at === last], [end, at === last]]) button.setAttribute("aria-disabled", String(off));
    near.replaceChildren(...around(one));
  };
  const button = (label, text, to) => {
    const made = make("button", { type: "button", "aria-label": label }, text);
    made.addEventListener("click", () => show(to()));
    return made;
  };
  const around = () => data.steps.slice(Math.max(0, at - 4), at + 5).map((step) => {
    const go = make("button", { type: "button", "aria-current": step === data.steps[at] ? "step" : null }, make("span", { class: "at" }, String(step.line)), " ", named(step.text));
    go.addEventListener("click", () => show(data.steps.indexOf(step)));
    return make("li", { class: wrongAt.has(step.line) ? "wrong" : null }, go);
  });
  const first = button("First line", "«", () => 0);
  const back = button("Line before", "‹", () => at - 1);
  const next = button("Next line", "›", () => at + 1);
  const end = button("Last line", "»", () => last);
  const wrong = data.steps.findIndex((one) => wrongAt.has(one.line));
  const jump = wrong < 0 ? null : button("To the wrong line", "wrong line", () => wrong);
  slider.addEventListener("input", () => show(Number(slider.value)));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - 10, PageDown: at + 10, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  });
  show(Math.max(wrong, 0));
  return make("div", {}, make("div", { class: "controls", role: "group", "aria-label": "Steps" }, first, back, slider, next, end, where, jump),
    make("p", { class: "hint" }, "Keys: ← and → a line, Page Up and Page Down ten, Home and End."), status,
    data.verdict.holes ? make("p", { class: "hint" }, "Not everything is stated in this log: what could be only one thing is drawn, the rest as hidden or open.") : null,
    make("div", { class: "columns" }, table, make("div", { class: "side" }, line, make("nav", { "aria-label": "Log" }, near))),
    data.left_out ? make("p", { class: "note" }, `${plural(data.left_out, "line")} more ${data.left_out === 1 ? "is" : "are"} not in this page.`) : null);
}
