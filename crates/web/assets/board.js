// @ts-check
// Board: the server's drawing, with an overlay of spots for pointer and keys.

import { ordered } from "./clicks.js";
import { el, svg } from "./dom.js";

/** @typedef {import("./types.js").BoardView} BoardView */
/** @typedef {import("./clicks.js").Clicks} Clicks */

/** Size of a cell in pixels of the drawing. */
const CELL = 48;

/** Distance in screen pixels after which a pressed pointer drags. */
const DRAG_DISTANCE = 6;

/** Maximum time between the two taps of a double tap. */
const DOUBLE_TAP_MS = 300;

/** True if the latest input was a key press: tells how a spot got the focus. */
let byKey = false;
addEventListener("keydown", () => (byKey = true), true);
addEventListener("pointerdown", () => (byKey = false), true);

export class Board {
  /**
   * @param {HTMLElement} root
   * @param {object} listeners
   * @param {(move: string) => void} listeners.onmove
   * @param {(why: string, clicked: number[]) => void} listeners.onrefuse called with clicks that are not the beginning of a legal move
   * @param {(clicked: number[]) => void} [listeners.onpending] called when the clicks of a started move change
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
    /** Spots with pieces that can be clicked instead of another spot: pieces that have left their place. @type {Map<number, number>} */
    this.alias = new Map();
    /** Spots with a piece that has a text. @type {Set<number>} */
    this.labelled = new Set();
    /** Spot of the latest click, if it stands for another spot (see `alias`). @type {number | null} */
    this.meant = null;
    /** Colour of the stone that a click places, in games with plain discs. @type {string | null} */
    this.stone = null;
    this.active = false;
    /**
     * Current press of the pointer. `fresh`: the press has chosen the piece there. `takes`: spot of the piece that a drag moves.
     * @type {{ spot: number, x: number, y: number, fresh: boolean, takes: number | undefined, moved: boolean } | null}
     */
    this.pressed = null;
    /** Time of the latest move made by the pointer; 0 after the start of another click. */
    this.made = 0;
    /** True if the latest press was a touch. */
    this.touched = false;
    /** @type {SVGElement | null} copy of the dragged piece, which follows the pointer */
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

  /** Sets whether arrow keys move the cursor: only on a board that was reached by keys. @param {boolean} on */
  steer(on) {
    this.element.classList.toggle("by-key", on);
  }

  /**
   * Shows a position. Only an active board takes clicks.
   * @param {BoardView} view
   * @param {boolean} active
   * @param {{ clicks?: Clicks, stone?: string | null }} [how] how clicks form moves [default: in the order of the choices]
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
    // If pieces can be dragged, a touch on the board does not scroll the page.
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

  /** Sets the labels of the spots: name and pieces. @param {import("./types.js").Spot[]} spots */
  label(spots) {
    spots.forEach(({ name, holds }, i) => this.spots[i]?.setAttribute("aria-label", holds ? `${name}, ${holds}` : name));
  }

  /** Returns the spot that Tab leads to, if there is one. */
  reached() {
    return this.spots.find((spot) => spot.getAttribute("tabindex") === "0");
  }

  /** Replaces only the drawing: for heat maps, previews and started moves. @param {string} text an SVG */
  paint(text) {
    this.drawing.innerHTML = text;
    this.element.classList.toggle("painted", text !== this.view.svg);
  }

  /** Finds pieces that carry the name of another spot, and lets them be clicked instead of that spot. */
  aliases() {
    this.alias.clear();
    this.labelled.clear();
    for (const label of this.drawing.querySelectorAll("text")) {
      const [x, y] = [Number(label.getAttribute("x")), Number(label.getAttribute("y"))];
      const at = this.inside(x, y)[0];
      if (at === undefined) continue;
      const spot = this.view.spots[at];
      if (Math.abs(spot.x + spot.w / 2 - x) < 2 && Math.abs(spot.y + spot.h / 2 - y) < 9) this.labelled.add(at);
      if (!label.hasAttribute("font-weight")) continue; // the name of a spot, not of a piece
      const named = this.view.spots.findIndex((spot) => spot.name === label.textContent);
      if (named >= 0 && at !== named) this.alias.set(at, named);
    }
  }

  /** Returns the spots at a point of the drawing. @param {number} x @param {number} y */
  inside(x, y) {
    const found = this.view.spots.map((s, i) => (x >= s.x && x < s.x + s.w && y >= s.y && y < s.y + s.h ? i : -1));
    return found.filter((i) => i >= 0);
  }

  /** Returns the spots that may be clicked now, including aliases. */
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
    // Show the stone of a started move on the board.
    const placed = this.stone && halves.length ? [this.disc(halves[0], "stone")] : [];
    this.hints.replaceChildren(...hints, ...placed);
    this.listeners.onpending?.(this.clicked);
  }

  /** Returns the spot where the piece of a click lands: in a column, its lowest free cell. @param {number} spot */
  landing(spot) {
    const { spots } = this.view;
    const { x, y, w, h } = spots[spot];
    const cells = spots.map((s, i) => (i !== spot && s.x === x && s.w === w && s.y >= y && s.y + s.h <= y + h + 1 ? i : -1));
    const free = cells.filter((i) => i >= 0 && this.isHole(i)).sort((a, b) => spots[b].y - spots[a].y);
    return free[0] ?? spot;
  }

  /** Returns true if a spot is drawn as an empty hole, which has an outline; pieces have none. @param {number} spot */
  isHole(spot) {
    const { x, y, w, h } = this.view.spots[spot];
    const near = (/** @type {Element} */ c) =>
      Math.abs(Number(c.getAttribute("cx")) - x - w / 2) < 2 && Math.abs(Number(c.getAttribute("cy")) - y - h / 2) < 2;
    return [...this.drawing.querySelectorAll("circle")].some((c) => near(c) && c.hasAttribute("stroke"));
  }

  /** Draws the hint of a legal spot: a dot on a cell, an outline around other spots. @param {number} clicked */
  hint(clicked) {
    const spot = this.landing(clicked);
    const { x, y, w, h } = this.view.spots[spot];
    // Do not cover the text of a piece.
    const named = this.labelled.has(spot);
    if (w === h && w >= CELL - 1 && !named) return svg("circle", { class: "hint", cx: x + w / 2, cy: y + h / 2, r: w * 0.09 });
    return svg("rect", { class: "hint outline", x: x + 1.5, y: y + 1.5, width: w - 3, height: h - 3, rx: h < CELL && w > h ? h / 2 : 8 });
  }

  /** @param {number} spot @param {string} name */
  disc(spot, name) {
    const { x, y, w, h } = this.view.spots[spot];
    return svg("circle", { class: name, cx: x + w / 2, cy: y + h / 2, r: Math.min(w, h) * 0.38, style: `fill:${this.stone}` });
  }

  /** Handles a click on a spot, made by pointer or key. @param {number} spot @param {boolean} [dragged] true if a piece was dropped there */
  click(spot, dragged = false) {
    if (!this.active) return this.listeners.onrefuse("", [spot]);
    const named = this.clicked.length % 2 ? spot : this.alias.get(spot) ?? spot;
    const from = this.clicked.length % 2 ? this.clicked[this.clicked.length - 1] : null;
    const tries = named === spot ? [spot] : [spot, named];
    for (const one of tries) {
      const after = [...this.clicked, ...(this.clicks.expand?.(this.clicked, one) ?? [one])];
      const { next, complete } = this.clicks.after(after);
      if (complete.length && next.size === 0) {
        // Ignore clicks until the next position is shown.
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
    // Choose another piece instead.
    const other = dragged ? undefined : this.takes(spot);
    if (other !== undefined) return this.take(spot, other);
    this.listeners.onrefuse(this.why(spot), [...this.clicked, spot]);
  }

  /** Returns the clicks of the complete steps of the move. */
  steps() {
    return this.clicked.slice(0, this.clicked.length - (this.clicked.length % 2));
  }

  /** Returns the spot of the piece that a press on a spot chooses; undefined if no step can begin there. @param {number} spot */
  takes(spot) {
    const begins = (/** @type {number | undefined} */ s) => s !== undefined && this.clicks.after([...this.steps(), s]).next.size > 0;
    return this.active ? [this.alias.get(spot), spot].find(begins) : undefined;
  }

  /** Chooses a piece, instead of the one chosen before. @param {number} spot @param {number} piece spot that the click stands for */
  take(spot, piece) {
    this.clicked = [...this.steps(), piece];
    this.meant = spot;
    this.mark();
  }

  /** Returns why a click is not part of a legal move. @param {number} spot */
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

  /** Cancels the started move. */
  clear() {
    this.clicked = [];
    this.meant = null;
    this.mark();
  }

  /** Returns the spot under the pointer; of several, one that can be clicked. @param {PointerEvent} event */
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
    // On a target of the chosen piece, a click moves that piece there; only a drag moves the piece that is there.
    const fresh = takes !== undefined && !this.isChosen(spot) && !this.isTarget(spot);
    this.pressed = { spot, x: event.clientX, y: event.clientY, fresh, takes, moved: false };
    if (fresh) this.take(spot, takes);
    if (this.clicked.length % 2) {
      // Receive the rest of the drag even outside the board.
      try { this.overlay.setPointerCapture(event.pointerId); } catch { /* the pointer is already gone */ }
    }
  }

  /** Returns true if the chosen piece is on this spot. @param {number} spot */
  isChosen(spot) {
    return this.clicked.length % 2 === 1 && this.meant === spot;
  }

  /** Returns true if the chosen piece can go to a spot. @param {number} spot */
  isTarget(spot) {
    return this.clicked.length % 2 === 1 && this.clicks.after(this.clicked).next.has(spot);
  }

  /** Ignores the second click of a double click if the first one made a move. @param {MouseEvent} event */
  recount(event) {
    if (this.touched) return; // mouse events that follow a tap
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
    if (!pressed.moved && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > DRAG_DISTANCE) {
      pressed.moved = true;
      if (pressed.takes !== undefined && !this.isChosen(pressed.spot)) this.take(pressed.spot, pressed.takes);
    }
    // Only a drag that started on a piece moves one.
    if (!pressed.moved || pressed.takes === undefined) return;
    this.held ??= this.lift(this.meant ?? pressed.spot);
    const box = this.overlay.getBoundingClientRect();
    const scale = Number(this.overlay.getAttribute("viewBox")?.split(" ")[2] ?? 1) / (box.width || 1);
    this.held?.setAttribute("transform", `translate(${(event.clientX - pressed.x) * scale} ${(event.clientY - pressed.y) * scale})`);
  }

  /** Copies the drawing of the piece on a spot, to be dragged. @param {number} spot */
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

  /** Shows a ghost of the stone that a click would place. @param {number | null} spot */
  hover(spot) {
    this.hints.querySelector(".ghost")?.remove();
    if (spot === null || !this.stone || this.clicked.length || !this.active || !this.legal().has(spot)) return;
    const cell = this.landing(spot);
    const { w, h } = this.view.spots[cell];
    if (w === h && w >= CELL - 1) this.hints.append(this.disc(cell, "ghost"));
  }

  /** @param {PointerEvent | null} event null if the browser cancels the press */
  release(event) {
    const { pressed } = this;
    if (!pressed) return;
    const spot = event && this.under(event);
    this.drop();
    const dragged = pressed.moved && pressed.takes !== undefined;
    if (spot === pressed.spot) {
      if (!pressed.fresh && !dragged) this.click(spot);
    } else if (dragged && this.clicked.length % 2) {
      if (spot === null) this.back(); // a piece that is dropped outside the board returns to its place
      else this.click(spot, true);
    }
  }

  /** Ends a drag. */
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
    // After a click on the board, arrow keys step through the game.
    if (arrow && !this.element.classList.contains("by-key")) return;
    if (arrow) this.spots[this.towards(at, arrow[0], arrow[1])]?.focus();
    else if (event.key === "Enter" || event.key === " ") this.click(at);
    else if (event.key === "Escape") this.clear();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Returns the nearest clickable spot in a direction. @param {number} at @param {number} dx @param {number} dy */
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
