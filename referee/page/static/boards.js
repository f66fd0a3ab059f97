// Draws boards: squares, hexagons, and maps with rooms, walls and doors.
const CELL = 60;

// A short sign for each text: beginnings of its words, as long as they must be to tell it from the others.
function signsOf(texts) {
  const signs = new Map();
  const taken = new Set();
  for (const text of texts) {
    if (signs.has(text)) continue;
    const words = text.split(/[^\p{L}\p{N}]+/u).filter((one) => one && one !== "of");
    const [first, ...others] = words.length ? words : [text || "?"];
    const rest = others.map((one) => one.slice(0, 1)).join("");
    const tries = [1, 2, 3].map((number) => first.slice(0, number) + rest);
    for (let number = 2; tries.every((one) => taken.has(one)); number += 1) tries.push(first.slice(0, 1) + rest + number);
    const sign = tries.find((one) => !taken.has(one));
    taken.add(sign);
    signs.set(text, sign);
  }
  return signs;
}

// What stands on each cell: {text, sign, owner, number}, and whether it has just changed.
function marksOn(scene, plan, owner, touched) {
  const marks = new Map();
  const put = (cell, mark) => {
    if (!marks.has(cell)) marks.set(cell, []);
    marks.get(cell).push(mark);
  };
  scene.zones.forEach((zone, at) => {
    if (zone.board !== plan.name || ownerOfLayer(scene, plan, zone) !== owner) return;
    const changed = touched.zones.get(at);
    for (const piece of zone.pieces) {
      const cell = piece.spot ?? zone.cell;
      put(cell, { text: bare(piece), picture: sourceOf(scene, piece), owner: piece.owner ?? zone.owner, number: piece.number, touched: changed !== undefined && (changed.has(cell) || zone.cell !== null) });
    }
    if (zone.number && !zone.pieces.length && zone.cell !== null) put(zone.cell, { text: "hidden", picture: null, owner: zone.owner, number: zone.number, touched: changed !== undefined });
  });
  const names = new Set(scene.values.filter((one) => one.board === plan.name && one.form !== "marker" && !one.setting).map((one) => one.name));
  scene.values.forEach((one, at) => {
    if (one.board !== plan.name || one.setting || ownerOfLayer(scene, plan, one) !== owner) return;
    if (one.form === "marker") {
      if (one.value !== null) put(one.value, { text: one.owner ?? shortTitle(one), picture: sourceOf(scene, one), owner: one.owner, number: 1, touched: touched.values.has(at) });
    } else if (one.value && one.cell !== null) {
      const text = one.form === "fact" ? spoken(one.name) : names.size > 1 ? `${spoken(one.name)} ${one.text}` : one.text;
      const player = scene.players.includes(one.value) ? one.value : one.owner;
      put(one.cell, { text, picture: null, plain: /^-?[0-9]{1,4}$/.test(text), owner: player, number: 1, touched: touched.values.has(at) });
    }
  });
  return marks;
}

// Of a board that each player has for himself, whose it is; null if all share it.
function ownerOfLayer(scene, plan, one) {
  const shared = one.form === "marker";
  return shared ? null : one.owner;
}

function centre(plan, cell) {
  const x = 30 + cell.column * CELL + (plan.shape === "hexagons" ? (cell.row * CELL) / 2 : 0);
  const height = plan.shape === "hexagons" ? CELL * 0.866 : CELL;
  return [x + CELL / 2, 10 + (plan.rows.length - 1 - cell.row) * height + CELL / 2];
}

function hexagon(x, y) {
  const radius = CELL / Math.sqrt(3);
  return [0, 1, 2, 3, 4, 5].map((side) => {
    const angle = Math.PI / 6 + (side * Math.PI) / 3;
    return `${(x + radius * Math.cos(angle)).toFixed(1)},${(y + radius * Math.sin(angle)).toFixed(1)}`;
  }).join(" ");
}

function cellShape(plan, cell, rooms) {
  const [x, y] = centre(plan, cell);
  if (plan.shape === "hexagons") return draw("polygon", { class: "cell", points: hexagon(x, y) });
  const room = cell.room === null ? "" : ` room-${rooms.indexOf(cell.room) % 6}`;
  const dark = plan.shape === "squares" && (cell.column + cell.row) % 2 === 0 ? " dark" : "";
  return draw("rect", { class: `cell${dark}${room}`, x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL });
}

const SIDES = { north: [-1, -1, 1, -1], east: [1, -1, 1, 1], south: [-1, 1, 1, 1], west: [-1, -1, -1, 1] };

function sides(plan, cell) {
  const [x, y] = centre(plan, cell);
  const half = CELL / 2;
  const line = (kind, [left, top, right, bottom], part) => draw("line", {
    class: kind, x1: x + half * left * (left === right ? 1 : part), y1: y + half * top * (top === bottom ? 1 : part),
    x2: x + half * right * (left === right ? 1 : part), y2: y + half * bottom * (top === bottom ? 1 : part) });
  return [...cell.walls.map((way) => line("wall", SIDES[way], 1)), ...cell.doors.map((way) => line("door", SIDES[way], 0.45))];
}

function token(scene, mark, sign, x, y, size) {
  const group = draw("g", { class: `token ${mark.plain ? "plain" : seatClass(scene, mark.owner)}${mark.touched ? " touched" : ""}` });
  const label = mark.number > 1 ? `${mark.number}${sign}` : sign;
  if (!mark.plain) group.append(draw("circle", { cx: x, cy: y, r: size }));
  if (mark.picture !== null) {
    group.append(draw("image", { x: x - size * 0.8, y: y - size * 0.8, width: size * 1.6, height: size * 1.6, href: mark.picture }));
    if (mark.number > 1) group.append(draw("text", { class: "times", x: x + size * 0.7, y: y + size * 0.7, "font-size": size * 0.7 }, String(mark.number)));
    return group;
  }
  group.append(draw("text", { x, y, "font-size": Math.min(size * 1.1, (size * 2.3) / Math.max(label.length, 1)) }, label));
  return group;
}

function tokens(scene, cell, marks, signs, [x, y]) {
  const columns = Math.ceil(Math.sqrt(marks.length));
  const size = marks.length === 1 ? CELL * 0.4 : (CELL * 0.46) / columns;
  return marks.map((mark, at) => {
    const across = (at % columns) - (columns - 1) / 2;
    const down = Math.floor(at / columns) - (Math.ceil(marks.length / columns) - 1) / 2;
    return token(scene, mark, mark.plain ? mark.text : signs.get(mark.text), x + across * 2 * size, y + down * 2 * size, size);
  });
}

// What rows and columns are called: beside the first cell of each row, below the lowest of each column.
function rim(plan) {
  const aside = plan.shape === "hexagons" ? CELL / 4 : 0;
  const rows = plan.rows.map((name, row) => [name, plan.cells.filter((cell) => cell.row === row).sort((one, other) => one.column - other.column)[0], -CELL / 2 - 14, 0]);
  const columns = plan.columns.map((name, column) => [name, plan.cells.filter((cell) => cell.column === column).sort((one, other) => one.row - other.row)[0], -aside, CELL / 2 + 14]);
  return [...rows, ...columns].filter(([, cell]) => cell !== undefined).map(([name, cell, right, down]) => {
    const [x, y] = centre(plan, cell);
    return draw("text", { class: "rim", x: x + right, y: y + down }, name);
  });
}

function boardDrawing(scene, plan, marks, signs) {
  const at = plan.cells.map((cell) => centre(plan, cell));
  const left = Math.min(...at.map(([x]) => x)) - CELL / 2 - 30;
  const top = Math.min(...at.map(([, y]) => y)) - CELL / 2 - 10;
  const width = Math.max(...at.map(([x]) => x)) + CELL / 2 + 10 - left;
  const height = Math.max(...at.map(([, y]) => y)) + CELL / 2 + 30 - top;
  const rooms = [...new Set(plan.cells.map((one) => one.room))];
  const drawing = draw("svg", { class: `board ${plan.shape}`, viewBox: `${left} ${top} ${width} ${height}`, "aria-hidden": "true" });
  drawing.style.maxWidth = `${Math.min(Math.max(1.25 * width, 220), 760)}px`;
  drawing.append(...plan.cells.map((cell) => cellShape(plan, cell, rooms)), ...plan.cells.flatMap((cell) => sides(plan, cell)));
  for (const cell of plan.cells) {
    const here = marks.get(cell.name);
    if (here !== undefined) drawing.append(...tokens(scene, cell, here, signs, centre(plan, cell)));
  }
  drawing.append(...rim(plan));
  return drawing;
}

function boardElements(scene, plan, touched) {
  const layers = [...scene.zones, ...scene.values].filter((one) => one.board === plan.name && !one.setting);
  const owners = [...new Set(layers.map((one) => ownerOfLayer(scene, plan, one)))];
  return [null, ...scene.players].filter((owner) => owners.includes(owner)).map((owner) => {
    const marks = marksOn(scene, plan, owner, touched);
    const all = [...scene.signed, ...[...marks.values()].flat().filter((one) => !one.plain).map((one) => one.text)];
    const signs = signsOf(all);
    const used = new Map([...marks.values()].flat().filter((one) => !one.plain).map((one) => [one.text, signs.get(one.text)]));
    const told = plan.cells.filter((cell) => marks.has(cell.name)).map((cell) => [named(cell.name), ": ",
      marks.get(cell.name).map((mark) => `${mark.number > 1 ? `${mark.number} ` : ""}${mark.text}${mark.owner === null || mark.text === mark.owner ? "" : ` of ${mark.owner}`}`).join(", ")]);
    const pictured = new Map([...marks.values()].flat().filter((one) => one.picture !== null).map((one) => [one.text, one.picture]));
    const key = [...used].filter(([text, sign]) => text !== sign || pictured.has(text)).map(([text, sign]) => [pictured.has(text) ? make("img", { class: "picture", src: pictured.get(text), alt: "" }) : make("b", {}, sign), " ", named(text)]);
    return make("figure", { class: "plan" }, make("figcaption", {}, named(spoken(plan.name)), owner === null ? null : [" of ", named(owner)]),
      boardDrawing(scene, plan, marks, signs), listed("ul", { class: "key" }, key), make("div", { class: "heard" }, listed("ul", {}, told) ?? "nothing stands on it"));
  });
}
