// @ts-check
// What a search thinks of the shown position, while people play: value, best lines, heat map; graph and review.

import { colour, el, fill, focused, short } from "./dom.js";
import { graph, signed } from "./graph.js";
import { api, list } from "./net.js";
import { Preview, follow } from "./preview.js";
import { Reviewing } from "./review.js";
import { player as playerName } from "./seats.js";

/** @typedef {import("./types.js").Report} Report */
/** @typedef {import("./types.js").Line} Line */

/** Milliseconds of one search; "go on" gives as much again. */
const TIME = 60_000;
/** A page that nobody has seen for so long does not search. */
const UNSEEN = 60_000;
const LINES = 5;
/** Agents that the server checks at once. */
const CHECKED = 16;
const SHOWN = 10;
const HEATS = ["value", "visits", "prior", "hidden"];
const PRIORS = "mcts:policy=puct,prior=eval";

/** What the panel offers first; everything else can be written. */
const USUAL = ["mcts", "mcts:solver=on", "alphabeta"];

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
    const wish = route.query.get("analyse");
    this.on = wish !== null;
    this.agent = wish || "mcts";
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
    /** The position that is searched or was. */
    this.key = "";
    /** Whether it waits for somebody to look. */
    this.rests = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.unseen = undefined;
    /** @type {{ move: string, element: HTMLElement, numbers: HTMLElement }[]} */
    this.rows = [];
    /** Why there is nothing to see. */
    this.trouble = "";
    this.preview = new Preview(board, () => this.paint());
    this.ended = new AbortController();
    this.toggle = el("button", { type: "button", class: "toggle", onclick: () => this.turn(!this.on) }, "Analyse");
    const usual = USUAL.map((spec) => el("option", { value: spec }));
    this.names = el("datalist", { id: "analysis-agents" }, ...usual);
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
    this.maps = el("fieldset", { class: "heats" }, el("legend", {}, "On the board"), ...HEATS.map((heat) =>
      el("label", {}, el("input", { type: "radio", name: "heat", value: heat, checked: heat === this.heat, onchange: () => this.colour(heat) }), heat)));
    this.body = el("div", { class: "analysis-body" },
      this.bar, el("p", { class: "row figures" }, this.words, this.stats), this.maps, this.state, this.lines);
    const box = el("div", { class: "analysis" },
      el("div", { class: "row" }, this.toggle, el("label", {}, "Agent", this.choice), el("label", {}, "Its settings", this.spec), this.go),
      this.names, this.body);
    const graphs = el("div", { class: "values" }, el("h2", {}, "Value of the game"));
    const review = el("div", { class: "review" });
    root.append(box, graphs, review);
    /** @type {ReturnType<typeof graph> | null} */
    this.graph = null;
    this.graphs = graphs;
    this.reviewing = new Reviewing(review, this.match, this.preview, this.live, () => this.draw());
    this.offer();
    const { signal } = this.ended;
    match.addEventListener("change", () => this.change(), { signal });
    match.addEventListener("values", () => this.draw(), { signal });
    match.addEventListener("review", () => this.reviewing.begin(), { signal });
    document.addEventListener("visibilitychange", () => this.watch(), { signal });
    if (match.seen) this.change();
    else this.show();
  }

  /** Offers the agents that can search this game. */
  async offer() {
    let agents = USUAL.map((name) => ({ name, summary: "" }));
    try {
      const rows = await list("agents");
      const others = rows.filter((/** @type {any} */ row) => !["human", "script", "random", "mcts", "alphabeta"].includes(row.name) && !row.name.startsWith("level-"));
      const all = [...agents, ...others];
      const { game, text } = this.match;
      const able = [];
      for (let i = 0; i < all.length; i += CHECKED) {
        const some = all.slice(i, i + CHECKED);
        const { wrong } = await api("check", { place: { game, text }, agents: some.map(({ name }) => name) });
        able.push(...some.filter((_, at) => !wrong[at]));
      }
      agents = able;
    } catch {
      // The usual ones will do.
    }
    fill(this.choice, ...agents.map(({ name, summary }) => el("option", { value: name, title: summary }, name)), el("option", { value: "" }, "other"));
    fill(this.names, ...agents.map(({ name }) => el("option", { value: name })));
    this.fit();
  }

  /** Select and settings say the same. */
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

  /** The switches are a part of the address, which is the page's to write. */
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

  /** Another position is shown. */
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
    // The lines of another position; whoever pressed one of them stays near.
    if (this.lines.contains(document.activeElement)) this.toggle.focus({ preventScroll: true });
    this.rows = [];
    fill(this.lines);
  }

  drop() {
    if (this.task !== null) this.live.drop(this.task);
    this.task = null;
  }

  /** Searches the shown position, or goes on with it. @param {number} [time] */
  search(time = TIME) {
    const { seen, place, cursor } = this.match;
    if (!seen || !this.on || seen.result || seen.turn === "chance") return this.show();
    const ask = {
      op: "search", place, agent: lasting(this.agent), seed: 1, role: "analysis",
      heat: this.heat, lines: LINES, time_ms: time,
    };
    this.trouble = "";
    const id = this.live.begin(ask, (told) => {
      if (told.event === "queued") this.trouble = "waiting for a free processor …";
      if (told.event === "error") this.trouble = told.error ?? "the search failed";
      if (told.event === "done" || told.event === "error") this.task = null;
      if (told.report) {
        this.trouble = "";
        this.shown = id;
        this.report = told.report;
        this.map = told.svg ?? null;
        // Evaluations are in units of their own; only results and shares of them can be compared.
        if (told.report.values && isResult(told.report)) this.match.note(cursor, told.report.values);
        if (!this.preview.active) this.paint();
      }
      this.show();
    });
    this.task = id;
    this.show();
  }

  /** Another heat map. @param {string} heat */
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
      // The server has forgotten it: a short search brings it back.
      if (told.event === "error" && this.task === null) this.search(1000);
    });
    this.show();
  }

  /** What belongs on the board now. */
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

  /** The page is looked at, or not. */
  watch() {
    clearTimeout(this.unseen);
    if (!document.hidden) {
      if (this.rests) this.search();
      this.rests = false;
    } else if (this.task !== null) {
      this.unseen = setTimeout(() => {
        if (this.task === null) return;
        this.rests = true;
        this.live.stop(this.task);
      }, UNSEEN);
    }
  }

  /** All but the board. */
  show() {
    const { on, report, task } = this;
    const { seen } = this.match;
    const none = !seen ? "" : seen.result ? "The game is over: nothing is left to search."
      : seen.turn === "chance" ? "Roll first: chance is to move." : "";
    this.toggle.setAttribute("aria-pressed", String(on));
    this.body.hidden = !on;
    const pressed = focused() === this.go;
    this.go.hidden = !on || !!none;
    this.go.textContent = task !== null ? "Stop" : report ? "Go on" : "Search";
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

  /** How the search stands, where that is not plain to see. */
  about() {
    const { report } = this;
    if (!report) return "";
    if (this.heat === "prior") {
      if (report.lines.every(({ prior }) => prior === undefined)) return "This agent expects nothing beforehand: it has no priors.";
      if (isAlike(report.lines)) return "This agent expects the same of all moves.";
    }
    if (this.task !== null) return "";
    if (report.stopped === "proven") return "Proven: no deeper search can change this.";
    if (report.stopped === "memory") return "The memory is full.";
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
    // Visits are of all that went on and on; nodes and time are of the latest search alone.
    const effort = samples ? [`${short(visits)} visits`] : nodes ? [`depth ${depth}`, `${short(nodes)} nodes`, `${(report.timing.elapsed_ms / 1000).toFixed(1)} s`] : [];
    this.stats.textContent = [...effort, nodes && `${short(report.timing.nodes_per_s)}/s`].filter(Boolean).join(" · ");
    const parts = shares(report, players);
    this.bar.setAttribute("aria-label", `Value: ${worth}`);
    fill(this.bar, ...parts.map((share, i) =>
      el("span", { style: `flex-basis: ${(100 * share).toFixed(1)}%; background: ${colour(i)}`, title: `${playerName(players, i)} ${Math.round(100 * share)} %` })));
    // A button that has the focus, or is pointed at, stays where it is.
    if (this.lines.contains(document.activeElement) || this.lines.matches(":hover")) return this.renew(report);
    this.rows = report.lines.slice(0, LINES).map((line) => this.row(line));
    const head = el("li", { class: "faint head" }, `for ${playerName(players, player)}, who is to move${samples ? " · visits" : visits ? " · nodes" : ""}`);
    fill(this.lines, head, ...this.rows.map(({ element }) => element));
  }

  /** The numbers alone. @param {Report} report */
  renew(report) {
    for (const row of this.rows) {
      const line = report.lines.find(({ move }) => move === row.move);
      if (line) fill(row.numbers, ...numbers(line, this.match.seen.players));
    }
  }

  /** @param {Line} line */
  row(line) {
    const figures = el("span", { class: "numbers" }, ...numbers(line, this.match.seen.players));
    const moves = line.pv.slice(0, SHOWN);
    const place = this.match.place;
    const play = (/** @type {string[]} */ moves) => follow(this.match, place, moves);
    const element = el("li", { "data-move": line.move }, figures, el("span", { class: "moves" }, ...this.preview.buttons(place, moves, play)));
    return { move: line.move, element, numbers: figures };
  }

  /** The graph, as far as values are known. */
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
    clearTimeout(this.unseen);
    this.preview.clear();
    this.drop();
    this.reviewing.end();
    this.graph?.close();
  }
}

/** An agent that goes on where it stopped, if it can. @param {string} spec */
function lasting(spec) {
  const [name, settings = ""] = [spec.split(":")[0], spec.slice(spec.indexOf(":") + 1)];
  if (name !== "mcts" || /(^|,)reuse=/.test(settings)) return spec;
  return `${spec}${spec.includes(":") ? "," : ":"}reuse=on`;
}

/** Whether values are results or means of them. @param {Report} report */
function isResult({ outcome, lines }) {
  return outcome !== null || lines[0]?.prior !== undefined;
}

/** Whether all moves were expected to be equally good. @param {Line[]} lines */
function isAlike(lines) {
  return lines.every(({ prior }) => prior === lines[0].prior);
}

/** The value as people say it. @param {Report} report @param {number} players @param {number} mover */
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

/** What each has of the whole. @param {Report} report @param {number} players @returns {number[]} */
function shares(report, players) {
  const { values } = report;
  if (!values) return Array(players).fill(1 / players);
  if (players > 2) {
    const least = Math.min(0, ...values);
    const sum = values.reduce((all, value) => all + value - least, 0);
    return values.map((value) => (sum > 0 ? (value - least) / sum : 1 / players));
  }
  // Evaluations have no end: the larger, the closer to all.
  const [first] = values;
  const part = isResult(report) && Math.abs(first) <= 1 ? first : first / (Math.abs(first) + 5);
  return [(1 + part) / 2, (1 - part) / 2];
}

/** What is known of a line. @param {Line} line @param {number} players */
function numbers(line, players) {
  const sign = { exact: "", lower: "≥ ", upper: "≤ " }[line.bound];
  const value = line.outcome === "draw" && players > 2 ? "tie"
    : line.outcome ? (line.outcome === "draw" || line.distance === null ? line.outcome : `${line.outcome} in ${line.distance}`)
    : line.value === null ? "–" : sign + signed(line.value);
  // Some agents count nothing.
  const counts = line.prior !== undefined || line.visits > 0;
  return [el("b", {}, value), counts && el("span", { class: "faint", title: line.prior === undefined ? "nodes" : "visits" }, short(line.visits))];
}
