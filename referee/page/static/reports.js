// Shows reports: several verdicts, a review with its questions, proofs, and what became of a rulebook.
function verdictsPage(data) {
  const counts = new Map();
  for (const one of data.verdicts) counts.set(one.outcome, (counts.get(one.outcome) ?? 0) + 1);
  const said = [...counts].map(([outcome, number]) => `${number} ${outcome}`).join(", ");
  return make("main", {}, make("p", { class: "state" }, `${plural(data.verdicts.length, "log")}: ${said || "none"}.`),
    data.verdicts.map((one) => verdictElement(one, {}, true)),
    data.left_out ? make("p", { class: "note" }, `${plural(data.left_out, "verdict")} more ${data.left_out === 1 ? "is" : "are"} not in this page.`) : null);
}

function label(text) {
  return make("span", { class: `badge ${String(text).replace(/ /g, "-")}` }, text);
}

function placeOf(place) {
  return `${shortPlace(place.path)}:${place.line}`;
}

// ---------------------------------------------------------------------- review
function eventText(line) {
  if (line.do !== undefined) {
    const said = Object.entries(line.with ?? {}).map(([name, value]) => ` ${name} ${typeof value === "string" ? value : JSON.stringify(value)}`);
    return `${line.by}: ${line.do}${said.join("")}`;
  }
  return JSON.stringify(line);
}

function gameOf(game) {
  const events = game.log.slice(1);
  const shown = events.slice(0, MOST_EVENTS).map((one) => named(eventText(one)));
  if (events.length > shown.length) shown.push(`and ${events.length - shown.length} more lines`);
  return folded(`The game: ${plural(events.length, "line")}${game.shortest ? ", the shortest" : ""}`, listed("ol", {}, shown));
}
const MOST_EVENTS = 400;

function answer(candidate, scene, wording, pictures, touched) {
  return make("div", { class: "answer" }, make("p", { class: "title" }, named(candidate.text)), wording ? make("p", {}, named(wording)) : null,
    make("p", { class: "what" }, named(candidate.end)), scene ? tableElement(sceneOf(scene, pictures), touched) : null);
}

function positionElement(one, ways, pictures) {
  const scene = one.game === null ? null : one.game.scene;
  if (scene === null || ways.some((way) => way !== null && alike(way, scene))) return null;
  const title = one.game.drawn ? `The position, after ${plural(one.game.drawn, "event")}` : "The position at the start";
  return make("div", { class: "position" }, make("p", { class: "title" }, title), tableElement(sceneOf(scene, pictures)));
}

function findingElement(one, after, pictures) {
  const question = one.class === "question";
  const share = one.weight === null ? null : make("p", {}, `It matters in ${one.weight.told} of ${plural(one.weight.games, "game")} (${Math.round(100 * one.weight.low)} to ${Math.round(100 * one.weight.high)} %).`);
  const words = one.sentences.map((text, at) => make("div", {}, make("dt", {}, named(one.statements[at] ?? "")), make("dd", {}, named(text))));
  const ways = one.candidates.map((_, at) => after[at] ?? null);
  const answers = one.candidates.map((candidate, at) => answer(candidate, ways[at], question ? one.wordings[at] : null, pictures, differences(ways[at], ways[at ? 0 : 1] ?? null)));
  return make("article", { class: "finding" }, make("h2", {}, label(question ? "question" : one.outcome), named(one.message)),
    make("p", { class: "cited" }, one.places.length ? placeOf(one.places[0]) : "", one.players.length ? ` · for ${one.players.join(", ")} players` : "", " · ", named(one.id)),
    words.length ? make("dl", { class: "statements" }, words) : null, share,
    positionElement(one, ways, pictures), answers.length ? make("div", { class: "answers" }, answers) : null,
    listed("ul", { class: "note" }, [...(one.game === null ? [] : one.game.settings), ...one.notes].map((text) => named(text))),
    one.assumed.length ? section("Taken for granted", 3, listed("ul", {}, one.assumed.map((made) => named(made.text)))) : null,
    one.accepted === null ? null : make("p", {}, "Accepted: ", named(one.accepted)),
    one.lines.length ? folded("What could be written into the rules", make("pre", {}, one.lines.map((text) => [named(text), make("br")]))) : one.settle === null ? null : make("p", {}, "To settle it: ", named(one.settle)),
    one.game === null ? null : gameOf(one.game));
}

const FLAWS = ["found", "candidate", "vacuous"];

function reviewPage(data) {
  const { report } = data;
  const titles = new Map(report.checks.map((one) => [one.class, one.title]));
  const pairs = report.findings.map((one, at) => [one, data.after[at] ?? []]);
  const flaws = pairs.filter(([one]) => FLAWS.includes(one.outcome));
  const open = flaws.filter(([one]) => one.accepted === null);
  const accepted = flaws.filter(([one]) => one.accepted !== null);
  const rest = pairs.filter(([one]) => !FLAWS.includes(one.outcome)).map(([one]) => [make("b", {}, one.outcome), ` ${titles.get(one.class) ?? one.class}: `, named(one.message)]);
  return make("main", {}, make("p", { class: "state" }, `${plural(open.length, "finding")}, ${accepted.length} accepted; ${plural(report.effort.games, "game")} for each number of players.`),
    report.interrupted ? make("p", { class: "note" }, "The review was interrupted.") : null,
    open.map(([one, after]) => findingElement(one, after, data.pictures)),
    accepted.length ? folded(`${accepted.length} accepted`, make("div", {}, accepted.map(([one, after]) => findingElement(one, after, data.pictures)))) : null,
    rest.length ? make("section", {}, make("h2", {}, "Of the rest"), listed("ul", {}, rest)) : null);
}

// ---------------------------------------------------------------------- proofs
function claimElement(one) {
  const game = one.game === null ? null : section(`A game of ${one.game.players.length} players that breaks it`, 4, listed("ol", {}, one.game.events.map((event) => named(eventText(event)))));
  return make("article", { class: "claim" }, make("h3", {}, label(one.outcome), named(spoken(one.name))),
    make("p", { class: "cited" }, placeOf(one), one.cites.length ? [" · ", one.cites.map((cite, at) => [at ? " " : "", named(cite)])] : null),
    one.outcome === one.expected ? null : make("p", { class: "message" }, `The rules declare it ${one.expected}.`),
    one.how === null ? null : make("p", {}, named(one.how)), one.assumed.length ? make("p", {}, "Assumed: ", one.assumed.map((name, at) => [at ? ", " : "", named(spoken(name))])) : null,
    game, one.lemmas.length ? folded(plural(one.lemmas.length, "lemma"), listed("ul", {}, one.lemmas.map((text) => named(text)))) : null);
}

function proofsPage(data) {
  return make("main", {}, data.report.shapes.map((shape) => {
    const counts = new Map();
    for (const one of shape.claims) counts.set(one.outcome, (counts.get(one.outcome) ?? 0) + 1);
    return make("section", {}, make("h2", {}, named(spoken(shape.ruleset)), `, ${plural(shape.players, "player")}`),
      make("p", { class: "state" }, [...counts].map(([outcome, number]) => `${number} ${outcome}`).join(", ") || "Nothing to prove."),
      shape.whole ? null : make("p", { class: "note" }, "It was interrupted."), shape.claims.map(claimElement));
  }));
}

// ---------------------------------------------------------------------- the rulebook
function ruleElement(one, logs) {
  const settles = Object.entries(one.settles).map(([question, words]) => [named(question), ": ", named(words)]);
  const used = logs === null ? null : make("p", {}, one.events ? `Used by ${plural(one.events, "event")} in ${one.logs} of ${plural(logs, "log")}.` : `Used in none of ${plural(logs, "log")}.`);
  return make("article", { class: "rule" }, make("h2", {}, label(one.state), named(one.id)), make("blockquote", {}, named(one.text)),
    one.reason === null ? null : make("p", {}, named(one.reason)),
    one.places.length ? make("p", {}, "Lines: ", one.places.map((place, at) => [at ? ", " : "", named(shortPlace(place))])) : null,
    one.scenarios.length ? make("p", {}, "Scenarios: ", one.scenarios.map((title, at) => [at ? "; " : "", named(title)])) : null,
    one.questions.length ? make("p", {}, "Questions: ", one.questions.map((title, at) => [at ? "; " : "", named(title)])) : null,
    settles.length ? make("p", {}, "Settles: ", settles.map((text, at) => [at ? "; " : "", text])) : null,
    one.assumptions.length ? make("p", {}, "Assumed: ", one.assumptions.map((name, at) => [at ? ", " : "", named(spoken(name))])) : null, used);
}

function coveragePage(data) {
  const counts = new Map();
  for (const one of data.statements) counts.set(one.state, (counts.get(one.state) ?? 0) + 1);
  const said = [...counts].map(([name, number]) => `${number} ${name}`).join(", ");
  const assumed = data.assumptions.map((one) => [make("b", {}, named(spoken(one.name))), ": ", named(one.text), one.rests.length ? make("span", { class: "cited" }, ` (${one.rests.map(shortPlace).join(", ")})`) : ""]);
  return make("main", {}, make("p", { class: "state" }, `${plural(data.statements.length, "statement")}: ${said || "none"}.`),
    data.unread.length ? folded(`${plural(data.unread.length, "log")} of which nothing is counted`, listed("ul", {}, data.unread.map((one) => named(one)))) : null,
    data.statements.map((one) => ruleElement(one, data.logs)),
    assumed.length ? make("section", {}, make("h2", {}, "Taken for granted"), listed("ul", {}, assumed)) : null,
    data.inferred.length ? make("section", {}, make("h2", {}, "Answers that no words of the rulebook give"), listed("ul", {}, data.inferred.map((one) => [named(shortPlace(one.place)), ` ${one.construct}`]))) : null);
}
