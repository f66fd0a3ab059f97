// Says what a verdict says: the wrong line with its reasons, what it rests on, and what was noted.
const TOLD = { legal: "legal", possible: "possible", illegal: "illegal", depends: "depends", unknown: "unknown", stopped: "stopped", unreadable: "unreadable", "no rules": "no rules" };

function badge(verdict) {
  const at = verdict.line !== null && verdict.outcome !== "legal" ? `, line ${verdict.line}` : "";
  return make("p", { class: `badge ${verdict.outcome.replace(/ /g, "-")}` }, `${TOLD[verdict.outcome] ?? verdict.outcome}${at}`);
}

function valuesOf(values) {
  const rows = Object.entries(values);
  return rows.length ? make("ul", { class: "read" }, rows.map(([text, value]) => make("li", {}, named(text), " is ", make("b", {}, named(value))))) : null;
}

function cited(one) {
  const parts = [...(one.statements ?? []), ...(one.place ? [shortPlace(one.place)] : []), ...((one.assumed ?? []).map((name) => (typeof name === "string" ? `assumed: ${name}` : "")))];
  return parts.filter(Boolean).length ? make("span", { class: "cited" }, " [", parts.filter(Boolean).map((part, at) => [at ? " · " : "", named(part)]), "]") : null;
}

function shortPlace(place) {
  return String(place).split("/").pop();
}

function facts(list) {
  return listed("ul", { class: "facts" }, list.map((fact) => [fact.forbids ? "forbidden: " : "", named(fact.text), cited(fact), valuesOf(fact.values)]));
}

function wrongElement(wrong, statements) {
  const because = wrong.because.map((one) => [one.line === null ? "" : `line ${one.line}: `, named(one.text), cited(one), valuesOf(one.values)]);
  const nearest = wrong.nearest.map((one) => [named(one.text), one.changed ? [" (", named(one.changed), ")"] : ""]);
  const cites = [...new Set([...wrong.statements, ...wrong.failed.flatMap((one) => one.statements), ...wrong.because.flatMap((one) => one.statements)])];
  return make("div", { class: "refused" },
    make("p", { class: "message" }, make("b", {}, `${wrong.kind}: `), named(wrong.message)),
    wrong.rule === null && wrong.place === null ? null : make("p", {}, "Rule: ", named(spoken(wrong.rule ?? "")), cited({ place: wrong.place })),
    wordingsOf(cites, statements),
    wrong.failed.length ? section("Not so", 3, facts(wrong.failed)) : null,
    because.length ? section("What led there", 3, listed("ol", { class: "because" }, because)) : null,
    nearest.length ? section("This would have been legal", 3, listed("ul", {}, nearest)) : null,
    wrong.assumed.length ? section("Taken for granted", 3, listed("ul", {}, wrong.assumed.map((one) => named(one.text)))) : null,
    wrong.held.length ? folded(`${plural(wrong.held.length, "condition")} held`, facts(wrong.held)) : null);
}

function worlds(verdict) {
  if (!verdict.under.length || (verdict.under.length === 1 && !verdict.under[0].length)) return null;
  const items = verdict.under.map((world) => world.map((one, at) => [at ? "; " : "", `${one.kind} `, named(spoken(one.name)), " is ", make("b", {}, named(one.value))]));
  return section("It stands if", 3, listed("ul", {}, verdict.more_worlds ? [...items, "and in other ways"] : items));
}

// What is known of a value that is not stated.
function factOf(one) {
  const values = one.values.map((value, at) => [at ? " or " : "", make("b", {}, named(value))]);
  return [`line ${one.line}: `, named(spoken(one.argument)), one.among ? " has " : " is ", values, one.among ? " among others" : ""];
}

function settingsList(title, settings, more) {
  if (!settings.length) return null;
  const items = settings.map((one) => [`${one.kind} `, named(spoken(one.name)), ": ", make("b", {}, named(one.value))]);
  return folded(title, listed("ul", {}, more ? [...items, `and ${more} more`] : items));
}

function verdictElement(verdict, statements, whole = false) {
  const after = verdict.after.map((one) => [`line ${one.line}: `, named(one.message)]);
  const won = verdict.winners === null ? null : verdict.winners.length ? ["Won by ", verdict.winners.map((one, at) => [at ? " and " : "", named(one)]), "."] : "Nobody won.";
  const counts = `${plural(verdict.lines, "line")}, ${plural(verdict.events, "event")}${verdict.finished ? ", the game is over" : ""}.`;
  return make("section", { class: "verdict" }, make("h2", {}, named(verdict.path), ": ", verdict.outcome), make("p", {}, counts, " ", won),
    verdict.reason === null ? null : make("p", { class: "message" }, named(verdict.reason)),
    whole && verdict.wrong !== null ? [make("p", {}, `Line ${verdict.wrong.line}: `, named(verdict.wrong.what)), wrongElement(verdict.wrong, statements)] : null,
    worlds(verdict), after.length ? section("Later lines", 3, listed("ul", {}, after)) : null,
    verdict.not_judged_from === null ? null : make("p", { class: "note" }, `Not judged from line ${verdict.not_judged_from} on.`),
    verdict.holes ? make("p", {}, `${plural(verdict.holes, "value")} not stated${verdict.ways === null ? "" : `; ways to fill them: ${verdict.ways.toLocaleString("en")}`}.`) : null,
    verdict.facts.length ? section("What must be so of them", 3, listed("ul", {}, verdict.facts.map(factOf))) : null,
    settingsList("Defaults that have a bearing on it", verdict.defaults, verdict.more_defaults),
    settingsList("What the log sets", verdict.set_by_log, verdict.more_set_by_log),
    listed("ul", { class: "note" }, verdict.notes.map((one) => named(one))),
    verdict.diagnostics.length ? section("Remarks", 3, listed("ul", {}, verdict.diagnostics.map((one) => [make("b", {}, one.code), ` line ${one.line}: `, named(one.message)]))) : null);
}
