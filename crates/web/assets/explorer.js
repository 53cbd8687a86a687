// @ts-check
// Tree explorer: the tree of an MCTS search, with visits and values, and the next selection for any exploration constant c.

import { el, fill, short, svg } from "./dom.js";
import { api } from "./net.js";

/** @typedef {import("./types.js").Place} Place */
/**
 * @typedef {object} TreeNode
 * @property {string | null} move
 * @property {number} visits
 * @property {number} total
 * @property {number | null} mean for the player who made the move
 * @property {number | null} bonus with the search's own c
 * @property {number} prior
 * @property {string} [outcome]
 * @property {number} hidden number of unvisited children; of all children if the node is closed
 * @property {TreeNode[]} [children]
 * @property {string} turn
 */
/** @typedef {{ tree: TreeNode, simulations: number, most: number, c: number, policy: string, solver: boolean }} Answer */
/** @typedef {{ node: TreeNode, parent: TreeNode | null, path: string[], level: number }} Row */

/** Number of children listed at first. */
const MAX_LISTED_CHILDREN = 30;

/** @param {string[]} path */
const key = (path) => JSON.stringify(path);
/** @param {number | null | undefined} value @param {number} [digits] */
const fixed = (value, digits = 3) => value === null || value === undefined ? "–" : value.toFixed(digits);

/**
 * Returns the exploration bonus of a child.
 * @param {string} policy @param {number} c @param {TreeNode} parent @param {TreeNode} child
 */
export function bonus(policy, c, parent, child) {
  const visits = Math.max(parent.visits, 1);
  if (policy === "puct") return c * child.prior * Math.sqrt(visits) / (1 + child.visits);
  return policy === "ucb1" ? c * Math.sqrt(Math.log(visits) / child.visits) : 0;
}

/**
 * @param {HTMLElement} root
 * @param {Place} place
 * @param {{ agent: string, simulations: number, seed: number }} settings
 * @param {import("./net.js").Live} live
 * @param {AbortSignal} signal
 */
export function explore(root, place, settings, live, signal) {
  const explorer = new Explorer(root, place, settings, live);
  signal.addEventListener("abort", () => explorer.close());
}

class Explorer {
  /**
   * @param {HTMLElement} root
   * @param {Place} place
   * @param {{ agent: string, simulations: number, seed: number }} settings
   * @param {import("./net.js").Live} live
   */
  constructor(root, place, settings, live) {
    this.place = place;
    this.settings = settings;
    this.live = live;
    this.simulations = settings.simulations;
    /** @type {Answer | null} */
    this.answer = null;
    this.c = NaN;
    this.open = new Set([key([])]);
    /** Nodes whose children are all listed. */
    this.whole = new Set();
    /** @type {string[]} */
    this.selected = [];
    /** Visits of the nodes before the latest simulations. @type {Map<string, number>} */
    this.before = new Map();
    /** @type {number | null} */
    this.task = null;
    /** True if the tree must be requested again after the current answer. */
    this.again = false;
    /** @type {Map<string, Promise<any>>} */
    this.boards = new Map();
    this.slider = el("input", { type: "range", min: 0, max: 3, step: 0.01, class: "c", oninput: () => this.turn(Number(this.slider.value)) });
    this.said = el("output", { class: "c" });
    this.own = el("button", { type: "button", onclick: () => this.answer && this.turn(this.answer.c) }, "The search’s own c");
    this.note = el("p", { class: "faint note" });
    this.status = el("p", { class: "status", role: "status", "aria-live": "polite" }, "Simulating …");
    this.more = [1, 10, 100, 1000].map((count) =>
      el("button", { type: "button", "data-more": count, onclick: () => this.grow(count) }, `+${count}`));
    this.follow = el("button", { type: "button", onclick: () => this.followNext() }, "Open the path of the next simulation");
    this.list = el("div", { class: "nodes", role: "tree", "aria-label": "Tree of the search", onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event) });
    this.formula = el("div", { class: "formula" });
    this.chart = el("div", { class: "chart" });
    this.board = el("div", { class: "small-board" });
    this.build(root);
    this.ask();
  }

  close() {
    if (this.task !== null) this.live.drop(this.task);
    this.task = null;
  }

  /** @param {HTMLElement} root */
  build(root) {
    fill(root, el("div", { class: "explorer" },
      el("section", { class: "panel dial", "aria-label": "Exploration" },
        el("label", { class: "slide" }, "Exploration constant c", this.slider),
        this.said, this.own, this.note),
      el("section", { class: "grown", "aria-label": "Tree" },
        el("div", { class: "row" }, el("span", { class: "faint" }, "Simulate more:"), ...this.more, this.follow),
        this.status,
        el("div", { class: "node heads", "aria-hidden": "true" }, ...["Move", "Visits", "Mean", "+bonus", "=sum"].map((head) => el("span", {}, head))),
        this.list),
      el("aside", {}, el("section", { class: "panel", "aria-label": "Selected node" }, this.formula, this.board),
        el("section", { class: "panel", "aria-label": "Next child by c" }, this.chart))));
  }

  /** Requests the tree with its open nodes. Sends one request at a time, so that the server can use the same agent for all. */
  ask() {
    if (this.task !== null) {
      this.again = true;
      return;
    }
    this.again = false;
    for (const button of this.more) button.disabled = true;
    const open = [...this.open].map((path) => JSON.parse(path));
    const { agent, seed } = this.settings;
    const ask = { op: "tree", place: this.place, agent, seed, simulations: this.simulations, open };
    this.task = this.live.begin(ask, (told) => {
      if (told.event === "progress") this.status.textContent = `${short(told.simulations)} simulations …`;
      if (told.event !== "done" && told.event !== "error") return;
      this.task = null;
      for (const button of this.more) button.disabled = false;
      if (told.event === "error") return this.refuse(told.error ?? "");
      this.take(/** @type {any} */ (told));
      if (this.again) this.ask();
    });
  }

  /** @param {string} why */
  refuse(why) {
    fill(this.status, el("span", { class: "wrong" }, why));
  }

  /** @param {Answer} answer */
  take(answer) {
    const first = this.answer === null;
    this.answer = answer;
    this.simulations = answer.simulations;
    if (first) {
      this.c = answer.c;
      this.slider.max = String(Math.max(3, Math.ceil(2 * answer.c)));
      const note = { ucb1: "", puct: "PUCT: the bonus is c · prior · √N / (1 + n). Unvisited moves are not compared here.",
        epsilon: "Epsilon: there is no bonus. The next move is a random one with probability ε, else the one with the best mean." }[answer.policy];
      this.note.textContent = [note, answer.solver && "The solver skips moves that are proven losses."].filter(Boolean).join(" ");
      this.slider.disabled = answer.policy === "epsilon";
    }
    this.turn(this.c);
    this.select(this.selected);
  }

  /** Sets c. @param {number} c */
  turn(c) {
    const own = this.answer?.c ?? c;
    this.c = Math.abs(c - own) < 0.005 ? own : c; // the slider cannot represent sqrt(2)
    this.slider.value = String(this.c);
    this.said.textContent = `c = ${this.c.toFixed(2)}`;
    this.own.disabled = this.c === own;
    this.own.textContent = `The search’s own: ${own.toFixed(2)}`;
    this.draw();
  }

  /** Requests more simulations. @param {number} count */
  grow(count) {
    if (!this.answer) return;
    this.before.clear();
    for (const { node, path } of this.rows(true)) this.before.set(key(path), node.visits);
    this.simulations = Math.min(this.answer.simulations + count, this.answer.most);
    if (this.simulations === this.answer.simulations) return this.refuse(`The tree has ${short(this.answer.most)} simulations, the maximum.`);
    this.ask();
  }

  /** @param {TreeNode} parent @param {TreeNode} child @param {number} [c] */
  weigh(parent, child, c = this.c) {
    return (child.mean ?? 0) + bonus(this.answer?.policy ?? "ucb1", c, parent, child);
  }

  /**
   * Returns what would be visited next below an open node: a child, `untried` for an unvisited move, or null for chance.
   * @param {TreeNode} node
   * @param {number} [c]
   * @returns {TreeNode | "untried" | null}
   */
  next(node, c = this.c) {
    const children = node.children ?? [];
    if (!children.length || node.turn === "chance") return null;
    if (node.hidden > 0 && this.answer?.policy !== "puct") return "untried";
    const lost = (/** @type {TreeNode} */ child) => this.answer?.solver && child.outcome === "loss";
    /** @type {TreeNode | null} */
    let best = null;
    // Of equal children the first, as in the search.
    for (const child of children) if (!lost(child) && (!best || this.weigh(node, child, c) > this.weigh(node, best, c))) best = child;
    return best;
  }

  /** Returns the path of the next simulation, as far as its nodes are open. */
  nextPath() {
    const path = [];
    let node = this.answer?.tree;
    while (node) {
      const next = this.next(node);
      if (next === null || next === "untried") return { path, untried: next === "untried" };
      path.push(next.move ?? "");
      node = next;
    }
    return { path, untried: false };
  }

  followNext() {
    const { path, untried } = this.nextPath();
    if (untried) return this.select(path.length ? path : []);
    this.open.add(key(path));
    this.selected = path;
    this.ask();
  }

  /** Returns the listed nodes, from top to bottom. @param {boolean} [all] includes children that are not listed @returns {Row[]} */
  rows(all = false) {
    /** @type {Row[]} */
    const rows = [];
    const add = (/** @type {TreeNode} */ node, /** @type {TreeNode | null} */ parent, /** @type {string[]} */ path, /** @type {number} */ level) => {
      rows.push({ node, parent, path, level });
      const sorted = [...(node.children ?? [])].sort((a, b) => b.visits - a.visits);
      const most = all || this.whole.has(key(path)) ? Infinity : MAX_LISTED_CHILDREN;
      const next = this.next(node);
      sorted.forEach((child, i) => {
        if (i < most || child === next) add(child, node, [...path, child.move ?? ""], level + 1);
      });
    };
    if (this.answer) add(this.answer.tree, null, [], 1);
    return rows;
  }

  draw() {
    if (!this.answer) return;
    const { tree } = this.answer;
    const { path: way, untried } = this.nextPath();
    const onWay = new Set(way.map((_, i) => key(way.slice(0, i + 1))));
    const focused = this.list.contains(document.activeElement);
    const rows = this.rows();
    if (!rows.some(({ path }) => key(path) === key(this.selected))) this.selected = [];
    /** @type {HTMLElement[]} */
    const elements = [];
    rows.forEach((row, i) => {
      elements.push(this.row(row, onWay));
      // Remarks follow the last row below a node.
      const level = rows[i + 1]?.level ?? 1;
      for (let up = row.level; up >= level; up--) {
        const path = row.path.slice(0, up - 1);
        const node = rows.find((other) => key(other.path) === key(path))?.node;
        if (node?.children) elements.push(...this.remarks(node, path, up + 1, rows));
      }
    });
    fill(this.list, ...elements);
    if (focused) this.focus();
    const steps = way.length ? way.join(" → ") : "";
    const end = untried ? (steps ? " → an unvisited move" : "an unvisited move") : "";
    this.status.textContent = `${tree.visits} simulations. With this c, the next one goes to ${steps}${end || (steps ? "" : "a random chance outcome")}.`;
    this.drawFormula();
    this.drawChart();
  }

  /** @param {Row} row @param {Set<string>} onWay */
  row({ node, parent, path, level }, onWay) {
    const id = key(path);
    const isOpen = this.open.has(id) && Boolean(node.children);
    const canOpen = node.hidden > 0 || Boolean(node.children?.length);
    const weighs = parent && parent.turn !== "chance";
    const added = parent && weighs ? bonus(this.answer?.policy ?? "", this.c, parent, node) : null;
    const isNext = parent !== null && this.next(parent) === node;
    const isOwn = parent !== null && this.next(parent, this.answer?.c) === node;
    const delta = this.before.size ? node.visits - (this.before.get(id) ?? 0) : 0;
    const most = Math.max(...(parent?.children ?? [node]).map((sibling) => sibling.visits), 1);
    const share = node.visits / most;
    const sum = added === null ? null : (node.mean ?? 0) + added;
    const isSelected = id === key(this.selected);
    // Column heads for screen readers, between the numbers.
    const said = (/** @type {string} */ words) => el("span", { class: "hidden" }, words);
    const hasMean = !parent || weighs; // outcomes of a chance node have only visits
    return el("div", {
      class: `node${isNext ? " next" : ""}${onWay.has(id) ? " way" : ""}`, role: "treeitem", "aria-level": level,
      "aria-expanded": canOpen ? String(isOpen) : null, "aria-selected": String(isSelected), tabindex: isSelected ? 0 : -1,
      "data-path": id, "data-bonus": added, "data-told": node.bonus, "data-visits": node.visits, "data-mean": node.mean, style: `--level: ${level - 1}`,
      onclick: () => {
        if (isSelected || !isOpen) this.toggle(path, !isOpen && canOpen);
        this.select(path);
        this.focus();
      },
    },
    el("span", { class: "move" }, el("i", { class: "fold", "aria-hidden": "true" }, canOpen ? (isOpen ? "▾" : "▸") : ""), el("span", {}, node.move ?? "root"),
      node.outcome && el("em", {}, node.outcome), isNext && el("strong", { title: "the next simulation goes here" }, "next"),
      isOwn && !isNext && el("small", { title: "next with the search’s own c" }, "own c")),
    el("span", { class: "visits", style: `--share: ${(100 * share).toFixed(1)}%` }, node.visits, delta > 0 && el("sup", {}, `+${delta}`), said(" visits")),
    el("span", {}, hasMean && said(" mean "), hasMean && fixed(node.mean)),
    el("span", {}, added !== null && said(" bonus "), added !== null && fixed(added)),
    el("span", { class: "sum" }, sum !== null && said(" sum "), sum !== null && fixed(sum)));
  }

  /** Returns the remarks below the children of a node. @param {TreeNode} node @param {string[]} path @param {number} level @param {Row[]} rows */
  remarks(node, path, level, rows) {
    const style = `--level: ${level - 1}`;
    const listed = rows.filter((row) => row.parent === node).length;
    const left = (node.children?.length ?? 0) - listed;
    const said = [];
    if (left > 0) said.push(el("button", { type: "button", class: "rest", style, onclick: () => { this.whole.add(key(path)); this.draw(); } }, `… and ${left} more`));
    if (node.turn === "chance") said.push(el("p", { class: "rest", style, role: "none" }, "Chance node: no bonus, the probabilities decide."));
    else if (node.hidden > 0) {
      const way = this.next(node) === "untried";
      said.push(el("p", { class: `rest${way ? " next" : ""}`, style, role: "none" }, `${node.hidden} unvisited${way ? ": one of them is next, because their bonus is infinite" : ""}`));
    }
    return said;
  }

  /** Opens or closes a node. @param {string[]} path @param {boolean} wanted */
  toggle(path, wanted) {
    if (wanted === this.open.has(key(path))) return;
    if (wanted) {
      this.open.add(key(path));
      this.ask();
    } else {
      const node = this.find(path);
      // Close the nodes below it too.
      for (const open of [...this.open]) if (open === key(path) || open.startsWith(`${key(path).slice(0, -1)}${path.length ? "," : ""}`)) this.open.delete(open);
      if (node?.children) {
        node.hidden += node.children.length;
        delete node.children;
      }
      this.draw();
    }
  }

  /** @param {string[]} path @returns {TreeNode | undefined} */
  find(path) {
    let node = this.answer?.tree;
    for (const move of path) node = node?.children?.find((child) => child.move === move);
    return node;
  }

  /** @param {string[]} path */
  select(path) {
    this.selected = path;
    this.draw();
    this.showBoard(path);
  }

  focus() {
    /** @type {HTMLElement | null} */ (this.list.querySelector('[aria-selected="true"]'))?.focus();
  }

  /** Handles the usual keys of a tree. @param {KeyboardEvent} event */
  press(event) {
    const rows = this.rows();
    const at = rows.findIndex(({ path }) => key(path) === key(this.selected));
    const row = rows[at];
    if (!row || /** @type {HTMLElement} */ (event.target).getAttribute("role") !== "treeitem") return;
    const isOpen = Boolean(row.node.children?.length);
    const canOpen = isOpen || row.node.hidden > 0;
    let to = at;
    switch (event.key) {
      case "ArrowDown": to = Math.min(at + 1, rows.length - 1); break;
      case "ArrowUp": to = Math.max(at - 1, 0); break;
      case "Home": to = 0; break;
      case "End": to = rows.length - 1; break;
      case "ArrowRight":
        if (isOpen) to = at + 1;
        else if (canOpen) this.toggle(row.path, true);
        break;
      case "ArrowLeft":
        if (isOpen) this.toggle(row.path, false);
        else if (row.level > 1) to = rows.findIndex(({ path }) => key(path) === key(row.path.slice(0, -1)));
        break;
      case "Enter":
      case " ":
        if (canOpen) this.toggle(row.path, !isOpen);
        break;
      default: return;
    }
    event.preventDefault();
    if (to !== at) this.select(rows[to].path);
    this.focus();
  }

  drawFormula() {
    if (!this.answer) return;
    const node = this.find(this.selected);
    const parent = this.selected.length ? this.find(this.selected.slice(0, -1)) : null;
    if (!node) return;
    const title = el("h2", {}, this.selected.length ? this.selected.join(" → ") : "The root");
    const mean = node.visits ? `${Number(node.total.toFixed(2))} / ${node.visits}` : "–";
    if (!parent || parent.turn === "chance") {
      const words = parent ? "" : `, total / visits = ${mean} = ${fixed(node.mean)}`;
      return fill(this.formula, title, el("p", {}, `${node.visits} visits${words}`),
        el("p", { class: "faint" }, parent ? "Outcome of a chance node: only visits are counted." : "Choose a node to see its selection value."));
    }
    const { policy } = this.answer;
    const c = this.c.toFixed(2);
    const added = bonus(policy, this.c, parent, node);
    const [general, put] = policy === "puct"
      ? ["mean + c · prior · √N / (1 + n)", `${c} · ${fixed(node.prior)} · √${parent.visits} / (1 + ${node.visits})`]
      : policy === "ucb1" ? ["mean + c · √(ln N / n)", `${c} · √(ln ${parent.visits} / ${node.visits})`] : ["mean", "0"];
    fill(this.formula, title, el("p", { class: "faint" }, general),
      el("p", { class: "sums" }, `= ${mean} + ${put}`), el("p", { class: "sums" }, `= ${fixed(node.mean)} + ${fixed(added)} = `, el("b", {}, fixed((node.mean ?? 0) + added))));
  }

  /** @param {string[]} path */
  async showBoard(path) {
    const id = key(path);
    const { board } = this;
    let asked = this.boards.get(id);
    if (!asked) {
      asked = api("position", { ...this.place, moves: [...this.place.moves, ...path] });
      this.boards.set(id, asked);
    }
    try {
      const seen = await asked;
      if (id === key(this.selected)) board.innerHTML = seen.board.svg;
    } catch {
      this.boards.delete(id);
      fill(board);
    }
  }

  /** Draws the selection value of every child by c: straight lines, of which the highest is next. */
  drawChart() {
    if (!this.answer) return;
    let path = this.selected;
    let node = this.find(path);
    if (!node?.children?.length) node = this.find((path = path.slice(0, -1)));
    const children = node?.turn === "chance" ? [] : node?.children ?? [];
    const title = el("h2", {}, path.length ? `Next child of ${path.at(-1)}, by c` : "Next child of the root, by c");
    if (!node || children.length < 2) return fill(this.chart, title, el("p", { class: "faint" }, "Open a node with several children."));
    const parent = node;
    if (node.hidden > 0 && this.answer.policy !== "puct") {
      return fill(this.chart, title, el("p", { class: "faint" }, "For every c, an unvisited move is next. Simulate more to compare the other moves."));
    }
    const most = Number(this.slider.max);
    const turns = envelope(children.map((child) => ({ at: child.mean ?? 0, slope: this.weigh(parent, child, 1) - (child.mean ?? 0) })), most);
    const words = turns.map(({ line, until }) => `${children[line].move}${until < most ? ` up to c = ${until.toFixed(2)}` : ""}`).join(", then ");
    const [width, height] = [320, 150];
    const now = this.next(parent);
    const top = Math.max(...children.map((child) => this.weigh(parent, child, most)));
    const low = Math.min(...children.map((child) => child.mean ?? 0));
    const x = (/** @type {number} */ c) => (c / most) * width;
    const y = (/** @type {number} */ value) => height - ((value - low) / (top - low || 1)) * (height - 8) - 4;
    const lines = children.map((child) => svg("line", {
      x1: 0, y1: y(child.mean ?? 0), x2: width, y2: y(this.weigh(parent, child, most)), class: child === now ? "now" : null }));
    const highest = turns.map(({ line, from, until }) =>
      [from, until].map((c) => `${x(c).toFixed(1)},${y(this.weigh(parent, children[line], c)).toFixed(1)}`).join(" ")).join(" ");
    fill(this.chart, title, svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Next: ${words}` }, ...lines,
      svg("polyline", { points: highest }), svg("line", { class: "here", x1: x(this.c), x2: x(this.c), y1: 0, y2: height })),
      el("div", { class: "axis faint" }, el("span", {}, "c = 0"), el("span", {}, `c = ${most}`)), el("p", {}, words));
  }
}

/**
 * Returns the upper envelope of straight lines from 0 to `most`: the highest line of each interval.
 * @param {{ at: number, slope: number }[]} lines
 * @param {number} most
 */
export function envelope(lines, most) {
  const turns = [];
  let from = 0;
  // Start with the highest line at 0; of equal lines, the steepest.
  let line = lines.reduce((best, { at, slope }, i) => at > lines[best].at || (at === lines[best].at && slope > lines[best].slope) ? i : best, 0);
  for (;;) {
    let until = most;
    let after = -1;
    lines.forEach(({ at, slope }, i) => {
      if (slope <= lines[line].slope) return;
      const meets = (lines[line].at - at) / (slope - lines[line].slope);
      if (meets < until || (meets === until && after >= 0 && slope > lines[after].slope)) [until, after] = [meets, i];
    });
    turns.push({ line, from, until });
    if (after < 0) return turns;
    [from, line] = [until, after];
  }
}
