// @ts-check
// A board: the server's drawing, and over it the spots that can be clicked, dragged and reached by keys.

import { el, svg } from "./dom.js";

/** @typedef {import("./types.js").BoardView} BoardView */
/** @typedef {import("./types.js").Choice} Choice */

/**
 * What can come next after some clicks. Steps of a move (pairs of clicks) may come in any order.
 * @param {Choice[]} choices
 * @param {number[]} clicked
 */
export function continuations(choices, clicked) {
  /** @type {Set<number>} */
  const next = new Set();
  /** @type {Choice[]} */
  const complete = [];
  for (const choice of choices) {
    const left = rest(choice.spots, clicked);
    if (!left) continue;
    if (left.length === 0) complete.push(choice);
    for (const spot of left) next.add(spot);
  }
  return { next, complete };
}

/**
 * What may be clicked next if these clicks lead to this move; null if they do not.
 * @param {number[]} spots the move as clicks
 * @param {number[]} clicked
 * @returns {number[] | null}
 */
function rest(spots, clicked) {
  const pairs = [];
  for (let i = 0; i < spots.length; i += 2) pairs.push(spots.slice(i, i + 2));
  for (let i = 0; i < clicked.length; i += 2) {
    const step = clicked.slice(i, i + 2);
    const at = pairs.findIndex((pair) => step.every((spot, k) => pair[k] === spot) && pair.length >= step.length);
    if (at < 0) return null;
    if (step.length === pairs[at].length) pairs.splice(at, 1);
    else {
      // One end of a step is chosen: any step from there may follow.
      const ends = pairs.filter((pair) => pair[0] === step[0] && pair.length > 1);
      return ends.map((pair) => pair[1]);
    }
  }
  return pairs.map((pair) => pair[0]);
}

export class Board {
  /**
   * @param {HTMLElement} root
   * @param {{ onmove: (move: string) => void, onrefuse: (why: string) => void }} listeners
   */
  constructor(root, listeners) {
    this.listeners = listeners;
    this.drawing = el("div", { class: "drawing" });
    this.overlay = svg("svg", { class: "overlay", role: "group", "aria-label": "Board" });
    this.frame = el("div", { class: "frame" }, this.drawing, this.overlay);
    this.element = el("div", { class: "board" }, this.frame);
    root.append(this.element);
    /** @type {BoardView} */
    this.view = { svg: "", spots: [], choices: [] };
    /** @type {number[]} */
    this.clicked = [];
    /** @type {SVGElement[]} */
    this.spots = [];
    this.active = false;
    /** @type {number | null} where a drag began */
    this.dragged = null;
    this.overlay.addEventListener("pointerdown", (event) => this.press(event));
    this.overlay.addEventListener("pointerup", (event) => this.release(event));
    this.overlay.addEventListener("keydown", (event) => this.key(event));
  }

  /**
   * Shows a position. Only an active board takes clicks.
   * @param {BoardView} view
   * @param {boolean} active
   */
  show(view, active) {
    this.view = view;
    this.active = active;
    this.clicked = [];
    this.element.classList.toggle("active", active);
    this.paint(view.svg);
    const box = this.drawing.querySelector("svg")?.getAttribute("viewBox") ?? "0 0 1 1";
    this.overlay.setAttribute("viewBox", box);
    const [, , width, height] = box.split(" ").map(Number);
    this.frame.style.aspectRatio = `${width} / ${height}`;
    this.frame.style.width = `min(100%, calc(var(--board-height, 78dvh) * ${width / height}))`;
    const focused = this.spots.indexOf(/** @type {any} */ (document.activeElement));
    this.spots = view.spots.map((spot, i) =>
      svg("rect", {
        class: "spot", x: spot.x, y: spot.y, width: spot.w, height: spot.h, rx: 4,
        role: "button", tabindex: -1, "data-spot": i, "aria-label": spot.name,
      }));
    this.overlay.replaceChildren(...this.spots);
    this.mark();
    if (focused >= 0) this.spots[focused]?.focus();
  }

  /** Replaces the drawing alone: another heat map, a line looked ahead. @param {string} text an SVG */
  paint(text) {
    this.drawing.innerHTML = text;
  }

  /** Shows which spots can be clicked now. */
  mark() {
    const { next } = continuations(this.view.choices, this.clicked);
    let reachable = false;
    this.spots.forEach((spot, i) => {
      const legal = this.active && next.has(i);
      spot.classList.toggle("legal", legal);
      spot.classList.toggle("chosen", this.clicked.includes(i));
      spot.setAttribute("aria-disabled", String(!legal));
      const first = legal && !reachable;
      spot.setAttribute("tabindex", first ? "0" : "-1");
      reachable ||= first;
    });
  }

  /** One click on a spot, however it was made. @param {number} spot */
  click(spot) {
    if (!this.active) return this.listeners.onrefuse("It is not your turn.");
    const { choices } = this.view;
    const after = [...this.clicked, spot];
    const { next, complete } = continuations(choices, after);
    if (complete.length && next.size === 0) {
      this.clicked = [];
      this.mark();
      return this.listeners.onmove(complete[0].move);
    }
    if (next.size) {
      this.clicked = after;
    } else if (this.clicked.includes(spot)) {
      this.clicked = []; // clicked again: let go of it
    } else if (continuations(choices, [spot]).next.size) {
      this.clicked = [spot];
    } else {
      this.listeners.onrefuse(this.why(spot));
    }
    this.mark();
  }

  /** Why a click leads nowhere. @param {number} spot */
  why(spot) {
    const name = this.view.spots[spot]?.name ?? "there";
    const from = this.clicked.at(-1);
    if (from !== undefined) return `${this.view.spots[from].name} cannot go to ${name}.`;
    return `No legal move begins at ${name}.`;
  }

  /** Lets go of what was clicked. */
  clear() {
    this.clicked = [];
    this.mark();
  }

  /** The spot under the pointer. @param {PointerEvent} event */
  under(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    const spot = element?.getAttribute("data-spot");
    return spot === null || spot === undefined ? null : Number(spot);
  }

  /** @param {PointerEvent} event */
  press(event) {
    const spot = this.under(event);
    if (spot === null || event.button !== 0) return;
    this.dragged = spot;
    this.click(spot);
  }

  /** @param {PointerEvent} event */
  release(event) {
    const spot = this.under(event);
    if (this.dragged !== null && spot !== null && spot !== this.dragged) this.click(spot);
    this.dragged = null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const at = this.spots.indexOf(/** @type {any} */ (event.target));
    if (at < 0) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const arrow = arrows[/** @type {keyof typeof arrows} */ (event.key)];
    if (arrow) this.spots[this.towards(at, arrow[0], arrow[1])]?.focus();
    else if (event.key === "Enter" || event.key === " ") this.click(at);
    else if (event.key === "Escape") this.clear();
    else return;
    event.preventDefault();
  }

  /** The nearest spot in a direction. @param {number} at @param {number} dx @param {number} dy */
  towards(at, dx, dy) {
    const middle = (/** @type {number} */ i) => {
      const { x, y, w, h } = this.view.spots[i];
      return [x + w / 2, y + h / 2];
    };
    const [x, y] = middle(at);
    let best = at;
    let least = Infinity;
    this.view.spots.forEach((_, i) => {
      const [ox, oy] = middle(i);
      const along = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (i !== at && along > 1 && along + 2 * aside < least) {
        least = along + 2 * aside;
        best = i;
      }
    });
    return best;
  }
}
