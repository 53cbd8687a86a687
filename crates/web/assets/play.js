// @ts-check
// The page on which people play.

import { open as analyse } from "./analysis.js";
import { Board } from "./board.js";
import { el, toast } from "./dom.js";
import { format } from "./link.js";
import { Match } from "./match.js";

/** @typedef {import("./types.js").Route} Route */

/**
 * @param {HTMLElement} root
 * @param {Route} route
 * @param {import("./net.js").Live} live
 * @returns {import("./types.js").Page}
 */
export function open(root, route, live) {
  const place = route.place ?? { game: "go:size=5", moves: [] };
  const seats = [route.query.get("first") ?? "human", route.query.get("second") ?? "mcts"];
  const match = new Match(live, place, seats, 1);
  const status = el("p", { role: "status", "aria-live": "polite" });
  root.append(status);
  const board = new Board(root, { onmove: (move) => match.play(move), onrefuse: toast });
  match.addEventListener("change", () => {
    const seen = match.seen;
    if (!seen) return;
    board.show(seen.board, match.isPersons && !seen.result);
    status.textContent = seen.result ? seen.result.words : `${seen.turn} to move`;
    history.replaceState(null, "", format(match.place, { query: route.query }));
  });
  match.addEventListener("trouble", (event) => toast(/** @type {CustomEvent} */ (event).detail));
  const analysis = analyse(root.appendChild(el("section", { id: "analysis" })), match, board, live, route);
  match.look();
  return { close: () => (analysis.close(), match.close()) };
}
