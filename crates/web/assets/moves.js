// @ts-check
// List of the moves. A click or an arrow key shows the position after a move.

import { colour, el, fill } from "./dom.js";

/**
 * @param {import("./match.js").Match} match
 * @returns {{ element: HTMLElement, show(): void, close(): void }}
 */
export function moveList(match) {
  const list = el("ol", { class: "moves", "aria-label": "Moves" });
  const step = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => number} */ to) =>
    el("button", { type: "button", "aria-label": name, title: name, onclick: () => match.goto(to()) }, sign);
  const steps = [
    step("«", "Start of the game", () => 0),
    step("‹", "Previous move", () => match.cursor - 1),
    step("›", "Next move", () => match.cursor + 1),
    step("»", "Latest position", () => match.moves.length),
  ];
  const element = el("section", { class: "history", "aria-label": "Moves of the game" }, list, el("div", { class: "steps" }, ...steps));

  const show = () => {
    const { cursor, moves, movers } = match;
    const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute("data-ply") : null;
    const items = moves.map((move, i) => {
      const who = movers[i];
      const chance = who === null;
      const button = el("button", {
        type: "button", class: chance ? "move chance" : "move", "data-ply": i + 1,
        style: who === null || who === undefined ? "" : `--who:${colour(who)}`,
        "aria-current": cursor === i + 1 ? "true" : null, title: `Position after move ${i + 1}`,
        onclick: () => match.goto(i + 1),
      }, chance ? `⚄ ${move}` : move);
      return el("li", {}, el("span", { class: "number", "aria-hidden": "true" }, i + 1), button);
    });
    fill(list, ...(items.length ? items : [el("li", { class: "faint" }, "No moves yet.")]));
    // Keep the current move visible without scrolling the page.
    const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
    list.scrollTop = current ? current.offsetTop - list.clientHeight / 2 : 0;
    // Keep the focus on the list while the user steps through it by keys.
    if (focused) /** @type {HTMLElement | null} */ (list.querySelector(`[data-ply="${focused}"]`) ?? current)?.focus({ preventScroll: true });
    const step = steps.find((button) => button === document.activeElement);
    steps.forEach((button, i) => (button.disabled = i < 2 ? cursor === 0 : match.isLatest));
    if (step?.disabled) steps.find((button) => !button.disabled)?.focus({ preventScroll: true });
  };

  const keys = (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.defaultPrevented || target.closest?.("input, select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowLeft: match.cursor - 1, ArrowRight: match.cursor + 1, Home: 0, End: match.moves.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 0 && to <= match.moves.length && to !== match.cursor) match.goto(to);
  };
  document.addEventListener("keydown", keys);
  return { element, show, close: () => document.removeEventListener("keydown", keys) };
}
