// @ts-check
// Previews of lines on the board, without playing them.

import { el } from "./dom.js";
import { api } from "./net.js";

/** @typedef {import("./types.js").Place} Place */

/** Maximum number of cached positions. */
const MAX_CACHED_POSITIONS = 200;

export class Preview {
  /**
   * @param {import("./board.js").Board} board
   * @param {() => void} restore draws the board without a preview
   */
  constructor(board, restore) {
    this.board = board;
    this.restore = restore;
    /** @type {Map<string, Promise<any>>} */
    this.known = new Map();
    this.asked = 0;
    this.active = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    // A press on the board applies to the current position.
    board.element.addEventListener("pointerdown", () => this.clear(), true);
  }

  /** Shows a position. @param {Place} place */
  async show(place) {
    const asked = ++this.asked;
    this.active = true;
    const key = JSON.stringify(place);
    let seen = this.known.get(key);
    if (!seen) {
      if (this.known.size >= MAX_CACHED_POSITIONS) this.known.clear();
      seen = api("position", place);
      this.known.set(key, seen);
    }
    try {
      const { board } = await seen;
      if (asked !== this.asked) return;
      this.board.paint(board.svg);
      this.board.element.classList.add("ahead");
    } catch {
      this.known.delete(key); // nothing to show
    }
  }

  /** Shows the positions of a line one after another, and stays at the last. @param {Place} place @param {string[]} line */
  walk(place, line) {
    clearTimeout(this.timer);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = (/** @type {number} */ n) => {
      this.show({ ...place, moves: [...place.moves, ...line.slice(0, n)] });
      if (n < line.length) this.timer = setTimeout(() => step(n + 1), 900);
    };
    step(still ? line.length : 1);
  }

  /** Ends the preview. */
  clear() {
    clearTimeout(this.timer);
    this.asked += 1;
    if (!this.active) return;
    this.active = false;
    this.board.element.classList.remove("ahead");
    this.restore();
  }

  /**
   * Creates buttons for the moves of a line. Hover or focus previews the position after a move; a click plays up to it.
   * @param {Place} place start of the line
   * @param {string[]} line
   * @param {(moves: string[]) => void} play
   */
  buttons(place, line, play) {
    return line.map((move, i) => {
      const moves = line.slice(0, i + 1);
      const show = () => this.show({ ...place, moves: [...place.moves, ...moves] });
      const hide = () => this.clear();
      return el("button", {
        class: "move", type: "button", title: i ? `Play up to ${move}` : `Play ${move}`,
        onpointerenter: show, onpointerleave: hide, onfocus: show, onblur: hide,
        onclick: () => { this.clear(); play(moves); },
      }, move);
    });
  }
}

/**
 * Plays the moves of a line, until another player moves in between. If the line does not start at the latest position, it becomes a
 * new game; "Back" returns to this one.
 * @param {any} match
 * @param {Place} place start of the line
 * @param {string[]} moves
 */
export async function follow(match, place, moves) {
  if (match.over || !match.isLatest || String(match.moves) !== String(place.moves)) {
    match.dispatchEvent(new CustomEvent("branch", { detail: { ...place, moves: [...place.moves, ...moves] } }));
    return;
  }
  for (const move of moves) {
    const expected = match.cursor + 1;
    await match.play(move);
    if (match.cursor !== expected || match.seen?.turn === "chance") return;
  }
}
