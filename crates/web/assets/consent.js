// @ts-check
// The question that comes before a program starts. Any site can link to any address of this page, so a command in
// an address is a stranger's until the person at the page has read it.

import { el } from "./dom.js";

/** Milliseconds for which the page must have been in front before a click counts: longer than a double click. */
const READING_MS = 1000;

/** Characters above which the command may not fit into its box. */
const MAX_VISIBLE_CHARS = 400;

/**
 * A command as it will run: nothing that reverses, hides or moves text stays invisible.
 * @param {string} text
 */
export function plain(text) {
  const code = (/** @type {string} */ c) => `\\u{${c.codePointAt(0)?.toString(16)}}`;
  return text.replace(/\p{C}|[^\S ]/gu, code).replace(/ {2,}/g, (run) => "␣".repeat(run.length));
}

/**
 * Asks whether a program may be started. `close` takes the question back, which is a no.
 * @param {string} spec
 * @returns {{ answer: Promise<boolean>, close(): void }}
 */
export function consent(spec) {
  const no = el("button", { type: "button", class: "no" }, "Do not start it");
  const yes = el("button", { type: "button", class: "yes", disabled: true }, "Start this program");
  const shown = plain(spec);
  const dialog = el("dialog", { class: "consent", "aria-labelledby": "consent-title" },
    el("h2", { id: "consent-title" }, "Start a program?"),
    el("p", {}, "The address of this page names a program as a player. It would run on the server's machine with all rights of the ",
      "person who started the server. Start it only if you know this command:"),
    el("pre", { tabindex: 0 }, shown),
    shown.length > MAX_VISIBLE_CHARS && el("p", { class: "faint" }, `${shown.length} characters: scroll to read all of them.`),
    el("div", { class: "row" }, no, yes));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const ended = new AbortController();
  const { signal } = ended;
  // A page that has just come to the front, under the second click of a double click, has not been read.
  const arm = () => {
    clearTimeout(timer);
    yes.disabled = true;
    if (!document.hidden) timer = setTimeout(() => (yes.disabled = false), READING_MS);
  };
  /** @type {(answer: boolean) => void} */
  let settle = () => {};
  const answer = new Promise((/** @type {(answer: boolean) => void} */ done) => (settle = done));
  const end = (/** @type {boolean} */ started) => {
    clearTimeout(timer);
    ended.abort();
    dialog.remove();
    settle(started);
  };
  no.addEventListener("click", () => end(false));
  yes.addEventListener("click", (event) => { if (event.isTrusted && event.detail < 2) end(true); });
  dialog.addEventListener("cancel", () => end(false));
  // A key that is held down answers nothing.
  dialog.addEventListener("keydown", (event) => { if (event.repeat && event.key !== "Tab") event.preventDefault(); });
  addEventListener("focus", arm, { signal });
  document.addEventListener("visibilitychange", arm, { signal });
  document.body.append(dialog);
  dialog.showModal();
  no.focus();
  arm();
  return { answer, close: () => end(false) };
}
