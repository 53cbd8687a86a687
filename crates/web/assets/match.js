// @ts-check
// State of a game between people and agents: moves, seats, clocks. It draws nothing.

import { left, terms } from "./clock.js";
import { api, list } from "./net.js";
import { defeat, HUMAN, limit, player } from "./seats.js";

/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").PositionView} PositionView */
/** @typedef {import("./types.js").GameResult} GameResult */

/** Time by which an agent may be late, to allow for the way between server and page. */
const GRACE_MS = 100;

/**
 * State of a game besides its address, stored in the browser's history so that it survives a reload.
 * @typedef {object} SavedGame
 * @property {number} [seed]
 * @property {[number, number, number][]} [spent] ply, player, milliseconds
 * @property {{ ply: number, player: number, at: number } | null} [turn] player whose clock runs, and since when
 * @property {{ player: number, how: "resigned" | "ran out of time" } | null} [lost]
 * @property {[number, number[]][]} [values] by ply
 */

/**
 * Events: `change` (another position is shown, or the game has ended), `thinking`, `values`, and `trouble` with an error message
 * as detail. Other parts of the page dispatch `review` to start a review, `settings` to update the address, and `branch`, with a
 * place as detail, to continue from there in a new game.
 */
export class Match extends EventTarget {
  /**
   * @param {import("./net.js").Live} live
   * @param {Place} place
   * @param {string[]} seats `human` or the spec of an agent, by seat
   * @param {number} seed
   * @param {{ clock?: string | null, pace?: number, kept?: SavedGame | null }} [more]
   */
  constructor(live, place, seats, seed, { clock = null, pace = 500, kept = null } = {}) {
    super();
    this.live = live;
    this.game = place.game;
    this.text = place.text;
    this.start = place.start;
    /** All moves played. */
    this.moves = [...place.moves];
    /** Player who made each move; null for chance. @type {(number | null)[]} */
    this.movers = [];
    /** Number of moves before the shown position. */
    this.cursor = this.moves.length;
    this.seats = seats;
    this.seed = seed;
    /** @type {PositionView | null} the shown position */
    this.seen = null;
    /** Result of the finished game. @type {GameResult | null} */
    this.over = null;
    this.lost = kept?.lost ?? null;
    /** @type {number | null} task of the agent that is thinking */
    this.thinking = null;
    /** True if agents move only by `step`. */
    this.paused = false;
    /** Minimum time in ms for which rolls and moves of agents are shown. */
    this.pace = pace;
    /** Values of the positions for the players, by ply. @type {Map<number, number[]>} */
    this.values = new Map(kept?.values ?? []);
    this.clock = clock;
    this.terms = clock ? terms(clock) : null;
    /** Player and time in ms of each move, by ply. @type {Map<number, [number, number]>} */
    this.spent = new Map((kept?.spent ?? []).map(([ply, who, ms]) => [ply, [who, ms]]));
    this.turn = kept?.turn ?? null;
    this.asked = 0;
    /** True while a position request is pending. */
    this.looking = false;
    /** True if the latest request failed. */
    this.failed = false;
    this.ended = new AbortController();
    live.addEventListener("state", (event) => {
      if (/** @type {CustomEvent} */ (event).detail === "open" && this.failed) this.look();
    }, { signal: this.ended.signal });
  }

  /** Reference to the shown position, for requests. @returns {Place} */
  get place() {
    const { game, text, start } = this;
    return { game, text, start, moves: this.moves.slice(0, this.cursor) };
  }

  /** @returns {SavedGame} */
  get kept() {
    const { seed, turn, lost } = this;
    return { seed, turn, lost, values: [...this.values], spent: [...this.spent].map(([ply, [who, ms]]) => [ply, who, ms]) };
  }

  /** True if the shown position is the latest. */
  get isLatest() {
    return this.cursor === this.moves.length;
  }

  /** True if a person is to move in the shown position. */
  get isPersons() {
    const who = this.seen?.player;
    return who !== null && who !== undefined && this.isPerson(who);
  }

  /** @param {number | null} who */
  isPerson(who) {
    return who !== null && (this.seats[who] ?? HUMAN) === HUMAN;
  }

  /** True if only agents play. */
  get isWatched() {
    return !this.seats.includes(HUMAN);
  }

  /**
   * Shows the current position, and lets chance or an agent move.
   * @param {PositionView | null} [known] the position, if the answer about the latest move contained it [default: request it]
   */
  async look(known = null) {
    this.rest();
    const asked = ++this.asked;
    this.looking = !known;
    this.failed = false;
    /** @type {PositionView} */
    let seen;
    try {
      seen = known ?? await api("position", this.place);
    } catch (error) {
      if (asked === this.asked) await this.astray(error);
      return;
    }
    if (asked !== this.asked) return;
    this.looking = false;
    this.seen = seen;
    this.moves.splice(0, this.cursor, ...seen.moves);
    this.movers.splice(0, this.cursor, ...seen.movers);
    if (this.isLatest) this.settle(seen);
    this.dispatchEvent(new Event("change"));
    if (this.isLatest) await this.next();
  }

  /** Handles a rejected position: removes an illegal move, and reports every other error. @param {any} error */
  async astray(error) {
    this.looking = false;
    const bad = /^move (\d+): /.exec(String(error?.message));
    if (bad && this.seen) {
      this.cut(Number(bad[1]) - 1);
      await this.goto(this.moves.length);
    }
    this.trouble(error);
  }

  /** Updates the result and the running clock. @param {PositionView} seen */
  settle(seen) {
    this.over = this.lost ? this.given(seen.players) : seen.result;
    const ply = this.moves.length;
    if (this.over || seen.player === null) this.turn = null;
    else if (this.turn?.ply !== ply) this.turn = { ply, player: seen.player, at: Date.now() };
  }

  /** Returns the result after a resignation or a time forfeit. @param {number} players @returns {GameResult | null} */
  given(players) {
    if (!this.lost) return null;
    const utilities = defeat(players, this.lost.player);
    const others = utilities.map((_, i) => i).filter((i) => i !== this.lost?.player);
    const winner = others.length === 1 ? others[0] : null;
    const names = others.map((i) => player(players, i));
    const words = winner === null ? `a tie of ${names.join(", ")}` : `${names[0]} wins`;
    return { utilities, winner, words: `${words}: ${player(players, this.lost.player)} ${this.lost.how}` };
  }

  /** Lets chance or an agent move. @param {boolean} [once] moves even if the game is paused */
  async next(once = false) {
    const { asked } = this;
    try {
      await this.move(once);
    } catch (error) {
      if (asked === this.asked) this.trouble(error);
    }
  }

  /** @param {boolean} once */
  async move(once) {
    const seen = this.seen;
    if (!seen || this.over || (this.paused && !once)) return;
    const asked = this.asked;
    const rolled = this.cursor > 0 && this.movers[this.cursor - 1] === null;
    if (seen.turn === "chance") {
      await this.wait(this.cursor ? this.pace : 0);
      if (asked !== this.asked) return;
      const roll = await api("roll", { place: this.place, seed: this.seed });
      if (asked === this.asked) this.play(roll.move, undefined, roll.after);
    } else if (this.isPersons) {
      if (seen.legal.length > 1 || seen.legal[0] !== "none") return;
      // The dice allow no move: pass automatically.
      await this.wait(2 * this.pace);
      if (asked === this.asked) this.play("none");
    } else if (seen.player !== null) {
      await this.think(seen.player, rolled || this.isWatched ? this.pace : this.pace / 2);
    }
  }

  /** @param {number} ms */
  wait(ms) {
    return new Promise((done) => setTimeout(done, ms));
  }

  /** Starts the search of an agent for its move. @param {number} who @param {number} least minimum ms until the move is shown */
  async think(who, least) {
    const asked = this.asked;
    const shown = this.wait(least);
    const agent = this.seats[who];
    const limits = this.clock
      ? { clock: { terms: this.clock, used_ms: this.used(who).map(Math.round) } }
      : limit(agent, await list("agents"));
    if (asked !== this.asked) return;
    const ask = { op: "search", place: this.place, agent, seed: this.seed, role: `seat ${who}`, play: true, ...limits };
    this.thinking = this.live.begin(ask, async (told) => {
      if (told.event === "error") {
        this.thinking = null;
        this.trouble(new Error(`${agent}: ${told.error}`));
      }
      if (told.event !== "done" || !told.report) return;
      const { best, values, timing } = told.report;
      this.note(this.cursor, values);
      await shown;
      if (asked !== this.asked) return;
      this.thinking = null;
      if (this.terms && left(this.terms, this.used(who), timing.elapsed_ms) < -GRACE_MS) this.lose(who, "ran out of time");
      else if (best !== null) this.play(best, timing.elapsed_ms, told.after);
      else this.trouble(new Error(`${agent} found no move`));
    });
    this.dispatchEvent(new Event("thinking"));
  }

  /** Cancels the agent's search. */
  rest() {
    if (this.thinking !== null) this.live.drop(this.thinking);
    this.thinking = null;
  }

  /** Returns the times of a player's moves in ms. @param {number} who */
  used(who) {
    const mine = [...this.spent].filter(([ply, [by]]) => by === who && ply < this.cursor);
    return mine.sort((a, b) => a[0] - b[0]).map(([, [, ms]]) => ms);
  }

  /** Returns the remaining time of a player in ms. @param {number} who */
  left(who) {
    if (!this.terms) return Infinity;
    if (this.lost?.player === who && this.lost.how === "ran out of time" && this.isLatest) return 0;
    const running = this.turn?.player === who && !this.paused ? Date.now() - this.turn.at : 0;
    return left(this.terms, this.used(who), running);
  }

  /** Ends the game if the person to move has no time left. */
  tick() {
    const who = this.turn?.player;
    if (!this.over && who !== undefined && this.isPerson(who) && this.left(who) <= 0) this.lose(who, "ran out of time");
  }

  /** Ends the game by resignation or time forfeit. @param {number} who @param {"resigned" | "ran out of time"} how */
  lose(who, how) {
    this.lost = { player: who, how };
    return this.goto(this.moves.length);
  }

  /** Makes a move in the shown position, and removes the moves after it.
   * @param {string} move @param {number} [took] time in ms @param {PositionView} [after] position after the move, if known */
  play(move, took, after) {
    // Ignore a move for the previous position.
    if (this.looking) return;
    const { turn, cursor } = this;
    if (turn?.ply === cursor) {
      this.tick();
      if (this.lost) return;
      this.spent.set(cursor, [turn.player, took ?? Date.now() - turn.at]);
    }
    this.cut(cursor);
    this.moves.push(move);
    this.cursor += 1;
    return this.look(after);
  }

  /** Removes all moves after a position. @param {number} ply */
  cut(ply) {
    this.moves.length = ply;
    this.movers.length = Math.min(ply, this.movers.length);
    for (const after of [...this.values.keys()]) if (after > ply) this.values.delete(after);
    for (const after of [...this.spent.keys()]) if (after > ply) this.spent.delete(after);
    this.lost = this.over = null;
  }

  /** Shows the position after `ply` moves. @param {number} ply */
  goto(ply) {
    this.cursor = Math.max(0, Math.min(ply, this.moves.length));
    return this.look();
  }

  /** Takes back moves to the latest position in which a person was to move; if only agents play, the latest move. */
  undo() {
    let ply = this.moves.length - 1;
    // After a resignation or time forfeit, continue with all moves.
    if (this.lost) ply = this.moves.length;
    else if (this.isWatched) this.paused = true;
    else while (ply > 0 && !this.isPerson(this.movers[ply] ?? null)) ply -= 1;
    this.cut(Math.max(ply, 0));
    this.spent.delete(ply);
    this.turn = null;
    return this.goto(this.moves.length);
  }

  /** Moves every player to the next seat. */
  swap() {
    this.seats.push(/** @type {string} */ (this.seats.shift()));
    return this.goto(this.moves.length);
  }

  /** Pauses or continues a game between agents. @param {boolean} paused */
  pause(paused) {
    this.paused = paused;
    // The agent to move starts its search again.
    this.turn = null;
    return this.goto(this.moves.length);
  }

  /** Pauses the game and makes one move. */
  async step() {
    this.paused = true;
    if (!this.isLatest) await this.goto(this.moves.length);
    await this.next(true);
  }

  /** Stores the values of a position. @param {number} ply @param {number[] | null} values */
  note(ply, values) {
    if (!values) return;
    this.values.set(ply, values);
    this.dispatchEvent(new Event("values"));
  }

  /** @param {any} error */
  trouble(error) {
    this.failed = true;
    this.dispatchEvent(new CustomEvent("trouble", { detail: String(error?.message ?? error) }));
  }

  /** Ends the game and its requests. */
  close() {
    this.rest();
    this.ended.abort();
    this.asked += 1;
  }
}
