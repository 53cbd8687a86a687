// @ts-check
// Confirmation before an external program starts. Any site can link to any address of this page, so a command in an address may
// come from a stranger. The user must read it first.

import { el } from "./dom.js";

/** Time that the page must be visible before a click counts; longer than a double click. */
const READING_TIME_MS = 1000;

/** Maximum length of a command that certainly fits into its box. */
const MAX_VISIBLE_CHARS = 400;

/**
 * Makes a command fully visible: characters that hide, reverse or move text are written as codes.
 * @param {string} text
 */
export function plain(text) {
  const code = (/** @type {string} */ c) => `\\u{${c.codePointAt(0)?.toString(16)}}`;
  return text.replace(/\p{C}|[^\S ]/gu, code).replace(/ {2,}/g, (run) => "␣".repeat(run.length));
}

/**
 * Asks the user whether a program may start. `close` closes the dialog, which counts as no.
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
  // Enable the button only after a delay: the second click of a double click may hit a page that just came to the front.
  const arm = () => {
    clearTimeout(timer);
    yes.disabled = true;
    if (!document.hidden) timer = setTimeout(() => (yes.disabled = false), READING_TIME_MS);
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
  // Ignore a key that is held down.
  dialog.addEventListener("keydown", (event) => { if (event.repeat && event.key !== "Tab") event.preventDefault(); });
  addEventListener("focus", arm, { signal });
  document.addEventListener("visibilitychange", arm, { signal });
  document.body.append(dialog);
  dialog.showModal();
  no.focus();
  arm();
  return { answer, close: () => end(false) };
}
