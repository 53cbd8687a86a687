// @ts-check
// Charts: error bars of ratings, and the curve of an SPRT.

import { svg } from "./dom.js";

/**
 * Returns a function that maps numbers from `low` to `high` to pixels from `from` to `to`.
 * @param {number} low @param {number} high @param {number} from @param {number} to
 * @returns {(value: number) => number}
 */
export function scale(low, high, from, to) {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

/** Returns round numbers that divide a range into about `pieces` parts. @param {number} low @param {number} high @param {number} [pieces] */
export function ticks(low, high, pieces = 4) {
  const rough = (high - low || 1) / pieces;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) found.push(Math.abs(at) < step * 1e-9 ? 0 : at);
  return found;
}

/**
 * Draws a rating with its error bar; all rows of a table use the same range. Positions are percentages of the width, so that the
 * drawing is not scaled.
 * @param {{ value: number | null, error: number | null }} rating
 * @param {[number, number]} range
 */
export function errorBar({ value, error }, range) {
  const x = (/** @type {number} */ at) => `${scale(range[0], range[1], 3, 97)(at).toFixed(2)}%`;
  const picture = svg("svg", { class: "error-bar", height: 24, "aria-hidden": "true" });
  for (const tick of ticks(...range, 3)) picture.append(svg("line", { class: "grid", x1: x(tick), x2: x(tick), y1: 0, y2: 24 }));
  if (value === null) return picture;
  const wide = error ?? 0;
  const [from, to] = [x(Math.max(range[0], value - wide)), x(Math.min(range[1], value + wide))];
  picture.append(svg("line", { class: "whisker", x1: from, x2: to, y1: 12, y2: 12 }));
  for (const end of [from, to]) picture.append(svg("line", { class: "whisker", x1: end, x2: end, y1: 7, y2: 17 }));
  picture.append(svg("circle", { class: "dot", cx: x(value), cy: 12, r: 5 }));
  return picture;
}

/** Draws the axis below error bars. @param {[number, number]} range */
export function errorAxis(range) {
  const x = scale(range[0], range[1], 3, 97);
  return svg("svg", { class: "error-bar", height: 16, "aria-hidden": "true" },
    ...ticks(...range, 3).map((tick) => svg("text", { x: `${x(tick)}%`, y: 12, "text-anchor": "middle" }, tick)));
}

/** Returns the range of all ratings with their errors, and a margin. @param {{ value: number | null, error: number | null }[]} ratings @returns {[number, number]} */
export function rangeOf(ratings) {
  const ends = ratings.flatMap(({ value, error }) => (value === null ? [] : [value - (error ?? 0), value + (error ?? 0)]));
  // One very uncertain rating must not shrink all other error bars.
  const low = Math.max(Math.min(0, ...ends), -2000);
  const high = Math.min(Math.max(0, ...ends), 2000);
  const room = Math.max(10, (high - low) * 0.04);
  return [low - room, high + room];
}

/**
 * Draws the log-likelihood ratio by number of pairs, with the bounds of the SPRT.
 * @param {{ points: [number, number][], standing: any }} curve
 * @param {number} w width in pixels
 */
export function testCurve({ points, standing }, w) {
  const { lower, upper, llr, pairs } = standing;
  const h = 220;
  const all = points.map((point) => point[1]);
  const x = scale(0, Math.max(2, pairs), 44, w - 10);
  const room = (upper - lower) * 0.12;
  const y = scale(Math.min(lower, ...all) - room, Math.max(upper, ...all) + room, h - 26, 8);
  const words = `Log-likelihood ratio ${llr === null ? "not known yet" : llr.toFixed(2)} after ${pairs} pairs; H0 is accepted at ${lower.toFixed(2)}, H1 at ${upper.toFixed(2)}`;
  const picture = svg("svg", { viewBox: `0 0 ${w} ${h}`, class: "curve", role: "img", "aria-label": words });
  for (const tick of ticks(0, Math.max(2, pairs), w / 100)) {
    if (tick % 1) continue;
    picture.append(svg("line", { class: "grid", x1: x(tick), x2: x(tick), y1: 8, y2: h - 26 }),
      svg("text", { x: x(tick), y: h - 10, "text-anchor": "middle" }, tick));
  }
  picture.append(svg("line", { class: "axis", x1: 44, x2: w - 10, y1: y(0), y2: y(0) }), svg("text", { x: 38, y: y(0) + 4, "text-anchor": "end" }, 0));
  for (const { bound, name, sort } of [{ bound: upper, name: "H1", sort: "good" }, { bound: lower, name: "H0", sort: "bad" }]) {
    picture.append(svg("line", { class: `bound ${sort}`, x1: 44, x2: w - 10, y1: y(bound), y2: y(bound) }),
      svg("text", { x: 38, y: y(bound) + 4, "text-anchor": "end" }, bound.toFixed(2)),
      svg("text", { class: sort, x: w - 14, y: y(bound) - 5, "text-anchor": "end" }, `${name} accepted`));
  }
  if (points.length) {
    picture.append(svg("polyline", { class: "line", points: points.map(([at, ratio]) => `${x(at)},${y(ratio)}`).join(" ") }));
    const [at, ratio] = points[points.length - 1];
    picture.append(svg("circle", { class: "dot", cx: x(at), cy: y(ratio), r: 5 }));
  }
  return picture;
}
