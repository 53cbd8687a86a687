// @ts-check
// Seats of a game: people, levels and other agents.

/** @typedef {import("./types.js").AgentRow} AgentRow */

/** Names of the seats in addresses. */
export const SEATS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

export const HUMAN = "human";

/** Default opponent. */
const DEFAULT_OPPONENT = "mcts";

/** Time per move of an agent without another limit. */
const DEFAULT_TIME_MS = 1000;

/** Returns the seats in a query. By default the first seat is a person and every other one the default opponent.
 * @param {URLSearchParams} query @param {number} players */
export function fromQuery(query, players) {
  return SEATS.slice(0, players).map((name, i) => query.get(name) || (i ? DEFAULT_OPPONENT : HUMAN));
}

/** @param {string[]} seats @returns {Record<string, string>} */
export function toQuery(seats) {
  return Object.fromEntries(seats.map((seat, i) => [SEATS[i], seat]));
}

/** Returns the name of a player in the words of the server. @param {number} players @param {number} index */
export function player(players, index) {
  return players <= 2 ? SEATS[index] : `player-${index + 1}`;
}

/** Returns a short name of the player in a seat. @param {string[]} seats @param {number} index */
export function named(seats, index) {
  const seat = seats[index] ?? HUMAN;
  if (seat === HUMAN) return seats.filter((other) => other === HUMAN).length === 1 ? "You" : "Person";
  return seat.replace(/^level-/, "Level ");
}

/** Describes the strength of a level. @param {number} level */
export function strength(level) {
  return ["first steps", "beginner", "beginner", "casual", "casual", "skilled", "skilled", "strong", "strong", "strongest"][level - 1];
}

/** Returns the time limit of an agent whose spec has no limit. @param {string} spec @param {AgentRow[]} agents @returns {{ time_ms?: number }} */
export function limit(spec, agents) {
  let whole = spec;
  for (let i = 0; i < 4; i++) {
    const [name] = whole.split(":");
    const preset = agents.find((row) => row.name === name)?.stands_for;
    if (!preset) break;
    whole = preset + (whole.includes(":") ? "," + whole.slice(name.length + 1) : "");
  }
  return /[:,](nodes|depth)=/.test(whole) ? {} : { time_ms: DEFAULT_TIME_MS };
}

/** Returns the utilities of all players if one of them resigns. @param {number} players @param {number} loser */
export function defeat(players, loser) {
  const [lost, won] = players <= 2 ? [-1, 1] : [0, 1 / (players - 1)];
  return Array.from({ length: players }, (_, i) => (i === loser ? lost : won));
}
