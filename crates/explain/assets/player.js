// @ts-check
// Step player of a search. The page's JSON contains the positions of the nodes, and the changes of every line of the
// narration. A step back undoes exactly the changes of the step forward.

/**
 * Content of a place or of a hidden node: its status (0 unknown, 1 unseen, 2 open, 3 current, 4 done, 5 best, 6 pruned),
 * then its texts; the first text of a placeholder is its label.
 * @typedef {[status: number, ...texts: string[]]} Content
 * @typedef {[number: number, status: number, ...texts: string[]]} Change
 * @typedef {[text: string, node: number, depth: number, changes: Change[], weights?: (number|null)[]]} NarrationLine
 * @typedef {[parent: number, name: string, kind: string, slot: number, children: number]} Node
 * @typedef {string | number[]} Form  the points of a polygon, or x, y, width, height and radius of a box
 * @typedef {{node: number, parent: number, kind: string, label: string, at: number[], half: number[], labelAt: number[],
 *   notesAt: number[], below: number[], line?: number[][], cut?: number[], edge?: string, edgeAt?: number[], move?: string, form?: Form, sign?: Form}} Slot
 * @typedef {{width: string, height: string, strokes: string[], boards: string[], light: string[], dark: string[],
 *   of: number[]}} Boards
 * @typedef {{title: string, position: string, answer: string, note: string, here: string, notations: string[], size: number[],
 *   text: number[], nodes: Node[], slots: Slot[], narration: NarrationLine[], boards: Boards?}} Page
 * @typedef {{content: Content, why: number}} State  `why` is the line that pruned it, or -1
 */

const SVG = "http://www.w3.org/2000/svg";
const UNKNOWN = 0, CURRENT = 3, BEST = 5, PRUNED = 6;
/** Minimum size of a cell in pixels. A tree that needs more room than its frame can be scrolled. */
const MIN_CELL_PIXELS = 34;
const MAX_CELL_PIXELS = 130;

/** @param {string} id */
const by = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

// Bidirectional controls in names would reorder the text after them, so they are replaced by a visible character.
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
/** @type {Page} */
const page = JSON.parse((by("page").textContent ?? "").replace(TURNS, "\ufffd"));
const { nodes, slots, narration } = page;
const last = narration.length - 1;
const [LABEL, NOTE, NOTE_STEP] = page.text;

// ---- State after each line ----

/** @type {State[]} */
const states = [];
/** @type {[number, State | undefined][][]} */
const undo = narration.map(() => []);
let at = 0;

/** Applies a line's changes and notes how to undo them. @param {number} line @param {Set<number>} touched */
function forward(line, touched) {
  /** @type {[number, State | undefined][]} */
  const before = [];
  for (const [number, ...content] of narration[line][3]) {
    before.push([number, states[number]]);
    const was = states[number];
    const why = content[0] !== PRUNED ? -1 : was?.content[0] === PRUNED ? was.why : line;
    states[number] = { content: /** @type {Content} */ (content), why };
    touched.add(number);
  }
  undo[line] = before;
}

/** @param {number} line @param {Set<number>} touched */
function backward(line, touched) {
  for (const [number, state] of undo[line].reverse()) {
    if (state) states[number] = state;
    else delete states[number];
    touched.add(number);
  }
}

/** Of every node, the lines that weigh its children. @type {Map<number, number[]>} */
const weighed = new Map();
narration.forEach((line, number) => {
  if (line[4]) weighed.set(line[1], [...(weighed.get(line[1]) ?? []), number]);
});

// ---- The tree ----

const tree = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (by("tree")));

/** @param {string} name @param {Record<string, string | number>} attributes @param {Element} [parent] */
function draw(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  parent?.append(element);
  return element;
}

/** @param {Form} form @param {string} kind @param {Element} parent */
function drawForm(form, kind, parent) {
  if (typeof form === "string") return draw("polygon", { points: form, class: kind, "stroke-linejoin": "round" }, parent);
  const [x, y, width, height, rx] = form;
  return draw("rect", { x, y, width, height, rx, class: kind }, parent);
}

/** A text whose middle is here. @param {number[]} middle @param {number} size @param {Element} parent */
function drawText([x, y], size, parent) {
  return draw("text", { x, y: (y + 0.3645 * size).toFixed(3), "font-size": size }, parent);
}

const edgeLayer = draw("g", {}, tree);
// The principal variation and the path to the current node are drawn above all other lines.
const bestLine = draw("path", { class: "best" }, tree);
const way = draw("path", { class: "way" }, tree);
const nodeLayer = draw("g", {}, tree);

const drawn = slots.map((slot, number) => {
  const edge = draw("g", { class: "edge" });
  edgeLayer.prepend(edge); // leaves that hang share a line: the first is on top
  const line = slot.line && draw("polyline", { class: "line" }, edge);
  if (slot.cut) {
    const [x, y] = slot.cut;
    draw("path", { class: "cut", d: `M${x - 0.12} ${y + 0.03}l0.14 -0.16M${x - 0.02} ${y + 0.13}l0.14 -0.16` }, edge);
  }
  const group = draw("g", { "data-slot": number }, nodeLayer);
  const title = draw("title", {}, group);
  const [x, y] = slot.at, [w, h] = [Math.max(slot.half[0], 0.4), Math.max(slot.half[1], 0.4)];
  draw("rect", { class: "hit", x: x - w, y: y - h, width: 2 * w, height: 2 * h + NOTE_STEP }, group);
  if (slot.form) drawForm(slot.form, "form", group);
  if (slot.sign) drawForm(slot.sign, "sign", group);
  const label = drawText(slot.labelAt, slot.kind === "fold" ? NOTE : LABEL, group);
  label.textContent = slot.label;
  if (slot.edge && slot.edgeAt) drawText(slot.edgeAt, NOTE, group).textContent = slot.edge;
  const notes = [0, 1, 2].map((i) => drawText([slot.notesAt[0], slot.notesAt[1] + i * NOTE_STEP], NOTE, group));
  return { edge, line, group, title, label, notes };
});

/** @param {number} number */
const notesOf = (number) => states[number].content.slice(slots[number].kind === "fold" ? 2 : 1).map(String);

/** Shows what a place says now. @param {number} number */
function show(number) {
  const slot = slots[number], own = drawn[number], { content } = states[number];
  const texts = notesOf(number);
  if (slot.kind === "fold") own.label.textContent = String(content[1]);
  own.notes.forEach((note, i) => { note.textContent = texts[i] ?? ""; });
  own.group.setAttribute("class", `slot ${slot.kind} f${content[0]}`);
  mark(number);
  own.edge.setAttribute("class", `edge f${content[0]}`);
  own.title.textContent = summary(number);
  for (const [child, { line }] of drawn.entries()) {
    if (slots[child].parent === number) line?.setAttribute("points", linePoints(child, number, texts.length));
  }
}

/** Marks a place that is under the pointer, or kept. @param {number} number */
function mark(number) {
  drawn[number].group.classList.toggle("seen", number === hovered);
  drawn[number].group.classList.toggle("kept", number === pinned);
}

/** @param {number} child @param {number} parent @param {number} notes */
function linePoints(child, parent, notes) {
  const top = [slots[parent].at[0], slots[parent].below[Math.min(notes, 3)]];
  return [top, ...(slots[child].line ?? [])].map(([x, y]) => `${x},${y}`).join(" ");
}

/** A place in words, for a tooltip. @param {number} number */
function summary(number) {
  const slot = slots[number], { content, why } = states[number];
  const parts = slot.kind === "fold" ? [content.slice(1).join(" ")] : [nodes[slot.node][1], ...notesOf(number)];
  if (slot.move) parts.splice(1, 0, slot.move);
  if (why >= 0) parts.push(`pruned: ${narration[why][0]}`);
  return parts.join("\n");
}

/** The lines to some places as one path. @param {number[]} numbers */
const linesTo = (numbers) => numbers.map((number) => {
  const points = drawn[number].line?.getAttribute("points");
  return points ? `M${points.replaceAll(" ", "L")}` : "";
}).join("");

/** @param {number} status */
const withFate = (status) => [...slots.keys()].filter((number) => states[number].content[0] === status);

/** Marks the best line, and the way from the root to the place where the search is, which is returned. */
function showPath() {
  const [focus = -1] = withFate(CURRENT);
  const path = [];
  for (let number = focus; number >= 0; number = slots[number].parent) path.push(number);
  way.setAttribute("d", linesTo(path));
  bestLine.setAttribute("d", linesTo(withFate(BEST)));
  return focus;
}

// ---- The view: pixels per cell, and the point in the middle ----

const view = { scale: 1, x: 0, y: 0, isFree: false };
const [wide, high] = page.size;

const frame = () => ({ w: tree.clientWidth || 1, h: tree.clientHeight || 1 });

function look() {
  const { w, h } = frame();
  const [vw, vh] = [w / view.scale, h / view.scale];
  // The tree stays visible: if it is smaller than the frame, it is centred in the upper half.
  const hold = (/** @type {number} */ x, /** @type {number} */ part, /** @type {number} */ whole) =>
    part >= whole ? whole / 2 : Math.min(Math.max(x, part / 2), whole - part / 2);
  view.x = hold(view.x, vw, wide);
  view.y = hold(view.y, vh, high);
  tree.setAttribute("viewBox", [view.x - vw / 2, view.y - vh / 2, vw, vh].map((n) => n.toFixed(3)).join(" "));
}

/** @param {boolean} isWhole whether all of it, however small */
function fit(isWhole) {
  const { w, h } = frame();
  const whole = Math.min(w / wide, h / high, MAX_CELL_PIXELS);
  view.scale = isWhole ? whole : Math.max(whole, MIN_CELL_PIXELS);
  [view.x, view.y, view.isFree] = [wide / 2, 0, false];
  look();
}

/** @param {number} factor @param {number} [px] @param {number} [py] the pixel that stays where it is */
function zoom(factor, px = frame().w / 2, py = frame().h / 2) {
  const { w, h } = frame();
  const [dx, dy] = [px - w / 2, py - h / 2];
  const [x, y] = [view.x + dx / view.scale, view.y + dy / view.scale];
  const least = Math.min(w / wide, h / high, MAX_CELL_PIXELS) / 2;
  view.scale = Math.min(Math.max(view.scale * factor, least), 300);
  [view.x, view.y, view.isFree] = [x - dx / view.scale, y - dy / view.scale, true];
  look();
}

/** Moves as little as it must so that a place is well inside. @param {number} number */
function follow(number) {
  if (number < 0) return;
  const { w, h } = frame();
  const [x, y] = slots[number].at;
  const room = (/** @type {number} */ side) => Math.max(side / view.scale / 2 - 2, 0.2 * side / view.scale);
  view.x = Math.min(Math.max(view.x, x - room(w)), x + room(w));
  view.y = Math.min(Math.max(view.y, y - room(h)), y + room(h));
  look();
}

// ---- The selected node ----

/** @type {number?} */
let hovered = null;
/** @type {number?} */
let pinned = null;

/** Returns the slot under the pointer, or the pinned slot; null if there is none, or if the search does not know its
 * node yet. */
function chosenSlot() {
  const slot = hovered ?? pinned;
  return slot === null || states[slot].content[0] === UNKNOWN ? null : slot;
}

/** Pins a slot, or unpins with null. @param {number?} slot */
function keep(slot) {
  const before = pinned;
  pinned = slot;
  for (const number of [before, slot]) if (number !== null) mark(number);
  tell();
}

/** Returns the number of the node to describe. */
function subject() {
  const slot = chosenSlot();
  if (slot === null) return Math.max(narration[at][1], 0);
  if (slots[slot].node >= 0) return slots[slot].node;
  // A placeholder stands for the current node if that is in its subtree, else for its parent.
  const isHere = states[slot].content[0] === CURRENT && narration[at][1] >= 0;
  return isHere ? narration[at][1] : slots[slots[slot].parent].node;
}

/** @param {number} node */
const stateOf = (node) =>
  slots[nodes[node][3]].node === node ? states[nodes[node][3]] : states[slots.length + node];

/** @param {string} name @param {string} text @param {string} [kind] */
function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

/** @type {Record<string, string>} */
const DECIDES = { max: "MAX to move", min: "MIN to move", chance: "chance node", end: "end of the game" };

function tell() {
  const node = subject();
  const [parent, name, kind] = nodes[node];
  const who = DECIDES[kind] ?? `player ${Number(kind.slice(1)) + 1} to move`;
  const state = stateOf(node);
  const facts = [element("h2", `${name}, ${who}`)];
  const moves = [];
  for (let n = node; nodes[n][0] >= 0; n = nodes[n][0]) moves.unshift(nodes[n][1]);
  if (moves.length > 1) facts.push(element("p", moves.join(" → "), "path"));
  const isShown = slots[nodes[node][3]].node === node;
  const notes = state ? state.content.slice(1).map(String) : [];
  if (notes.length) facts.push(element("p", notes.join("   ")));
  if (!isShown && hovered === null && parent >= 0) facts.push(element("p", "Not drawn: in a collapsed subtree."));
  const slot = chosenSlot();
  const pruned = slot === null ? state : states[slot];
  if (pruned && pruned.why >= 0) facts.push(element("p", `Pruned: ${narration[pruned.why][0]}`, "why"));
  if (slot !== null && slots[slot].kind === "fold") {
    facts.unshift(element("p", `${states[slot].content.slice(1).join(" ")}: not drawn, to keep the tree readable`));
  }
  if (slot !== null && slot === pinned) facts.push(element("p", "Pinned: click it again or press Escape to unpin.", "hint"));
  by("facts").replaceChildren(...facts);
  const path = by("facts").querySelector(".path");
  if (path) path.scrollTop = path.scrollHeight; // the node is at the end of the path
  tellWeights(node);
  showBoard(node, name);
}

/** Shows mean and bonus of the children of a node in its latest selection. @param {number} node */
function tellWeights(node) {
  const when = (weighed.get(node) ?? []).filter((line) => line <= at).pop();
  const flat = when === undefined ? undefined : narration[when][4];
  if (!flat) return by("weights").replaceChildren();
  const table = document.createElement("table");
  const [all, chosen, ...cells] = flat;
  const rows = [];
  for (let i = 0; i < cells.length; i += 4) rows.push(cells.slice(i, i + 4));
  table.append(element("caption", `Selection at ${nodes[node][1]}: mean + bonus of its children`));
  const head = table.createTHead().insertRow();
  for (const text of ["", "visits", "mean", "bonus", "sum"]) head.append(element("th", text));
  const body = table.createTBody();
  const number = (/** @type {number?} */ n) => (n === null ? "∞" : String(Math.round(n * 1e4) / 1e4));
  rows.forEach(([child, visits, mean, bonus]) => {
    const row = body.insertRow();
    if (child === chosen) row.className = "chosen";
    const sum = bonus === null ? null : Number(mean) + Number(bonus);
    const texts = [nodes[Number(child)][1], String(visits), visits || bonus !== null ? number(mean) : "–", number(bonus), number(sum)];
    for (const text of texts) row.insertCell().textContent = text;
  });
  const more = Number(all) - rows.length;
  by("weights").replaceChildren(table, ...(more > 0 ? [element("p", `…and ${more} more with smaller sums or without visits`)] : []));
}

const board = by("board");

/** @param {number} node @param {string} name */
function showBoard(node, name) {
  const { boards } = page;
  if (!boards) return;
  // Nodes without a board of their own show that of the nearest ancestor.
  let from = node;
  while (boards.of[from] < 0 && nodes[from][0] >= 0) from = nodes[from][0];
  const number = boards.of[from];
  if (number < 0 || board.dataset.board === String(number)) return;
  board.dataset.board = String(number);
  board.dataset.node = String(from);
  board.innerHTML = boards.boards[number].split(",").map((run) => {
    const [first, last] = run.split("-").map(Number);
    return boards.strokes.slice(first, (last ?? first) + 1).join("");
  }).join("");
  board.setAttribute("aria-label", `The board after ${name}`);
}

// ---- The narration ----

const story = by("story");
const lines = narration.slice(1).map(([text, node, depth], i) => {
  const item = document.createElement("li");
  const button = /** @type {HTMLButtonElement} */ (element("button", text, node < 0 ? "told round" : "told"));
  button.type = "button";
  button.tabIndex = -1;
  button.dataset.line = String(i + 1);
  button.style.setProperty("--depth", String(Math.min(depth, 12)));
  item.append(button);
  return { item, button };
});
story.append(...lines.map(({ item }) => item));

/** @param {number} before */
function showLine(before) {
  const old = lines[before - 1]?.button, now = lines[at - 1]?.button;
  old?.removeAttribute("aria-current");
  if (old) old.tabIndex = -1;
  for (let line = Math.min(before, at); line <= Math.max(before, at); line++) {
    lines[line - 1]?.button.classList.toggle("past", line <= at);
  }
  if (!now) { story.scrollTop = 0; return; }
  now.setAttribute("aria-current", "step");
  now.tabIndex = 0;
  const { offsetTop, offsetHeight } = /** @type {HTMLElement} */ (now.parentElement);
  // Only the narration scrolls, not the page.
  const [top, bottom] = [story.scrollTop, story.scrollTop + story.clientHeight];
  if (offsetTop < top + 20 || offsetTop + offsetHeight > bottom - 40) {
    story.scrollTop = offsetTop - 0.4 * story.clientHeight;
  }
}

// ---- Steps ----

const scrub = /** @type {HTMLInputElement} */ (by("scrub"));
scrub.max = String(last);

/** Goes to the state after a line; 0 is before the first. @param {number} target */
function go(target) {
  const to = Math.min(Math.max(Math.round(target) || 0, 0), last);
  /** @type {Set<number>} */
  const touched = new Set();
  const before = at;
  while (at < to) forward(++at, touched);
  while (at > to) backward(at--, touched);
  for (const number of touched) if (number < slots.length) show(number);
  const focus = showPath();
  follow(focus);
  tell(); // before scrolling, because it changes the height of the narration
  showLine(before);
  scrub.value = String(at);
  scrub.setAttribute("aria-valuetext", `${at} of ${last}`);
  by("count").textContent = `${at} / ${last}`;
  by("now").textContent = narration[at][0] || `${last} lines. Press → to go on, or space to play.`;
  if (at === last) pause();
}

/** @type {number | undefined} */
let timer;

function pause() {
  clearInterval(timer);
  timer = undefined;
  by("play").textContent = "Play";
  by("now").setAttribute("aria-live", "polite");
}

function play() {
  if (at === last) go(0);
  const speed = Number(/** @type {HTMLSelectElement} */ (by("speed")).value);
  clearInterval(timer);
  timer = setInterval(() => go(at + 1), 1000 / speed);
  by("play").textContent = "Pause";
  by("now").setAttribute("aria-live", "off"); // too fast for a screen reader
}

const playOrPause = () => (timer === undefined ? play() : pause());

/** @param {number} target */
function step(target) {
  pause();
  go(target);
}

by("first").onclick = () => step(0);
by("back").onclick = () => step(at - 1);
by("next").onclick = () => step(at + 1);
by("last").onclick = () => step(last);
by("play").onclick = playOrPause;
by("speed").onchange = () => { if (timer !== undefined) play(); };
scrub.oninput = () => step(Number(scrub.value));
by("fit").onclick = () => fit(true);
by("closer").onclick = () => zoom(1.3);
by("farther").onclick = () => zoom(1 / 1.3);
story.onclick = (event) => {
  const { line } = /** @type {HTMLElement} */ (event.target).dataset;
  if (line) step(Number(line));
};

const KEYS = {
  ArrowRight: () => step(at + 1), ArrowDown: () => step(at + 1),
  ArrowLeft: () => step(at - 1), ArrowUp: () => step(at - 1),
  PageDown: () => step(at + 10), PageUp: () => step(at - 10),
  Home: () => step(0), End: () => step(last), " ": playOrPause,
  Escape: () => keep(null), f: () => fit(true), t: () => turn(), "+": () => zoom(1.3), "-": () => zoom(1 / 1.3),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.tagName === "SELECT") return;
  // The space key presses a focused button; on a line of the narration it starts the player.
  if (event.key === " " && target.tagName === "BUTTON" && !story.contains(target)) return;
  const action = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
  if (!action) return;
  event.preventDefault();
  action();
});

// ---- The pointer in the tree ----

/** @type {Map<number, {x: number, y: number}>} */
const fingers = new Map();
let travelled = 0;

/** @param {Event} event */
function slotUnder(event) {
  const group = /** @type {Element} */ (event.target).closest("[data-slot]");
  const slot = group && Number(/** @type {SVGElement} */ (group).dataset.slot);
  return slot !== null && states[slot].content[0] !== UNKNOWN ? slot : null;
}

/** @param {number?} slot */
function hover(slot) {
  if (slot === hovered) return;
  const before = hovered;
  hovered = slot;
  for (const number of [before, slot]) if (number !== null) mark(number);
  tell();
}

tree.addEventListener("pointerdown", (event) => {
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  travelled = 0;
});
tree.addEventListener("pointermove", (event) => {
  // A release outside the window sends no event.
  if (!event.buttons) fingers.delete(event.pointerId);
  const finger = fingers.get(event.pointerId);
  if (!finger) {
    if (event.pointerType === "mouse") hover(slotUnder(event));
    return;
  }
  const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
  const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
  travelled += Math.hypot(dx, dy);
  if (other) {
    const apart = (/** @type {{x: number, y: number}} */ a) => Math.hypot(a.x - other.x, a.y - other.y) || 1;
    const box = tree.getBoundingClientRect();
    zoom(apart({ x: event.clientX, y: event.clientY }) / apart(finger), other.x - box.x, other.y - box.y);
  } else if (travelled > 4) {
    tree.setPointerCapture(event.pointerId);
    [view.x, view.y, view.isFree] = [view.x - dx / view.scale, view.y - dy / view.scale, true];
    look();
  }
  [finger.x, finger.y] = [event.clientX, event.clientY];
});
for (const kind of ["pointerup", "pointercancel"]) {
  addEventListener(kind, (event) => fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
}
tree.addEventListener("pointerleave", () => hover(null));
tree.addEventListener("click", (event) => {
  if (travelled > 4) return;
  const slot = slotUnder(event);
  keep(slot === pinned ? null : slot);
});
tree.addEventListener("wheel", (event) => {
  event.preventDefault();
  const box = tree.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY / 400), event.clientX - box.x, event.clientY - box.y);
}, { passive: false });
new ResizeObserver(() => {
  if (view.isFree) look();
  else fit(false);
  follow(withFate(CURRENT)[0] ?? -1);
}).observe(tree);

// ---- Light and dark ----

/** @param {string} theme */
function dress(theme) {
  document.documentElement.dataset.theme = theme;
  page.boards?.[theme === "dark" ? "dark" : "light"].forEach((colour, i) => board.style.setProperty(`--c${i}`, colour));
}
const turn = () => dress(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
by("theme").onclick = turn;
const dark = matchMedia("(prefers-color-scheme: dark)");
dark.onchange = () => dress(dark.matches ? "dark" : "light");
dress(dark.matches ? "dark" : "light");

// ---- The legend ----

/** @type {[string, string, string][]} kind and status of a node, and what it means */
const MEANINGS = [];
const kinds = new Set(slots.map((slot) => slot.kind));
/** @type {Record<string, string>} */
const NAMES = { max: "MAX to move", min: "MIN to move", chance: "chance node", end: "end of the game" };
for (const kind of [...kinds].sort()) {
  if (NAMES[kind]) MEANINGS.push([kind, "f4", NAMES[kind]]);
  else if (kind !== "fold") MEANINGS.push([kind, "f4", `player ${Number(kind.slice(1)) + 1} to move`]);
}
const some = ["max", "min", "p0", "end"].find((kind) => kinds.has(kind)) ?? "max";
MEANINGS.push([some, "f3", page.here]);
/** @param {number} status */
const occurs = (status) => narration.some(([, , , changes]) => changes.some((change) => change[1] === status));
if (occurs(PRUNED)) MEANINGS.push(["end", "f6", "pruned"]);
if (occurs(BEST)) MEANINGS.push([some, "f5", "best line"]);
for (const [kind, status, meaning] of MEANINGS) {
  const item = document.createElement("li");
  const picture = draw("svg", { viewBox: "-0.6 -0.6 1.2 1.2", "aria-hidden": "true" }, item);
  const group = draw("g", { class: `slot ${kind} ${status}` }, picture);
  /** @type {Record<string, Form>} */
  const forms = { max: "-0.5,0.4 0.5,0.4 0,-0.4", min: "-0.5,-0.4 0.5,-0.4 0,0.4", chance: [-0.4, -0.4, 0.8, 0.8, 0.4], end: [-0.45, -0.3, 0.9, 0.6, 0.1] };
  drawForm(forms[kind] ?? [-0.4, -0.4, 0.8, 0.8, 0.06], "form", group);
  if (status === "f6") draw("path", { class: "cut", d: "M-0.32 0.3l0.36 -0.6M-0.04 0.3l0.36 -0.6" }, group);
  item.append(meaning);
  by("legend").append(item);
}
const notations = [...page.notations];
/** @param {RegExp} pattern */
const isSaid = (pattern) => narration.some(([, , , changes]) => changes.some((change) => pattern.test(change[2] ?? "")));
if (isSaid(/^[≥≤] /)) notations.push("≥ ≤ bound");
if (isSaid(/^\(/)) notations.push("(α, β) window");
if (isSaid(/^[<>] .*\?$/)) notations.push("> < test");
for (const text of notations) by("legend").append(element("li", text));

// ---- Start ----

by("title").textContent = page.title;
by("answer").textContent = page.answer;
by("note").textContent = page.note;
by("note").hidden = page.note === "";
if (page.boards) {
  board.removeAttribute("hidden");
  board.setAttribute("viewBox", `0 0 ${page.boards.width} ${page.boards.height}`);
  board.setAttribute("font-family", "DejaVu Sans, Verdana, sans-serif");
  board.setAttribute("stroke-linecap", "round");
  board.setAttribute("stroke-linejoin", "round");
}
forward(0, new Set());
slots.forEach((_, number) => show(number));
fit(false);
go(Number(location.hash.slice(1)) || 0);
addEventListener("hashchange", () => step(Number(location.hash.slice(1)) || 0));
