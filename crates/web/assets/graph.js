// @ts-check
// Value graph: values of a game by move, which is also a slider.

import { colour, el, fill, svg } from "./dom.js";
import { player as playerName } from "./seats.js";

/**
 * Position: the move that led to it, its values for the players, and the verdict on that move.
 * @typedef {{ move?: string, values?: number[] | null, verdict?: string, words?: string }} Ply
 */

/**
 * Line of the graph: the values that one player reported; null where unknown.
 * @typedef {{ name: string, colour: string, values: (number | null)[] }} Line
 */

/** Height in pixels. */
const HEIGHT = 130;
/** Margin in pixels. */
const EDGE = 14;
/** Verdicts that are marked, with the radius of the mark. @type {Record<string, number>} */
const FAULTS = { inaccuracy: 4, mistake: 5.5, blunder: 7 };

/** Formats a value with its sign. @param {number} value */
export function signed(value) {
  const size = Math.abs(value);
  const text = size >= 100 ? size.toFixed(0) : size.toFixed(2);
  return (Number(text) === 0 ? "" : value > 0 ? "+" : "−") + text;
}

/**
 * Creates a graph in `root`. It shows the values of the plies, or `series`. Call `update` after each change.
 * @param {HTMLElement} root
 * @param {{ players: number, goto: (ply: number) => void, series?: Line[], label?: string, none?: string }} options
 */
export function graph(root, { players, goto, series, label = "Value of the game, move by move", none = "No values yet: analyse or review the game." }) {
  const drawing = svg("svg", { class: "graph", role: "slider", tabindex: 0, "aria-label": label, "aria-valuemin": 0 });
  const caption = el("p", { class: "faint caption" });
  const legend = series && el("p", { class: "legend" }, ...series.map((one) => el("span", {}, el("i", { style: `background: ${one.colour}` }), one.name)));
  const empty = el("p", { class: "faint" }, none);
  const element = el("div", { class: "graph-box" }, drawing, legend, caption, empty);
  root.append(element);
  /** @type {Ply[]} */
  let plies = [];
  let current = 0;
  /** @type {number | null} */
  let hovered = null;
  let width = 300;
  const duel = players <= 2;

  const x = (/** @type {number} */ ply) => EDGE + ((width - 2 * EDGE) * ply) / Math.max(1, plies.length - 1);

  /** @returns {Line[]} */
  const lines = () => series ?? Array.from({ length: duel ? 1 : players }, (_, player) => ({
    name: playerName(players, player), colour: duel ? "var(--ink)" : colour(player), values: plies.map(({ values }) => values?.[player] ?? null),
  }));

  /** @param {number[]} all */
  function scale(all) {
    const most = Math.max(1, ...all.map(Math.abs));
    // A logarithmic scale, because evaluations of several hundred and results of 1 share the graph.
    const bent = (/** @type {number} */ v) => (most === 1 ? v : (Math.sign(v) * Math.log1p(Math.abs(v))) / Math.log1p(most));
    const low = duel || all.some((v) => v < 0) ? -1 : 0;
    return (/** @type {number} */ v) => EDGE + ((HEIGHT - 2 * EDGE) * (1 - bent(v))) / (1 - low);
  }

  /** Returns a position in words. @param {number} ply */
  function words(ply) {
    const { move, values, verdict, words } = plies[ply] ?? {};
    const where = ply ? `after move ${ply}, ${move ?? "?"}` : "start";
    const worth = series ? series.flatMap((one) => (typeof one.values[ply] === "number" ? [`${one.name} ${signed(one.values[ply])}`] : [])).join(", ") || "no value"
      : !values ? "no value"
      : duel ? `${signed(values[0])} for first`
      : values.map((value, i) => `${playerName(players, i)} ${value.toFixed(2)}`).join(", ");
    return `${where}: ${worth}${verdict && verdict in FAULTS ? `; ${words ?? verdict}` : ""}`;
  }

  function draw() {
    const drawn = lines();
    const all = drawn.flatMap((one) => one.values.filter((value) => value !== null));
    const known = all.length > 0;
    empty.hidden = known;
    for (const one of [drawing, caption, legend]) if (one) one.style.display = known ? "" : "none";
    drawing.setAttribute("aria-valuemax", String(Math.max(0, plies.length - 1)));
    drawing.setAttribute("aria-valuenow", String(current));
    drawing.setAttribute("aria-valuetext", words(current));
    caption.textContent = words(hovered ?? current);
    if (!known) return;
    drawing.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const y = scale(all);
    const parts = [];
    const rule = (/** @type {number} */ at, /** @type {string} */ kind) =>
      svg("line", { class: kind, x1: x(at), x2: x(at), y1: EDGE / 2, y2: HEIGHT - EDGE / 2 });
    parts.push(svg("line", { class: "zero", x1: EDGE, x2: width - EDGE, y1: y(0), y2: y(0) }));
    for (const { values, colour: paint } of drawn) {
      // A straight line spans unknown values.
      const points = values.flatMap((value, ply) => (value === null ? [] : [[x(ply), y(value)]]));
      const line = points.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(" ");
      if (duel && !series && points.length > 1) {
        const area = `${points[0][0]},${y(0)} ${line} ${points[points.length - 1][0]},${y(0)}`;
        for (const [side, top, bottom] of [[0, 0, y(0)], [1, y(0), HEIGHT]]) {
          const clip = `inset(${top}px 0 ${HEIGHT - bottom}px 0)`;
          // `view-box` makes the clip relative to the whole drawing.
          parts.push(svg("g", { style: `clip-path: ${clip} view-box` }, svg("polygon", { points: area, fill: colour(side), "fill-opacity": 0.35 })));
        }
      }
      parts.push(svg("polyline", { class: "value", points: line, stroke: paint }));
      if (series || points.length === 1) parts.push(...points.map(([cx, cy]) => svg("circle", { cx, cy, r: series ? 2 : 3, fill: paint })));
    }
    plies.forEach(({ verdict, values }, ply) => {
      if (!verdict || !(verdict in FAULTS) || !values) return;
      const at = duel ? values[0] : Math.max(...values);
      parts.push(svg("circle", { class: `fault ${verdict}`, cx: x(ply), cy: y(at), r: FAULTS[verdict], "data-ply": ply }));
    });
    if (hovered !== null) parts.push(rule(hovered, "hovered"));
    parts.push(rule(current, "current"));
    const here = drawn.flatMap(({ values }) => values[current] ?? []);
    for (const value of series ? here : here.length ? [Math.max(...here)] : []) parts.push(svg("circle", { class: "here", cx: x(current), cy: y(value), r: 4 }));
    fill(drawing, ...parts);
  }

  /** Returns the ply under the pointer. @param {MouseEvent} event */
  function under(event) {
    const box = drawing.getBoundingClientRect();
    const share = (event.clientX - box.left - EDGE) / Math.max(1, box.width - 2 * EDGE);
    return Math.max(0, Math.min(plies.length - 1, Math.round(share * (plies.length - 1))));
  }
  drawing.addEventListener("click", (event) => goto(under(/** @type {MouseEvent} */ (event))));
  drawing.addEventListener("pointermove", (event) => { hovered = under(/** @type {MouseEvent} */ (event)); draw(); });
  drawing.addEventListener("pointerleave", () => { hovered = null; draw(); });
  drawing.addEventListener("keydown", (event) => {
    const last = plies.length - 1;
    const faults = plies.flatMap(({ verdict }, ply) => (verdict && verdict in FAULTS ? [ply] : []));
    const to = {
      ArrowLeft: current - 1, ArrowDown: current - 1, ArrowRight: current + 1, ArrowUp: current + 1, Home: 0, End: last,
      PageDown: faults.find((ply) => ply > current) ?? last, PageUp: faults.findLast((ply) => ply < current) ?? 0,
    }[/** @type {KeyboardEvent} */ (event).key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    goto(Math.max(0, Math.min(last, to)));
  });
  const watch = new ResizeObserver(() => {
    const wide = element.clientWidth;
    if (wide && wide !== width) {
      width = wide;
      draw();
    }
  });
  watch.observe(element);
  return {
    element,
    /** @param {{ plies: Ply[], current: number }} now */
    update(now) {
      ({ plies, current } = now);
      if (hovered !== null && hovered >= plies.length) hovered = null;
      draw();
    },
    close() {
      watch.disconnect();
      element.remove();
    },
  };
}
