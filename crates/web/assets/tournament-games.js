// @ts-check
// List of the games of a tournament, with filters and pages.

import { el, fill } from "./dom.js";
import { api } from "./net.js";
import { address, points, wide } from "./tournaments.js";

/** Number of games per page. */
const PAGE_GAMES = 50;

/**
 * @param {HTMLElement} root
 * @param {string} name of the tournament
 * @param {any} first its results
 */
export function games(root, name, first) {
  root.className = "panel";
  let doc = first;
  let from = 0;
  let asked = 0;
  const again = () => { from = 0; look(); };
  const choice = (/** @type {string} */ text, /** @type {[string, string][]} */ options) => {
    const select = el("select", { onchange: again }, ...options.map(([value, words]) => el("option", { value }, words)));
    return { select, label: el("label", {}, text, select) };
  };
  const agent = choice("Agent", [["", "all"], ...doc.agents.map((/** @type {string} */ one) => /** @type {[string, string]} */ ([one, one]))]);
  const outcome = choice("Result", [["", "all"], ["win", "won"], ["draw", "drawn"], ["loss", "lost"]]);
  const verdict = choice("Decided", [["", "any way"], ...Object.keys(doc.verdicts).filter((one) => one !== "host" || doc.void).map((one) => /** @type {[string, string]} */ ([one, one === "normal" ? "by the rules" : one === "host" ? "not (void)" : `by ${one}`]))]);
  const body = el("tbody");
  const count = el("span", { role: "status" });
  const back = el("button", { onclick: () => { from = Math.max(0, from - PAGE_GAMES); look(); } }, "← Earlier");
  const next = el("button", { onclick: () => { from += PAGE_GAMES; look(); } }, "Later →");
  fill(root, el("h2", {}, "Games"),
    el("div", { class: "row top" }, agent.label, outcome.label, verdict.label),
    el("p", { class: "faint small" }, "The result is that of the chosen agent; without one, that of the first player."),
    wide("Games", el("table", { class: "games" },
      el("thead", {}, el("tr", {}, ...["Game", "Players", "Result", "Moves", "Decided"].map((text) => el("th", { scope: "col" }, text)))), body)),
    el("div", { class: "row" }, back, count, next));

  const look = async () => {
    const turn = ++asked;
    const query = new URLSearchParams({ from: String(from), count: String(PAGE_GAMES) });
    for (const [key, { select }] of Object.entries({ agent, outcome, verdict })) if (select.value) query.set(key, select.value);
    try {
      const told = await api(`tournaments/${encodeURIComponent(name)}/games?${query}`);
      if (turn === asked) show(told);
    } catch (error) {
      if (turn === asked) fill(count, /** @type {Error} */ (error).message);
    }
  };

  /** @param {{ total: number, games: any[] }} told */
  const show = ({ total, games }) => {
    const boards = doc.config.games.length > 1;
    fill(body, ...games.map((game) => {
      const surplus = doc.sprt?.accepted && game.pair >= doc.sprt.pairs;
      return el("tr", { class: game.verdict === "normal" ? "" : "odd" },
        el("td", {}, el("a", { href: address(name, "game", game.id) }, `${game.id}`), boards && el("small", { class: "faint" }, ` ${game.game}`)),
        el("td", {}, ...game.agents.flatMap((/** @type {string} */ who, /** @type {number} */ i) => [i > 0 && el("span", { class: "faint" }, " v "), who === game.winner ? el("strong", {}, who) : who])),
        el("td", {}, game.verdict === "host" ? "void" : points(game.result)), el("td", {}, game.plies),
        el("td", {}, game.verdict === "normal" ? "" : `${game.verdict}: ${game.what}`, surplus && el("span", { class: "faint" }, " does not count")));
    }));
    const last = Math.min(total, from + PAGE_GAMES);
    count.textContent = total ? `${from + 1} to ${last} of ${total}` : agent.select.value || outcome.select.value || verdict.select.value ? "No game matches." : "No game has ended yet.";
    back.disabled = from === 0;
    next.disabled = last >= total;
  };

  return {
    /** Reads the games again. @param {any} now */
    refresh(now) {
      doc = now;
      look();
    },
  };
}
