// @ts-check
// Replay of a tournament game, move by move.

import { Board } from "./board.js";
import { colour, copy, el, fill, focused, short, toast } from "./dom.js";
import { graph } from "./graph.js";
import { format } from "./link.js";
import { api } from "./net.js";
import { address, points } from "./tournaments.js";

/** @typedef {import("./types.js").Route} Route */
/** @typedef {import("./types.js").PositionView} PositionView */

/** Time in ms for which playback shows a position. */
const PLAYBACK_PACE_MS = 900;

/** @param {HTMLElement} root @param {Route} route @returns {import("./types.js").Page} */
export function open(root, route) {
  const [name, , number, wanted] = route.path;
  const path = `tournaments/${encodeURIComponent(name)}/games/${encodeURIComponent(number)}`;
  const back = el("p", { class: "back small" }, el("a", { href: address(name) }, `← ${name}`));
  fill(root, back, el("p", { class: "faint" }, "Reading the game …"));
  /** @type {{ close(): void } | null} */
  let replay = null;
  let closed = false;
  api(path).then((game) => {
    if (!closed) replay = show(root, back, name, path, game, wanted);
  }, async (error) => {
    const some = await api(`tournaments/${encodeURIComponent(name)}/games?count=1`).catch(() => null);
    if (closed) return;
    document.title = `No such game · ${name} · Tussle`;
    const [first] = some?.games ?? [];
    fill(root, back, el("p", { class: "wrong", role: "alert" }, error.message), el("div", { class: "row" },
      first && el("a", { class: "button", href: address(name, "game", first.id) }, `First game (${first.id})`),
      some && el("a", { class: "button", href: address(name) }, `All games of ${name} (${some.total})`),
      el("a", { class: "button", href: "#tournaments" }, "All tournaments")));
  });
  return {
    close() {
      closed = true;
      replay?.close();
    },
  };
}

/** Returns the result in words; with more than two players, the winner and rounded utilities. @param {any} game */
function result({ result, names, score }) {
  if (result.length === 2) return points(score);
  const most = Math.max(...result);
  const best = names.filter((/** @type {string} */ _, /** @type {number} */ seat) => result[seat] === most);
  return `${best.length === 1 ? `${best[0]} won` : `a tie of ${best.join(", ")}`} (${points(score)})`;
}

/**
 * @param {HTMLElement} root @param {HTMLElement} back @param {string} name @param {string} path
 * @param {any} game @param {string | undefined} wanted ply in the address
 */
function show(root, back, name, path, game, wanted) {
  const last = game.moves.length;
  const asked = wanted === undefined ? last : Number(wanted);
  let ply = Math.max(0, Math.min(last, Number.isInteger(asked) ? asked : last));
  let timer = 0;
  /** @type {Map<number, PositionView>} */
  const seen = new Map();

  const boardBox = el("div", { class: "replay-board" });
  const status = el("p", { role: "status", class: "replay-status" });
  const controls = el("div", { class: "row", role: "group", "aria-label": "Position in the game" });
  const button = (/** @type {string} */ sign, /** @type {string} */ words, /** @type {() => void} */ onclick) => {
    const one = el("button", { type: "button", "aria-label": words, title: words, onclick }, sign);
    controls.append(one);
    return one;
  };
  const first = button("|◀", "First position (Home)", () => go(0));
  const before = button("◀", "Back (left arrow)", () => go(ply - 1));
  const play = button("Play", "Play or pause (space)", () => toggle());
  const after = button("▶", "Next (right arrow)", () => go(ply + 1));
  const end = button("▶|", "Last position (End)", () => go(last));
  const moves = el("tbody");
  const curve = el("div", { class: "replay-curve" });
  const links = el("div", { class: "row" });
  const movesBox = el("div", { class: "replay-moves", tabindex: 0, role: "region", "aria-label": "Moves" }, el("table", {},
    el("thead", {}, el("tr", {}, ...["", "Move", "Value", "Depth", "Nodes", "Time"].map((text) => el("th", { scope: "col" }, text)))), moves));

  const players = game.names.map((/** @type {string} */ who, /** @type {number} */ seat) => el("li", {},
    el("i", { class: "seat", style: `background: ${colour(seat)}` }), el("strong", {}, who),
    who !== game.specs[seat] && el("span", { class: "faint small" }, ` ${game.specs[seat]}`), game.winner === who && " won"));
  const outcome = result(game);
  const ending = game.verdict === "normal"
    ? `${outcome}${game.what ? `: ${game.what}` : ""}`
    : game.verdict === "host" ? `Void, the game does not count: ${game.culprit} ${game.what}`
    : `${outcome}: ${game.culprit} lost by ${game.verdict}: ${game.what}`;
  document.title = `Game ${game.id} · ${name} · Tussle`;
  const neighbour = (/** @type {number | null} */ id, /** @type {string} */ text) => (id === null ? null : el("a", { class: "button", href: address(name, "game", id) }, text));
  const isGo = /^go\b/.test(game.game);

  fill(root, back, el("h1", {}, `Game ${game.id}`, el("span", { class: "faint small" }, ` ${game.game}`)),
    el("div", { class: "replay" },
      el("div", {}, boardBox, controls, status),
      el("div", { class: "replay-side" },
        el("section", { class: "panel" },
          el("ul", { class: "replay-players" }, ...players), el("p", {}, "Result ", el("strong", {}, ending)),
          game.evidence.length > 0 && el("details", {}, el("summary", {}, "Evidence"), el("pre", { class: "small" }, game.evidence.join("\n"))),
          links),
        el("section", { class: "panel" }, el("h2", {}, "Values of the players"), curve),
        el("section", { class: "panel" }, el("h2", {}, "Moves"), movesBox),
        el("section", { class: "panel" },
          el("div", { class: "row" }, neighbour(game.previous, "← Previous game"), neighbour(game.next, "Next game →"),
            ...["pgn", "jsonl", ...(isGo ? ["sgf"] : [])].map((form) => el("a", { class: "button", href: `/api/${path}/export/${form}`, download: "" }, `Download ${form}`)))))));
  const board = new Board(boardBox, { onmove: () => {}, onrefuse: () => toast(game.file ? "This game is over." : "This game is over. Choose “Play from here” to continue from this position.") });

  const rows = [row(0, "start"), ...game.moves.map((/** @type {string} */ move, /** @type {number} */ i) => row(i + 1, move))];
  moves.append(...rows);

  /** @param {number} at @param {string} move */
  function row(at, move) {
    const note = game.notes[at - 1] ?? {};
    const who = at === 0 ? "" : at <= game.opening ? "opening" : note.s === undefined ? "chance" : "";
    return el("tr", {},
      el("td", {}, note.s === undefined ? "" : el("i", { class: "seat", style: `background: ${colour(note.s)}`, title: game.names[note.s] }), at || ""),
      el("td", {}, el("button", { type: "button", class: "move", onclick: () => go(at) }, move), who && el("small", { class: "faint" }, ` ${who}`)),
      el("td", {}, typeof note.v === "number" ? note.v.toFixed(2) : ""), el("td", {}, note.d || ""),
      el("td", {}, note.n ? short(note.n) : ""), el("td", {}, note.s === undefined ? "" : note.us < 1000 ? `${note.us} µs` : `${(note.us / 1000).toFixed(note.us < 1e5 ? 1 : 0)} ms`));
  }

  // With two players, show the second one's values for the first player.
  const two = game.names.length === 2;
  const series = game.names.map((/** @type {string} */ who, /** @type {number} */ seat) => ({
    name: two && seat ? `${who} (for ${game.names[0]})` : who, colour: colour(seat),
    values: [...game.notes, {}].map((note) => (note.s === seat && typeof note.v === "number" ? (two && seat ? -note.v : note.v) : null)),
  }));
  const values = graph(curve, {
    players: game.names.length, goto: (to) => go(to), series,
    label: "Values of the players, move by move", none: "These players did not report values.",
  });
  const plies = [{}, ...game.moves.map((/** @type {string} */ move) => ({ move }))];

  /** Shows the position after `to` moves. @param {number} to */
  async function go(to) {
    ply = Math.max(0, Math.min(last, to));
    history.replaceState(null, "", address(name, "game", game.id, ply));
    const pressed = [first, before, after, end].find((one) => one === focused());
    first.disabled = before.disabled = ply === 0;
    after.disabled = end.disabled = ply === last;
    if (pressed?.disabled) play.focus({ preventScroll: true });
    rows.forEach((one, i) => (i === ply ? one.setAttribute("aria-current", "true") : one.removeAttribute("aria-current")));
    const line = rows[ply];
    movesBox.scrollTop = line.offsetTop - movesBox.clientHeight / 2;
    values.update({ plies, current: ply });
    const place = { game: game.game, start: game.start ?? undefined, moves: game.moves.slice(0, ply) };
    fill(links,
      !game.file && el("a", { class: "button", href: format(place) }, "Play from here"),
      !game.file && el("a", { class: "button", href: format(place, { query: { first: "human", second: "human", analyse: "mcts", heat: "visits" } }) }, "Analyse"),
      el("button", { type: "button", onclick: () => copy(location.href, "Link") }, "Copy link"),
      game.file && el("p", { class: "faint small" }, "This game cannot be continued here: its board is a file of the server, which pages may not open."));
    const here = ply;
    try {
      const view = seen.get(here) ?? /** @type {PositionView} */ (await api(`${path}/position/${here}`));
      seen.set(here, view);
      if (here !== ply) return;
      board.show(view.board, false);
      status.textContent = `${ply} of ${last}: ${ply ? game.moves[ply - 1] : "start"}${ply === last ? ` · ${ending}` : ` · ${view.player === null ? view.turn : game.names[view.player]} to move`}`;
    } catch (error) {
      stop();
      status.textContent = `This position cannot be shown: ${/** @type {Error} */ (error).message}`;
    }
  }

  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  };
  const toggle = () => {
    if (timer) return stop();
    if (ply === last) go(0);
    play.textContent = "Pause";
    timer = setInterval(() => (ply < last ? go(ply + 1) : stop()), PLAYBACK_PACE_MS);
  };

  const key = (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: last }[event.key];
    if (to !== undefined) go(to);
    else if (event.key === " " && !/^(BUTTON|A|SUMMARY)$/.test(target.tagName)) toggle();
    else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", key);
  go(ply);
  return {
    close() {
      stop();
      values.close();
      document.removeEventListener("keydown", key);
    },
  };
}
