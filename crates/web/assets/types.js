// @ts-check
// Types of the server's answers, which /api/openapi.json describes, and of the page.

/** @typedef {{ game: string, text?: string, start?: string, moves: string[] }} Place */
/** @typedef {{ name: string, holds?: string, x: number, y: number, w: number, h: number }} Spot */
/** @typedef {{ move: string, spots: number[] }} Choice */
/** @typedef {{ svg: string, spots: Spot[], choices: Choice[] }} BoardView */
/** @typedef {{ utilities: number[], winner: number | null, words: string }} GameResult */
/**
 * @typedef {object} PositionView
 * @property {string} game
 * @property {number} players
 * @property {string} position
 * @property {string} turn
 * @property {number | null} player
 * @property {string[]} moves
 * @property {(number | null)[]} movers player who made each move; null for chance
 * @property {string[]} legal
 * @property {number[]} [probabilities]
 * @property {GameResult | null} result
 * @property {BoardView} board
 */
/** @typedef {{ key: string, values: string, default: string, help: string }} ParamRow */
/** @typedef {{ name: string, summary: string, params: ParamRow[], evaluations: { name: string, summary: string }[], tuned: { name: string, spec: string }[] }} GameRow */
/** @typedef {{ name: string, summary: string, params: ParamRow[], stands_for?: string }} AgentRow */
/**
 * @typedef {object} Line
 * @property {string} move
 * @property {number | null} value
 * @property {number[]} [values]
 * @property {"exact" | "lower" | "upper"} bound
 * @property {"win" | "draw" | "loss" | null} outcome
 * @property {number | null} distance
 * @property {number} visits
 * @property {number | null} [mean]
 * @property {number | null} [bonus]
 * @property {number} [prior]
 * @property {string[]} pv
 */
/**
 * @typedef {object} Report
 * @property {string} game
 * @property {string} agent
 * @property {string} position
 * @property {string} turn
 * @property {string | null} best
 * @property {number | null} value
 * @property {number[] | null} values
 * @property {"win" | "draw" | "loss" | null} outcome
 * @property {number | null} distance
 * @property {Line[]} lines
 * @property {{ depth: number, nodes: number, playouts: number, bytes: number }} stats
 * @property {string} stopped
 * @property {{ elapsed_ms: number, nodes_per_s: number }} timing
 */
/** @typedef {{ move: string, value: number, outcome: "win" | "draw" | "loss" | null, distance: number | null, line: string[] }} MoveWorth */
/** @typedef {{ ply: number, player: number, turn: string, move: string, verdict: string, judged: boolean, loss: number, played: MoveWorth, best: MoveWorth, words: string }} MoveAssessment */
/** @typedef {{ player: number, turn: string, choices: number, best: number, good: number, inaccuracies: number, mistakes: number, blunders: number, judged: number, mean_loss: number | null, accuracy: number | null }} ReviewSummary */
/** @typedef {{ game: string, agent: string, nodes?: number, players: number, unit: number, values: number[][], moves: MoveAssessment[], summary: ReviewSummary[], caution?: string }} Review */
/** @typedef {{ id: number, event: string, error?: string, report?: Report, svg?: string | null, after?: PositionView, [key: string]: any }} ServerMessage */
/**
 * Parsed address of the page.
 * @typedef {object} Route
 * @property {string} page play, explain or tournaments
 * @property {string[]} path parts after the name of the page
 * @property {Place | null} place the position it shows
 * @property {URLSearchParams} query settings
 */
/** @typedef {{ close(): void }} Page */

export {};
