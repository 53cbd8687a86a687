// @ts-check
// Review of a game: mistakes and better moves.

import { el, fill, toast } from "./dom.js";
import { signed } from "./graph.js";
import { follow } from "./preview.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").MoveAssessment} MoveAssessment */

/** Names of the efforts, with nodes per position. */
const EFFORTS = [["Quick", 1000], ["Normal", 4000], ["Thorough", 20000]];

/** Maximum number of moves shown of a line. */
const MAX_SHOWN_MOVES = 8;

export class ReviewPanel {
  /**
   * @param {HTMLElement} root
   * @param {any} match
   * @param {import("./preview.js").Preview} preview
   * @param {import("./net.js").Live} live
   * @param {() => void} onreview called when the verdicts change
   */
  constructor(root, match, preview, live, onreview) {
    this.match = match;
    this.preview = preview;
    this.live = live;
    this.onreview = onreview;
    /** @type {Review | null} */
    this.review = null;
    /** Reviewed moves. @type {string[]} */
    this.moves = [];
    this.isStopping = false;
    /** @type {number | null} */
    this.task = null;
    this.effort = el("select", {}, ...EFFORTS.map(([name, nodes]) => el("option", { value: nodes }, name)));
    this.effort.value = "4000";
    this.button = el("button", { type: "button", class: "begin", onclick: () => (this.task === null ? this.begin() : this.stop()) });
    this.bar = el("progress", { max: 1, value: 0, "aria-label": "Review" });
    this.state = el("p", { role: "status", class: "faint" });
    this.found = el("div", { class: "found" });
    root.append(
      el("h2", {}, "Review"),
      el("div", { class: "row" }, this.button, el("label", {}, "Effort", this.effort)),
      this.bar, this.state, this.found,
    );
    this.show();
  }

  /** Starts a review of all moves. */
  begin() {
    const { game, text, start, moves } = this.match;
    if (!moves.length) return void (this.state.textContent = "Nothing has been played yet.");
    this.end();
    this.review = null;
    this.isStopping = false;
    this.moves = [...moves];
    const played = this.moves;
    const ask = { op: "review", place: { game, text, start, moves: played }, nodes: Number(this.effort.value) };
    this.bar.value = 0;
    this.task = this.live.begin(ask, (told) => {
      const same = this.isPlayed(played.length);
      if (told.event === "queued") this.state.textContent = "Waiting for other searches to end …";
      if (told.event === "progress") {
        this.bar.value = told.done / told.total;
        this.state.textContent = `${told.done} of ${told.total} positions`;
        if (same) this.match.note(told.ply, told.values);
      }
      if (told.event === "error") {
        this.task = null;
        this.state.textContent = this.isStopping ? "Stopped." : `The review failed: ${told.error}`;
      }
      if (told.event === "done") {
        this.task = null;
        this.state.textContent = "";
        this.review = /** @type {Review} */ (told.review);
        if (same) this.review.values.forEach((values, ply) => this.match.note(ply, values));
        this.onreview();
      }
      this.show();
    });
    this.state.textContent = "Reviewing every position …";
    this.show();
  }

  stop() {
    this.isStopping = true;
    if (this.task !== null) this.live.stop(this.task);
  }

  end() {
    if (this.task !== null) this.live.drop(this.task);
    this.task = null;
  }

  /** Returns true if the first `length` reviewed moves are still those of the game. @param {number} length */
  isPlayed(length) {
    return this.moves.slice(0, length).every((move, i) => this.match.moves[i] === move);
  }

  /** Returns the assessments of moves that are still in the game, by the ply after the move. @returns {Map<number, MoveAssessment>} */
  verdicts() {
    const all = (this.review?.moves ?? []).filter(({ ply }) => this.isPlayed(ply + 1));
    return new Map(all.map((judged) => [judged.ply + 1, judged]));
  }

  show() {
    const running = this.task !== null;
    this.bar.hidden = !running;
    this.button.textContent = running ? "Stop" : this.review ? "Review again" : "Review the game";
    this.effort.disabled = running;
    if (!this.review) return fill(this.found);
    const { review } = this;
    const faults = review.moves.filter(({ verdict }) => ["inaccuracy", "mistake", "blunder"].includes(verdict));
    const list = el("ol", { class: "faults" }, ...faults.map((judged) => this.fault(judged)));
    const head = ["", "Accuracy", "Mean loss", "Best", "Good", "Inacc.", "Mistakes", "Blunders"];
    const number = (/** @type {number | null} */ n, /** @type {number} */ digits) => (n === null ? "–" : n.toFixed(digits));
    fill(
      this.found,
      review.caution && el("p", { class: "wrong" }, `${review.caution[0].toUpperCase()}${review.caution.slice(1)}.`),
      faults.length ? list : !review.caution && el("p", {}, "No mistakes were found."),
      el("div", { class: "wide" }, el("table", {},
        el("thead", {}, el("tr", {}, ...head.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, ...review.summary.map((one) => el("tr", {},
          el("th", { scope: "row" }, one.turn), el("td", {}, number(one.accuracy, 0)), el("td", {}, number(one.mean_loss, 3)),
          ...[one.best, one.good, one.inaccuracies, one.mistakes, one.blunders].map((n) => el("td", {}, n))))))),
      el("p", { class: "faint" }, `Judged by ${review.agent}, ${review.nodes} nodes per position.`),
    );
  }

  /** @param {MoveAssessment} judged */
  fault(judged) {
    const place = () => ({ game: this.match.game, text: this.match.text, start: this.match.start, moves: this.moves.slice(0, judged.ply) });
    const jump = async () => {
      if (!this.isPlayed(judged.ply)) return toast("The board shows another game now.");
      this.preview.clear();
      await this.match.goto(judged.ply);
    };
    const line = judged.best.line.slice(0, MAX_SHOWN_MOVES);
    const play = (/** @type {string[]} */ moves) => follow(this.match, place(), moves);
    return el("li", { class: judged.verdict },
      el("button", { type: "button", class: "jump", onclick: jump },
        el("span", { class: "verdict" }, judged.verdict), " ", judged.words.split("; better")[0]),
      el("div", { class: "row better" }, el("span", { class: "faint" }, `better (${worth(judged)})`), ...this.preview.buttons(place(), line, play),
        el("button", { type: "button", class: "walk", "aria-label": "Show the better line", onclick: async () => { await jump(); this.preview.walk(place(), line); } }, "▶ Show")));
  }
}

/** Returns the value of the best move in words. @param {MoveAssessment} judged */
function worth({ best }) {
  if (!best.outcome) return signed(best.value);
  return best.outcome === "draw" || best.distance === null ? best.outcome : `${best.outcome} in ${best.distance}`;
}
