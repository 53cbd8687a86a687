// @ts-check
// Who sits where: people, steps of the ladder of strength, agents.

/** @typedef {import("./types.js").AgentRow} AgentRow */

/** What addresses call the seats. */
export const SEATS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

export const HUMAN = "human";

/** An opponent for who names none. */
const USUAL = "mcts";

/** Milliseconds for an agent that nothing else limits. */
const PATIENCE = 1000;

/** The seats as an address names them; whoever is not named is a person in the first, an agent in other seats.
 * @param {URLSearchParams} query @param {number} players */
export function fromQuery(query, players) {
  return SEATS.slice(0, players).map((name, i) => query.get(name) || (i ? USUAL : HUMAN));
}

/** @param {string[]} seats @returns {Record<string, string>} */
export function toQuery(seats) {
  return Object.fromEntries(seats.map((seat, i) => [SEATS[i], seat]));
}

/** A player's name as the server's words have it. @param {number} players @param {number} index */
export function player(players, index) {
  return players <= 2 ? SEATS[index] : `player-${index + 1}`;
}

/** Who sits there, in a word. @param {string[]} seats @param {number} index */
export function named(seats, index) {
  const seat = seats[index] ?? HUMAN;
  if (seat === HUMAN) return seats.filter((other) => other === HUMAN).length === 1 ? "You" : "Person";
  return seat.replace(/^level-/, "Level ");
}

/** What a step of the ladder feels like. @param {number} level */
export function strength(level) {
  return ["first steps", "beginner", "beginner", "casual", "casual", "skilled", "skilled", "strong", "strong", "strongest"][level - 1];
}

/** The time of an agent whose spec does not limit it. @param {string} spec @param {AgentRow[]} agents @returns {{ time_ms?: number }} */
export function limit(spec, agents) {
  let whole = spec;
  for (let i = 0; i < 4; i++) {
    const [name] = whole.split(":");
    const preset = agents.find((row) => row.name === name)?.stands_for;
    if (!preset) break;
    whole = preset + (whole.includes(":") ? "," + whole.slice(name.length + 1) : "");
  }
  return /[:,](nodes|depth)=/.test(whole) ? {} : { time_ms: PATIENCE };
}

/** What a game is worth to each if one of them gives it up. @param {number} players @param {number} loser */
export function defeat(players, loser) {
  const [lost, won] = players <= 2 ? [-1, 1] : [0, 1 / (players - 1)];
  return Array.from({ length: players }, (_, i) => (i === loser ? lost : won));
}
