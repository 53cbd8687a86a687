// @ts-check
// Addresses: `#go:size=5/moves/C3,D3?second=mcts`, `#explain/go/moves/C3`, `#tournaments/cup.db/game/3`.

/** @typedef {import("./types.js").Route} Route */
/** @typedef {import("./types.js").Place} Place */

const PAGES = ["explain", "tournaments"];

/** What the address of the page asks for. @param {string} hash @returns {Route} */
export function parse(hash) {
  const [path, query = ""] = cut(hash.replace(/^#/, ""), "?");
  const parts = path.split("/").map(decode);
  const page = PAGES.includes(parts[0]) ? /** @type {string} */ (parts.shift()) : "play";
  const route = { page, path: parts, place: null, query: new URLSearchParams(query) };
  return page === "tournaments" || !parts[0] ? route : { ...route, place: place(path, page) };
}

/** @param {string} path @param {string} page @returns {Place} */
function place(path, page) {
  const raw = path.split("/");
  if (page !== "play") raw.shift();
  /** @type {Place} */
  const found = { game: decode(raw[0]), moves: [] };
  for (let i = 1; i + 1 < raw.length; i += 2) {
    if (raw[i] === "moves") found.moves = raw[i + 1].split(",").filter(Boolean).map(decode);
    if (raw[i] === "position") found.start = decode(raw[i + 1]);
  }
  return found;
}

/**
 * The address of a position.
 * @param {Place} place
 * @param {{ page?: string, query?: URLSearchParams | Record<string, string> }} [more]
 */
export function format(place, { page = "play", query } = {}) {
  let hash = page === "play" ? "#" : `#${page}/`;
  hash += encode(place.game);
  if (place.start) hash += `/position/${encode(place.start)}`;
  if (place.moves.length) hash += `/moves/${place.moves.map(encode).join(",")}`;
  const text = new URLSearchParams(query).toString();
  return text ? `${hash}?${text}` : hash;
}

/** @param {string} text */
function encode(text) {
  // What people write in specs and moves stays readable.
  return encodeURIComponent(text).replace(/%3A/g, ":").replace(/%3D/g, "=").replace(/%40/g, "@");
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {string} text @param {string} at @returns {[string, string?]} */
function cut(text, at) {
  const i = text.indexOf(at);
  return i < 0 ? [text] : [text.slice(0, i), text.slice(i + 1)];
}
