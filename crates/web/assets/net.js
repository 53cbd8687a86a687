// @ts-check
// The server: questions with one answer, and a socket for what takes time.

import { consent } from "./consent.js";

/** @typedef {import("./types.js").Told} Told */

/**
 * A question to the server that has no answer yet. `stopping`: the page wants what there is, which is `last`.
 * `close`: takes back the question whether its program may start; null before that is on the screen.
 * @typedef {{ ask: any, tell: (told: Told) => void, last?: Told, stopping?: boolean, close?: (() => void) | null }} Task
 */

/**
 * Asks the server. Refusals are errors whose message can be shown to people.
 * @param {string} path below /api
 * @param {any} [body] asked with POST if given
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function api(path, body, signal) {
  /** @type {RequestInit} */
  const wish = { signal };
  if (body !== undefined) {
    wish.method = "POST";
    wish.headers = { "content-type": "application/json" };
    wish.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(`/api/${path}`, wish);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error("the server does not answer; is `tussle serve` still running?");
  }
  const text = await answer.text();
  let told;
  try {
    told = JSON.parse(text);
  } catch {
    throw new Error(text || `the server answered ${answer.status}`);
  }
  if (!answer.ok) throw new Error(told.error ?? `the server answered ${answer.status}`);
  return told;
}

/** Lists that never change while the server runs are asked for once. @type {Map<string, Promise<any>>} */
const known = new Map();

/** @param {"games" | "agents" | "trees"} name @returns {Promise<any>} */
export function list(name) {
  let answer = known.get(name);
  if (!answer) {
    answer = api(name);
    answer.catch(() => known.delete(name));
    known.set(name, answer);
  }
  return answer;
}

/**
 * The socket. What was asked and has not been answered is asked again when the connection comes back.
 * Events: `state` with detail `open` or `lost`.
 */
export class Live extends EventTarget {
  constructor() {
    super();
    this.next = 1;
    /** @type {Map<number, Task>} */
    this.tasks = new Map();
    /** Programs that the person at the page agreed to start at this address. @type {Set<string>} */
    this.confirmed = new Set();
    /** The questions about programs, one after the other. @type {Promise<void>} */
    this.questions = Promise.resolve();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.wait = 250;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/live`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 250;
      this.dispatchEvent(new CustomEvent("state", { detail: "open" }));
      // The server, or the one that runs there now, knows nothing of our tasks any more.
      for (const task of this.tasks.values()) socket.send(JSON.stringify(task.ask));
    };
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      for (const [id, task] of [...this.tasks]) if (task.stopping) this.settle(id);
      this.dispatchEvent(new CustomEvent("state", { detail: "lost" }));
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 2, 5000);
    };
  }

  /** @param {Told} told */
  hear(told) {
    const task = this.tasks.get(told.id);
    if (!task) return;
    if (told.event === "error" && told.confirm) return this.confirm(told.id, task);
    if (told.event === "done" || told.event === "error") this.tasks.delete(told.id);
    if (told.event === "report") task.last = told;
    task.tell(told);
  }

  /** Asks the person at the page before the server starts the task's program. @param {number} id @param {Task} task */
  confirm(id, task) {
    if (task.close !== undefined) return; // the connection came back while the question is on the screen
    task.close = null;
    const { agent } = task.ask;
    const isWanted = () => this.tasks.get(id) === task;
    this.questions = this.questions.then(async () => {
      if (isWanted() && !this.confirmed.has(agent)) {
        const question = consent(agent);
        task.close = question.close;
        if (await question.answer && isWanted()) this.confirmed.add(agent);
      }
      task.close = undefined;
      if (!isWanted()) return;
      if (!this.confirmed.has(agent)) return this.hear({ id, event: "error", error: "the program was not started" });
      task.ask.confirmed = true;
      this.send(task.ask);
    });
  }

  /** Forgets which programs may start: another address, another question. */
  forget() {
    this.confirmed.clear();
  }

  /**
   * Begins a task and returns its number. `tell` hears `report`, `queued` and whatever else the task tells, and
   * last `done` or `error`.
   * @param {Record<string, any>} ask with its `op`
   * @param {(told: Told) => void} tell
   */
  begin(ask, tell) {
    const id = this.next++;
    /** @type {Record<string, any>} */
    const whole = { ...ask, id };
    if (this.confirmed.has(ask.agent)) whole.confirmed = true;
    this.tasks.set(id, { ask: whole, tell });
    this.send(whole);
    return id;
  }

  /** Changes a running task, or something about its answer. @param {any} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Asks a task to end; it answers with what it has. @param {number} id */
  stop(id) {
    const task = this.tasks.get(id);
    if (!task) return;
    task.stopping = true;
    task.close?.();
    if (this.socket?.readyState === WebSocket.OPEN) this.send({ id, op: "stop" });
    else this.settle(id);
  }

  /** Nobody will answer a task that was stopped: its last report is its answer. @param {number} id */
  settle(id) {
    const task = this.tasks.get(id);
    if (task) this.hear(task.last ? { ...task.last, event: "done" } : { id, event: "error", error: "stopped before it began" });
  }

  /** Ends a task whose answer nobody wants any more. @param {number} id */
  drop(id) {
    const task = this.tasks.get(id);
    if (!this.tasks.delete(id)) return;
    task?.close?.();
    this.send({ id, op: "stop" });
  }
}
