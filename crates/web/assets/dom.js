// @ts-check
// Helpers for elements, messages and number formats.

/**
 * Creates an element with attributes and children. Attributes such as `onclick` are listeners. Null, undefined and false are
 * left out.
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
 * Creates an SVG element, like `el`.
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

/** Replaces the content of an element. @param {Element} element @param {...any} children */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
}

/** Element that got the focus last; null after a press of the pointer. @type {Element | null} */
let latest = null;
addEventListener("pointerdown", () => (latest = null), true);
addEventListener("focusin", (event) => (latest = /** @type {Element} */ (event.target)), true);

/**
 * Returns the element with the focus, even if it was disabled or removed since. In this case `document.activeElement` differs
 * between browsers: some move the focus to the page at once, others later.
 * @returns {Element | null}
 */
export function focused() {
  const { activeElement } = document;
  return activeElement && activeElement !== document.body ? activeElement : latest;
}

/** Shows a message for six seconds. @param {string} text */
export function toast(text) {
  const box = document.getElementById("toasts");
  if (!box || !text) return;
  const note = el("div", { class: "toast" }, text);
  box.append(note);
  while (box.children.length > 3) box.firstChild?.remove();
  setTimeout(() => note.remove(), 6000);
}

/** Formats a number in short form: 1234567 is `1.23M`. @param {number} n */
export function short(n) {
  if (n >= 1e9) return (n / 1e9).toFixed(2) + "G";
  if (n >= 1e6) return (n / 1e6).toFixed(2) + "M";
  if (n >= 1e4) return (n / 1e3).toFixed(1) + "k";
  return String(Math.round(n));
}

/** Copies text to the clipboard. @param {string} text @param {string} what */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    prompt(`Copy ${what.toLowerCase()}:`, text);
  }
}

/** Returns the colour of a player. @param {number} index */
export function colour(index) {
  return `var(--${["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"][index % 8]})`;
}
