// Draws a scene: boards, what lies in the middle, and a panel for each player.
const NOTHING = { zones: new Map(), values: new Set() };

// A whole scene as it stands in a review, in the form that is drawn.
function sceneOf(data, pictures) {
  const zones = data.zones.map((zone) => ({ ...zone, pieces: zone.pieces.map((piece, at) => ({
    ...piece, together: at > 0 && piece.layer !== null && zone.pieces[at - 1].layer === piece.layer })) }));
  return { ...data, zones, signed: [], pictures };
}

function alike(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

// Where a scene is not as another one of the same game: what is marked in it.
function differences(scene, other) {
  if (scene === null || other === null || scene.zones.length !== other.zones.length || scene.values.length !== other.values.length) return NOTHING;
  const odd = (all, rest) => all.flatMap((one, at) => (alike(one, rest[at]) ? [] : [at]));
  const spots = (one, rest) => one.pieces.filter((piece) => !rest.pieces.some((there) => alike(piece, there))).map((piece) => piece.spot);
  return { zones: new Map(odd(scene.zones, other.zones).map((at) => [at, new Set(spots(scene.zones[at], other.zones[at]))])),
    values: new Set(odd(scene.values, other.values)) };
}

function settingsOf(scene) {
  const said = scene.values.filter((one) => one.setting && (!one.default || one.open) && says(one));
  return said.length ? make("p", { class: "settings" }, "Settings: ", said.map((one, at) => [at ? "; " : "", named(spoken(one.title)), ` ${one.text}`])) : null;
}

// What lies before a player, or in the middle (null): first what belongs to no group, then each group under its title.
function areas(scene, owner, touched) {
  const here = [...scene.zones, ...scene.values].filter((one) => one.owner === owner && one.board === null && !one.setting);
  const titles = [...new Set(here.map((one) => one.group).filter((one) => one !== null))];
  const area = (group) => {
    const zones = scene.zones.map((zone, at) => [zone, at]).filter(([zone]) => zone.owner === owner && zone.board === null && zone.group === group);
    const laid = zones.map(([zone, at]) => zoneElement(scene, zone, touched.zones.has(at)));
    const values = valueElements(scene, owner, touched.values, group);
    return [laid.length ? make("div", { class: "zones" }, laid) : null, values.length ? make("div", { class: "values" }, values) : null].filter((one) => one !== null);
  };
  const grouped = titles.map((title) => [title, area(title)]).filter(([, inside]) => inside.length);
  return [...area(null), ...grouped.map(([title, inside]) => make("div", { class: "group", role: "group", "aria-label": title }, make("p", { class: "title" }, named(title)), inside))];
}

function panel(scene, player, touched) {
  const marks = [];
  if (scene.turn === player) marks.push(make("span", { class: "mark turn" }, "turn"));
  if (scene.asked !== null && scene.asked.who.includes(player)) marks.push(make("span", { class: "mark asked" }, "to act"));
  if (scene.winners !== null && scene.winners.includes(player)) marks.push(make("span", { class: "mark won" }, "won"));
  const dot = make("span", { class: `dot ${seatClass(scene, player)}`, "aria-hidden": "true" });
  return make("div", { class: `player${scene.turn === player ? " has-turn" : ""}`, role: "group", "aria-label": player }, make("p", { class: "name" }, dot, named(player), marks),
    areas(scene, player, touched));
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
  const middle = areas(scene, null, touched);
  const boards = scene.boards.flatMap((plan) => boardElements(scene, plan, touched));
  const players = scene.players.map((player) => panel(scene, player, touched));
  return make("div", { class: "table" }, state(scene), boards.length ? make("div", { class: "boards" }, boards) : null,
    middle.length ? make("div", { class: "middle" }, middle) : null,
    make("div", { class: "players" }, players), settingsOf(scene));
}
