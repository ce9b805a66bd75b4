// The connection to Trefoil: JSON requests, and the stream of events, which is made again when it is lost.

import { mostStreams, openStream, send } from './transport.js';

// The session of this page, to which its search and its events belong. What a person made is in the address, so a page
// that is loaded again needs no old session; and a tab that was duplicated must not share one.
export const session = [...crypto.getRandomValues(new Uint8Array(16))].map(b => b.toString(16).padStart(2, '0')).join('');

// A Refusal is an answer of the server that says what is wrong with a request.
export class Refusal extends Error {}

// request sends a request and returns the answer. Without a body it is a GET; a body is JSON unless it is bytes. It throws a
// Refusal, or another error if the server cannot be reached.
/** @type {<P extends keyof Answers>(path: P | `${P}?${string}`, body?: object, options?: RequestInit) => Promise<Answers[P]>} */
export async function request(path, body, options) {
  const { ok, answer } = await send(path, body instanceof Uint8Array ? /** @type {BodyInit} */ (body) : body && JSON.stringify(body), options);
  if (!ok) throw new Refusal(answer.error);
  return answer;
}

/** @type {(keyof EventData)[]} */
const names = ['hello', 'queue', 'info', 'values', 'best', 'notice', 'table'];

// Events is the stream of one session. listeners.NAME is called with the data of each event NAME; listeners.lost when the
// connection is, listeners.released when the stream was given up, and listeners.mended when there is one again.
export class Events {
  /** @param {{ [N in keyof EventData]?: (data: EventData[N]) => void } & Partial<Record<'lost' | 'released' | 'mended', () => void>>} listeners */
  constructor(listeners) {
    this.listeners = listeners;
    this.table = {}; // what the address says of the table
    this.source = /** @type {EventSource | null} */ (null);
    this.connected = /** @type {boolean | null} */ (null); // not known yet
    this.told = false; // that the connection is lost
    this.newer = new Set(); // the sessions of other pages whose streams were used since this one
    this.others = new BroadcastChannel('streams');
    this.others.onmessage = ({ data: [other, used] }) => {
      if (used) this.newer.add(other);
      else this.newer.delete(other);
      if (this.newer.size >= mostStreams) this.release();
    };
    addEventListener('pagehide', () => this.release());
    for (const sight of ['pageshow', 'focus', 'visibilitychange']) {
      addEventListener(sight, () => { if (document.visibilityState === 'visible') this.use(); });
    }
    this.await();
    this.use();
  }

  // await makes ready, which resolves when there is a connection.
  await() { this.ready = new Promise(resolve => { this.resolve = () => resolve(null); }); }

  // use opens the stream, unless it is open, and tells the other pages.
  use() {
    this.newer.clear();
    this.others.postMessage([session, true]);
    if (!this.source) this.open();
  }

  release() {
    if (!this.source) return;
    this.source.close();
    this.source = null;
    clearTimeout(this.timer);
    this.connected = false;
    this.await();
    this.others.postMessage([session, false]);
    this.listeners.released?.();
  }

  open() {
    this.source?.close();
    clearTimeout(this.timer);
    this.source = openStream(new URLSearchParams({ session, ...this.table }));
    for (const name of names) {
      this.source.addEventListener(name, e => this.receive(name, JSON.parse(e.data)));
    }
    // A browser gives up a stream that was refused. So the next attempt is made here.
    this.source.onerror = () => this.retry();
  }

  /** @template {keyof EventData} N @param {N} name @param {EventData[N]} data */
  receive(name, data) {
    if (name === 'hello' && this.connected !== true) {
      const was = this.connected;
      this.connected = true;
      this.told = false;
      this.resolve?.();
      if (was === false) this.listeners.mended?.();
    }
    const listener = /** @type {((data: EventData[N]) => void) | undefined} */ (this.listeners[name]);
    listener?.(data);
  }

  // retry connects again in a second: the server cannot be reached.
  retry() {
    if (!this.source) return;
    this.source.close();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), 1000);
    if (this.told) return;
    this.told = true;
    this.connected = false;
    this.listeners.lost?.();
  }

  // watchTable asks for the events of a table, { table: its kind, stats: '1' to count searches }, or leaves them out, {}.
  /** @param {{ table?: string, stats?: string }} wanted */
  watchTable(wanted) {
    if (JSON.stringify(this.table) === JSON.stringify(wanted)) return;
    this.table = wanted;
    if (this.source) this.open();
  }
}
