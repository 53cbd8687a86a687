// @ts-check
// Page of a tournament, live or finished.

import { errorAxis, errorBar, rangeOf, testCurve } from "./charts.js";
import { el, fill, toast } from "./dom.js";
import { api } from "./net.js";
import { games } from "./tournament-games.js";
import { count, points, wide } from "./tournaments.js";

/** @typedef {import("./types.js").Route} Route */
/** @typedef {import("./types.js").Page} Page */

/** @param {number} n */
const half = (n) => `${Math.floor(n) || (n % 1 ? "" : 0)}${n % 1 ? "½" : ""}`;
/** @param {number} n */
const signed = (n) => (Math.round(n) > 0 ? "+" : Math.round(n) < 0 ? "−" : "") + Math.abs(Math.round(n));
/** @param {{ value: number | null, error: number | null }} elo */
const plusMinus = ({ value, error }) => (value === null ? "–" : signed(value) + (error === null ? "" : ` ± ${Math.round(error)}`));
/** @param {number | null} ms */
const time = (ms) => (ms === null ? "–" : ms < 1 ? `${Math.round(ms * 1000)} µs` : ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(2)} s`);
/** @param {number} s */
const span = (s) => (s < 90 ? `${Math.ceil(s)} s` : s < 5400 ? `${Math.round(s / 60)} min` : `${(s / 3600).toFixed(1)} h`);

/** @param {HTMLElement} root @param {Route} route @param {import("./net.js").Live} live @returns {Page} */
export function open(root, route, live) {
  const name = route.path[0];
  const path = `tournaments/${encodeURIComponent(name)}`;
  const section = (/** @type {string} */ id, /** @type {string} */ sort = "panel") => el("section", { class: sort, id });
  const head = section("head", "cup-head");
  const parts = { standing: section("standing"), cross: section("cross"), test: section("test"), seats: section("seats"), health: section("health") };
  const list = section("games");
  const files = section("files");
  fill(root, el("p", { class: "back small" }, el("a", { href: "#tournaments" }, "← All tournaments")), el("h1", {}, name), head);
  const status = el("p", { role: "status", class: "cup-status" }, "Reading the store …");
  const bar = el("progress", { "aria-label": "Games played", max: 1, value: 0 });
  const stop = el("button", { onclick: () => act("stop"), hidden: true }, "Stop");
  const resume = el("button", { onclick: () => act("resume"), hidden: true, class: "primary" }, "Resume");
  const about = el("p", { class: "faint" });
  const verdict = el("div", { class: "findings", "aria-live": "polite" });
  head.append(about, el("div", { class: "row cup-progress" }, bar, stop, resume), status, verdict);

  /** @type {any} */
  let doc = null;
  /** @type {number | null} */
  let watching = null;
  let closed = false;
  let asked = 0;
  let timer = 0;
  let wait = 1000;
  /** @type {ReturnType<typeof games> | null} */
  let table = null;

  /** Reads the results. */
  const look = async () => {
    timer = 0;
    const began = performance.now();
    const turn = ++asked;
    try {
      const told = await api(path);
      if (closed || turn !== asked) return;
      doc = told;
    } catch (error) {
      if (closed || turn !== asked) return;
      if (doc) {
        // The server may be back soon: try again.
        status.textContent = /** @type {Error} */ (error).message;
        timer = setTimeout(look, 5000);
        return;
      }
      return fill(head, el("p", { class: "wrong" }, /** @type {Error} */ (error).message), el("p", {}, el("a", { href: "#tournaments" }, "List of tournaments")));
    }
    // Reading a long store takes time, so wait longer before the next time.
    wait = Math.max(1000, 5 * (performance.now() - began));
    if (!table) {
      root.append(el("div", { class: "cup-parts" }, ...Object.values(parts)), list, files);
      table = games(list, name, doc);
      downloads(files, path, doc);
    }
    state(doc.state);
    show(doc);
    table.refresh(doc);
    if (doc.config.sprt) curve();
    if (doc.state.running && watching === null) watch();
  };

  const curve = async () => {
    const told = await api(`${path}/sprt`).catch(() => null);
    if (told && !closed) fill(parts.test, ...test(told, parts.test.clientWidth - 30));
  };

  const watch = () => {
    watching = live.begin({ op: "watch", tournament: name }, (told) => {
      if (told.event === "error") return toast(told.error ?? "the tournament cannot be followed");
      if (told.event === "progress") {
        progress(told);
        if (!timer) timer = setTimeout(look, wait);
      }
      if (told.event === "done") {
        watching = null;
        clearTimeout(timer);
        look();
      }
    });
  };

  /** Stops or resumes the tournament. @param {"stop" | "resume"} what */
  const act = async (what) => {
    stop.disabled = resume.disabled = true;
    try {
      const told = await api(`${path}/${what}`, {});
      if (told.note) toast(told.note);
      if (what === "stop") status.textContent = "Stopping after the current games.";
      else await look();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    stop.disabled = resume.disabled = false;
  };

  /** @param {any} told played, scheduled, eta_s, latest, sprt */
  const progress = (told) => {
    bar.max = Math.max(1, told.scheduled);
    bar.value = told.played;
    const latest = told.latest && `; game ${told.latest.id}: ${told.latest.agents.join(" v ")} ${points(told.latest.result)}`;
    const left = typeof told.eta_s === "number" && !doc?.config.sprt ? `, about ${span(told.eta_s)} left` : "";
    const llr = typeof told.sprt?.llr === "number" ? `, LLR ${told.sprt.llr.toFixed(2)} (${told.sprt.lower.toFixed(2)}, ${told.sprt.upper.toFixed(2)})` : "";
    status.textContent = `${told.stopping ? "Stopping: " : ""}${told.played} of ${doc?.config.sprt ? "at most " : ""}${count(told.scheduled, "game")}${left}${llr}${latest ?? ""}`;
  };

  /** @param {any} now */
  const state = (now) => {
    stop.hidden = now.running !== "here";
    resume.hidden = Boolean(now.running) || now.complete;
    // Games cancelled by withdrawals do not count as scheduled.
    progress({ ...now, scheduled: Math.max(now.played, now.scheduled - doc.cancelled), sprt: doc.sprt });
    const cancelled = doc.cancelled ? `; ${count(doc.cancelled, "game")} cancelled by withdrawals` : "";
    const words = now.running === "elsewhere" ? "; another process is playing it" : now.running ? "" : now.complete ? ": complete" : ": stopped, can be resumed";
    status.textContent += words + cancelled;
    if (now.complete && !now.running) bar.value = bar.max;
    fill(about, `${doc.config.games.join(", ")} · ${terms(doc.config)}`, !now.kept && el("strong", {}, " · kept only until the server ends: download what you need"));
  };

  /** @param {any} doc */
  const show = (doc) => {
    const played = doc.state.played;
    fill(verdict,
      doc.conclusion ? el("p", { class: "conclusion" }, doc.conclusion) : el("p", { class: "faint" }, played ? "No conclusion yet." : "No game has ended yet."),
      ...doc.warnings.map((/** @type {string} */ text) => el("p", { class: "warning" }, "⚠ ", text)),
      ...doc.withdrawn.map((/** @type {string} */ who) => el("p", { class: "warning" }, `⚠ ${who} was withdrawn after ${count(doc.config.strikes, "fault")}`)),
      doc.state.error && el("p", { class: "wrong" }, doc.state.error));
    refill(parts.standing, ...standing(doc));
    parts.cross.hidden = doc.players !== 2;
    if (doc.players === 2) refill(parts.cross, ...crosstable(doc));
    parts.test.hidden = !doc.config.sprt;
    refill(parts.seats, ...seats(doc));
    refill(parts.health, ...health(doc));
  };

  look();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      if (watching !== null) live.drop(watching);
    },
  };
}

/** Returns the terms of the tournament in words. @param {any} config */
function terms({ clock, nodes, depth, format, rounds, limit, opening_plies, seed }) {
  const parts = [format === "adaptive" ? `adaptive, ${limit} games` : `${format}, ${rounds} ${rounds === 1 ? "round" : "rounds"}`];
  if (nodes) parts.push(`${nodes} nodes per move`);
  if (depth) parts.push(`${depth} plies per move`);
  if (!nodes && !depth) parts.push(`clock ${clock}`);
  if (opening_plies) parts.push(`${opening_plies} random opening moves`);
  parts.push(`seed ${seed}`);
  return parts.join(" · ");
}

/** Replaces the content of an element, and keeps the scroll positions of its tables. @param {HTMLElement} root @param {...any} children */
function refill(root, ...children) {
  const boxes = () => [...root.querySelectorAll(".wide")];
  const were = boxes().map((box) => box.scrollLeft);
  fill(root, ...children);
  boxes().forEach((box, i) => (box.scrollLeft = were[i] ?? 0));
}

/** Renders the standings with ratings. @param {any} doc */
function standing(doc) {
  const range = rangeOf(doc.table.map((/** @type {any} */ row) => row.rating));
  const many = doc.players !== 2;
  const uneven = new Set(doc.table.filter((/** @type {any} */ row) => !row.withdrawn).map((/** @type {any} */ row) => row.games)).size > 1;
  const left = doc.table.filter((/** @type {any} */ row) => row.uncounted.games);
  const heads = ["", "Agent", "Rating", `${doc.players === 2 ? "Elo" : "Elo of the table"}, ± 95 %`, "Points", many ? "Mean rank" : "W D L", "Games"];
  return [
    el("h2", {}, "Standings and ratings"),
    wide("Standings", el("table", { class: "standing" },
      el("thead", {}, el("tr", {}, ...heads.map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, ...doc.table.map((/** @type {any} */ row, /** @type {number} */ i) => el("tr", { class: row.withdrawn ? "withdrawn" : "" },
        el("td", {}, row.withdrawn ? "–" : i + 1), agent(row),
        el("td", { class: "rating" }, plusMinus(row.rating)),
        el("td", {}, errorBar(row.rating, range)),
        el("td", {}, many ? Number(row.points.toFixed(2)) + (row.points_error === null ? "" : ` ± ${row.points_error.toFixed(1)}`) : half(row.points)),
        el("td", {}, many ? rank(row.mean_rank) : `${row.wins} ${row.draws} ${row.losses}`),
        el("td", {}, row.games)))),
      el("tfoot", { "aria-hidden": "true" }, el("tr", {}, el("td", { colspan: 3 }), el("td", {}, errorAxis(range)), el("td", { colspan: 3 }))))),
    doc.sorted_by === "rating" && uneven && el("p", { class: "faint small" }, "Sorted by rating, because the agents played different numbers of games."),
    left.length > 0 && el("h3", {}, "Not counted, because an agent was withdrawn"),
    left.length > 0 && wide("Games that do not count", el("table", { class: "uncounted" },
      el("thead", {}, el("tr", {}, ...["Agent", "Points", "W D L", "Games"].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, ...left.map((/** @type {any} */ row) => el("tr", {}, agent(row),
        el("td", {}, many ? Number(row.uncounted.points.toFixed(2)) : half(row.uncounted.points)),
        el("td", {}, `${row.uncounted.wins} ${row.uncounted.draws} ${row.uncounted.losses}`),
        el("td", {}, row.uncounted.games)))))),
  ];
}

/** Renders the name of an agent, marked if it was withdrawn. @param {any} row */
function agent(row) {
  return el("th", { scope: "row", class: "clip", title: row.agent }, row.agent, row.withdrawn && el("span", { class: "badge warn" }, "withdrawn"));
}

/** @param {{ value: number | null, error: number | null } | null} mean */
function rank(mean) {
  if (!mean || mean.value === null) return "–";
  return mean.value.toFixed(2) + (mean.error === null ? "" : ` ± ${mean.error.toFixed(2)}`);
}

/** Renders the crosstable. @param {any} doc */
function crosstable(doc) {
  /** @type {string[]} */
  const names = doc.table.filter((/** @type {any} */ row) => !row.withdrawn).map((/** @type {any} */ row) => row.agent);
  /** @type {Map<string, any>} */
  const met = new Map();
  for (const one of doc.meetings) {
    const [a, b] = one.agents;
    met.set(JSON.stringify([a, b]), one);
    met.set(JSON.stringify([b, a]), { ...one, wins: one.losses, losses: one.wins });
  }
  const cell = (/** @type {string} */ a, /** @type {string} */ b) => {
    const one = met.get(JSON.stringify([a, b]));
    if (a === b) return el("td", { class: "self" }, el("span", { class: "hidden" }, "itself"));
    if (!one) return el("td", {}, el("span", { class: "faint" }, "–"));
    const points = one.wins + one.draws / 2;
    const share = points / one.games;
    const tint = `color-mix(in oklab, var(--${share < 0.5 ? "bad" : "good"}) ${Math.round(Math.abs(share - 0.5) * 90)}%, var(--background))`;
    return el("td", { class: "met", style: `background: ${tint}`, title: `${a} against ${b}`, "data-score": points },
      el("span", {}, half(points), el("span", { class: "of" }, `/${one.games}`)),
      el("small", {}, `+${one.wins} =${one.draws} −${one.losses}`));
  };
  return [
    el("h2", {}, "Crosstable"),
    wide("Crosstable", el("table", { class: "cross" },
      el("caption", { class: "hidden" }, "Points of each agent, in the rows, against each other one, in the columns"),
      el("thead", {}, el("tr", {}, el("td", {}), ...names.map((name, i) => el("th", { scope: "col", title: name }, i + 1, el("span", { class: "hidden" }, ` ${name}`))))),
      el("tbody", {}, ...names.map((a, i) => el("tr", {}, el("th", { scope: "row", class: "clip", title: a }, el("span", { class: "faint" }, `${i + 1} `), a), ...names.map((b) => cell(a, b))))))),
    el("p", { class: "faint small" }, "Points of the row against the column; wins, draws, losses."),
  ];
}

/** Renders the SPRT. @param {any} told @param {number} width */
function test(told, width) {
  const { elo0, elo1, alpha, beta, model, llr, lower, upper, pairs, accepted } = told.standing;
  const answer = accepted ? `${accepted} accepted: ${accepted === "H1" ? elo1 : elo0} Elo is more likely than ${accepted === "H1" ? elo0 : elo1} Elo` : "no hypothesis accepted yet";
  return [
    el("h2", {}, "Sequential test (SPRT)"),
    el("p", { class: "small" }, `H0: ${elo0} Elo, H1: ${elo1} Elo (${model}), α ${alpha}, β ${beta}. After ${count(pairs, "pair")} the log-likelihood ratio is ${llr === null ? "unknown" : llr.toFixed(2)}, with bounds ${lower.toFixed(2)} and ${upper.toFixed(2)}: `, el("strong", {}, answer), "."),
    testCurve(told, Math.max(240, width)),
  ];
}

/** Renders the seat advantages. @param {any} doc */
function seats(doc) {
  return [
    el("h2", {}, "Seats"),
    el("dl", { class: "facts" }, ...doc.seat_advantage.flatMap((/** @type {any} */ seat) => [el("dt", {}, seat.seat), el("dd", {}, `${plusMinus(seat)} Elo`)])),
    el("p", { class: "faint small" }, doc.players === 2 ? "Elo gained by moving in a seat, compared with the other one." : "Elo gained by moving in a seat, compared with the mean of all seats."),
    doc.mean_length !== null && el("p", { class: "small" }, `A game has ${doc.mean_length.toFixed(1)} moves on average.`),
  ];
}

/** Renders verdicts, times and reruns. @param {any} doc */
function health(doc) {
  const { verdicts, timing, overruns, agent_overruns, distinct_games, distinct_pairs, time_losses, surplus, state } = doc;
  const odd = Object.entries(verdicts).filter(([name, n]) => name !== "normal" && n);
  const counted = state.played - surplus - doc.void;
  const facts = [
    ["Decided by the rules", `${verdicts.normal} of ${counted}`],
    ...odd.map(([name, n]) => [name === "host" ? "Void: this machine is too busy for the clock" : `Lost by ${name}`, n]),
    ["Distinct games", `${distinct_games} of ${counted}`],
    ...(doc.players === 2 ? [["Distinct pairs", distinct_pairs]] : []),
    ["Random moves made for late players", overruns],
    ["Reruns because this machine was too busy", timing.replays.length],
    ...(surplus ? [["Finished after the answer of the SPRT (not counted)", surplus]] : []),
    ["Reproducible", doc.deterministic ? "yes, from the seed" : "no, games depend on timing"],
  ];
  return [
    el("h2", {}, "Verdicts and times ", el("span", { class: odd.length || overruns ? "badge warn" : "badge ok" }, odd.length || overruns ? "faults" : "no faults")),
    el("dl", { class: "facts" }, ...facts.flatMap(([what, n]) => [el("dt", {}, what), el("dd", {}, n)])),
    wide("Times", el("table", {},
      el("thead", {}, el("tr", {}, ...["Agent", "Moves", "Median", "99th percentile", "Longest", "Time forfeits", ...(overruns ? ["Random moves"] : [])].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, ...timing.agents.map((/** @type {any} */ row, /** @type {number} */ i) => el("tr", {}, el("th", { scope: "row", class: "clip", title: row.agent }, row.agent),
        ...[row.moves, time(row.p50_ms), time(row.p99_ms), time(row.max_ms), time_losses[i], ...(overruns ? [agent_overruns[i]] : [])].map((text) => el("td", {}, text))))))),
    (timing.replays.length > 0 || state.notes.length > 0) && el("details", {}, el("summary", {}, "Log"),
      el("ul", { class: "small" }, ...state.notes.map((/** @type {string} */ note) => el("li", {}, note)),
        ...timing.replays.slice(0, 20).map((/** @type {any} */ again) => el("li", {}, `game ${again.id} was rerun: ${again.what}`)))),
  ];
}

/** @param {HTMLElement} root @param {string} path @param {any} doc */
function downloads(root, path, doc) {
  const forms = [["json", "All results (JSON)"], ["jsonl", "Games (JSON lines)"], ["csv", "Games (CSV)"], ["pgn", "Games (PGN)"]];
  if (doc.config.games.every((/** @type {string} */ game) => /^go\b/.test(game))) forms.push(["sgf", "Games (SGF)"]);
  root.className = "panel";
  fill(root, el("h2", {}, "Downloads"), el("div", { class: "row" },
    ...forms.map(([form, text]) => el("a", { class: "button", href: `/api/${path}/export/${form}`, download: "" }, text))));
}

