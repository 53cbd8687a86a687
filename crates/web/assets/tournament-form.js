// @ts-check
// Form for a new tournament; its fields are those of a tournament file.

import { el, fill } from "./dom.js";
import { api, list } from "./net.js";
import { address } from "./tournaments.js";

/** @typedef {import("./types.js").GameRow} GameRow */
/** @typedef {import("./types.js").AgentRow} AgentRow */

/** @typedef {{ name: string, summary: string, endless: boolean, pairs: number[] }} Format */

/** Default tournament, which takes a few seconds. */
const DEFAULTS = { game: "connect4", agents: ["mcts", "level-4", "greedy", "random"], rounds: 5, nodes: 200, plies: 2 };

/** @param {string} text */
const number = (text) => (text.trim() === "" ? undefined : Number(text));

/** @param {HTMLElement} root @param {{ programs: boolean, jobs: number, formats: Format[] }} server */
export function form(root, server) {
  const spec = el("input", { name: "game", value: DEFAULTS.game, required: true, spellcheck: "false", autocapitalize: "off" });
  const games = el("select", { onchange: () => { spec.value = games.value; count(); } });
  const rows = el("div", { class: "rows" });
  const known = el("datalist", { id: "agents-known" });
  const format = el("select", { name: "format", onchange: () => count() },
    ...server.formats.map(({ name }) => el("option", { value: name }, name)));
  const chosen = () => server.formats.find(({ name }) => name === format.value) ?? server.formats[0];
  const told = el("p", { class: "faint small", id: "format-told" });
  format.setAttribute("aria-describedby", told.id);
  const input = (/** @type {Record<string, any>} */ more) => el("input", { size: 8, oninput: () => count(), ...more });
  const whole = { type: "number", min: 1, step: 1, inputmode: "numeric" };
  const rounds = input({ ...whole, value: DEFAULTS.rounds, name: "rounds" });
  const total = input({ ...whole, min: 2, value: 60, name: "games" });
  const nodes = input({ ...whole, value: DEFAULTS.nodes, name: "nodes" });
  const depth = input({ ...whole, name: "depth" });
  const clock = input({ name: "clock", placeholder: "15s+1s", spellcheck: "false" });
  const plies = input({ ...whole, min: 0, max: 200, value: DEFAULTS.plies, name: "plies" });
  const seed = input({ ...whole, min: 0, value: 1, name: "seed" });
  const jobs = input({ ...whole, max: server.jobs, value: 1, name: "jobs" });
  const name = input({ size: 20, name: "name", placeholder: "game and date", spellcheck: "false", maxlength: 100 });
  const sprt = el("input", { type: "checkbox", onchange: () => count() });
  const test = el("input", { name: "sprt", value: "elo0=0,elo1=50", spellcheck: "false", size: 24 });
  const trouble = el("div", { class: "wrong", role: "alert" });
  const size = el("span", { class: "faint", role: "status" });
  const start = el("button", { class: "primary", type: "submit" }, "Start");
  const roundsLabel = label("Rounds", rounds, "Game pairs per pairing.");
  const totalLabel = label("Games", total, "Total number of games.");
  const testLabel = label("SPRT", test, "Is the first agent elo0 or elo1 Elo stronger than the second? The match ends once one hypothesis is accepted.");

  const more = el("button", { type: "button", onclick: () => { add(""); count(); /** @type {any} */ (rows.lastElementChild?.querySelector(".agent-spec"))?.focus(); } }, "+ Add an agent");

  /** Fields by their keys in a tournament file, which error messages of the server name. @type {Record<string, HTMLInputElement>} */
  const fields = { game: spec, rounds, games: total, nodes, depth, clock, "opening-plies": plies, seed, jobs, name, sprt: test };

  const entries = () => [...rows.children].map((row) => {
    const [agent, named] = /** @type {HTMLInputElement[]} */ ([...row.querySelectorAll("input")]);
    return { name: named.value.trim(), agent: agent.value.trim() };
  });
  /** Numbers the labels of the rows. */
  const renumber = () => [...rows.children].forEach((row, i) => {
    const labels = [`Agent ${i + 1}`, `Name of agent ${i + 1}, if it is not its spec`, `Remove agent ${i + 1}`];
    [...row.children].forEach((one, at) => one.setAttribute("aria-label", labels[at]));
  });
  const remove = (/** @type {HTMLElement} */ row) => {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    renumber();
    count();
    (next?.querySelector("input") ?? more).focus();
  };
  const add = (/** @type {string} */ agent) => {
    const row = el("div", { class: "entry" },
      el("input", { class: "agent-spec", value: agent, list: known.id, spellcheck: "false", autocapitalize: "off", placeholder: "mcts:nodes=500", oninput: () => count() }),
      el("input", { class: "agent-name", placeholder: "name", size: 9, oninput: () => count() }),
      el("button", { type: "button", title: "Remove", onclick: () => remove(row) }, "✕"));
    rows.append(row);
    renumber();
  };

  /** Returns the request of the form. */
  const request = () => {
    const { endless } = chosen();
    const agents = entries().filter(({ agent }) => agent).map(({ name, agent }) => (name ? { name, agent } : agent));
    return {
      name: name.value.trim() || undefined, game: spec.value.trim(), agents, format: format.value,
      rounds: endless ? undefined : number(rounds.value), games: endless ? number(total.value) : undefined,
      clock: clock.value.trim() || undefined, nodes: number(nodes.value), depth: number(depth.value),
      "opening-plies": number(plies.value), seed: number(seed.value), jobs: number(jobs.value),
      sprt: sprt.checked && agents.length === 2 ? test.value.trim() : undefined,
    };
  };

  /** Returns the error of a number field, or an empty string. @param {HTMLInputElement} field @param {string} text @param {boolean} needed */
  const numberError = (field, text, needed) => {
    const { value, min, max, validity } = field;
    const n = value.trim() === "" || validity.badInput ? NaN : Number(value);
    if (!needed && value.trim() === "" && !validity.badInput) return "";
    if (Number.isSafeInteger(n) && n >= Number(min) && (max === "" || n <= Number(max))) return "";
    return `${text}: expected a whole number, ${max === "" ? `${min} or more` : `from ${min} to ${max}`}${needed ? "" : ", or an empty field"}.`;
  };

  /**
   * Returns an error of the request that the page can find, and its field.
   * @param {ReturnType<typeof request>} asked @returns {[string, HTMLElement] | null}
   */
  const wrong = (asked) => {
    const agents = /** @type {HTMLInputElement[]} */ ([...rows.querySelectorAll(".agent-spec")]);
    if (!asked.game) return ["Choose a game.", spec];
    if (asked.agents.length < 2) return ["Name at least two agents.", agents.find((one) => !one.value.trim()) ?? more];
    const named = /** @type {HTMLInputElement[]} */ ([...rows.querySelectorAll(".agent-name")]);
    const names = named.map((one) => one.value.trim());
    const twice = names.findIndex((one, i) => one && names.indexOf(one) !== i);
    if (twice >= 0) return [`Two agents have the name ${names[twice]}: use different names.`, named[twice]];
    /** @type {[HTMLInputElement, string, boolean][]} */
    const numbers = [chosen().endless ? [total, "Games", true] : [rounds, "Rounds", true], [nodes, "Nodes", false], [depth, "Plies", false],
      [plies, "Random opening moves", true], [seed, "Seed", true], [jobs, "Parallel games", true]];
    for (const [field, text, needed] of numbers) {
      const why = numberError(field, text, needed);
      if (why) return [why, field];
    }
    if (asked.nodes === undefined && asked.depth === undefined && !asked.clock) return ["Set a limit per move: nodes, plies or a clock.", nodes];
    return null;
  };

  /** Shows an error and moves the focus to its field. @param {string} why @param {HTMLElement} [field] */
  const complain = (why, field) => {
    fill(trouble, why);
    if (!field) return;
    const folded = field.closest("details");
    if (folded) folded.open = true;
    if (field !== more) field.setAttribute("aria-invalid", "true");
    field.focus();
  };

  /** Updates the number of games and the visible fields. */
  const count = () => {
    const asked = request();
    const n = asked.agents.length;
    const { endless, pairs, summary } = chosen();
    roundsLabel.hidden = endless;
    totalLabel.hidden = !endless;
    sprt.disabled = n !== 2;
    testLabel.hidden = !sprt.checked || n !== 2;
    told.textContent = `${summary}.`;
    const games = endless ? asked.games ?? 0 : (pairs[n] ?? 0) * 2 * (asked.rounds ?? 1);
    // The number is only known for games of two players.
    size.textContent = n < 2 || !Number.isSafeInteger(games) || games < 1 ? "" : `${asked.sprt ? "at most " : ""}${games} games of two players`;
    fill(trouble);
    for (const one of root.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
  };

  const begin = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const asked = request();
    const why = wrong(asked);
    if (why) return complain(...why);
    start.disabled = true;
    fill(trouble);
    try {
      const begun = await api("tournaments", asked);
      location.hash = address(begun.name);
    } catch (error) {
      const why = /** @type {Error} */ (error).message;
      start.disabled = false;
      complain(why, fields[why.split(":")[0]]);
    }
  };

  fill(root,
    el("h2", { id: "begin" }, "New tournament"),
    el("form", { class: "begin", onsubmit: begin, novalidate: true },
      el("fieldset", {}, el("legend", {}, "Game"),
        el("div", { class: "row top" }, label("Name", games), label("Spec", spec, "name:key=value,…; key=0..4 plays several boards in turn."))),
      el("fieldset", {}, el("legend", {}, "Agents"), known, rows,
        more,
        el("p", { class: "faint small" }, server.programs
          ? "Built-in agents, such as mcts or the levels level-1 (weakest) to level-10, or programs: ugi:COMMAND, gtp:COMMAND, json:COMMAND."
          : "Built-in agents, such as mcts or the levels level-1 (weakest) to level-10. Programs need a server started with --allow-programs.")),
      el("fieldset", {}, el("legend", {}, "Format"),
        el("div", { class: "row top" }, label("Pairing format", format), roundsLabel, totalLabel), told,
        el("label", { class: "check" }, sprt, el("span", {}, "Stop once an SPRT shows which agent is stronger (two agents)")), testLabel),
      el("fieldset", {}, el("legend", {}, "Limits per move"),
        el("div", { class: "row top" },
          label("Nodes", nodes, "Positions or simulations; gives reproducible games."), label("Plies", depth, "Depth limit of classical searches."),
          label("Clock", clock, "2s per move, or 15s base time + 1s per move."))),
      el("details", {}, el("summary", {}, "More: openings, seed, parallel games, name"),
        el("div", { class: "row top" },
          label("Random opening moves", plies, "The same in both games of a pair. Without them, deterministic agents repeat one game."),
          label("Seed", seed, "The same seed plays the same games."),
          label("Parallel games", jobs, `At most ${server.jobs} on this server.`),
          label("Name", name, "Name of the store. An existing store of the same tournament is resumed."))),
      trouble,
      el("div", { class: "row" }, start, size)));
  for (const agent of DEFAULTS.agents) add(agent);
  count();
  suggest(games, known, spec);
}

/** Fills the lists of games and agents. @param {HTMLSelectElement} games @param {HTMLElement} known @param {HTMLInputElement} spec */
async function suggest(games, known, spec) {
  /** @type {[GameRow[], AgentRow[]]} */
  const [rows, agents] = await Promise.all([list("games"), list("agents")]);
  // Trees are read from files, which pages may not open.
  games.append(...rows.filter((row) => row.name !== "tree").map((row) =>
    el("option", { value: row.name, title: row.summary, selected: row.name === spec.value.split(":")[0] }, row.name)));
  known.append(...agents.filter((row) => row.name !== "human").map((row) => el("option", { value: row.name }, row.summary)));
}

/** Creates a labelled field with an explanation. @param {string} text @param {HTMLElement} field @param {string} [why] */
function label(text, field, why) {
  return el("label", { class: "field" }, text, field, why && el("span", { class: "small faint" }, why));
}
