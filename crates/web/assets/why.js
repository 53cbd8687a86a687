// @ts-check
// Why a click leads nowhere, in the rules' own words where they have some.

import { api } from "./net.js";

/** @typedef {import("./types.js").Place} Place */

/** The move that clicks on spots of these names would be. @type {Record<string, (names: string[]) => string | null>} */
const WRITTEN = {
  go: ([name]) => name,
  tictactoe: ([name]) => name,
  connect4: ([name]) => /\d+/.exec(name)?.[0] ?? null,
  gobblet: ([piece, cell]) => (cell?.startsWith("cell") ? `${piece.toUpperCase()}@${cell.slice(5)}` : null),
  pentago: ([cell]) => (/^[a-f][1-6]$/.test(cell) ? `${cell}:0r` : null),
  "pentago-twist": ([cell]) => (/^[a-f][1-6]$/.test(cell) ? `${cell}:0r` : null),
};

/**
 * @param {Place} place
 * @param {string[]} names of the spots that were clicked
 * @returns {Promise<string | null>} nothing if the rules have no word for it
 */
export async function reason(place, names) {
  const move = WRITTEN[place.game.split(":")[0]]?.(names);
  if (!move) return null;
  try {
    await api("position", { ...place, moves: [...place.moves, move] });
    return null;
  } catch (error) {
    const said = String(/** @type {Error} */ (error).message);
    const found = /^move \d+: `([^`]*)`: (.*)$/s.exec(said);
    return found ? `${found[1]}: ${found[2]}.` : said;
  }
}

/** General words for games whose moves are not a name. @param {string} game @param {string[]} names @param {string} otherwise */
export function words(game, names, otherwise) {
  const kind = game.split(":")[0];
  const last = names[names.length - 1];
  if (kind === "keep-on-moving") return "Go to a free cell beside you: up, down, left or right.";
  if (kind === "gobblet" && names.length === 1) {
    return last.startsWith("cell") ? "Take one of your pieces first, then click a cell." : `${last} is not yours, or it cannot move now.`;
  }
  if (kind === "backgammon") {
    return names.length % 2 ? `No checker of yours can leave ${last} with these dice.` : `The dice do not lead from ${names[names.length - 2]} to ${last}, or the rival holds it.`;
  }
  if (kind.startsWith("pentago") && last.startsWith("quadrant")) return "Put a stone into a cell first, then turn a quadrant.";
  return otherwise;
}
