// @ts-check
// The page that explains a search: the step player in a frame, or the tree explorer; without a position, a gallery.

import { el, fill } from "./dom.js";
import { format } from "./link.js";
import { api, list } from "./net.js";

/** @typedef {import("./types.js").Route} Route */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Seen} Seen */

/** Who can be watched, and what there is to see. @type {[name: string, see: string][]} */
const AGENTS = [
  ["alphabeta", "Windows, values as they come back, and why the rest is cut off."],
  ["minimax", "Every position, and what it chooses among."],
  ["ids", "One depth after the other, and how each puts the moves in order for the next."],
  ["expectimax", "Averages wherever chance moves."],
  ["maxn", "Every player for themselves: one value for each."],
  ["paranoid", "All the others against the one who searches."],
  ["mcts", "One simulation after the other: select, expand, play out, back up."],
  ["greedy", "One ply: what the evaluation says of every move."],
];
const SUITABLE = "Alpha-beta, or what suits the game; wins and visits of a tree are worked out with UCB1.";

/** @type {[title: string, about: string, place: Place, query: Record<string, string>][]} */
const LECTURES = [
  ["Alpha-beta", "Fifteen nodes, two cuts, four nodes never seen: MAX gets 8.", tree("lecture-alphabeta"), { agent: "alphabeta:order=none" }],
  ["Minimax", "The same tree without cuts: every node, and what it chooses.", tree("lecture-alphabeta"), { agent: "minimax" }],
  ["Four simulations", "MCTS with given results: where each simulation goes, and why s2 is the answer.", tree("lecture-mcts"), { agent: "mcts:c=2", nodes: "4" }],
  ["UCB1 exercise", "Wins and visits with a gap: worked out line by line, and where UCB1 goes next.", tree("ucb1-exercise"), {}],
  ["Betting on a coin", "Take 2, or bet? Expectimax averages over heads and tails: betting twice is worth 2.2.", tree("coin"), { agent: "expectimax" }],
  ["Star1", "A cut where chance moves: even the best last outcome would not be enough.", tree("star1"), { agent: "expectimax:prune=star1" }],
  ["Three players", "Each for themselves: maxⁿ passes up one value for every player.", tree("kplayer"), { agent: "maxn" }],
];

/** @type {typeof LECTURES} */
const POSITIONS = [
  ["Go 5×5 after C3", "40 simulations answer the stone in the middle, one after the other.", at("go:size=5", "C3"), { agent: "mcts", nodes: "40" }],
  ["The tree of MCTS", "Open the tree that 400 simulations grew, move c, and see who would be visited next.", at("go:size=5", "C3"), { agent: "mcts", nodes: "400", view: "tree" }],
  ["Tic-tac-toe, a threat", "Iterative deepening: what each depth changes.", at("tictactoe", "b2", "a1", "c1"), { agent: "ids", depth: "3" }],
  ["Connect four", "Alpha-beta in a real game: order, windows, cuts.", at("connect4", "4", "4"), { agent: "alphabeta", depth: "3" }],
  ["Gobblet, one ply", "Greedy: every move and what the evaluation says of it.", at("gobblet", "B1@0", "S1@8", "B2@1", "S2@7"), { agent: "greedy" }],
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

/** Longer addresses are refused. */
const LONGEST = 60000;

/** @param {string} name @returns {Place} */
function tree(name) {
  return { game: `tree:file=${name}`, moves: [] };
}

/** @param {string} game @param {...string} moves @returns {Place} */
function at(game, ...moves) {
  return { game, moves };
}

/** The address of an explanation. @param {Place} place @param {URLSearchParams | Record<string, string>} query */
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

/** What is explained, in a few words. @param {Place} place */
function name(place) {
  const [game, file] = place.game.split(":file=");
  const what = place.text ? `your own ${game}` : file ?? game;
  return place.moves.length ? `${what} after ${place.moves.join(" ")}` : what;
}

/** What can be explained. @param {HTMLElement} root */
function gallery(root) {
  const cards = (/** @type {typeof LECTURES} */ all) => el("ul", { class: "cards" }, ...all.map(([title, about, place, query]) =>
    el("li", {}, el("a", { class: "card", href: address(place, query) }, el("b", {}, title), el("span", {}, about)))));
  root.append(
    el("h1", {}, "See how a search thinks"),
    el("p", { class: "faint" }, "Step through a search that really ran: what it looks at, what it finds, what it leaves out and why. Any position of the ",
      el("a", { href: "#" }, "board"), " can be explained, too."),
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
    el("label", {}, "Game", game), el("label", {}, "Moves (may be empty)", moves), el("button", { class: "primary" }, "Explain it"));
}

function ownTree() {
  const text = el("textarea", { rows: 10, spellcheck: "false", value: SAMPLE });
  const wrong = el("p", { class: "wrong", role: "alert" });
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const hash = address({ game: "tree", text: JSON.stringify(JSON.parse(text.value)), moves: [] }, {});
      if (hash.length > LONGEST) throw new Error("it is too long for an address; use tussle explain tree:file=… in a terminal");
      location.hash = hash;
    } catch (error) {
      wrong.textContent = `This tree cannot be used: ${/** @type {Error} */ (error).message}`;
    }
  };
  return el("form", { class: "panel", onsubmit: go }, el("h2", {}, "A tree of your own"),
    el("label", {}, "Nodes with max, min, chance or a value, as JSON", text), wrong, el("button", { class: "primary" }, "Explain it"));
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
  const asked = new URLSearchParams({ game: place.game });
  if (place.text) asked.set("text", place.text);
  if (place.start) asked.set("start", place.start);
  if (place.moves.length) asked.set("moves", place.moves.join(","));
  for (const key of ["agent", "nodes", "depth", "seed"]) if (query.get(key)) asked.set(key, query.get(key) ?? "");
  const url = `/explain?${asked}`;

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
    !isTree && el("a", { href: url, target: "_blank" }, "Open alone"),
    !isTree && el("a", { href: url, download: `${name(place).replace(/[^\w-]+/g, "-")}.html` }, "Download HTML"),
    !place.text && el("a", { href: format(place) }, "Back to the board"),
    el("a", { href: "#explain" }, "Examples"));
  root.append(
    el("div", { class: "top" }, el("h1", {}, name(place)), tabs, links),
    wishes(place, query, agent, isTree), body);

  /** @type {Seen} */
  let seen;
  try {
    seen = await api("position", place, signal);
  } catch (error) {
    if (!signal.aborted) fill(body, el("p", { class: "wrong", role: "alert" }, String(/** @type {Error} */ (error).message)));
    return;
  }
  if (seen.player === null) return fill(body, ...nothing(place, query, seen));
  if (isTree) {
    const { explore } = await import("./explorer.js");
    if (signal.aborted) return;
    const number = (/** @type {string} */ key, /** @type {number} */ usual) => Number(query.get(key)) || usual;
    explore(body, place, { agent, simulations: number("nodes", 200), seed: number("seed", 1) }, live, signal);
  } else {
    player(body, url, signal);
  }
}

/** Who searches how far. @param {Place} place @param {URLSearchParams} query @param {string} agent @param {boolean} isTree */
function wishes(place, query, agent, isTree) {
  const [named, ...rest] = agent.split(":");
  /** @type {[string, string][]} */
  const all = isTree ? AGENTS.filter(([name]) => name === "mcts") : [...AGENTS];
  if (!isTree) all.unshift(["", SUITABLE]);
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
    see.textContent = isTree ? "Open nodes, turn c, and see who would be visited next." : all.find(([known]) => known === name)?.[1] ?? "";
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
    el("label", {}, "Who searches", who), fields.settings, fields.depth, fields.nodes, fields.seed,
    el("button", { class: "primary" }, isTree ? "Grow the tree" : "Explain"), see);
  // On a phone the search itself comes first.
  const open = innerWidth > 700 || agent === "";
  return el("details", { class: "who", open }, el("summary", {}, `${agent || "Automatic"}: change who searches`), form);
}

/** Where nobody is to move. @param {Place} place @param {URLSearchParams} query @param {Seen} seen */
function nothing(place, query, seen) {
  const link = (/** @type {string[]} */ moves, /** @type {string} */ text) =>
    el("a", { class: "pill", href: address({ ...place, moves }, query) }, text);
  if (seen.result) {
    const last = place.moves.at(-1);
    return [el("p", {}, `The game is over here (${seen.result.words}), so there is nothing to search.`),
      last !== undefined && el("p", {}, link(place.moves.slice(0, -1), `Explain the position before ${last}`))];
  }
  return [el("p", {}, "Chance is to move here. Choose what it does:"),
    el("div", { class: "row" }, ...seen.legal.slice(0, 60).map((move) => link([...place.moves, move], move)))];
}

/** The step player, in a frame. @param {HTMLElement} body @param {string} url @param {AbortSignal} signal */
function player(body, url, signal) {
  const status = el("p", { class: "faint", role: "status" }, "Searching …");
  const frame = el("iframe", { title: "The search, step by step", src: url });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const dress = () => {
    const inner = frame.contentDocument;
    const theme = document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
    if (!inner || inner.documentElement.dataset.theme === theme) return;
    // The player's own switch also dresses its boards; other pages have none.
    const turn = inner.getElementById("theme");
    if (turn) turn.click();
    else inner.documentElement.dataset.theme = theme;
  };
  frame.onload = () => {
    status.remove();
    dress();
    const turn = frame.contentDocument?.getElementById("theme");
    if (turn) turn.hidden = true; // one switch is enough
  };
  const watch = new MutationObserver(dress);
  watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  signal.addEventListener("abort", () => watch.disconnect());
  dark.addEventListener("change", dress, { signal });
  // Keys that nothing in this page wants are the player's.
  document.addEventListener("keydown", (event) => {
    const free = event.target === document.body || event.target === document.getElementById("main");
    if (!free || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!["ArrowLeft", "ArrowRight", "Home", "End", " "].includes(event.key)) return;
    event.preventDefault();
    frame.contentDocument?.body.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true }));
  }, { signal });
  fill(body, status, frame);
}
