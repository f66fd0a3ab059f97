// Draws what lies in one place, and what one value is.

// What a piece is called without the player whose it is.
function bare(piece) {
  const name = piece.name === null ? "?" : piece.name;
  const end = ` of ${piece.owner}`;
  return spoken(piece.owner !== null && name.endsWith(end) ? name.slice(0, -end.length) : name);
}

function seatClass(scene, owner) {
  const seat = scene.players.indexOf(owner);
  return seat < 0 ? "seat-none" : `seat-${seat % 8}`;
}

// The picture of something that the rules have one for; it says nothing that does not stand beside it.
function sourceOf(scene, one) {
  return one.picture !== null && Object.hasOwn(scene.pictures, one.picture) ? scene.pictures[one.picture] : null;
}

function pictureOf(scene, one) {
  const source = sourceOf(scene, one);
  return source === null ? null : make("img", { class: "picture", src: source, alt: "" });
}

function card(scene, piece) {
  if (piece.name === null) return hiddenCards(piece.number);
  const number = piece.number > 1 ? make("span", { class: "times" }, `×${piece.number}`) : null;
  const owner = piece.owner === null ? "" : ` ${seatClass(scene, piece.owner)}`;
  return make("li", { class: `card${owner}` }, pictureOf(scene, piece), named(bare(piece)), number);
}

function hiddenCards(number) {
  const many = make("span", { class: "times" }, `×${number}`);
  return make("li", { class: "card back" }, make("span", { "aria-hidden": "true" }, "?"), make("span", { class: "heard" }, "hidden"), many);
}

function cardsOf(scene, zone) {
  if (!zone.pieces.length) return zone.number ? [hiddenCards(zone.number)] : [];
  const shown = zone.pieces.slice(0, MOST_CARDS).map((piece) => {
    const element = card(scene, piece);
    if (piece.spot !== null) element.append(make("span", { class: "spot" }, named(spoken(piece.spot))));
    if (piece.together) element.classList.add("together");
    return element;
  });
  const left = zone.pieces.length - shown.length;
  return left > 0 ? [...shown, make("li", { class: "more" }, `and ${left} more`)] : shown;
}
const MOST_CARDS = 200;
const FORMS = { pile: "pile, top first", row: "row", hand: "hand", heap: "", spots: "", board: "" };

function shortTitle(one) {
  const end = ` of ${one.owner}`;
  return spoken(one.owner !== null && one.title.endsWith(end) ? one.title.slice(0, -end.length) : one.title);
}

function zoneElement(scene, zone, touched) {
  const kind = FORMS[zone.form];
  const title = [pictureOf(scene, zone), named(shortTitle(zone)), make("span", { class: "number" }, `${zone.number}`),
    kind && zone.pieces.length > 1 && kind !== zone.name ? make("span", { class: "form" }, kind) : null];
  const cards = cardsOf(scene, zone);
  return make("div", { class: `zone ${zone.form}${touched ? " touched" : ""}` }, make("p", { class: "title" }, title),
    cards.length ? make("ul", { class: "cards" }, cards) : make("p", { class: "empty" }, "empty"));
}

// ---------------------------------------------------------------------- values
function says(one) {
  if (one.open || (one.value !== null && one.value !== false)) return true;
  return one.value === null && one.text !== "nothing";
}

function argumentsOf(one) {
  const found = one.title.match(/^[^(]*\((.*)\)$/s);
  if (found === null) return [];
  const parts = found[1].split(", ");
  return one.owner === null ? parts : parts.filter((part) => part !== one.owner);
}

function dice(scene, one) {
  const shown = Array.isArray(one.value) ? one.value : [];
  return make("div", { class: "dice" }, make("span", { class: "label" }, pictureOf(scene, one), named(shortTitle(one))),
    shown.length ? make("ul", { class: "cards" }, shown.map((face) => make("li", { class: "die" }, String(face)))) : make("span", { class: "empty" }, "none"));
}

function valueElement(scene, one, touched) {
  const mark = touched ? " touched" : "";
  if (one.form === "dice") return dice(scene, one);
  if (one.form === "fact") {
    return make("p", { class: `value fact${mark}` }, pictureOf(scene, one), named(shortTitle(one)), one.value === true ? "" : `: ${one.text}`);
  }
  const bar = one.form === "track" && typeof one.value === "number" && one.low !== null && one.high !== null && one.high > one.low
    ? draw("svg", { class: "bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
      draw("rect", { class: "bar-all", width: 100, height: 6 }),
      draw("rect", { class: "bar-now", width: (100 * (one.value - one.low)) / (one.high - one.low), height: 6 })) : null;
  return make("p", { class: `value${mark}` }, make("span", { class: "label" }, pictureOf(scene, one), named(shortTitle(one))), " ", make("b", {}, named(one.text)), bar);
}

// Numbers of one name with keys of their own, side by side.
function strip(scene, entries, touched) {
  const cells = entries.map(([one, at]) => make("li", { class: touched.has(at) ? "touched" : null },
    make("span", { class: "key" }, named(argumentsOf(one).map(spoken).join(" ") || shortTitle(one))), make("b", {}, named(one.text))));
  return make("div", { class: "strip" }, make("span", { class: "label" }, pictureOf(scene, entries[0][0]), named(spoken(entries[0][0].name))), make("ul", {}, cells));
}

function valueElements(scene, owner, touched, group) {
  const groups = new Map();
  scene.values.forEach((one, at) => {
    if (one.owner !== owner || one.board !== null || one.setting || one.group !== group) return;
    if (!groups.has(one.name)) groups.set(one.name, []);
    groups.get(one.name).push([one, at]);
  });
  const found = [];
  for (const entries of groups.values()) {
    const numbers = entries.every(([one]) => one.form === "counter" || one.form === "track");
    if (numbers && entries.length > 2) {
      const shown = entries.length <= MOST_CELLS ? entries : entries.filter(([one]) => says(one));
      if (shown.length) found.push(strip(scene, shown, touched));
    } else if (entries.length > 2 && entries.every(([one]) => one.form === "fact")) {
      const so = entries.filter(([one]) => says(one));
      if (so.length) found.push(make("p", { class: "value fact" }, make("span", { class: "label" }, named(spoken(entries[0][0].name)), ": "), so.map(([one, at], number) => [number ? "; " : "", make("span", { class: touched.has(at) ? "touched" : null }, named(argumentsOf(one).map(spoken).join(" ") || shortTitle(one)), one.open ? " (open)" : "")])));
    } else {
      const few = entries.length <= FEW;
      for (const [one, at] of entries) {
        if (says(one) || one.form === "dice" || (few && (one.form === "track" || one.form === "counter"))) {
          found.push(valueElement(scene, one, touched.has(at)));
        }
      }
    }
  }
  return found;
}
const MOST_CELLS = 40;
const FEW = 6;
