// Makes elements: every text goes through `clean`, and into the page as text alone.
const SVG = "http://www.w3.org/2000/svg";

// Characters that hide, or turn round what stands beside them, become visible.
function clean(text) {
  return String(text).replace(/[\n\r\t]+/g, " ").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, "\uFFFD");
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : clean(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    element.append(child instanceof Node ? child : document.createTextNode(clean(child)));
  }
  return element;
}

function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

// Something that is called by a name of somebody's own: what it is written in does not turn its surroundings round.
function named(text, attributes = {}) {
  return make("bdi", attributes, text);
}

function listed(tag, attributes, items) {
  return items.length ? make(tag, attributes, items.map((one) => make("li", {}, one))) : null;
}

function section(title, level, ...children) {
  return make("section", {}, make(`h${level}`, {}, title), children);
}

function folded(title, ...children) {
  return make("details", {}, make("summary", {}, title), children);
}

function plural(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

function spoken(name) {
  return String(name).replace(/_/g, " ");
}
