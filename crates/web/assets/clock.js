// @ts-check
// Time controls: `2s` per move, `15s+1s` base time and increment, `30s/2s` first move and later moves.

/** @typedef {{ kind: "move" | "bank" | "first", a: number, b: number }} Terms milliseconds */

const UNITS = { ms: 1, s: 1000, m: 60000, h: 3600000 };

/** Error message for an invalid clock. */
export const CLOCK_ERROR = "clock: expected a time per move (2s), base time and increment (15s+1s), or first and later moves (30s/2s).";

/** @param {string} text @returns {number} NaN if the text is not a time */
function time(text) {
  const found = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  return found ? Number(found[1]) * UNITS[/** @type {keyof typeof UNITS} */ (found[2])] : NaN;
}

/** Parses a time control; returns null if it is invalid. @param {string} text @returns {Terms | null} */
export function terms(text) {
  const sign = text.includes("+") ? "+" : text.includes("/") ? "/" : "";
  const parts = sign ? text.split(sign) : [text];
  const [a, b = 0] = parts.map(time);
  const wrong = parts.length > 2 || !(a > 0) || !(b >= 0) || (sign === "/" && b === 0);
  if (wrong) return null;
  return { kind: sign === "+" ? "bank" : sign === "/" ? "first" : "move", a, b };
}

/** Returns the remaining time of a player in ms, from the times of the earlier moves and of the current one. @param {Terms} terms @param {number[]} used @param {number} running */
export function left({ kind, a, b }, used, running) {
  if (kind === "bank") return used.reduce((bank, ms) => bank - ms + b, a) - running;
  return (kind === "first" && used.length ? b : a) - running;
}

/** Formats a time for a clock. @param {number} ms */
export function shown(ms) {
  const tenths = Math.max(0, Math.ceil(ms / 100));
  if (tenths < 200) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
