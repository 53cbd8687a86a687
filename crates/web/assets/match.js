// @ts-check
// A game between people and agents: what has been played, who sits where, who is to move. No drawing.

import { api } from "./net.js";

/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Seen} Seen */
/** @typedef {import("./types.js").Report} Report */

/**
 * Events: `change` (another position is shown), `thinking`, `values`, `trouble` with detail text.
 */
export class Match extends EventTarget {
  /**
   * @param {import("./net.js").Live} live
   * @param {Place} place
   * @param {string[]} seats `human` or the spec of an agent, by seat
   * @param {number} seed
   */
  constructor(live, place, seats, seed) {
    super();
    this.live = live;
    this.game = place.game;
    this.text = place.text;
    this.start = place.start;
    /** All moves played. */
    this.moves = [...place.moves];
    /** How many of them the shown position has behind it. */
    this.cursor = this.moves.length;
    this.seats = seats;
    this.seed = seed;
    /** @type {Seen | null} the shown position */
    this.seen = null;
    /** @type {number | null} the task of the agent that thinks */
    this.thinking = null;
    /** What positions are worth to the players, by ply. @type {Map<number, number[]>} */
    this.values = new Map();
    this.asked = 0;
  }

  /** The shown position as the server wants to hear it. @returns {Place} */
  get place() {
    const { game, text, start } = this;
    return { game, text, start, moves: this.moves.slice(0, this.cursor) };
  }

  /** Whether the shown position is the latest. */
  get isLatest() {
    return this.cursor === this.moves.length;
  }

  /** Whether a person is to move in the shown position. */
  get isPersons() {
    const player = this.seen?.player;
    return player !== null && player !== undefined && (this.seats[player] ?? "human") === "human";
  }

  /** Asks for the shown position, and lets whoever is not a person move. */
  async look() {
    this.rest();
    const asked = ++this.asked;
    /** @type {Seen} */
    let seen;
    try {
      seen = await api("position", this.place);
    } catch (error) {
      if (asked === this.asked) this.trouble(error);
      return;
    }
    if (asked !== this.asked) return;
    this.seen = seen;
    this.moves.splice(0, this.cursor, ...seen.moves);
    this.dispatchEvent(new Event("change"));
    if (this.isLatest) await this.next();
  }

  /** Chance or an agent moves. */
  async next() {
    const seen = this.seen;
    if (!seen || seen.result) return;
    const asked = this.asked;
    if (seen.turn === "chance") {
      try {
        const roll = await api("roll", { place: this.place, seed: this.seed });
        if (asked === this.asked) this.play(roll.move);
      } catch (error) {
        this.trouble(error);
      }
    } else if (!this.isPersons && seen.player !== null) {
      this.think(seen.player);
    }
  }

  /** @param {number} player */
  think(player) {
    const ask = { op: "search", place: this.place, agent: this.seats[player], seed: this.seed, role: `seat ${player}` };
    this.thinking = this.live.begin(ask, (told) => {
      if (told.event === "error") {
        this.thinking = null;
        this.trouble(new Error(told.error));
      }
      if (told.event !== "done" || !told.report) return;
      this.thinking = null;
      this.note(this.cursor, told.report.values);
      if (told.report.best !== null) this.play(told.report.best);
    });
    this.dispatchEvent(new Event("thinking"));
  }

  /** Lets nobody think. */
  rest() {
    if (this.thinking !== null) this.live.drop(this.thinking);
    this.thinking = null;
  }

  /** Makes a move in the shown position; what was played after it is forgotten. @param {string} move */
  play(move) {
    this.moves.splice(this.cursor, Infinity, move);
    for (const ply of [...this.values.keys()]) if (ply > this.cursor) this.values.delete(ply);
    this.cursor += 1;
    return this.look();
  }

  /** Shows the position after so many moves. @param {number} ply */
  goto(ply) {
    this.cursor = Math.max(0, Math.min(ply, this.moves.length));
    return this.look();
  }

  /** Takes back to the latest position in which a person was to move. */
  undo() {
    // Against an agent its answer goes too; dice are rolled again only for another move.
    const alone = this.seats.every((seat) => seat !== "human") || this.seats.every((seat) => seat === "human");
    this.moves.length = Math.max(0, this.cursor - (alone ? 1 : 2));
    return this.goto(this.moves.length);
  }

  /** Remembers what a position is worth. @param {number} ply @param {number[] | null} values */
  note(ply, values) {
    if (!values) return;
    this.values.set(ply, values);
    this.dispatchEvent(new Event("values"));
  }

  /** @param {any} error */
  trouble(error) {
    this.dispatchEvent(new CustomEvent("trouble", { detail: String(error?.message ?? error) }));
  }

  /** Nobody plays any more. */
  close() {
    this.rest();
    this.asked += 1;
  }
}
