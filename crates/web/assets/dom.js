// @ts-check
// Making elements, and saying things to people.

/**
 * An element with attributes and children. `onclick` and the like are listeners; `class` is a class;
 * what is null, undefined or false is left out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | number | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  set(element, attributes);
  add(element, children);
  return element;
}

/**
 * The same for drawings.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | number | null | undefined | false)} children
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", name));
  set(element, attributes);
  add(element, children);
  return element;
}

/** @param {Element} element @param {Record<string, any>} attributes */
function set(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" && "value" in element) /** @type {any} */ (element).value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
}

/** @param {Element} element @param {(Node | string | number | null | undefined | false)[]} children */
function add(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Replaces everything inside. @param {Element} element @param {...any} children */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
}

/** The element that got the focus last, unless the pointer went elsewhere since. @type {Element | null} */
let latest = null;
addEventListener("pointerdown", () => (latest = null), true);
addEventListener("focusin", (event) => (latest = /** @type {Element} */ (event.target)), true);

/**
 * Returns the element with the focus, also if it was disabled or removed since: then some browsers give the focus
 * to the page at once and others later, so `document.activeElement` does not tell.
 * @returns {Element | null}
 */
export function focused() {
  const { activeElement } = document;
  return activeElement && activeElement !== document.body ? activeElement : latest;
}

/** Says something for a few seconds. @param {string} text */
export function toast(text) {
  const box = document.getElementById("toasts");
  if (!box || !text) return;
  const note = el("div", { class: "toast" }, text);
  box.append(note);
  while (box.children.length > 3) box.firstChild?.remove();
  setTimeout(() => note.remove(), 6000);
}

/** A number as people read it: 1234567 is `1.23M`. @param {number} n */
export function short(n) {
  if (n >= 1e9) return (n / 1e9).toFixed(2) + "G";
  if (n >= 1e6) return (n / 1e6).toFixed(2) + "M";
  if (n >= 1e4) return (n / 1e3).toFixed(1) + "k";
  return String(Math.round(n));
}

/** Puts text where it can be pasted from. @param {string} text @param {string} what */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    prompt(`Copy ${what.toLowerCase()}:`, text);
  }
}

/** The colour of a player. @param {number} index */
export function colour(index) {
  return `var(--${["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"][index % 8]})`;
}
