// @ts-check
// Analysis panel beside the board: value, best lines and heat map of a search, value graph, review.

import { colour, el, fill, focused, short } from "./dom.js";
import { graph, signed } from "./graph.js";
import { api, list } from "./net.js";
import { Preview, follow } from "./preview.js";
import { ReviewPanel } from "./review.js";
import { player as playerName } from "./seats.js";

/** @typedef {import("./types.js").Report} Report */
/** @typedef {import("./types.js").Line} Line */

/** Time of one search; "Continue" adds as much again. */
const SEARCH_TIME_MS = 60_000;
/** Hidden pages stop searching after this time. */
const HIDDEN_TIMEOUT_MS = 60_000;
/** Number of lines that the search reports. */
const LINES = 5;
/** Maximum number of agents in one check request. */
const MAX_CHECKED_AGENTS = 16;
/** Maximum number of moves shown of a line. */
const MAX_SHOWN_MOVES = 10;
const HEATS = ["value", "visits", "prior", "hidden"];
const PRIORS = "mcts-textbook:policy=puct,prior=eval";

/** First entries of the list of agents. */
const DEFAULT_AGENTS = ["mcts", "mcts:solver=on", "alphabeta"];

/**
 * @param {HTMLElement} root
 * @param {any} match
 * @param {import("./board.js").Board} board
 * @param {import("./net.js").Live} live
 * @param {import("./types.js").Route} route
 * @returns {import("./types.js").Page}
 */
export function open(root, match, board, live, route) {
  const panel = new Panel(root, match, board, live, route);
  return { close: () => panel.close() };
}

class Panel {
  /**
   * @param {HTMLElement} root
   * @param {any} match
   * @param {import("./board.js").Board} board
   * @param {import("./net.js").Live} live
   * @param {import("./types.js").Route} route
   */
  constructor(root, match, board, live, route) {
    this.match = match;
    this.board = board;
    this.live = live;
    this.route = route;
    const agent = route.query.get("analyse");
    this.on = agent !== null;
    this.agent = agent || "mcts";
    const heat = route.query.get("heat") ?? "";
    this.heat = HEATS.includes(heat) ? heat : "value";
    /** @type {number | null} the search that runs */
    this.task = null;
    /** @type {number | null} the search whose report is shown */
    this.shown = null;
    /** @type {Report | null} */
    this.report = null;
    /** @type {string | null} */
    this.map = null;
    /** Position and agent of the latest search. */
    this.key = "";
    /** True if the search stopped because the page was hidden. */
    this.isSuspended = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.hiddenTimer = undefined;
    /** @type {{ move: string, element: HTMLElement, numbers: HTMLElement }[]} */
    this.rows = [];
    /** Error, or the reason for waiting. */
    this.trouble = "";
    this.preview = new Preview(board, () => this.paint());
    this.ended = new AbortController();
    this.toggle = el("button", { type: "button", class: "toggle", onclick: () => this.turn(!this.on) }, "Analyse");
    const defaults = DEFAULT_AGENTS.map((spec) => el("option", { value: spec }));
    this.names = el("datalist", { id: "analysis-agents" }, ...defaults);
    this.spec = el("input", {
      value: this.agent, list: "analysis-agents", spellcheck: "false", autocomplete: "off", size: 14,
      onchange: () => this.use(this.spec.value.trim() || "mcts"),
    });
    this.choice = el("select", { onchange: () => this.use(this.choice.value) });
    this.go = el("button", { type: "button", class: "go", onclick: () => (this.task === null ? this.search() : this.live.stop(this.task)) });
    this.bar = el("div", { class: "value-bar", role: "img" });
    this.words = el("strong", { class: "worth" });
    this.stats = el("span", { class: "faint stats" });
    this.state = el("p", { class: "state", role: "status" });
    this.lines = el("ol", { class: "lines", "aria-label": "Best lines" });
    this.maps = el("fieldset", { class: "heats" }, el("legend", {}, "Heat map"), ...HEATS.map((heat) =>
      el("label", {}, el("input", { type: "radio", name: "heat", value: heat, checked: heat === this.heat, onchange: () => this.colour(heat) }), heat)));
    this.body = el("div", { class: "analysis-body" },
      this.bar, el("p", { class: "row figures" }, this.words, this.stats), this.maps, this.state, this.lines);
    const box = el("div", { class: "analysis" },
      el("div", { class: "row" }, this.toggle, el("label", {}, "Agent", this.choice), el("label", {}, "Spec", this.spec), this.go),
      this.names, this.body);
    const graphs = el("div", { class: "values" }, el("h2", {}, "Value of the game"));
    const review = el("div", { class: "review" });
    root.append(box, graphs, review);
    /** @type {ReturnType<typeof graph> | null} */
    this.graph = null;
    this.graphs = graphs;
    this.reviewing = new ReviewPanel(review, this.match, this.preview, this.live, () => this.draw());
    this.offer();
    const { signal } = this.ended;
    match.addEventListener("change", () => this.change(), { signal });
    match.addEventListener("values", () => this.draw(), { signal });
    match.addEventListener("review", () => this.reviewing.begin(), { signal });
    document.addEventListener("visibilitychange", () => this.watch(), { signal });
    if (match.seen) this.change();
    else this.show();
  }

  /** Lists the agents that can search this game. */
  async offer() {
    let agents = DEFAULT_AGENTS.map((name) => ({ name, summary: "" }));
    try {
      const rows = await list("agents");
      const others = rows.filter((/** @type {any} */ row) => !["human", "script", "random", "mcts", "alphabeta"].includes(row.name) && !row.name.startsWith("level-"));
      const all = [...agents, ...others];
      const { game, text } = this.match;
      const able = [];
      for (let i = 0; i < all.length; i += MAX_CHECKED_AGENTS) {
        const some = all.slice(i, i + MAX_CHECKED_AGENTS);
        const { wrong } = await api("check", { place: { game, text }, agents: some.map(({ name }) => name) });
        able.push(...some.filter((_, at) => !wrong[at]));
      }
      agents = able;
    } catch {
      // Keep the default agents.
    }
    fill(this.choice, ...agents.map(({ name, summary }) => el("option", { value: name, title: summary }, name)), el("option", { value: "" }, "other"));
    fill(this.names, ...agents.map(({ name }) => el("option", { value: name })));
    this.fit();
  }

  /** Shows the agent in both fields. */
  fit() {
    this.spec.value = this.agent;
    const known = [...this.choice.options].some(({ value }) => value === this.agent);
    this.choice.value = known ? this.agent : "";
  }

  /** @param {string} agent */
  use(agent) {
    if (!agent) return this.spec.focus();
    this.agent = agent;
    this.fit();
    this.key = "";
    if (this.on) this.turn(true);
    else this.link();
  }

  /** Adds the settings to the address, which the page writes. */
  link() {
    const { query } = this.route;
    if (this.on) query.set("analyse", this.agent);
    else query.delete("analyse");
    if (this.on && this.heat !== "value") query.set("heat", this.heat);
    else query.delete("heat");
    this.match.dispatchEvent(new Event("settings"));
  }

  /** @param {boolean} on */
  turn(on) {
    this.on = on;
    this.link();
    if (on) {
      this.key = "";
      this.change();
    } else {
      this.drop();
      this.forget();
      this.paint();
      this.show();
    }
  }

  /** Called when the board shows another position. */
  change() {
    this.draw();
    const key = JSON.stringify([this.match.place, this.agent]);
    if (!this.on) return this.show();
    if (key === this.key) return this.paint();
    this.drop();
    this.forget();
    this.key = key;
    this.search();
  }

  forget() {
    this.report = null;
    this.map = null;
    this.shown = null;
    this.trouble = "";
    this.preview.clear();
    // The lines are about to be removed: keep the focus in the panel.
    if (this.lines.contains(document.activeElement)) this.toggle.focus({ preventScroll: true });
    this.rows = [];
    fill(this.lines);
  }

  drop() {
    if (this.task !== null) this.live.drop(this.task);
    this.task = null;
  }

  /** Searches the shown position, or continues its search. @param {number} [time] */
  search(time = SEARCH_TIME_MS) {
    const { seen, place, cursor } = this.match;
    if (!seen || !this.on || seen.result || seen.turn === "chance") return this.show();
    const ask = {
      op: "search", place, agent: withReuse(this.agent), seed: 1, role: "analysis",
      heat: this.heat, lines: LINES, time_ms: time,
    };
    this.trouble = "";
    const id = this.live.begin(ask, (told) => {
      if (told.event === "queued") this.trouble = "waiting for other searches to end …";
      if (told.event === "error") this.trouble = told.error ?? "the search failed";
      if (told.event === "done" || told.event === "error") this.task = null;
      if (told.report) {
        this.trouble = "";
        this.shown = id;
        this.report = told.report;
        this.map = told.svg ?? null;
        // Values of different searches are comparable only if they are results or means of results.
        if (told.report.values && isResult(told.report)) this.match.note(cursor, told.report.values);
        if (!this.preview.active) this.paint();
      }
      this.show();
    });
    this.task = id;
    this.show();
  }

  /** Shows another heat map. @param {string} heat */
  colour(heat) {
    this.heat = heat;
    this.link();
    const search = this.task ?? this.shown;
    if (search === null) return this.show();
    this.live.begin({ op: "heat", search, heat }, (told) => {
      if (this.heat !== heat) return;
      if (told.event === "done") {
        this.map = told.svg ?? null;
        this.paint();
        this.show();
      }
      // The server no longer has the report: a short search makes a new one.
      if (told.event === "error" && this.task === null) this.search(1000);
    });
    this.show();
  }

  /** Draws the position or its heat map on the board. */
  paint() {
    const plain = this.match.seen?.board.svg;
    const map = this.on && this.heat !== "hidden" ? this.map : null;
    if (map ?? plain) this.board.paint(map ?? plain);
    const drawing = this.board.element.querySelector("svg");
    const cell = this.board.view.spots[0]?.w ?? 64;
    const [, , width] = (drawing?.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number);
    const pixels = (cell * (drawing?.getBoundingClientRect().width ?? 0)) / width;
    this.board.element.classList.toggle("fine", !!map && pixels < 40);
  }

  /** Suspends the search while the page is hidden. */
  watch() {
    clearTimeout(this.hiddenTimer);
    if (!document.hidden) {
      if (this.isSuspended) this.search();
      this.isSuspended = false;
    } else if (this.task !== null) {
      this.hiddenTimer = setTimeout(() => {
        if (this.task === null) return;
        this.isSuspended = true;
        this.live.stop(this.task);
      }, HIDDEN_TIMEOUT_MS);
    }
  }

  /** Updates everything but the board. */
  show() {
    const { on, report, task } = this;
    const { seen } = this.match;
    const none = !seen ? "" : seen.result ? "The game is over: there is nothing to search."
      : seen.turn === "chance" ? "Chance is to move: roll first." : "";
    this.toggle.setAttribute("aria-pressed", String(on));
    this.body.hidden = !on;
    const pressed = focused() === this.go;
    this.go.hidden = !on || !!none;
    this.go.textContent = task !== null ? "Stop" : report ? "Continue" : "Search";
    const proven = report?.stopped === "proven";
    this.go.disabled = task === null && proven;
    if (pressed && (this.go.hidden || this.go.disabled)) this.toggle.focus({ preventScroll: true });
    const empty = !on || !!none || !report;
    for (const part of [this.bar, this.words, this.stats, this.lines, this.maps]) part.hidden = empty;
    const state = this.trouble || none || (!report && task !== null ? "searching …" : "") || this.about();
    if (this.state.textContent !== state) this.state.textContent = state;
    this.state.classList.toggle("wrong", !!this.trouble && task === null);
    if (report && !empty) this.tell(report);
    if (this.heat === "prior" && report && report.lines.some(({ prior }) => prior !== undefined) && this.agent !== PRIORS && isAlike(report.lines)) {
      this.state.append(" ", el("button", { type: "button", onclick: () => this.use(PRIORS) }, `use ${PRIORS}`));
    }
  }

  /** Returns the state of the search, if it needs a remark. */
  about() {
    const { report } = this;
    if (!report) return "";
    if (this.heat === "prior") {
      if (report.lines.every(({ prior }) => prior === undefined)) return "This agent has no priors.";
      if (isAlike(report.lines)) return "This agent gives all moves the same prior.";
    }
    if (this.task !== null) return "";
    if (report.stopped === "proven") return "Proven: no deeper search can change this.";
    if (report.stopped === "memory") return "Stopped: the memory is full.";
    return "Stopped.";
  }

  /** @param {Report} report */
  tell(report) {
    const { players, player } = this.match.seen;
    const worth = inWords(report, players, player);
    this.words.textContent = worth;
    const { depth, nodes } = report.stats;
    const visits = report.lines.reduce((sum, line) => sum + line.visits, 0);
    const samples = report.lines.some(({ prior }) => prior !== undefined);
    // Visits include continued searches; nodes and time are those of the latest search.
    const effort = samples ? [`${short(visits)} visits`] : nodes ? [`depth ${depth}`, `${short(nodes)} nodes`, `${(report.timing.elapsed_ms / 1000).toFixed(1)} s`] : [];
    this.stats.textContent = [...effort, nodes && `${short(report.timing.nodes_per_s)}/s`].filter(Boolean).join(" · ");
    const parts = shares(report, players);
    this.bar.setAttribute("aria-label", `Value: ${worth}`);
    fill(this.bar, ...parts.map((share, i) =>
      el("span", { style: `flex-basis: ${(100 * share).toFixed(1)}%; background: ${colour(i)}`, title: `${playerName(players, i)} ${Math.round(100 * share)} %` })));
    // Do not move buttons that have the focus or the pointer.
    if (this.lines.contains(document.activeElement) || this.lines.matches(":hover")) return this.renew(report);
    this.rows = report.lines.slice(0, LINES).map((line) => this.row(line));
    const head = el("li", { class: "faint head" }, `values for ${playerName(players, player)}, the player to move${samples ? " · visits" : visits ? " · nodes" : ""}`);
    fill(this.lines, head, ...this.rows.map(({ element }) => element));
  }

  /** Updates only the numbers. @param {Report} report */
  renew(report) {
    for (const row of this.rows) {
      const line = report.lines.find(({ move }) => move === row.move);
      if (line) fill(row.numbers, ...numbers(line, this.match.seen.players));
    }
  }

  /** @param {Line} line */
  row(line) {
    const figures = el("span", { class: "numbers" }, ...numbers(line, this.match.seen.players));
    const moves = line.pv.slice(0, MAX_SHOWN_MOVES);
    const place = this.match.place;
    const play = (/** @type {string[]} */ moves) => follow(this.match, place, moves);
    const element = el("li", { "data-move": line.move }, figures, el("span", { class: "moves" }, ...this.preview.buttons(place, moves, play)));
    return { move: line.move, element, numbers: figures };
  }

  /** Draws the value graph. */
  draw() {
    const { match } = this;
    if (!match.seen) return;
    this.graph ??= graph(this.graphs, { players: match.seen.players, goto: (ply) => { this.preview.clear(); match.goto(ply); } });
    const verdicts = this.reviewing.verdicts();
    const values = new Map(match.values);
    if (match.over && !match.lost) values.set(match.moves.length, match.over.utilities);
    const plies = Array.from({ length: match.moves.length + 1 }, (_, ply) => ({
      move: match.moves[ply - 1], values: values.get(ply), verdict: verdicts.get(ply)?.verdict, words: verdicts.get(ply)?.words,
    }));
    this.graph.update({ plies, current: match.cursor });
  }

  close() {
    this.ended.abort();
    clearTimeout(this.hiddenTimer);
    this.preview.clear();
    this.drop();
    this.reviewing.end();
    this.graph?.close();
  }
}

/** Adds tree reuse to an mcts spec, so that a search can be continued. @param {string} spec */
function withReuse(spec) {
  const [name, settings = ""] = [spec.split(":")[0], spec.slice(spec.indexOf(":") + 1)];
  if (!["mcts", "mcts-textbook"].includes(name) || /(^|,)reuse=/.test(settings)) return spec;
  return `${spec}${spec.includes(":") ? "," : ":"}reuse=on`;
}

/** Returns true if the values are results or means of results. @param {Report} report */
function isResult({ outcome, lines }) {
  return outcome !== null || lines[0]?.prior !== undefined;
}

/** Returns true if all moves have the same prior. @param {Line[]} lines */
function isAlike(lines) {
  return lines.every(({ prior }) => prior === lines[0].prior);
}

/** Returns the value in words. @param {Report} report @param {number} players @param {number} mover */
function inWords(report, players, mover) {
  const { outcome, distance, values, value } = report;
  const within = distance === null ? "" : ` in ${distance}`;
  if (outcome === "draw") return `a ${players > 2 ? "tie" : "draw"}, proven`;
  if (outcome) {
    const winner = outcome === "win" ? mover : 1 - mover;
    return players === 2 ? `${playerName(2, winner)} wins${within}` : `${playerName(players, mover)}: ${outcome}${within}`;
  }
  if (!values) return value === null ? "no value" : `${signed(value)} for ${playerName(players, mover)}`;
  if (players <= 2) return `${signed(values[0])} for first`;
  return values.map((value, i) => `${playerName(players, i)} ${value.toFixed(2)}`).join(" · ");
}

/** Returns the share of each player in the value bar. @param {Report} report @param {number} players @returns {number[]} */
function shares(report, players) {
  const { values } = report;
  if (!values) return Array(players).fill(1 / players);
  if (players > 2) {
    const least = Math.min(0, ...values);
    const sum = values.reduce((all, value) => all + value - least, 0);
    return values.map((value) => (sum > 0 ? (value - least) / sum : 1 / players));
  }
  // Evaluations are unbounded: a larger one comes closer to the whole bar.
  const [first] = values;
  const part = isResult(report) && Math.abs(first) <= 1 ? first : first / (Math.abs(first) + 5);
  return [(1 + part) / 2, (1 - part) / 2];
}

/** Returns the value and the visits of a line. @param {Line} line @param {number} players */
function numbers(line, players) {
  const sign = { exact: "", lower: "≥ ", upper: "≤ " }[line.bound];
  const value = line.outcome === "draw" && players > 2 ? "tie"
    : line.outcome ? (line.outcome === "draw" || line.distance === null ? line.outcome : `${line.outcome} in ${line.distance}`)
    : line.value === null ? "–" : sign + signed(line.value);
  // Some agents do not count nodes per move.
  const counts = line.prior !== undefined || line.visits > 0;
  return [el("b", {}, value), counts && el("span", { class: "faint", title: line.prior === undefined ? "nodes" : "visits" }, short(line.visits))];
}
