// @ts-check
// Connection to the server: requests with one answer, and a WebSocket for long tasks.

import { consent } from "./consent.js";

/** @typedef {import("./types.js").ServerMessage} ServerMessage */

/**
 * Task without a final answer yet. `stopping`: the page has stopped the task, and `last` is its latest report. `close`: closes the
 * dialog that asks whether its program may start; null while the dialog is queued.
 * @typedef {{ ask: any, tell: (told: ServerMessage) => void, last?: ServerMessage, stopping?: boolean, close?: (() => void) | null }} Task
 */

/**
 * Sends a request to the server. An error has a message for people.
 * @param {string} path below /api
 * @param {any} [body] sent with POST if given
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function api(path, body, signal) {
  /** @type {RequestInit} */
  const request = { signal };
  if (body !== undefined) {
    request.method = "POST";
    request.headers = { "content-type": "application/json" };
    request.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(`/api/${path}`, request);
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

/** Cached lists; they do not change while the server runs. @type {Map<string, Promise<any>>} */
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
 * The WebSocket. When a lost connection is back, it sends the requests of all unfinished tasks again.
 * Events: `state` with detail `open` or `lost`.
 */
export class Live extends EventTarget {
  constructor() {
    super();
    this.next = 1;
    /** @type {Map<number, Task>} */
    this.tasks = new Map();
    /** Programs that the user confirmed at this address. @type {Set<string>} */
    this.confirmed = new Set();
    /** Chain of confirmation dialogs, shown one after another. @type {Promise<void>} */
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
      // The server ended the tasks with the connection, or is a new one.
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

  /** @param {ServerMessage} told */
  hear(told) {
    const task = this.tasks.get(told.id);
    if (!task) return;
    if (told.event === "error" && told.confirm) return this.confirm(told.id, task);
    if (told.event === "done" || told.event === "error") this.tasks.delete(told.id);
    if (told.event === "report") task.last = told;
    task.tell(told);
  }

  /** Asks the user before the server starts the task's program. @param {number} id @param {Task} task */
  confirm(id, task) {
    if (task.close !== undefined) return; // the request was sent again while the dialog is shown
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

  /** Forgets the confirmed programs, because a new address needs new confirmations. */
  forget() {
    this.confirmed.clear();
  }

  /**
   * Starts a task and returns its id. `tell` receives `queued`, `report` and the other messages of the task, and finally `done` or
   * `error`.
   * @param {Record<string, any>} ask with its `op`
   * @param {(told: ServerMessage) => void} tell
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

  /** Sends a message, if connected. @param {any} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Stops a task; it answers with its result so far. @param {number} id */
  stop(id) {
    const task = this.tasks.get(id);
    if (!task) return;
    task.stopping = true;
    task.close?.();
    if (this.socket?.readyState === WebSocket.OPEN) this.send({ id, op: "stop" });
    else this.settle(id);
  }

  /** Ends a stopped task whose connection is lost: its last report becomes the answer. @param {number} id */
  settle(id) {
    const task = this.tasks.get(id);
    if (task) this.hear(task.last ? { ...task.last, event: "done" } : { id, event: "error", error: "stopped before it started" });
  }

  /** Ends a task and drops its answer. @param {number} id */
  drop(id) {
    const task = this.tasks.get(id);
    if (!this.tasks.delete(id)) return;
    task?.close?.();
    this.send({ id, op: "stop" });
  }
}
