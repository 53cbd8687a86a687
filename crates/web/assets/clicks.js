// @ts-check
// Moves as clicks: what may be clicked after what.

/** @typedef {import("./types.js").Choice} Choice */

/**
 * What may follow some clicks, and the moves they complete.
 * @typedef {{ next: Set<number>, complete: Choice[] }} Way
 */
/**
 * How clicks become moves. `expand` turns one click into several, if it is short for them.
 * @typedef {object} Clicks
 * @property {(clicked: number[]) => Way} after
 * @property {(clicked: number[], spot: number) => number[]} [expand]
 */

/** The clicks of a move come in their order. @param {Choice[]} choices @returns {Clicks} */
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
