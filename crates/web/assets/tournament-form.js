// @ts-check
// What is to be played: the words of a tournament file as a form.

import { el, fill } from "./dom.js";
import { api, list } from "./net.js";
import { address } from "./tournaments.js";

/** @typedef {import("./types.js").GameRow} GameRow */
/** @typedef {import("./types.js").AgentRow} AgentRow */

/** @typedef {{ name: string, summary: string, endless: boolean, pairs: number[] }} Format */

/** What finishes within seconds and shows something. */
const USUAL = { game: "connect4", agents: ["mcts", "level-4", "greedy", "random"], rounds: 5, nodes: 200, plies: 2 };

/** @param {string} text */
const number = (text) => (text.trim() === "" ? undefined : Number(text));

/** @param {HTMLElement} root @param {{ programs: boolean, jobs: number, formats: Format[] }} hall */
export function form(root, hall) {
  const spec = el("input", { name: "game", value: USUAL.game, required: true, spellcheck: "false", autocapitalize: "off" });
  const games = el("select", { onchange: () => { spec.value = games.value; count(); } });
  const rows = el("div", { class: "rows" });
  const known = el("datalist", { id: "agents-known" });
  const format = el("select", { name: "format", onchange: () => count() },
    ...hall.formats.map(({ name }) => el("option", { value: name }, name)));
  const chosen = () => hall.formats.find(({ name }) => name === format.value) ?? hall.formats[0];
  const told = el("p", { class: "faint small", id: "format-told" });
  format.setAttribute("aria-describedby", told.id);
  const input = (/** @type {Record<string, any>} */ more) => el("input", { size: 8, oninput: () => count(), ...more });
  const whole = { type: "number", min: 1, step: 1, inputmode: "numeric" };
  const rounds = input({ ...whole, value: USUAL.rounds, name: "rounds" });
  const total = input({ ...whole, min: 2, value: 60, name: "games" });
  const nodes = input({ ...whole, value: USUAL.nodes, name: "nodes" });
  const depth = input({ ...whole, name: "depth" });
  const clock = input({ name: "clock", placeholder: "15s+1s", spellcheck: "false" });
  const plies = input({ ...whole, min: 0, max: 200, value: USUAL.plies, name: "plies" });
  const seed = input({ ...whole, min: 0, value: 1, name: "seed" });
  const jobs = input({ ...whole, max: hall.jobs, value: 1, name: "jobs" });
  const name = input({ size: 20, name: "name", placeholder: "the game and the day", spellcheck: "false", maxlength: 100 });
  const sprt = el("input", { type: "checkbox", onchange: () => count() });
  const test = el("input", { name: "sprt", value: "elo0=0,elo1=50", spellcheck: "false", size: 24 });
  const trouble = el("div", { class: "wrong", role: "alert" });
  const size = el("span", { class: "faint", role: "status" });
  const start = el("button", { class: "primary", type: "submit" }, "Start");
  const roundsLabel = label("Rounds", rounds, "Pairs of games for those who meet.");
  const totalLabel = label("Games", total, "In all.");
  const testLabel = label("Test", test, "Is the first agent rather elo0 or elo1 stronger than the second? The match ends with the answer.");

  const more = el("button", { type: "button", onclick: () => { add(""); count(); /** @type {any} */ (rows.lastElementChild?.querySelector(".agent-spec"))?.focus(); } }, "+ Add an agent");

  /** The fields by the words of a tournament file, which are the server's. @type {Record<string, HTMLInputElement>} */
  const fields = { game: spec, rounds, games: total, nodes, depth, clock, "opening-plies": plies, seed, jobs, name, sprt: test };

  const entries = () => [...rows.children].map((row) => {
    const [agent, named] = /** @type {HTMLInputElement[]} */ ([...row.querySelectorAll("input")]);
    return { name: named.value.trim(), agent: agent.value.trim() };
  });
  /** Labels count the rows that are there. */
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

  /** What the form asks for. */
  const wish = () => {
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

  /** What a number may be, if it is not that. @param {HTMLInputElement} field @param {string} text @param {boolean} needed */
  const miscounted = (field, text, needed) => {
    const { value, min, max, validity } = field;
    const n = value.trim() === "" || validity.badInput ? NaN : Number(value);
    if (!needed && value.trim() === "" && !validity.badInput) return "";
    if (Number.isSafeInteger(n) && n >= Number(min) && (max === "" || n <= Number(max))) return "";
    return `${text}: write a whole number, ${max === "" ? `${min} or more` : `from ${min} to ${max}`}${needed ? "" : ", or nothing"}.`;
  };

  /**
   * What is wrong with it, as far as that is known here, and where.
   * @param {ReturnType<typeof wish>} asked @returns {[string, HTMLElement] | null}
   */
  const wrong = (asked) => {
    const agents = /** @type {HTMLInputElement[]} */ ([...rows.querySelectorAll(".agent-spec")]);
    if (!asked.game) return ["Choose a game.", spec];
    if (asked.agents.length < 2) return ["Name at least two agents.", agents.find((one) => !one.value.trim()) ?? more];
    const named = /** @type {HTMLInputElement[]} */ ([...rows.querySelectorAll(".agent-name")]);
    const names = named.map((one) => one.value.trim());
    const twice = names.findIndex((one, i) => one && names.indexOf(one) !== i);
    if (twice >= 0) return [`Two agents are called ${names[twice]}: give them different names.`, named[twice]];
    /** @type {[HTMLInputElement, string, boolean][]} */
    const numbers = [chosen().endless ? [total, "Games", true] : [rounds, "Rounds", true], [nodes, "Nodes", false], [depth, "Plies", false],
      [plies, "Random opening moves", true], [seed, "Seed", true], [jobs, "Games at once", true]];
    for (const [field, text, needed] of numbers) {
      const why = miscounted(field, text, needed);
      if (why) return [why, field];
    }
    if (asked.nodes === undefined && asked.depth === undefined && !asked.clock) return ["Say how much a move may take: nodes, plies or time.", nodes];
    return null;
  };

  /** Says it, and leads to the field. @param {string} why @param {HTMLElement} [field] */
  const complain = (why, field) => {
    fill(trouble, why);
    if (!field) return;
    const folded = field.closest("details");
    if (folded) folded.open = true;
    if (field !== more) field.setAttribute("aria-invalid", "true");
    field.focus();
  };

  /** Says how many games it will be. */
  const count = () => {
    const asked = wish();
    const n = asked.agents.length;
    const { endless, pairs, summary } = chosen();
    roundsLabel.hidden = endless;
    totalLabel.hidden = !endless;
    sprt.disabled = n !== 2;
    testLabel.hidden = !sprt.checked || n !== 2;
    told.textContent = `${summary}.`;
    const games = endless ? asked.games ?? 0 : (pairs[n] ?? 0) * 2 * (asked.rounds ?? 1);
    // Games of more than two players are counted by the server.
    size.textContent = n < 2 || !Number.isSafeInteger(games) || games < 1 ? "" : `${asked.sprt ? "at most " : ""}${games} games of two players`;
    fill(trouble);
    for (const one of root.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
  };

  const begin = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const asked = wish();
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
    el("h2", { id: "begin" }, "Start one"),
    el("form", { class: "begin", onsubmit: begin, novalidate: true },
      el("fieldset", {}, el("legend", {}, "Game"),
        el("div", { class: "row top" }, label("Name", games), label("Spec", spec, "name:key=value,…; key=0..4 plays several boards in turn."))),
      el("fieldset", {}, el("legend", {}, "Agents"), known, rows,
        more,
        el("p", { class: "faint small" }, hall.programs
          ? "Agents of the catalog (level-1 to level-10 are a ladder), or programs: ugi:COMMAND, gtp:COMMAND, json:COMMAND."
          : "Agents of the catalog; level-1 to level-10 are a ladder. Programs only if the server was started with --allow-programs.")),
      el("fieldset", {}, el("legend", {}, "Format"),
        el("div", { class: "row top" }, label("Who meets whom", format), roundsLabel, totalLabel), told,
        el("label", { class: "check" }, sprt, el("span", {}, "Stop when it is clear who is stronger (SPRT; two agents)")), testLabel),
      el("fieldset", {}, el("legend", {}, "A move may take"),
        el("div", { class: "row top" },
          label("Nodes", nodes, "Positions or playouts; repeatable."), label("Plies", depth, "For searches by depth."),
          label("Clock", clock, "2s a move, 15s+1s a game."))),
      el("details", {}, el("summary", {}, "More: openings, seed, how many at once, name"),
        el("div", { class: "row top" },
          label("Random opening moves", plies, "The same for both games of a pair: without them games repeat."),
          label("Seed", seed, "The same seed plays the same games."),
          label("Games at once", jobs, `At most ${hall.jobs} on this server.`),
          label("Name", name, "Of the store. An existing one of the same tournament goes on."))),
      trouble,
      el("div", { class: "row" }, start, size)));
  for (const agent of USUAL.agents) add(agent);
  count();
  suggest(games, known, spec);
}

/** Games and agents to choose from. @param {HTMLSelectElement} games @param {HTMLElement} known @param {HTMLInputElement} spec */
async function suggest(games, known, spec) {
  /** @type {[GameRow[], AgentRow[]]} */
  const [rows, agents] = await Promise.all([list("games"), list("agents")]);
  // A tree is read from a file, which pages do not open.
  games.append(...rows.filter((row) => row.name !== "tree").map((row) =>
    el("option", { value: row.name, title: row.summary, selected: row.name === spec.value.split(":")[0] }, row.name)));
  known.append(...agents.filter((row) => row.name !== "human").map((row) => el("option", { value: row.name }, row.summary)));
}

/** A labelled field with a phrase that explains it. @param {string} text @param {HTMLElement} field @param {string} [why] */
function label(text, field, why) {
  return el("label", { class: "field" }, text, field, why && el("span", { class: "small faint" }, why));
}
