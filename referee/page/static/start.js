// Reads the document that stands in the page, and shows it.
const data = JSON.parse(document.getElementById("document").textContent);
const PAGES = { log: logPage, verdicts: verdictsPage, review: reviewPage, proofs: proofsPage, coverage: coveragePage };

function headOf() {
  const said = [];
  if (data.ruleset && data.ruleset !== data.title) said.push(named(spoken(data.ruleset)));
  if (data.version) said.push(["version ", named(data.version)]);
  if (data.kind === "log") {
    said.push(data.players.map((one, at) => [at ? ", " : "", named(one)]));
    if (data.viewer !== null) said.push(data.viewer === "public" ? "as everybody sees it" : ["as ", named(data.viewer), " sees it"]);
  }
  const outcome = data.kind === "log" ? badge(data.verdict) : null;
  return make("header", {}, make("h1", {}, named(data.title)), make("p", { class: "about" }, said.map((one, at) => [at ? " · " : "", one])), outcome);
}

document.body.append(headOf(), PAGES[data.kind](data), make("footer", {}, make("p", {}, "Made by referee. This file asks nobody for anything.")));
