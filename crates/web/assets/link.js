// @ts-check
// Addresses: `#go:size=5/moves/C3,D3?second=mcts`, `#explain/go/moves/C3`, `#tournaments/cup.db/game/3`.

/** @typedef {import("./types.js").Route} Route */
/** @typedef {import("./types.js").Place} Place */

const PAGES = ["explain", "tournaments"];

/** Parses the address of the page. @param {string} hash @returns {Route} */
export function parse(hash) {
  const [path, query = ""] = cut(hash.replace(/^#/, ""), "?");
  const parts = path.split("/").map(decode);
  const page = PAGES.includes(parts[0]) ? /** @type {string} */ (parts.shift()) : "play";
  const route = { page, path: parts, place: null, query: new URLSearchParams(query) };
  return page === "tournaments" || !parts[0] ? route : { ...route, place: place(path, page, route.query.get("text")) };
}

/** @param {string} path @param {string} page @param {string | null} key of its text @returns {Place} */
function place(path, page, key) {
  const raw = path.split("/");
  if (page !== "play") raw.shift();
  /** @type {Place} */
  const found = { game: decode(raw[0]), moves: [] };
  for (let i = 1; i + 1 < raw.length; i += 2) {
    if (raw[i] === "moves") found.moves = raw[i + 1].split(",").filter(Boolean).map(decode);
    if (raw[i] === "position") found.start = decode(raw[i + 1]);
  }
  if (key) found.text = sessionStorage.getItem(`text-${key}`) ?? undefined;
  return found;
}

/** Stores the text of a board or tree until the browser tab is closed. @param {string} text @returns {string} its key */
export function keep(text) {
  let hash = 5381;
  for (let i = 0; i < text.length; i++) hash = (hash * 33 + text.charCodeAt(i)) >>> 0;
  const key = hash.toString(36);
  sessionStorage.setItem(`text-${key}`, text);
  return key;
}

/**
 * Returns the address of a position.
 * @param {Place} place
 * @param {{ page?: string, query?: URLSearchParams | Record<string, string> }} [more]
 */
export function format(place, { page = "play", query } = {}) {
  let hash = page === "play" ? "#" : `#${page}/`;
  hash += encode(place.game).replace(/%2C/g, ",");
  if (place.start) hash += `/position/${encode(place.start)}`;
  if (place.moves.length) hash += `/moves/${place.moves.map(encode).join(",")}`;
  const text = new URLSearchParams(query).toString().replace(/%3A/g, ":").replace(/%3D/g, "=").replace(/%2C/g, ",");
  return text ? `${hash}?${text}` : hash;
}

/** @param {string} text */
function encode(text) {
  // Keep characters of specs and moves readable.
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

/** Goes to an address, and reloads the page if it is the current one. @param {string} hash */
export function visit(hash) {
  if (location.hash !== hash) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, "");
  dispatchEvent(new HashChangeEvent("hashchange"));
}
