// @ts-check
// Form for a new game. Fields and spec string show the same settings; the user can edit either.

import { Board } from "./board.js";
import { CLOCK_ERROR, terms } from "./clock.js";
import { colour, el, fill } from "./dom.js";
import { format, keep, visit } from "./link.js";
import { api, list } from "./net.js";
import { fromQuery, HUMAN, player, SEATS, strength, toQuery } from "./seats.js";

/** @typedef {import("./types.js").GameRow} GameRow */
/** @typedef {import("./types.js").AgentRow} AgentRow */
/** @typedef {import("./types.js").ParamRow} ParamRow */

/** Default game. */
const DEFAULT_GAME = "go:size=5";

/** Splits a spec such as `go:size=5,komi=0.5`. @param {string} spec */
export function parseSpec(spec) {
  const at = spec.indexOf(":");
  const name = (at < 0 ? spec : spec.slice(0, at)).trim();
  const pairs = at < 0 ? [] : spec.slice(at + 1).split(",").filter(Boolean);
  /** @type {Record<string, string>} */
  const values = {};
  for (const pair of pairs) {
    const [key, value = ""] = pair.split("=");
    values[key.trim()] = value.trim();
  }
  return { name, values };
}

/** @param {string} name @param {Record<string, string>} values */
export function formatSpec(name, values) {
  const pairs = Object.entries(values).filter(([, value]) => value !== "").map(([key, value]) => `${key}=${value}`);
  return pairs.length ? `${name}:${pairs.join(",")}` : name;
}

/**
 * Creates a field for a parameter.
 * @param {ParamRow} param @param {string} value @param {(value: string) => void} changed
 */
function field(param, value, changed) {
  const oninput = (/** @type {Event} */ event) => changed(/** @type {HTMLInputElement} */ (event.target).value);
  const words = param.values.split("|");
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(param.values);
  let control;
  if (range) {
    const whole = /^-?\d*$/.test(param.default) && param.key !== "komi";
    control = el("input", { type: "number", min: range[1], max: range[2], step: whole ? 1 : "any", value, placeholder: param.default || "default", oninput });
  } else if (words.every((word) => /^[a-z]+$/.test(word))) {
    control = el("select", { oninput }, ...words.map((word) => el("option", { value: word === param.default ? "" : word }, word)));
    control.value = value === param.default ? "" : value;
  } else {
    control = el("input", { type: "text", value, placeholder: param.default || "default", oninput });
  }
  return el("label", { title: `${param.help} (${param.values})` }, param.key, control);
}

/**
 * Creates the fields of a seat: who plays there.
 * @param {string} label @param {string} value @param {AgentRow[]} agents @param {string} tint @param {(seat: string) => void} changed
 */
function seat(label, value, agents, tint, changed) {
  const level = /^level-(\d+)$/.exec(value);
  const kind = value === HUMAN ? HUMAN : level ? "level" : value.split(":")[0];
  const plain = agents.filter((agent) => agent.name !== HUMAN && agent.name !== "script" && !agent.name.startsWith("level-"));
  const select = el("select", { "aria-label": `${label}: who plays` },
    el("option", { value: HUMAN }, "A person"),
    el("option", { value: "level" }, "Level 1 … 10"),
    el("optgroup", { label: "Agents" }, ...plain.map((agent) => el("option", { value: agent.name, title: agent.summary }, agent.name))));
  if (![...select.options].some((option) => option.value === kind)) select.append(el("option", { value: kind }, kind));
  select.value = kind;
  const detail = el("span", { class: "detail" });
  const show = (/** @type {string} */ chosen, /** @type {string} */ spec) => {
    if (chosen === HUMAN) return fill(detail);
    if (chosen === "level") {
      const words = el("output", {}, "");
      const slider = el("input", {
        type: "range", min: 1, max: 10, "aria-label": `${label}: level`, value: /\d+$/.exec(spec)?.[0] ?? "3",
        oninput: () => { say(); changed(`level-${slider.value}`); },
      });
      const say = () => {
        words.textContent = `${slider.value} · ${strength(Number(slider.value))}`;
        slider.setAttribute("aria-valuetext", words.textContent);
      };
      say();
      return fill(detail, slider, words);
    }
    const about = agents.find((agent) => agent.name === chosen);
    const input = el("input", {
      type: "text", class: "spec", "aria-label": `${label}: spec of the agent`, value: spec, spellcheck: "false",
      oninput: () => changed(input.value.trim() || chosen),
    });
    fill(detail, input, el("small", { class: "faint" }, about?.summary ?? ""));
  };
  select.addEventListener("input", () => {
    const spec = select.value === "level" ? "level-3" : select.value;
    show(select.value, spec);
    changed(spec);
  });
  show(kind, value);
  return el("div", { class: "seat", style: `--who:${tint}` }, el("span", { class: "swatch" }), el("b", {}, label), select, detail);
}

/**
 * Shows the form, filled in from a query: `?game=connect4&second=level-3`.
 * @param {HTMLElement} root
 * @param {URLSearchParams} query
 * @returns {import("./types.js").Page}
 */
export function openForm(root, query) {
  document.title = "New game · Tussle";
  let closed = false;
  /** @type {AbortController | null} */
  let asking = null;
  let spec = query.get("game") || DEFAULT_GAME;
  let text = "";
  let players = 2;
  let ok = true;
  /** The latest check. Starting a game waits for it. */
  let checked = Promise.resolve();
  const seats = fromQuery(query, SEATS.length);

  const games = el("div", { class: "games", role: "radiogroup", "aria-label": "Game" });
  const params = el("div", { class: "params row" });
  const files = el("div", { class: "files" });
  const specField = el("input", { type: "text", class: "spec", spellcheck: "false", value: spec, oninput: () => { spec = specField.value.trim(); filled(); check(); } });
  const error = el("p", { class: "wrong", role: "alert" });
  const seatsBox = el("div", { class: "seats" });
  const clock = el("input", { type: "text", list: "clocks", placeholder: "no clock", value: query.get("clock") ?? "", oninput: () => check() });
  const position = el("input", { type: "text", placeholder: "start of the game", value: query.get("position") ?? "", spellcheck: "false", oninput: () => check() });
  const seed = el("input", { type: "number", min: 0, placeholder: "random", value: query.get("seed") ?? "" });
  const start = el("button", { type: "submit", class: "primary start" }, "Play");
  const preview = el("div", { class: "preview", "aria-label": "Preview" });
  const board = new Board(preview, { onmove() {}, onrefuse() {} });

  const form = el("form", { class: "newgame", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); begin(); } },
    el("div", { class: "fields" },
      el("h1", {}, "New game"), games, params, files,
      el("fieldset", {}, el("legend", {}, "Players"), seatsBox,
        el("label", {}, "Clock", clock),
        el("datalist", { id: "clocks" }, ...["2s", "10s", "15s+1s", "5m+3s", "30s/2s"].map((value) => el("option", { value })))),
      el("details", { open: Boolean(position.value || seed.value) }, el("summary", {}, "More"),
        el("div", { class: "more" },
          el("label", {}, "Game and parameters as a spec", specField),
          el("label", {}, "Start position", position),
          el("label", {}, "Seed of chance and agents", seed))),
      error, el("div", { class: "begin" }, start)),
    preview);
  fill(root, form);

  /** @type {GameRow[]} */
  let rows = [];
  /** @type {AgentRow[]} */
  let agents = [];
  /** @type {string[]} */
  let trees = [];

  /** Shows the parameters of the game in the spec. */
  const filled = () => {
    const { name, values } = parseSpec(spec);
    const row = rows.find((game) => game.name === name);
    for (const card of games.querySelectorAll("input")) card.checked = card.value === name;
    const plain = row?.params.filter((param) => param.values !== "FILE") ?? [];
    fill(params, ...plain.map((param) => field(param, values[param.key] ?? "", (value) => {
      const now = parseSpec(spec);
      now.values[param.key] = value;
      write(formatSpec(now.name, now.values));
    })));
    fill(files, ...(row?.params.some((param) => param.values === "FILE") ? texts(name, values.file ?? "") : []));
  };

  /** Creates the fields for a board or tree: its text, a file, or the name of a built-in tree. @param {string} name @param {string} file */
  const texts = (name, file) => {
    const area = el("textarea", {
      rows: 6, spellcheck: "false", value: text, oninput: () => { text = area.value; check(); },
      placeholder: name === "tree" ? '{ "root": "a", "nodes": { "a": { "max": ["b", "c"] }, "b": 1, "c": 2 } }' : "1..#\n....\n#..2",
    });
    const picker = el("input", { type: "file", "aria-label": "Read a file", oninput: async () => {
      const chosen = picker.files?.[0];
      if (!chosen) return;
      text = area.value = await chosen.text();
      check();
    } });
    const pick = name === "tree" && el("select", { "aria-label": "Tree", oninput: (/** @type {Event} */ event) => {
      text = area.value = "";
      const value = /** @type {HTMLSelectElement} */ (event.target).value;
      own.hidden = value !== "";
      write(value ? `tree:file=${value}` : "tree");
    } }, ...trees.map((tree) => el("option", { value: tree }, tree)), el("option", { value: "" }, "your own tree"));
    const own = el("div", {}, el("label", {}, name === "tree" ? "The tree, as JSON" : "Your own board: # is a blocked cell, . a free cell, a digit the start of a player", area), picker);
    if (pick) {
      pick.value = text ? "" : file;
      own.hidden = pick.value !== "";
      return [el("label", {}, "Tree", pick), own];
    }
    return [el("details", { open: text !== "" }, el("summary", {}, "Your own board"), own)];
  };

  /** @param {string} now */
  const write = (now) => {
    spec = specField.value = now;
    check();
  };

  const showSeats = () => {
    fill(seatsBox, ...seats.slice(0, players).map((value, i) =>
      seat(player(players, i), value, agents, parseSpec(spec).name === "go" ? `var(--stone-${i})` : colour(i), (now) => { seats[i] = now; check(); })));
  };

  const check = () => { checked = ask(); };

  /** Asks the server to check the settings, and shows the position or the error. */
  const ask = async () => {
    asking?.abort();
    const mine = (asking = new AbortController());
    const wrong = (/** @type {string} */ why) => {
      error.textContent = why;
      ok = why === "";
      start.disabled = !ok;
    };
    const time = clock.value.trim();
    if (time && !terms(time)) return wrong(CLOCK_ERROR);
    if (spec === "tree" && !text) return wrong("Tree: enter a tree as JSON, read a file, or choose a built-in tree.");
    try {
      const seen = await api("position", { game: spec, text: text || undefined, start: position.value.trim() || undefined, moves: [] }, mine.signal);
      if (closed || mine !== asking) return;
      board.show(seen.board, false);
      if (seen.players !== players || !seatsBox.firstChild) {
        players = seen.players;
        showSeats();
      }
      const agents = seats.slice(0, players);
      const told = await api("check", { place: { game: spec, text: text || undefined }, agents }, mine.signal);
      if (closed || mine !== asking) return;
      const bad = told.wrong.findIndex(Boolean);
      wrong(bad < 0 ? "" : `${player(players, bad)}: ${told.wrong[bad]}`);
    } catch (why) {
      if (!mine.signal.aborted) wrong(String(/** @type {Error} */ (why).message));
    }
  };

  const begin = async () => {
    await checked;
    if (!ok || closed) return;
    /** @type {Record<string, string>} */
    const settings = toQuery(seats.slice(0, players));
    if (clock.value.trim()) settings.clock = clock.value.trim();
    if (seed.value) settings.seed = seed.value;
    if (text) settings.text = keep(text);
    const place = { game: text ? parseSpec(spec).name : spec, start: position.value.trim() || undefined, moves: [] };
    visit(format(place, { query: settings }));
  };

  const fetched = async () => {
    try {
      const [known, who, lists] = await Promise.all([list("games"), list("agents"), list("trees")]);
      if (closed) return;
      [rows, agents, trees] = [known, who, lists.trees];
    } catch (why) {
      error.textContent = String(/** @type {Error} */ (why).message);
      return;
    }
    fill(games, ...rows.map((row) => el("label", { class: "game" },
      el("input", { type: "radio", name: "game", value: row.name, oninput: () => {
        text = position.value = "";
        write(row.name === "tree" ? `tree:file=${trees[0]}` : row.name);
        filled();
        showSeats();
      } }), el("b", {}, row.name), el("small", {}, row.summary))));
    const key = query.get("text");
    text = (key && sessionStorage.getItem(`text-${key}`)) || "";
    if (spec === "tree" && !text) spec = specField.value = `tree:file=${trees[0]}`;
    filled();
    showSeats();
    check();
    start.focus({ preventScroll: true });
  };
  fetched();
  return { close() { closed = true; asking?.abort(); } };
}
