// @ts-check
// Entry point: opens the page of the address; theme and connection state.

import { el, fill, toast } from "./dom.js";
import { parse } from "./link.js";
import { Live } from "./net.js";

/** @typedef {import("./types.js").Page} Page */

/** Modules of the pages, loaded when a page is first opened. @type {Record<string, () => Promise<any>>} */
const PAGES = {
  play: () => import("./play.js"),
  explain: () => import("./explain.js"),
  tournaments: () => import("./tournaments.js"),
};

const live = new Live();
/** @type {Page | null} */
let page = null;
let opened = 0;

/** Opens the page of the address. */
async function go() {
  const route = parse(location.hash);
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  const turn = ++opened;
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.getAttribute("data-page") === route.page;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  page?.close();
  page = null;
  live.forget();
  // Toasts belong to the previous page.
  document.getElementById("toasts")?.replaceChildren();
  try {
    const module = await PAGES[route.page]();
    if (turn !== opened) return;
    fill(main);
    main.dataset.page = route.page;
    document.title = route.page === "tournaments" ? `${route.path[0] || "Tournaments"} · Tussle` : "Tussle";
    page = module.open(main, route, live);
    // For screen readers, the focus moves to the new page; the first page starts at its top.
    if (turn > 1 && (document.activeElement === document.body || document.activeElement?.closest("header"))) main.focus({ preventScroll: true });
  } catch (error) {
    fill(main, el("p", { class: "wrong" }, `This page cannot be loaded: ${error}`), el("p", {}, el("a", { href: "#" }, "To the board")));
  }
}

/** Sets up the theme button: light, dark or the setting of the system. */
function theme() {
  const button = /** @type {HTMLButtonElement} */ (document.getElementById("theme"));
  const names = ["system", "light", "dark"];
  const signs = { system: "◐ auto", light: "☀ light", dark: "☾ dark" };
  const set = (/** @type {string} */ name) => {
    if (name === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    localStorage.setItem("theme", name);
    const [sign, word] = signs[/** @type {keyof typeof signs} */ (name)].split(" ");
    fill(button, sign, el("span", {}, ` ${word}`));
    button.setAttribute("aria-label", `Colours: ${word}`);
  };
  let name = localStorage.getItem("theme") ?? "system";
  set(names.includes(name) ? name : "system");
  button.onclick = () => set((name = names[(names.indexOf(name) + 1) % names.length]));
}

live.addEventListener("state", (event) => {
  const lost = /** @type {CustomEvent} */ (event).detail === "lost";
  const status = document.getElementById("connection");
  if (status) status.textContent = lost ? "connection lost, reconnecting …" : "";
});
addEventListener("unhandledrejection", (event) => toast(String(event.reason?.message ?? event.reason)));
addEventListener("hashchange", go);
// The part after `#` is the address of the page, so this link must not change it.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main")?.focus();
});
theme();
go();
