// @ts-check
// Backgammon's plays as clicks: steps in any order, a checker's way by either die first, or at once.
// Points are counted as the mover counts them; 25 is the bar, 0 is off.

import { ordered } from "./clicks.js";

/** @typedef {import("./types.js").Choice} Choice */
/** @typedef {{ from: number, to: number }} Step */

const BAR = 25;
const OFF = 0;

/** A side's checkers: `24:2/13:5/bar:1`. @param {string} text */
function checkers(text) {
  const count = new Array(26).fill(0);
  for (const stack of text.split("/")) {
    const [place, n] = stack.split(":");
    count[place === "bar" ? BAR : place === "off" ? OFF : Number(place)] += Number(n);
  }
  return count;
}

/** @param {number[]} count */
function written(count) {
  const name = (/** @type {number} */ p) => (p === BAR ? "bar" : p === OFF ? "off" : String(p));
  const stacks = count.map((n, p) => (n ? `${name(p)}:${n}` : ""));
  return stacks.reverse().filter(Boolean).join("/");
}

/** @param {string} position */
function read(position) {
  const [first, second, mover, dice] = position.split(" ");
  const me = mover === "second" ? 1 : 0;
  const sides = [checkers(first), checkers(second)];
  return { me, mine: sides[me], theirs: sides[1 - me], mover, dice };
}

/** @param {number} me @param {number} spot */
function point(me, spot) {
  if (spot === 24) return BAR;
  if (spot === 25 || spot === 26) return OFF;
  return me === 0 ? spot + 1 : 24 - spot;
}

/** @param {number} me @param {number[]} clicked @returns {Step[]} */
function steps(me, clicked) {
  const found = [];
  for (let i = 0; i + 1 < clicked.length; i += 2) {
    found.push({ from: point(me, clicked[i]), to: point(me, clicked[i + 1]) });
  }
  return found;
}

/**
 * The position after the steps clicked so far, with the same dice: the server draws it.
 * @param {string} position @param {number[]} clicked
 */
export function halfway(position, clicked) {
  const { me, mine, theirs, mover, dice } = read(position);
  for (const { from, to } of steps(me, clicked)) {
    mine[from] -= 1;
    mine[to] += 1;
    if (to !== OFF && theirs[BAR - to] === 1) {
      theirs[BAR - to] = 0;
      theirs[BAR] += 1;
    }
  }
  const sides = me === 0 ? [mine, theirs] : [theirs, mine];
  return `${sides.map(written).join(" ")} ${mover} ${dice}`;
}

/**
 * Returns for each die of the drawing, the higher one first, whether the steps clicked so far have used it.
 * @param {string} position @param {number[]} clicked
 */
export function spent(position, clicked) {
  const { me, dice } = read(position);
  const faces = [...dice].map(Number).sort((a, b) => b - a);
  const all = faces[0] === faces[1] ? [...faces, ...faces] : faces;
  const used = all.map(() => false);
  for (const { from, to } of steps(me, clicked)) {
    // A checker is borne off by a larger die too, if nothing lies behind it.
    const free = all.map((face, i) => i).filter((i) => !used[i] && all[i] >= from - to);
    const exact = free.find((i) => all[i] === from - to) ?? free.at(-1);
    if (exact !== undefined) used[exact] = true;
  }
  return used;
}

/**
 * @param {Choice[]} choices
 * @param {string} position
 * @returns {import("./clicks.js").Clicks}
 */
export function plays(choices, position) {
  const { me, mine, theirs } = read(position);
  // Chance's faces and `no play` are clicked like anything else.
  if (choices.some((choice) => choice.spots.some((spot) => spot > 26))) return ordered(choices);
  const hits = (/** @type {number} */ p) => p !== OFF && theirs[BAR - p] > 0;
  const spot = (/** @type {number} */ p) => (p === BAR ? 24 : p === OFF ? 25 + me : me === 0 ? p - 1 : 24 - p);
  /** The rules list a checker's way by one die first if the other way comes to the same. */
  const ways = choices.flatMap((choice) => {
    const all = steps(me, choice.spots);
    const [a, b] = all;
    const turned = all.length === 2 && a.to === b.from && b.to !== OFF ? a.from - b.from + b.to : -1;
    if (turned < 0 || hits(a.to) || hits(turned)) return [{ choice, all }];
    return [{ choice, all }, { choice, all: [{ from: a.from, to: turned }, { from: turned, to: b.to }] }];
  });

  /** What is left of a way after these steps; null if they are not of it. @param {Step[]} all @param {Step[]} done */
  const left = (all, done) => {
    const rest = [...all];
    for (const step of done) {
      const at = rest.findIndex(({ from, to }) => from === step.from && to === step.to);
      if (at < 0) return null;
      rest.splice(at, 1);
    }
    return rest;
  };
  /** Checkers of the mover after these steps. @param {Step[]} done */
  const after = (done) => {
    const count = [...mine];
    for (const { from, to } of done) (count[from] -= 1), (count[to] += 1);
    return count;
  };
  const open = (/** @type {number[]} */ count, /** @type {number} */ from) =>
    count[from] > 0 && (from === BAR || count[BAR] === 0);

  /** All ends of a checker's way from here, with the steps to it; blots are hit only step by step.
   *  @param {Step[]} rest @param {number} from @param {number} others checkers that must enter before it goes on
   *  @returns {Step[][]} */
  const journeys = (rest, from, others) => {
    const found = [];
    for (const step of new Map(rest.filter((s) => s.from === from).map((s) => [s.to, s])).values()) {
      found.push([step]);
      if (step.to === OFF || hits(step.to) || others > 0) continue;
      const fewer = rest.filter((s) => s !== step);
      for (const more of journeys(fewer, step.to, 0)) found.push([step, ...more]);
    }
    return found;
  };
  const candidates = (/** @type {number[]} */ clicked) => {
    const done = steps(me, clicked);
    const count = after(done);
    const rests = ways.map((way) => ({ choice: way.choice, rest: left(way.all, done) }));
    return { count, rests: rests.filter(({ rest }) => rest !== null) };
  };
  const ends = (/** @type {number[]} */ clicked) => {
    const { count, rests } = candidates(clicked.slice(0, -1));
    const from = point(me, clicked[clicked.length - 1]);
    if (!open(count, from)) return [];
    const others = from === BAR ? count[BAR] - 1 : 0;
    return rests.flatMap(({ rest }) => journeys(rest ?? [], from, others));
  };
  return {
    after(clicked) {
      if (clicked.length % 2) {
        return { next: new Set(ends(clicked).map((way) => spot(way[way.length - 1].to))), complete: [] };
      }
      const { count, rests } = candidates(clicked);
      const next = new Set();
      const complete = [];
      for (const { choice, rest } of rests) {
        if (!rest?.length) complete.push(choice);
        for (const { from } of rest ?? []) if (open(count, from)) next.add(spot(from));
      }
      return { next, complete };
    },
    expand(clicked, to) {
      if (clicked.length % 2 === 0) return [to];
      const found = ends(clicked).filter((way) => spot(way[way.length - 1].to) === to);
      found.sort((a, b) => a.length - b.length);
      const way = found[0];
      if (!way) return [to];
      return way.flatMap((step, i) => (i ? [spot(step.from), spot(step.to)] : [spot(step.to)]));
    },
  };
}
