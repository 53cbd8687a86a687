// @ts-check
// Explain page: the step player in a frame, or the tree explorer; without a position, a gallery of examples.

import { el, fill } from "./dom.js";
import { format } from "./link.js";
import { api, list } from "./net.js";

/** @typedef {import("./types.js").Route} Route */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").PositionView} PositionView */

/** Agents that can be explained, with what the steps show. @type {[name: string, see: string][]} */
const AGENTS = [
  ["alphabeta", "Windows, returned values, and why branches are pruned; the best known options of the game."],
  ["alphabeta-textbook", "The same with the options of textbooks."],
  ["minimax", "Every position, and the values among which it chooses."],
  ["ids", "One depth after another, and how each depth orders the moves for the next."],
  ["expectimax", "Averages at chance nodes."],
  ["maxn", "Each player maximizes its own value: one value per player."],
  ["paranoid", "All other players play against the root player."],
  ["mcts", "One simulation after another: selection, expansion, playout, backup; the best known options of the game."],
  ["mcts-textbook", "The same with the options of textbooks."],
  ["greedy", "One ply: the evaluation of every move."],
];
const DEFAULT_ABOUT = "Alpha-beta, or the first other agent that supports the game. A tree with wins and visits is solved as a UCB1 exercise.";

/** @type {[title: string, about: string, place: Place, query: Record<string, string>][]} */
const LECTURES = [
  ["Alpha-beta", "Fifteen nodes, two cutoffs, four nodes never visited: MAX gets 8.", tree("lecture-alphabeta"), { agent: "alphabeta:order=none" }],
  ["Minimax", "The same tree without pruning: every node, and what it chooses.", tree("lecture-alphabeta"), { agent: "minimax" }],
  ["Four simulations", "MCTS with given playout results: the path of each simulation, and why s2 is the answer.", tree("lecture-mcts"), { agent: "mcts:c=2", nodes: "4" }],
  ["UCB1 exercise", "A tree with wins, visits and a gap: the solution line by line, and the next selection of UCB1.", tree("ucb1-exercise"), {}],
  ["Betting on a coin", "Take 2, or bet? Expectimax averages over heads and tails: betting twice is worth 2.2.", tree("coin"), { agent: "expectimax" }],
  ["Star1", "Pruning at a chance node: even the best last outcome would not be enough.", tree("star1"), { agent: "expectimax:prune=star1" }],
  ["Three players", "Three maximizing players: maxⁿ backs up one value per player.", tree("kplayer"), { agent: "maxn" }],
];

/** @type {typeof LECTURES} */
const POSITIONS = [
  ["Go 5×5 after C3", "Forty simulations, one after another, choose the answer to a stone in the centre.", at("go:size=5", "C3"), { agent: "mcts-textbook", nodes: "40" }],
  ["The tree of MCTS", "Open the tree of 400 simulations, change c, and see which move would be visited next.", at("go:size=5", "C3"), { agent: "mcts-textbook", nodes: "400", view: "tree" }],
  ["Tic-tac-toe, a threat", "Iterative deepening: what changes from depth to depth.", at("tictactoe", "b2", "a1", "c1"), { agent: "ids", depth: "3" }],
  ["Connect four", "Alpha-beta in a real game: move ordering, windows, cutoffs.", at("connect4", "4", "4"), { agent: "alphabeta-textbook", depth: "3" }],
  ["Gobblet, one ply", "Greedy: every move and its evaluation.", at("gobblet", "B1@0", "S1@8", "B2@1", "S2@7"), { agent: "greedy" }],
];

const SAMPLE = `{
  "root": "A",
  "nodes": {
    "A": { "max": ["B", "C"] },
    "B": { "min": ["D", "E"] },
    "C": { "min": ["F", "G"] },
    "D": 3, "E": 5, "F": 2, "G": 9
  }
}`;

/** Maximum length of an address. */
const MAX_ADDRESS_CHARS = 60000;

/** @param {string} name @returns {Place} */
function tree(name) {
  return { game: `tree:file=${name}`, moves: [] };
}

/** @param {string} game @param {...string} moves @returns {Place} */
function at(game, ...moves) {
  return { game, moves };
}

/** Returns the address of an explanation. @param {Place} place @param {URLSearchParams | Record<string, string>} query */
function address(place, query) {
  const all = new URLSearchParams(query);
  if (place.text) all.set("text", place.text);
  return format(place, { page: "explain", query: all });
}

/**
 * @param {HTMLElement} root
 * @param {Route} route
 * @param {import("./net.js").Live} live
 * @returns {import("./types.js").Page}
 */
export function open(root, route, live) {
  const ending = new AbortController();
  const place = route.place;
  if (!place) {
    document.title = "Explain · Tussle";
    gallery(root);
  } else {
    const text = route.query.get("text");
    if (text) place.text = text;
    document.title = `Explain ${name(place)} · Tussle`;
    explanation(root, place, route.query, live, ending.signal);
  }
  return {
    close() {
      ending.abort();
      document.title = "Tussle";
    },
  };
}

/** Returns a short name of a position. @param {Place} place */
function name(place) {
  const [game, file] = place.game.split(":file=");
  const what = place.text ? `your own ${game}` : file ?? game;
  return place.moves.length ? `${what} after ${place.moves.join(" ")}` : what;
}

/** Shows the examples and the forms. @param {HTMLElement} root */
function gallery(root) {
  const cards = (/** @type {typeof LECTURES} */ all) => el("ul", { class: "cards" }, ...all.map(([title, about, place, query]) =>
    el("li", {}, el("a", { class: "card", href: address(place, query) }, el("b", {}, title), el("span", {}, about)))));
  root.append(
    el("h1", {}, "See how a search works"),
    el("p", { class: "faint" }, "Step through a recorded search: which nodes it visits, which values it finds, what it prunes and why. Any position of the ",
      el("a", { href: "#" }, "board"), " can be explained."),
    el("h2", {}, "Trees of the lectures"), cards(LECTURES),
    el("h2", {}, "Positions"), cards(POSITIONS),
    el("div", { class: "own" }, ownPosition(), ownTree()));
}

function ownPosition() {
  const game = el("input", { value: "connect4", list: "explain-games", required: true, autocomplete: "off", spellcheck: "false" });
  const games = el("datalist", { id: "explain-games" });
  list("games").then((rows) => fill(games, ...rows.map((/** @type {any} */ row) => el("option", { value: row.name }, row.summary)))).catch(() => {});
  const moves = el("input", { placeholder: "4,4,3", autocomplete: "off", spellcheck: "false" });
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    location.hash = address(at(game.value.trim(), ...moves.value.split(/[,\s]+/).filter(Boolean)), {});
  };
  return el("form", { class: "panel", onsubmit: go }, el("h2", {}, "Another position"), games,
    el("label", {}, "Game", game), el("label", {}, "Moves (may be empty)", moves), el("button", { class: "primary" }, "Explain"));
}

function ownTree() {
  const text = el("textarea", { rows: 10, spellcheck: "false", value: SAMPLE });
  const wrong = el("p", { class: "wrong", role: "alert" });
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const hash = address({ game: "tree", text: JSON.stringify(JSON.parse(text.value)), moves: [] }, {});
      if (hash.length > MAX_ADDRESS_CHARS) throw new Error("the tree is too long for an address; use `tussle explain tree:file=FILE` in a terminal");
      location.hash = hash;
    } catch (error) {
      wrong.textContent = `Invalid tree: ${/** @type {Error} */ (error).message}`;
    }
  };
  return el("form", { class: "panel", onsubmit: go }, el("h2", {}, "Your own tree"),
    el("label", {}, "Nodes with max, min, chance or a value, as JSON", text), wrong, el("button", { class: "primary" }, "Explain"));
}

/**
 * @param {HTMLElement} root
 * @param {Place} place
 * @param {URLSearchParams} query
 * @param {import("./net.js").Live} live
 * @param {AbortSignal} signal
 */
async function explanation(root, place, query, live, signal) {
  const isTree = query.get("view") === "tree";
  const agent = query.get("agent") ?? (isTree ? "mcts" : "");
  const request = new URLSearchParams({ game: place.game });
  if (place.text) request.set("text", place.text);
  if (place.start) request.set("start", place.start);
  if (place.moves.length) request.set("moves", place.moves.join(","));
  for (const key of ["agent", "nodes", "depth", "seed"]) if (query.get(key)) request.set(key, query.get(key) ?? "");
  const url = `/explain?${request}`;

  const other = new URLSearchParams(query);
  other.delete("text");
  const steps = new URLSearchParams(other);
  steps.delete("view");
  other.set("view", "tree");
  if (!agent.startsWith("mcts")) {
    other.set("agent", "mcts");
    other.delete("depth");
  }
  const body = el("div", { class: "explained" });
  const tabs = el("nav", { class: "tabs", "aria-label": "Views" },
    el("a", { href: address(place, steps), "aria-current": !isTree && "page" }, "Step by step"),
    el("a", { href: address(place, other), "aria-current": isTree && "page" }, "Explore the tree"));
  const links = el("div", { class: "row links" },
    !isTree && el("a", { href: url, target: "_blank" }, "Open in a new tab"),
    !isTree && el("a", { href: url, download: `${name(place).replace(/[^\w-]+/g, "-")}.html` }, "Download HTML"),
    !place.text && el("a", { href: format(place) }, "Back to the board"),
    el("a", { href: "#explain" }, "Examples"));
  root.append(
    el("div", { class: "top" }, el("h1", {}, name(place)), tabs, links),
    settingsForm(place, query, agent, isTree), body);

  /** @type {PositionView} */
  let seen;
  try {
    seen = await api("position", place, signal);
  } catch (error) {
    if (!signal.aborted) fill(body, el("p", { class: "wrong", role: "alert" }, String(/** @type {Error} */ (error).message)));
    return;
  }
  if (seen.player === null) return fill(body, ...alternatives(place, query, seen));
  if (isTree) {
    const { explore } = await import("./explorer.js");
    if (signal.aborted) return;
    const number = (/** @type {string} */ key, /** @type {number} */ usual) => Number(query.get(key)) || usual;
    explore(body, place, { agent, simulations: number("nodes", 200), seed: number("seed", 1) }, live, signal);
  } else {
    player(body, url, signal);
  }
}

/** Creates the form for the agent and its limits. @param {Place} place @param {URLSearchParams} query @param {string} agent @param {boolean} isTree */
function settingsForm(place, query, agent, isTree) {
  const [named, ...rest] = agent.split(":");
  /** @type {[string, string][]} */
  const all = isTree ? AGENTS.filter(([name]) => name === "mcts") : [...AGENTS];
  if (!isTree) all.unshift(["", DEFAULT_ABOUT]);
  const chosen = named;
  if (!all.some(([name]) => name === chosen)) all.push([chosen, ""]);
  const who = el("select", { name: "agent" }, ...all.map(([name]) => el("option", { value: name, selected: name === chosen }, name || "automatic")));
  const settings = el("input", { value: rest.join(":"), placeholder: "key=value,…", size: 14, autocomplete: "off", spellcheck: "false" });
  const limit = (/** @type {string} */ key, /** @type {string} */ usual) =>
    el("input", { type: "number", min: 1, max: key === "depth" ? 60 : 100000, value: query.get(key) ?? "", placeholder: usual });
  const depth = limit("depth", "auto");
  const nodes = limit("nodes", "auto");
  const seed = el("input", { type: "number", min: 0, value: query.get("seed") ?? "1" });
  const see = el("p", { class: "faint see" });
  const fields = {
    settings: el("label", {}, "Settings", settings), depth: el("label", {}, "Depth", depth),
    nodes: el("label", {}, "Simulations", nodes), seed: el("label", {}, "Seed", seed),
  };
  const suit = () => {
    const name = who.value;
    const samples = name.startsWith("mcts");
    see.textContent = isTree ? "Open nodes, change c, and see which child would be visited next." : all.find(([known]) => known === name)?.[1] ?? "";
    fields.settings.hidden = name === "";
    fields.nodes.hidden = !samples;
    fields.depth.hidden = samples || name === "" || name === "greedy";
    fields.seed.hidden = !samples;
  };
  who.onchange = suit;
  suit();
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    const next = new URLSearchParams();
    if (who.value) next.set("agent", settings.value.trim() ? `${who.value}:${settings.value.trim()}` : who.value);
    if (depth.value && !fields.depth.hidden) next.set("depth", depth.value);
    if (nodes.value && !fields.nodes.hidden) next.set("nodes", nodes.value);
    if (seed.value !== "1" && !fields.seed.hidden) next.set("seed", seed.value);
    if (isTree) next.set("view", "tree");
    location.hash = address(place, next);
  };
  const form = el("form", { class: "wishes row", onsubmit: go },
    el("label", {}, "Agent", who), fields.settings, fields.depth, fields.nodes, fields.seed,
    el("button", { class: "primary" }, isTree ? "Simulate" : "Explain"), see);
  // On a phone the form is closed, so that the search is visible.
  const open = innerWidth > 700 || agent === "";
  return el("details", { class: "who", open }, el("summary", {}, `${agent || "Automatic agent"}: change agent and limits`), form);
}

/** Returns links to positions that can be explained, for one in which no player is to move. @param {Place} place @param {URLSearchParams} query @param {PositionView} seen */
function alternatives(place, query, seen) {
  const link = (/** @type {string[]} */ moves, /** @type {string} */ text) =>
    el("a", { class: "pill", href: address({ ...place, moves }, query) }, text);
  if (seen.result) {
    const last = place.moves.at(-1);
    return [el("p", {}, `The game is over in this position (${seen.result.words}), so there is nothing to search.`),
      last !== undefined && el("p", {}, link(place.moves.slice(0, -1), `Explain the position before ${last}`))];
  }
  return [el("p", {}, "Chance is to move in this position. Choose an outcome:"),
    el("div", { class: "row" }, ...seen.legal.slice(0, 60).map((move) => link([...place.moves, move], move)))];
}

/** Shows the step player in a frame. @param {HTMLElement} body @param {string} url @param {AbortSignal} signal */
function player(body, url, signal) {
  const status = el("p", { class: "faint", role: "status" }, "Searching …");
  const frame = el("iframe", { title: "The search, step by step", src: url });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const applyTheme = () => {
    const inner = frame.contentDocument;
    const theme = document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
    if (!inner || inner.documentElement.dataset.theme === theme) return;
    // The step player's own switch changes its boards too; other pages have no switch.
    const turn = inner.getElementById("theme");
    if (turn) turn.click();
    else inner.documentElement.dataset.theme = theme;
  };
  frame.onload = () => {
    status.remove();
    applyTheme();
    const turn = frame.contentDocument?.getElementById("theme");
    if (turn) turn.hidden = true; // the page has a theme button already
  };
  const watch = new MutationObserver(applyTheme);
  watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  signal.addEventListener("abort", () => watch.disconnect());
  dark.addEventListener("change", applyTheme, { signal });
  // Pass arrow keys and space on to the step player, unless an element of this page has the focus.
  document.addEventListener("keydown", (event) => {
    const free = event.target === document.body || event.target === document.getElementById("main");
    if (!free || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!["ArrowLeft", "ArrowRight", "Home", "End", " "].includes(event.key)) return;
    event.preventDefault();
    frame.contentDocument?.body.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true }));
  }, { signal });
  fill(body, status, frame);
}
