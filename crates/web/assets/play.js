// @ts-check
// Play page.

import { halfway, plays, spent } from "./backgammon.js";
import { Board } from "./board.js";
import { CLOCK_ERROR, shown, terms } from "./clock.js";
import { colour, copy, el, fill, focused, toast } from "./dom.js";
import { format, visit } from "./link.js";
import { Match } from "./match.js";
import { moveList } from "./moves.js";
import { api } from "./net.js";
import { fromQuery, HUMAN, named, player, SEATS, toQuery } from "./seats.js";
import { reason, words } from "./why.js";

/** @typedef {import("./types.js").Route} Route */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./net.js").Live} Live */

/** Maximum pace in ms. Much longer times would overflow the browser's timer, which then fires at once. */
const MAX_PACE_MS = 600_000;

/**
 * @param {HTMLElement} root
 * @param {Route} route
 * @param {Live} live
 * @returns {import("./types.js").Page}
 */
export function open(root, route, live) {
  if (!route.place) return form(root, route.query);
  const gone = route.query.get("text") && !route.place.text;
  const [why, setting] = gone
    ? ["The board or tree of this link was entered as text, which only the browser tab where it was entered has. Enter it again, or start another game."]
    : mistake(route.query);
  if (!why) return new Play(root, route, route.place, live);
  wrong(root, why, route, setting);
  return { close() {} };
}

/** Loads and shows the form for a new game. @param {HTMLElement} root @param {URLSearchParams} query */
function form(root, query) {
  /** @type {import("./types.js").Page | null} */
  let page = null;
  let closed = false;
  const failed = (/** @type {any} */ error) => fill(root, el("p", { class: "wrong" }, `The form cannot be loaded: ${error}. Reload the page.`));
  import("./newgame.js").then(({ openForm }) => { if (!closed) page = openForm(root, query); }).catch(failed);
  return { close() { closed = true; page?.close(); } };
}

/** Returns the error of an invalid setting in a link, and the name of the setting. @param {URLSearchParams} query @returns {[string?, string?]} */
function mistake(query) {
  const [clock, seed, pace] = [query.get("clock"), query.get("seed"), query.get("pace")];
  if (clock && !terms(clock)) return [`clock=${clock}: ${CLOCK_ERROR.slice("clock: ".length)}`, "clock"];
  if (seed && !(/^\d+$/.test(seed) && Number.isSafeInteger(Number(seed)))) return [`seed=${seed}: expected a whole number, 0 or more.`, "seed"];
  if (pace && !(/^\d+$/.test(pace) && Number(pace) <= MAX_PACE_MS)) return [`pace=${pace}: expected whole milliseconds from 0 to ${MAX_PACE_MS}.`, "pace"];
  return [];
}

/**
 * Shows the error of an invalid link, with buttons to continue.
 * @param {HTMLElement} root @param {string} why @param {Route} route @param {string} [setting] name of the invalid setting
 */
function wrong(root, why, { place, query }, setting) {
  const bad = /^move (\d+): /.exec(why);
  const fine = place?.moves.slice(0, bad ? Number(bad[1]) - 1 : 0) ?? [];
  const button = (/** @type {string} */ text, /** @type {() => void} */ onclick, first = false) =>
    el("button", { type: "button", class: first ? "primary" : null, onclick }, text);
  const show = () => place && visit(format({ ...place, moves: fine }, { query }));
  const without = () => {
    const rest = new URLSearchParams(query);
    if (setting) rest.delete(setting);
    if (place) visit(format(place, { query: rest }));
  };
  fill(root, el("section", { class: "panel astray", role: "alert" },
    el("h1", {}, `This link does not lead to a ${setting ? "game" : "position"}`),
    el("p", { class: "wrong" }, why),
    el("div", { class: "row" },
      bad && button(fine.length ? `Show the position after ${fine.length} legal ${fine.length === 1 ? "move" : "moves"}` : "Show the start position", show, true),
      setting && button("Continue without it", without, true),
      button("New game", () => visit(`#?${new URLSearchParams((bad || setting) && place ? { game: place.game } : {})}`), !bad && !setting))));
}

class Play {
  /** @param {HTMLElement} root @param {Route} route @param {Place} place @param {Live} live */
  constructor(root, route, place, live) {
    this.root = root;
    this.route = route;
    const kept = history.state;
    const seed = Number(route.query.get("seed") ?? kept?.seed ?? 1 + Math.floor(Math.random() * 1e9));
    const pace = Number(route.query.get("pace") || 500);
    const clock = route.query.get("clock");
    const seats = fromQuery(route.query, SEATS.length);
    const match = (this.match = new Match(live, place, seats, seed, { clock, pace, kept }));
    this.status = el("div", { class: "status", role: "status", "aria-live": "polite", tabindex: -1 });
    this.players = el("ul", { class: "players", "aria-label": "Players" });
    this.banner = el("section", { class: "banner", "aria-live": "polite", hidden: true });
    this.actions = el("div", { class: "row actions" });
    this.history = moveList(match);
    const stage = el("div", { class: "stage" });
    const analysis = el("section", { id: "analysis", "aria-label": "Analysis" });
    const side = el("aside", { class: "side" }, this.players, this.banner, this.actions, this.history.element);
    fill(root, el("h1", { class: "hidden" }, match.game), el("div", { class: "play" }, stage, side, analysis));
    this.board = new Board(stage, {
      onmove: (move) => match.play(move),
      onrefuse: (why, clicked) => this.refuse(why, clicked),
      onpending: (clicked) => this.pending(clicked),
    });
    stage.append(this.status);
    match.addEventListener("change", () => this.change());
    match.addEventListener("thinking", () => this.say());
    match.addEventListener("settings", () => match.seen && this.write());
    match.addEventListener("values", () => match.seen && this.address(1000));
    match.addEventListener("branch", (event) => this.branch(/** @type {CustomEvent} */ (event).detail));
    match.addEventListener("trouble", (event) => this.trouble(/** @type {CustomEvent} */ (event).detail));
    /** Steps of the started move that are drawn. */
    this.half = "";
    this.problem = "";
    /** Time of the latest change of the address, and timer of the next one. */
    this.written = 0;
    this.later = 0;
    // The address that this page wrote last.
    this.hash = location.hash;
    /** @type {HTMLElement[]} */
    this.clocks = [];
    this.back = el("button", { type: "button" });
    this.timer = setInterval(() => this.tick(), 100);
    /** @type {import("./types.js").Page | null} */
    this.analysis = null;
    this.closed = false;
    this.mount(analysis, live);
    match.look();
    this.check();
  }

  /** Checks that the agents in the address can play, before they have to move. */
  async check() {
    const { game, text } = this.match;
    const named = SEATS.filter((name) => (this.route.query.get(name) ?? HUMAN) !== HUMAN);
    if (!named.length) return;
    const agents = named.map((name) => this.route.query.get(name));
    // An invalid game is reported elsewhere.
    const { wrong = [] } = await api("check", { place: { game, text }, agents }).catch(() => ({}));
    const bad = wrong.findIndex(Boolean);
    if (bad >= 0 && !this.closed) this.stray(`${named[bad]}: ${wrong[bad]}`, named[bad]);
  }

  /** Loads the analysis panel beside the board. @param {HTMLElement} section @param {Live} live */
  async mount(section, live) {
    try {
      const module = await import("./analysis.js");
      if (!this.closed) this.analysis = module.open(section, this.match, this.board, live, this.route);
    } catch (error) {
      console.warn("the analysis cannot be loaded:", error);
    }
  }

  close() {
    this.closed = true;
    clearInterval(this.timer);
    clearTimeout(this.later);
    this.analysis?.close();
    this.history.close();
    this.match.close();
  }

  get game() {
    return this.match.game.split(":")[0];
  }

  /** Updates the page after a change of the game. */
  change() {
    const { match, board } = this;
    const seen = match.seen;
    if (!seen) return;
    match.seats.length = Math.min(match.seats.length, seen.players);
    const mine = match.isPersons && match.isLatest && !match.over;
    const clicks = this.game === "backgammon" && seen.player !== null ? plays(seen.board.choices, seen.position) : undefined;
    board.show(seen.board, mine, { clicks, stone: this.stone(seen.player) });
    board.element.classList.toggle("browsing", !match.isLatest);
    document.title = `${match.game} · Tussle`;
    this.history.show();
    this.showPlayers();
    this.showBanner();
    this.showActions();
    this.say();
    this.address();
  }

  /** Returns the colour of the stone that a player places; null if the game has no plain discs. @param {number | null} who */
  stone(who) {
    if (who === null) return null;
    if (this.game === "go") return `var(--stone-${who})`;
    return /^(pentago|keep-on-moving|connect4)/.test(this.game) ? colour(who) : null;
  }

  /** Updates the address with a delay, because browsers limit the rate of changes. @param {number} [pause] minimum ms between changes */
  address(pause = 200) {
    clearTimeout(this.later);
    const wait = this.written + pause - Date.now();
    if (wait < 0) this.write();
    else this.later = setTimeout(() => this.write(), wait);
  }

  write() {
    const { match } = this;
    clearTimeout(this.later);
    // The visitor went to another address, whose `hashchange` event is still to come.
    if (location.hash !== this.hash) return;
    this.written = Date.now();
    history.replaceState(match.kept, "", format({ ...match.place, moves: match.moves }, { query: this.query() }));
    this.hash = location.hash;
  }

  /** Continues from a position in a new game; "Back" returns to this one. @param {Place} place */
  branch(place) {
    this.write();
    visit(format(place, { query: this.query() }));
  }

  /** Returns the settings as the query of an address. */
  query() {
    const query = new URLSearchParams(this.route.query);
    for (const name of SEATS) query.delete(name);
    for (const [name, seat] of Object.entries(toQuery(this.match.seats))) query.set(name, seat);
    return query;
  }

  /** Shows the started move. @param {number[]} clicked */
  async pending(clicked) {
    const { match } = this;
    if (!match?.seen) return;
    this.say();
    this.back.disabled = !this.canUndo();
    if (this.game !== "backgammon" || !match.isPersons) return;
    // The server draws the started move as a position.
    const steps = clicked.slice(0, clicked.length - (clicked.length % 2));
    const half = steps.join();
    if (half === this.half) return;
    this.half = half;
    const seen = match.seen;
    if (!half) {
      this.board.label(seen.board.spots);
      return this.board.paint(seen.board.svg);
    }
    try {
      const drawn = await api("position", { game: match.game, start: halfway(seen.position, steps), moves: [] });
      if (this.half !== half || match.seen !== seen) return;
      this.board.paint(drawn.board.svg);
      this.board.label(drawn.board.spots);
      this.dim(spent(seen.position, steps));
    } catch { /* The notation has no such position: keep the drawing. */ }
  }

  /** Fades the dice that the steps have used. @param {boolean[]} used in the order of the drawing */
  dim(used) {
    const squares = [...this.board.drawing.querySelectorAll("rect[rx]")].filter((one) =>
      one.getAttribute("fill") !== "none" && one.getAttribute("width") === one.getAttribute("height"));
    squares.forEach((die, i) => {
      if (!used[i]) return;
      die.classList.add("used");
      for (let pip = die.nextElementSibling; pip?.localName === "circle"; pip = pip.nextElementSibling) pip.classList.add("used");
    });
  }

  /** Explains why a click is not part of a legal move. @param {string} why @param {number[]} clicked */
  async refuse(why, clicked) {
    const { match } = this;
    const seen = match.seen;
    // Ignore a click on the previous position.
    if (!seen || match.looking) return;
    if (match.over) return toast("The game is over. Take back a move, or start a rematch.");
    if (!match.isLatest) return toast("This is an earlier position. Choose “Play from here” to continue from it.");
    if (seen.turn === "chance") return toast("Wait for the roll of the dice.");
    if (!match.isPersons) return toast(match.paused ? "The game is paused." : `It is not your turn: ${named(match.seats, seen.player ?? 0)} is to move.`);
    const names = clicked.map((spot) => seen.board.spots[spot].name);
    const text = await reason(match.place, names) ?? words(this.game, names, why);
    // The page may show another position by now.
    if (!this.closed && match.seen === seen) toast(text);
  }

  /** @param {string} why */
  trouble(why) {
    if (!this.match.seen) return this.stray(why);
    this.problem = why;
    this.say();
  }

  /** @param {string} why @param {string} [setting] */
  stray(why, setting) {
    this.close();
    wrong(this.root, why, this.route, setting);
  }

  /** Shows the status line. */
  say() {
    const held = this.status.contains(focused());
    this.tell();
    if (held) this.rescue();
  }

  /** Moves a lost focus to the next button, the board or the status line. */
  rescue() {
    const { activeElement: now } = document;
    if (now && now !== document.body && !now.matches(":disabled")) return;
    const next = this.match.over && this.banner.querySelector("button");
    const to = next || this.board.reached() || this.status;
    to.focus({ preventScroll: true });
  }

  /** Returns the other players' moves since the player to move moved last, and the roll, in words. */
  news() {
    const { match } = this;
    const { moves, movers, seats } = match;
    const mover = match.seen?.player ?? 0;
    const said = [];
    for (let at = match.cursor - 1; at >= 0 && movers[at] !== mover; at--) {
      const [by, move] = [movers[at], moves[at]];
      const name = by !== null && seats[by] === HUMAN ? player(seats.length, by) : named(seats, by ?? mover);
      if (by !== null) said.unshift(move === "none" ? `${name} could not move` : `${name} played ${move}`);
      else if (at === match.cursor - 1 && this.game === "backgammon") said.unshift(`${name} rolled ${[...move].join(" ")}`);
    }
    return said.map((one) => `${one}. `).join("");
  }

  tell() {
    const { match, board } = this;
    const seen = match.seen;
    if (!seen) return;
    const button = (/** @type {string} */ text, /** @type {() => void} */ onclick) => el("button", { type: "button", onclick }, text);
    const who = seen.player === null ? "" : this.who(seen.player);
    if (this.problem) {
      const why = this.problem;
      this.problem = "";
      return fill(this.status, el("span", { class: "wrong" }, why), button("Try again", () => match.look()), button("Change players", () => this.again()));
    }
    if (!match.isLatest) {
      return fill(this.status, `Position after ${match.cursor} of ${match.moves.length} moves`,
        button("Play from here", () => this.branch(match.place)),
        button("Back to the game", () => match.goto(match.moves.length)));
    }
    let text = "";
    if (match.over) text = this.result();
    else if (seen.turn === "chance") text = "The dice are rolling …";
    else if (seen.legal.length === 1 && seen.legal[0] === "none") text = `${who}: no legal play with these dice`;
    else if (board.clicked.length) text = this.prompt(seen.board.spots[board.clicked[board.clicked.length - 1]].name);
    else if (match.isPersons) text = this.news() + (who === "You" ? "Your turn" : `${who} to move`);
    else if (match.paused) text = `Paused: ${who} to move`;
    else text = `${who} is thinking …`;
    if (this.status.textContent !== text) fill(this.status, text);
  }

  /** Returns the prompt for the next click of a started move. @param {string} name of the latest click */
  prompt(name) {
    if (this.game.startsWith("pentago")) return "Now turn a quadrant: click an arrow";
    if (this.game === "gobblet") return `${name}: now choose its cell (Esc cancels)`;
    // Number the points from the side of the player to move, as the drawing does.
    const second = this.match.seen?.player === 1;
    const from = name.replace(/\d+/, (n) => (second ? String(25 - Number(n)) : n));
    if (this.board.clicked.length % 2) return `From ${from}: now choose the target (Esc cancels)`;
    return "Move the next checker; Undo takes back the step";
  }

  /** Returns the name of a player. @param {number} index */
  who(index) {
    const name = named(this.match.seats, index);
    return name === "You" ? name : `${player(this.match.seen?.players ?? 2, index)} (${name})`;
  }

  /** Returns the result in words. */
  result() {
    const { over, lost } = this.match;
    if (!over) return "";
    const why = lost ? `: ${this.who(lost.player) === "You" ? "you" : this.who(lost.player)} ${lost.how}` : "";
    if (over.winner === null) return (over.words[0].toUpperCase() + over.words.slice(1)).split(":")[0] + why;
    const name = this.who(over.winner);
    const points = Math.abs(over.utilities[over.winner]);
    const by = points !== 1 && over.utilities.length === 2 ? ` by ${points}` : "";
    return name === "You" ? `You win${by}!${why && ` ${why.slice(2)}`}` : `${name} wins${by}${why}`;
  }

  showPlayers() {
    const { match } = this;
    const seen = match.seen;
    if (!seen) return;
    this.clocks = match.seats.map(() => el("span", { class: "clock" }));
    fill(this.players, ...match.seats.map((_, i) => {
      const turn = !match.over && match.isLatest && seen.player === i;
      const name = named(match.seats, i);
      return el("li", { class: turn ? "player turn" : "player", style: `--who:${colour(i)}`, "aria-current": turn ? "true" : null },
        el("span", { class: "swatch", style: this.game === "go" ? `background:var(--stone-${i})` : "" }),
        el("span", { class: "name" }, el("b", {}, name), el("small", { class: "faint" }, ` ${player(seen.players, i)}`)),
        match.over?.winner === i && el("span", { class: "won" }, "won"),
        this.clocks[i]);
    }));
    this.tick();
  }

  /** Updates the clocks, ten times per second. */
  tick() {
    const { match } = this;
    match.tick();
    this.clocks.forEach((clock, i) => {
      const turn = match.turn;
      const thinks = match.thinking !== null && turn?.player === i;
      let text = match.terms ? shown(match.left(i)) : "";
      if (thinks && turn && !match.terms) text = `${((Date.now() - turn.at) / 1000).toFixed(1)} s`;
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("low", Boolean(match.terms) && turn?.player === i && match.left(i) < 5000);
      clock.parentElement?.classList.toggle("thinks", thinks);
    });
  }

  showBanner() {
    const { match } = this;
    const over = match.over;
    this.banner.hidden = !over;
    if (!over) return fill(this.banner);
    this.banner.dataset.winner = String(over.winner);
    this.banner.style.setProperty("--who", over.winner === null ? "var(--faint)" : colour(over.winner));
    fill(this.banner, el("strong", {}, this.result()), el("div", { class: "row" },
      el("button", { type: "button", class: "primary", onclick: () => this.rematch() }, "Rematch"),
      el("button", { type: "button", onclick: () => match.dispatchEvent(new Event("review")) }, "Review")));
  }

  showActions() {
    const { match } = this;
    const seen = match.seen;
    if (!seen) return;
    const button = (/** @type {string} */ text, /** @type {(event: Event) => void} */ onclick, able = true, name = "") =>
      el("button", { type: "button", class: name || null, onclick, disabled: !able }, text);
    const mine = match.isLatest && match.isPersons && !match.over;
    const copies = [
      button("Copy position", () => copy(seen.position, "Position")),
      button("Copy moves", () => copy(match.place.moves.join(" "), "Moves")),
      button("Copy link", () => copy(location.href.split("#")[0] + format(match.place, { query: this.query() }), "Link")),
    ];
    const drawn = new Set(seen.board.choices.filter((choice) => choice.spots.length).map((choice) => choice.move));
    const hidden = mine ? seen.legal.filter((move) => !drawn.has(move)) : [];
    const other = el("select", { "aria-label": "Moves that the drawing does not show" }, ...hidden.map((move) => el("option", {}, move)));
    this.back = button("Undo", () => this.undo(), this.canUndo());
    const pressed = focused();
    const held = this.actions.contains(pressed);
    const open = this.actions.querySelector("details")?.open;
    fill(this.actions,
      mine && seen.legal.includes("pass") && button("Pass", () => match.play("pass"), true, "pass"),
      ...(mine && this.game === "keep-on-moving" ? seen.legal.map((move) => {
        const [sign, name] = { U: ["↑", "Up"], D: ["↓", "Down"], L: ["←", "Left"], R: ["→", "Right"] }[move] ?? [move, move];
        return el("button", { type: "button", class: "way", "aria-label": name, onclick: () => match.play(move) }, sign);
      }) : []),
      hidden.length > 0 && other,
      hidden.length > 0 && button("Play it", () => match.play(other.value)),
      match.isWatched && !match.over && button(match.paused ? "Continue" : "Pause", () => match.pause(!match.paused), true, "primary"),
      match.isWatched && !match.over && button("Step", () => match.step(), match.paused),
      this.back,
      match.seats.length > 1 && button("Swap sides", () => match.swap(), !match.over),
      !match.isWatched && button("Resign", (event) => this.resign(/** @type {HTMLButtonElement} */ (event.currentTarget)), !match.over),
      button("New game", () => this.again()),
      seen.player !== null && !match.text && el("a", { class: "button", href: format(match.place, { page: "explain" }) }, "Explain"),
      el("details", { class: "copies", open }, el("summary", {}, "Copy …"), el("div", { class: "row" }, ...copies)));
    // Keep the focus on the same button, so that it can be pressed again by key.
    if (!held) return;
    [...this.actions.querySelectorAll("button")].find((one) => one.textContent === pressed?.textContent)?.focus();
    this.rescue();
  }

  canUndo() {
    // Undoing only a roll is useless: the same seed gives the same roll.
    return this.match.movers.some((who) => who !== null) || this.match.lost !== null || this.board.clicked.length > 0;
  }

  /** Takes back a step of the started move, or moves. */
  undo() {
    if (!this.board.clicked.length) return this.match.undo();
    this.board.back();
    this.rescue();
  }

  /** Resigns after a second click. @param {HTMLButtonElement} button */
  resign(button) {
    if (!button.classList.contains("sure")) {
      button.classList.add("sure");
      button.textContent = "Really resign?";
      setTimeout(() => { button.classList.remove("sure"); button.textContent = "Resign"; }, 4000);
      return;
    }
    const { match } = this;
    const mover = match.isLatest ? match.seen?.player ?? null : null;
    const who = match.isPerson(mover) ? mover : match.seats.indexOf(HUMAN);
    match.lose(who ?? 0, "resigned");
  }

  /** Starts the same game with swapped seats. */
  rematch() {
    const { match } = this;
    match.seats.push(/** @type {string} */ (match.seats.shift()));
    visit(format({ game: match.game, start: match.start, moves: [] }, { query: this.query() }));
  }

  /** Opens the form for a new game with these settings. */
  again() {
    const query = this.query();
    query.set("game", this.match.game);
    if (this.match.start) query.set("position", this.match.start);
    visit(`#?${query}`);
  }
}
