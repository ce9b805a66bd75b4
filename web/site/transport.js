// The way to a Trefoil of this page's own, which runs in a worker.

// No page needs to give up its stream for another one.
export const mostStreams = Infinity;

let worker = /** @type {Worker | null} */ (null);
let last = 0;           // the number of the newest request
/** @typedef {{ part: (text: string) => void, end: (status: number) => void, fail: (error: Error) => void }} Answer */
const open = /** @type {Map<number, Answer>} */ (new Map()); // what becomes of an answer, by numbers

// start starts the worker. If it cannot be loaded, or ends, all requests fail, and the next one starts another.
function start() {
  const started = worker = new Worker('worker.js');
  started.onmessage = ({ data: [number, text, status] }) => {
    const answer = open.get(number);
    if (status === undefined) return void answer?.part(text);
    open.delete(number);
    answer?.end(status);
  };
  started.onerror = e => {
    started.terminate();
    worker = null;
    const failed = [...open.values()];
    open.clear();
    for (const answer of failed) answer.fail(new TypeError(e.message));
  };
  return started;
}

/** @param {Answer} answer @param {string} path @param {BodyInit | null} body */
function begin(answer, path, body = null) {
  const to = worker ?? start();
  open.set(++last, answer);
  to.postMessage([last, path, body]);
  return last;
}

// send sends a request and returns the answer, and whether it is ok.
/** @type {typeof import('../page/transport.js').send} */
export function send(path, body) {
  return new Promise((resolve, reject) => {
    let whole = '';
    begin({
      part: text => { whole += text; },
      end: status => resolve({ ok: status < 400, answer: JSON.parse(whole) }),
      fail: reject,
    }, path, body);
  });
}

// A Stream is the stream of events of a session, with what an EventSource has of it.
class Stream extends EventTarget {
  onerror = /** @type {(() => void) | null} */ (null);

  /** @param {URLSearchParams} query */
  constructor(query) {
    super();
    this.number = begin({ part: text => this.receive(text), end: () => this.onerror?.(), fail: () => this.onerror?.() }, `/api/events?${query}`);
  }

  // receive takes a part of the stream, which has whole events.
  /** @param {string} text */
  receive(text) {
    for (const [, name, data] of text.matchAll(/^event: (.*)\ndata: (.*)$/gm)) this.dispatchEvent(new MessageEvent(name, { data }));
  }

  close() { if (open.delete(this.number)) worker?.postMessage([this.number]); }
}

export const openStream = (/** @type {URLSearchParams} */ query) => new Stream(query);
