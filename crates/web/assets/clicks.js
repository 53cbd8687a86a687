// @ts-check
// Conversion of clicks to moves.

/** @typedef {import("./types.js").Choice} Choice */

/**
 * Spots that may be clicked next, and the moves that the clicks complete.
 * @typedef {{ next: Set<number>, complete: Choice[] }} Continuation
 */
/**
 * Conversion of clicks to moves. `expand` replaces a click that stands for several by those.
 * @typedef {object} Clicks
 * @property {(clicked: number[]) => Continuation} after
 * @property {(clicked: number[], spot: number) => number[]} [expand]
 */

/** Returns the conversion for moves whose clicks have a fixed order. @param {Choice[]} choices @returns {Clicks} */
export function ordered(choices) {
  return {
    after(clicked) {
      const next = new Set();
      const complete = [];
      for (const choice of choices) {
        if (!clicked.every((spot, i) => choice.spots[i] === spot)) continue;
        if (choice.spots.length > clicked.length) next.add(choice.spots[clicked.length]);
        else if (clicked.length) complete.push(choice);
      }
      return { next, complete };
    },
  };
}
