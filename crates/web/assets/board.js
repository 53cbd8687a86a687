// @ts-check
// A board: the server's drawing, and over it the spots that can be clicked, dragged and reached by keys.

import { ordered } from "./clicks.js";
import { el, svg } from "./dom.js";

/** @typedef {import("./types.js").BoardView} BoardView */
/** @typedef {import("./clicks.js").Clicks} Clicks */

/** Pixels of a drawing's cell. */
const CELL = 48;

/** Pixels of the screen that a pointer moves before it drags. */
const DRAG = 6;

/** Milliseconds between two taps of a finger that are one double tap. */
const DOUBLE_TAP_MS = 300;

/** True if the latest input was a key: how the focus came to a spot. */
let byKey = false;
addEventListener("keydown", () => (byKey = true), true);
addEventListener("pointerdown", () => (byKey = false), true);

export class Board {
  /**
   * @param {HTMLElement} root
   * @param {object} listeners
   * @param {(move: string) => void} listeners.onmove
   * @param {(why: string, clicked: number[]) => void} listeners.onrefuse with the clicks that lead nowhere
   * @param {(clicked: number[]) => void} [listeners.onpending] part of a move has been clicked, or taken back
   */
  constructor(root, listeners) {
    this.listeners = listeners;
    this.drawing = el("div", { class: "drawing" });
    this.overlay = svg("svg", { class: "overlay", role: "group", "aria-label": "Board" });
    this.hints = svg("g", { class: "hints", "aria-hidden": "true" });
    this.frame = el("div", { class: "frame" }, this.drawing, this.overlay);
    this.element = el("div", { class: "board" }, this.frame);
    root.append(this.element);
    /** @type {BoardView} */
    this.view = { svg: "", spots: [], choices: [] };
    /** @type {Clicks} */
    this.clicks = ordered([]);
    /** @type {number[]} */
    this.clicked = [];
    /** @type {SVGElement[]} */
    this.spots = [];
    /** Spots that show what is clicked at another one: pieces that have left their place. @type {Map<number, number>} */
    this.alias = new Map();
    /** Spots with a name written on what lies there. @type {Set<number>} */
    this.labelled = new Set();
    /** What is clicked by another name: the spot that was meant. @type {number | null} */
    this.meant = null;
    /** The colour of what is put down, if that is a plain disc. @type {string | null} */
    this.stone = null;
    this.active = false;
    /**
     * `fresh`: the press itself has taken up what lies there. `takes`: what a drag from there takes up.
     * @type {{ spot: number, x: number, y: number, fresh: boolean, takes: number | undefined, moved: boolean } | null}
     */
    this.pressed = null;
    /** When the pointer made a move; 0 once another click of the mouse has begun. */
    this.made = 0;
    /** True if the latest press was a finger's. */
    this.touched = false;
    /** @type {SVGElement | null} what follows the pointer */
    this.held = null;
    this.overlay.addEventListener("pointerdown", (event) => this.press(event));
    this.overlay.addEventListener("mousedown", (event) => this.recount(event));
    this.overlay.addEventListener("pointermove", (event) => this.move(event));
    this.overlay.addEventListener("pointerup", (event) => this.release(event));
    for (const end of ["pointercancel", "lostpointercapture"]) this.overlay.addEventListener(end, () => this.release(null));
    this.overlay.addEventListener("pointerleave", () => this.hover(null));
    this.overlay.addEventListener("keydown", (event) => this.key(event));
    this.overlay.addEventListener("focusin", () => this.steer(byKey));
  }

  /** Arrow keys move the cursor only on a board that was reached by keys. @param {boolean} on */
  steer(on) {
    this.element.classList.toggle("by-key", on);
  }

  /**
   * Shows a position. Only an active board takes clicks.
   * @param {BoardView} view
   * @param {boolean} active
   * @param {{ clicks?: Clicks, stone?: string | null }} [how] other than one click after the other
   */
  show(view, active, how = {}) {
    this.view = view;
    this.active = active;
    this.clicks = how.clicks ?? ordered(view.choices);
    this.stone = how.stone ?? null;
    this.clicked = [];
    this.meant = null;
    this.drop();
    this.element.classList.toggle("active", active);
    // Where pieces are dragged, a finger does not scroll the page.
    this.element.classList.toggle("drags", active && !this.stone && view.choices.some((choice) => choice.spots.length > 1));
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
        role: "button", tabindex: -1, "data-spot": i,
      }));
    this.label(view.spots);
    this.overlay.replaceChildren(...this.spots, this.hints);
    this.aliases();
    this.mark();
    if (focused >= 0) {
      const steered = this.element.classList.contains("by-key");
      this.spots[focused]?.focus();
      this.steer(steered);
    }
  }

  /** Says what spots are called and what lies there. @param {import("./types.js").Spot[]} spots */
  label(spots) {
    spots.forEach(({ name, holds }, i) => this.spots[i]?.setAttribute("aria-label", holds ? `${name}, ${holds}` : name));
  }

  /** The spot that Tab leads to, if there is one. */
  reached() {
    return this.spots.find((spot) => spot.getAttribute("tabindex") === "0");
  }

  /** Replaces the drawing alone: another heat map, a line looked ahead, a move half made. @param {string} text an SVG */
  paint(text) {
    this.drawing.innerHTML = text;
    this.element.classList.toggle("painted", text !== this.view.svg);
  }

  /** A piece that carries the name of its place elsewhere can be clicked where it is. */
  aliases() {
    this.alias.clear();
    this.labelled.clear();
    for (const label of this.drawing.querySelectorAll("text")) {
      const [x, y] = [Number(label.getAttribute("x")), Number(label.getAttribute("y"))];
      const at = this.inside(x, y)[0];
      if (at === undefined) continue;
      const spot = this.view.spots[at];
      if (Math.abs(spot.x + spot.w / 2 - x) < 2 && Math.abs(spot.y + spot.h / 2 - y) < 9) this.labelled.add(at);
      if (!label.hasAttribute("font-weight")) continue; // only the name of a place, not of a piece
      const named = this.view.spots.findIndex((spot) => spot.name === label.textContent);
      if (named >= 0 && at !== named) this.alias.set(at, named);
    }
  }

  /** The spots at a point of the drawing. @param {number} x @param {number} y */
  inside(x, y) {
    const found = this.view.spots.map((s, i) => (x >= s.x && x < s.x + s.w && y >= s.y && y < s.y + s.h ? i : -1));
    return found.filter((i) => i >= 0);
  }

  /** Spots that may be clicked now, some by another name. */
  legal() {
    const { next } = this.clicks.after(this.clicked);
    const shown = new Set(next);
    for (const [at, named] of this.alias) if (!this.clicked.length && next.has(named)) shown.add(at);
    return shown;
  }

  /** Shows which spots can be clicked now. */
  mark() {
    const next = this.active ? this.legal() : new Set();
    const pending = this.clicked.length > 0;
    const focus = this.spots.indexOf(/** @type {any} */ (document.activeElement));
    const reached = next.has(focus) ? focus : Math.min(...next);
    const halves = this.clicked.length % 2 ? this.clicked.slice(-1) : [];
    this.element.classList.toggle("pending", pending);
    this.spots.forEach((spot, i) => {
      const legal = next.has(i);
      const chosen = halves.includes(i) || (pending && this.meant === i);
      spot.classList.toggle("legal", legal);
      spot.classList.toggle("chosen", chosen);
      spot.setAttribute("aria-disabled", String(!legal));
      spot.setAttribute("aria-pressed", String(chosen));
      spot.setAttribute("tabindex", i === reached ? "0" : "-1");
    });
    const hints = [...next].map((i) => this.hint(i));
    // A stone that waits for the rest of its move lies on the board already.
    const lies = this.stone && halves.length ? [this.disc(halves[0], "stone")] : [];
    this.hints.replaceChildren(...hints, ...lies);
    this.listeners.onpending?.(this.clicked);
  }

  /** Where a click on a spot shows: the lowest free cell of a column. @param {number} spot */
  landing(spot) {
    const { spots } = this.view;
    const { x, y, w, h } = spots[spot];
    const cells = spots.map((s, i) => (i !== spot && s.x === x && s.w === w && s.y >= y && s.y + s.h <= y + h + 1 ? i : -1));
    const free = cells.filter((i) => i >= 0 && this.hollow(i)).sort((a, b) => spots[b].y - spots[a].y);
    return free[0] ?? spot;
  }

  /** Whether a spot is drawn as an empty hole: pieces have no rim. @param {number} spot */
  hollow(spot) {
    const { x, y, w, h } = this.view.spots[spot];
    const near = (/** @type {Element} */ c) =>
      Math.abs(Number(c.getAttribute("cx")) - x - w / 2) < 2 && Math.abs(Number(c.getAttribute("cy")) - y - h / 2) < 2;
    return [...this.drawing.querySelectorAll("circle")].some((c) => near(c) && c.hasAttribute("stroke"));
  }

  /** A dot on a cell, an outline around what is not a cell. @param {number} clicked */
  hint(clicked) {
    const spot = this.landing(clicked);
    const { x, y, w, h } = this.view.spots[spot];
    // A piece that is named there stays readable.
    const named = this.labelled.has(spot);
    if (w === h && w >= CELL - 1 && !named) return svg("circle", { class: "hint", cx: x + w / 2, cy: y + h / 2, r: w * 0.09 });
    return svg("rect", { class: "hint outline", x: x + 1.5, y: y + 1.5, width: w - 3, height: h - 3, rx: h < CELL && w > h ? h / 2 : 8 });
  }

  /** @param {number} spot @param {string} name */
  disc(spot, name) {
    const { x, y, w, h } = this.view.spots[spot];
    return svg("circle", { class: name, cx: x + w / 2, cy: y + h / 2, r: Math.min(w, h) * 0.38, style: `fill:${this.stone}` });
  }

  /** One click on a spot, however it was made. @param {number} spot @param {boolean} [dragged] a piece was let go there */
  click(spot, dragged = false) {
    if (!this.active) return this.listeners.onrefuse("", [spot]);
    const named = this.clicked.length % 2 ? spot : this.alias.get(spot) ?? spot;
    const from = this.clicked.length % 2 ? this.clicked[this.clicked.length - 1] : null;
    const tries = named === spot ? [spot] : [spot, named];
    for (const one of tries) {
      const after = [...this.clicked, ...(this.clicks.expand?.(this.clicked, one) ?? [one])];
      const { next, complete } = this.clicks.after(after);
      if (complete.length && next.size === 0) {
        // What comes next shows itself; until then a second click would be one too many.
        this.active = false;
        this.made = byKey ? 0 : Date.now();
        return this.listeners.onmove(complete[0].move);
      }
      if (!next.size) continue;
      this.clicked = after;
      this.meant = spot;
      return this.mark();
    }
    if (from !== null && (from === spot || this.meant === spot)) return this.back();
    // Another piece instead of the one that was chosen.
    const other = dragged ? undefined : this.takes(spot);
    if (other !== undefined) return this.take(spot, other);
    this.listeners.onrefuse(this.why(spot), [...this.clicked, spot]);
  }

  /** The steps of the move that are complete. */
  steps() {
    return this.clicked.slice(0, this.clicked.length - (this.clicked.length % 2));
  }

  /** Returns what a press on a spot takes up, whatever is chosen now; nothing if no step begins there. @param {number} spot */
  takes(spot) {
    const begins = (/** @type {number | undefined} */ s) => s !== undefined && this.clicks.after([...this.steps(), s]).next.size > 0;
    return this.active ? [this.alias.get(spot), spot].find(begins) : undefined;
  }

  /** Chooses a piece, also instead of another one. @param {number} spot @param {number} piece what is clicked there */
  take(spot, piece) {
    this.clicked = [...this.steps(), piece];
    this.meant = spot;
    this.mark();
  }

  /** Why a click leads nowhere, as far as a board can say. @param {number} spot */
  why(spot) {
    const name = this.view.spots[spot]?.name ?? "there";
    const from = this.clicked.at(-1);
    if (this.clicked.length % 2 && from !== undefined) return `${this.view.spots[from].name} cannot go to ${name}.`;
    return `No legal move begins at ${name}.`;
  }

  /** Takes back the latest click, or the latest step of a move. */
  back() {
    this.clicked = this.clicked.slice(0, this.clicked.length - (this.clicked.length % 2 ? 1 : 2));
    this.meant = null;
    this.mark();
  }

  /** Lets go of what was clicked. */
  clear() {
    this.clicked = [];
    this.meant = null;
    this.mark();
  }

  /** The spot under the pointer: one that can be clicked, if there are several. @param {PointerEvent} event */
  under(event) {
    const box = this.overlay.getBoundingClientRect();
    const width = Number(this.overlay.getAttribute("viewBox")?.split(" ")[2] ?? 1);
    const scale = width / (box.width || 1);
    const all = this.inside((event.clientX - box.x) * scale, (event.clientY - box.y) * scale);
    const legal = this.active ? this.legal() : new Set();
    return all.find((i) => legal.has(i)) ?? all[0] ?? null;
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.steer(false);
    const spot = this.under(event);
    if (spot === null || event.button !== 0) return;
    this.drop();
    this.touched = event.pointerType === "touch";
    if (this.touched && Date.now() - this.made < DOUBLE_TAP_MS) return;
    const takes = this.takes(spot);
    // Where the chosen piece can go, a click puts it down; only a drag takes up what lies there.
    const fresh = takes !== undefined && !this.isChosen(spot) && !this.isTarget(spot);
    this.pressed = { spot, x: event.clientX, y: event.clientY, fresh, takes, moved: false };
    if (fresh) this.take(spot, takes);
    if (this.clicked.length % 2) {
      // The rest of a drag is ours, wherever it goes.
      try { this.overlay.setPointerCapture(event.pointerId); } catch { /* it is gone already */ }
    }
  }

  /** Returns true if what lies on a spot is the chosen piece. @param {number} spot */
  isChosen(spot) {
    return this.clicked.length % 2 === 1 && this.meant === spot;
  }

  /** Returns true if the chosen piece can go to a spot. @param {number} spot */
  isTarget(spot) {
    return this.clicked.length % 2 === 1 && this.clicks.after(this.clicked).next.has(spot);
  }

  /** The second click of a double click is none of its own if the first one was a move. @param {MouseEvent} event */
  recount(event) {
    if (this.touched) return; // a tap, whose mouse events come after it
    if (event.detail < 2) this.made = 0;
    else if (this.made) {
      if (this.pressed?.fresh) this.back();
      this.drop();
    }
  }

  /** @param {PointerEvent} event */
  move(event) {
    const pressed = this.pressed;
    if (!pressed) return this.hover(this.under(event));
    if (!pressed.moved && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > DRAG) {
      pressed.moved = true;
      if (pressed.takes !== undefined && !this.isChosen(pressed.spot)) this.take(pressed.spot, pressed.takes);
    }
    // Only the piece under the pointer follows it.
    if (!pressed.moved || pressed.takes === undefined) return;
    this.held ??= this.lift(this.meant ?? pressed.spot);
    const box = this.overlay.getBoundingClientRect();
    const scale = Number(this.overlay.getAttribute("viewBox")?.split(" ")[2] ?? 1) / (box.width || 1);
    this.held?.setAttribute("transform", `translate(${(event.clientX - pressed.x) * scale} ${(event.clientY - pressed.y) * scale})`);
  }

  /** A piece in the hand: what is drawn at its spot. @param {number} spot */
  lift(spot) {
    const { x, y, w, h } = this.view.spots[spot];
    const within = (/** @type {Element} */ e, /** @type {string} */ ax, /** @type {string} */ ay) => {
      const [px, py] = [Number(e.getAttribute(ax)), Number(e.getAttribute(ay))];
      return px > x && px < x + w && py > y && py < y + h;
    };
    const discs = [...this.drawing.querySelectorAll("circle")];
    const disc = discs.filter((c) => c.getAttribute("fill") !== "none" && within(c, "cx", "cy")).at(-1);
    if (!disc) return null;
    const label = [...this.drawing.querySelectorAll("text[font-weight=bold]")].find((t) => within(t, "x", "y"));
    const held = svg("g", { class: "held" }, disc.cloneNode(true), label?.cloneNode(true));
    this.overlay.append(held);
    return held;
  }

  /** Shows what would be put down under the pointer. @param {number | null} spot */
  hover(spot) {
    this.hints.querySelector(".ghost")?.remove();
    if (spot === null || !this.stone || this.clicked.length || !this.active || !this.legal().has(spot)) return;
    const cell = this.landing(spot);
    const { w, h } = this.view.spots[cell];
    if (w === h && w >= CELL - 1) this.hints.append(this.disc(cell, "ghost"));
  }

  /** @param {PointerEvent | null} event nothing if the browser takes the pointer away */
  release(event) {
    const { pressed } = this;
    if (!pressed) return;
    const spot = event && this.under(event);
    this.drop();
    const dragged = pressed.moved && pressed.takes !== undefined;
    if (spot === pressed.spot) {
      if (!pressed.fresh && !dragged) this.click(spot);
    } else if (dragged && this.clicked.length % 2) {
      if (spot === null) this.back(); // a piece that is let go outside the board goes back
      else this.click(spot, true);
    }
  }

  /** Nothing is dragged any more. */
  drop() {
    this.held?.remove();
    this.held = null;
    this.pressed = null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const at = this.spots.indexOf(/** @type {any} */ (event.target));
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const arrow = arrows[/** @type {keyof typeof arrows} */ (event.key)];
    // After a click on the board they walk through the game.
    if (arrow && !this.element.classList.contains("by-key")) return;
    if (arrow) this.spots[this.towards(at, arrow[0], arrow[1])]?.focus();
    else if (event.key === "Enter" || event.key === " ") this.click(at);
    else if (event.key === "Escape") this.clear();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The nearest spot in a direction, of those that can be clicked. @param {number} at @param {number} dx @param {number} dy */
  towards(at, dx, dy) {
    const middle = (/** @type {number} */ i) => {
      const { x, y, w, h } = this.view.spots[i];
      return [x + w / 2, y + h / 2];
    };
    const legal = this.active ? this.legal() : new Set();
    const [x, y] = middle(at);
    let best = at;
    let least = Infinity;
    this.view.spots.forEach((_, i) => {
      const [ox, oy] = middle(i);
      const along = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (i !== at && (!legal.size || legal.has(i)) && along > 1 && along + 2 * aside < least) {
        least = along + 2 * aside;
        best = i;
      }
    });
    return best;
  }
}
