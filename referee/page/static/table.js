// Draws a scene: boards, what lies in the middle, and a panel for each player.
const NOTHING = { zones: new Map(), values: new Set() };

// A whole scene as it stands in a review, in the form that is drawn.
function sceneOf(data) {
  const zones = data.zones.map((zone) => ({ ...zone, pieces: zone.pieces.map((piece, at) => ({
    ...piece, together: at > 0 && piece.layer !== null && zone.pieces[at - 1].layer === piece.layer })) }));
  return { ...data, zones, signed: [] };
}

function settingsOf(scene) {
  const said = scene.values.filter((one) => one.setting && (!one.default || one.open) && says(one));
  return said.length ? make("p", { class: "settings" }, "Settings: ", said.map((one, at) => [at ? "; " : "", named(spoken(one.title)), ` ${one.text}`])) : null;
}

function panel(scene, player, touched) {
  const zones = scene.zones.map((zone, at) => [zone, at]).filter(([zone]) => zone.owner === player && zone.board === null);
  const marks = [];
  if (scene.turn === player) marks.push(make("span", { class: "mark turn" }, "turn"));
  if (scene.asked !== null && scene.asked.who.includes(player)) marks.push(make("span", { class: "mark asked" }, "to act"));
  if (scene.winners !== null && scene.winners.includes(player)) marks.push(make("span", { class: "mark won" }, "won"));
  const dot = make("span", { class: `dot ${seatClass(scene, player)}`, "aria-hidden": "true" });
  return make("div", { class: `player${scene.turn === player ? " has-turn" : ""}`, role: "group", "aria-label": player }, make("p", { class: "name" }, dot, named(player), marks),
    make("div", { class: "zones" }, zones.map(([zone, at]) => zoneElement(scene, zone, touched.zones.has(at)))),
    make("div", { class: "values" }, valueElements(scene, player, touched.values)));
}

function state(scene) {
  if (scene.winners !== null) {
    return make("p", { class: "state" }, scene.winners.length ? ["The game is over; won by ", scene.winners.map((one, at) => [at ? " and " : "", named(one)]), "."] : "The game is over; nobody won.");
  }
  if (scene.asked === null) return null;
  const who = scene.asked.who.map((one, at) => [at ? ", " : "", named(one)]);
  const what = scene.asked.what.length ? [" (", scene.asked.what.map((one, at) => [at ? ", " : "", named(spoken(one))]), ")"] : "";
  return make("p", { class: "state" }, "To act: ", who, what, ".");
}

function tableElement(scene, touched = NOTHING) {
  const open = scene.zones.map((zone, at) => [zone, at]).filter(([zone]) => zone.owner === null && zone.board === null);
  const middle = [open.map(([zone, at]) => zoneElement(scene, zone, touched.zones.has(at))), valueElements(scene, null, touched.values)];
  const boards = scene.boards.flatMap((plan) => boardElements(scene, plan, touched));
  const players = scene.players.map((player) => panel(scene, player, touched));
  return make("div", { class: "table" }, state(scene), boards.length ? make("div", { class: "boards" }, boards) : null,
    middle.flat().length ? make("div", { class: "middle" }, middle) : null,
    make("div", { class: "players" }, players), settingsOf(scene));
}
