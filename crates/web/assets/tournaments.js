// @ts-check
// Tournaments page: form and list; opens the pages of a tournament and of a game.

import { el, fill } from "./dom.js";
import { api } from "./net.js";

/** @typedef {import("./types.js").Route} Route */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./net.js").Live} Live */
/**
 * @typedef {object} TournamentEntry
 * @property {string} name
 * @property {string[]} games
 * @property {string[]} agents
 * @property {string | null} format
 * @property {number} played
 * @property {number} scheduled
 * @property {boolean} sprt
 * @property {boolean} complete
 * @property {"here" | "elsewhere" | null} running
 * @property {boolean} kept
 * @property {number} modified
 * @property {string} [error]
 */

/** Returns the address of a tournament, or of a page below it. @param {string} name @param {...(string | number)} rest */
export function address(name, ...rest) {
  return ["#tournaments", name, ...rest].map((part, i) => (i ? encodeURIComponent(part) : part)).join("/");
}

/** Wraps a table that may be wider than the screen; its edge fades if it can be scrolled. @param {string} label @param {HTMLElement} table */
export function wide(label, table) {
  const box = el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label }, table);
  const look = () => {
    box.classList.toggle("before", box.scrollLeft > 1);
    box.classList.toggle("after", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  };
  box.addEventListener("scroll", look, { passive: true });
  const watch = new ResizeObserver(look);
  watch.observe(box);
  watch.observe(table);
  return box;
}

/** Returns a count with its noun, in the plural unless the count is 1. @param {number} n @param {string} noun */
export function count(n, noun) {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** Formats a result: `½–½` for `1/2-1/2`; with more than two players, rounded utilities. @param {string} score */
export function points(score) {
  if (!score.includes(" ")) return score.replace("1/2-1/2", "½–½");
  return score.split(" ").map((one) => String(Number(Number(one).toFixed(2)))).join(" ");
}

/** @param {HTMLElement} root @param {Route} route @param {Live} live @returns {Page} */
export function open(root, route, live) {
  /** @type {Page | null} */
  let page = null;
  let closed = false;
  const [name, part] = route.path;
  const module = !name ? import("./tournament-form.js") : part === "game" ? import("./replay.js") : import("./tournament.js");
  module.then((loaded) => {
    if (closed) return;
    page = name ? /** @type {any} */ (loaded).open(root, route, live) : overview(root, /** @type {any} */ (loaded).form);
  }, (error) => fill(root, el("p", { class: "wrong" }, `This page cannot be loaded: ${error.message}`)));
  return {
    close() {
      closed = true;
      page?.close();
    },
  };
}

/** Shows the form and the list. @param {HTMLElement} root @param {(root: HTMLElement, server: any) => void} form @returns {Page} */
function overview(root, form) {
  const begin = el("section", { class: "panel", "aria-labelledby": "begin" });
  const list = el("section", { class: "panel", "aria-labelledby": "stores", "aria-live": "polite" });
  root.append(el("h1", {}, "Tournaments"), el("div", { class: "hall" }, begin, list));
  let begun = false;
  let timer = 0;
  const look = async () => {
    try {
      const told = await api("tournaments");
      if (!begun) form(begin, told);
      begun = true;
      show(list, told);
      // Poll faster while a tournament runs.
      const moves = told.tournaments.some((/** @type {TournamentEntry} */ one) => one.running);
      timer = setTimeout(look, moves ? 2000 : 10000);
    } catch (error) {
      fill(list, el("h2", { id: "stores" }, "Stored tournaments"),
        el("p", { class: "wrong" }, `The list cannot be loaded: ${/** @type {Error} */ (error).message}`),
        el("button", { onclick: look }, "Try again"));
    }
  };
  look();
  return { close: () => clearTimeout(timer) };
}

/** @param {HTMLElement} root @param {{ folder: string, tournaments: TournamentEntry[] }} told */
function show(root, { folder, tournaments }) {
  const stores = tournaments.filter((one) => one.agents.length);
  const others = tournaments.filter((one) => !one.agents.length);
  const place = folder === "." ? "the folder in which the server was started" : folder;
  fill(root,
    el("h2", { id: "stores" }, "Stored tournaments"),
    stores.length
      ? el("ul", { class: "cups" }, ...stores.map((one) => el("li", {}, cup(one))))
      : el("div", { class: "empty" },
        el("p", {}, "None yet. Start one with the form, or put stores made by ",
          el("code", {}, "tussle tournament --store F.db"), ` into ${place}.`)),
    others.length > 0 && el("details", {},
      el("summary", {}, others.length === 1 ? "One file is not a tournament" : `${others.length} files are not tournaments`),
      el("ul", { class: "faint" }, ...others.map((one) => el("li", {}, one.error ?? one.name)))),
    el("p", { class: "faint small" }, `Store folder: ${place}.`));
}

/** @param {TournamentEntry} one */
function cup(one) {
  const state = one.running === "here" ? "playing" : one.running ? "played elsewhere"
    : one.complete ? "complete" : "stopped";
  const games = one.sprt ? `${count(one.played, "game")} (SPRT, at most ${one.scheduled})`
    : one.complete ? count(one.played, "game") : `${one.played} of ${count(one.scheduled, "game")}`;
  const many = one.games.length > 1 ? ` and ${one.games.length - 1} more` : "";
  return el("a", { class: "cup", href: address(one.name) },
    el("span", { class: "cup-name" }, one.name, el("span", { class: `badge ${one.running ? "live" : ""}` }, state)),
    el("span", {}, `${one.games[0]}${many} · ${games}`),
    el("span", { class: "faint clip" }, one.agents.join(", ")),
    el("span", { class: "faint small" }, new Date(one.modified * 1000).toLocaleString(), !one.kept && " · kept only until the server ends"),
    el("span", { class: "bar", role: "presentation" }, el("span", { style: `width: ${one.complete ? 100 : (100 * one.played) / Math.max(1, one.scheduled)}%` })),
    one.error && el("span", { class: "wrong small" }, one.error));
}
