// The page: its state, which is the part of the address after #, and what connects board, panels and server.

import { Events, Refusal, request, session } from './api.js';
import { Board, element } from './board.js';
import { chess } from './chess.js';
import { shogi } from './shogi.js';
import { connect4 } from './connect4.js';
import { ultimate } from './ultimate.js';
import { Game } from './game.js';
import { Analysis } from './analysis.js';
import { Hash } from './hash.js';

const boards = { chess, shogi, connect4, ultimate };
const $ = selector => document.querySelector(selector);

// What a person made. Every change of it goes to the address, so a reload or a link brings it back.
const defaults = {
  game: 'chess', board: '', connect: '', setup: 'startpos',
  moves: [],      // the moves of the game, as the protocol writes them
  at: null,       // how many of them the board shows; null: all
  view: 'play',   // play, analyse or hash
  flip: '',       // 1: the second side is below
  kanji: '',      // 1: shogi pieces with kanji
  you: '',        // the side of the person against the engine, 0 or 1; empty: no game against it
  level: '',      // empty: full strength; elo1500, skill7
  clock: '',      // a game of 5 minutes and 3 seconds a move: 300+3; a second for each move of the engine: move1
  left: '',       // what is left on both clocks, in ms
  over: '',       // how the game ended other than on the board: resign, time or declare, and the side that lost
};

// What the first page and the choice of a game begin with.
const fresh = { you: '0', clock: 'move1' };

// The keys that belong to a game and end with it.
const ofGame = ['setup', 'moves', 'at', 'you', 'level', 'clock', 'left', 'over'];

class App {
  constructor() {
    // A page without a state begins a game against the engine.
    this.state = { ...defaults, ...(location.hash.length > 1 ? this.readAddress() : fresh) };
    this.cache = new Map();
    this.current = null; // the search of this session: { id, request, on }
    this.requested = 0;
    this.board = new Board($('#board'), { play: move => this.play(move), say: text => this.say(text) });
    this.game = new Game(this);
    this.analysis = new Analysis(this);
    this.hash = new Hash(this);
    this.events = new Events({
      hello: data => { $('#engine').textContent = data.engine ?? data.version; },
      queue: data => this.receive('queue', data),
      info: data => this.receive('info', data),
      values: data => this.receive('values', data),
      best: data => this.receive('best', data),
      table: data => this.hash.table(data),
      notice: data => { $('#notice').textContent = data.text; },
      lost: () => this.lost(),
      mended: () => this.mended(),
    });
    this.listen();
  }

  async start() {
    this.games = await request('/api/games');
    for (const { name, title } of this.games) {
      const button = element('button', '', title);
      button.type = 'button';
      button.dataset.game = name;
      button.addEventListener('click', () => this.chooseGame(name));
      $('#games').append(button);
    }
    await this.show();
  }

  listen() {
    addEventListener('hashchange', () => {
      this.state = { ...defaults, ...this.readAddress() };
      this.game.restart();
      this.show();
    });
    for (const button of document.querySelectorAll('#views button')) {
      button.addEventListener('click', () => this.change({ view: button.dataset.view }));
    }
    const on = (id, act) => $(id).addEventListener('click', act);
    on('#first', () => this.goTo(0));
    on('#back', () => this.goTo(this.at - 1));
    on('#forward', () => this.goTo(this.at + 1));
    on('#last', () => this.goTo(this.state.moves.length));
    on('#undo', () => this.undo());
    on('#flip', () => this.change({ flip: this.state.flip ? '' : '1' }));
    on('#kanji', () => this.change({ kanji: this.state.kanji ? '' : '1' }));
    on('#copy-position', () => this.copy($('#now').value));
    on('#copy-moves', () => this.copy(this.state.moves.join(' ')));
    on('#copy-link', () => this.copy(location.href));
    $('#setup').addEventListener('submit', e => { e.preventDefault(); this.setUp($('#text').value); });
    $('#enter').addEventListener('submit', e => { e.preventDefault(); this.enter($('#move')); });
    // The engine need not search for a page that is left.
    addEventListener('pagehide', () => request('/api/stop', { session }, { keepalive: true }).catch(() => {}));
    document.addEventListener('keydown', e => {
      if (e.target.closest('input, textarea, select, dialog') || e.altKey || e.ctrlKey || e.metaKey) return;
      if (e.key === 'ArrowLeft') this.goTo(this.at - 1);
      if (e.key === 'ArrowRight') this.goTo(this.at + 1);
    });
  }

  // ---- State and address

  readAddress() {
    const state = {};
    for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
      if (!(key in defaults)) continue;
      if (key === 'moves') state.moves = value ? value.split(',') : [];
      else if (key === 'at') state.at = Number(value);
      else state[key] = value;
    }
    if (!(state.game ?? 'chess' in boards)) delete state.game;
    return state;
  }

  writeAddress() {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(this.state)) {
      if (String(value ?? '') !== String(defaults[key] ?? '')) query.set(key, value);
    }
    // Commas, stars and slashes need no escapes after #; so the address can be read.
    const text = query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3B', ';');
    history.replaceState(null, '', `${location.pathname}${location.search}#${text}`);
  }

  // change changes the state and shows what follows from it. If the server refuses it, the state stays.
  change(patch) {
    const old = this.state;
    this.state = { ...old, ...patch };
    return this.show(old);
  }

  get at() { return Math.min(this.state.at ?? Infinity, this.state.moves.length); }

  get module() { return boards[this.state.game]; }

  // describe is the position after some moves as the server reads it.
  describe(at = this.at) {
    const { game, board, connect, setup, moves } = this.state;
    return {
      game, setup, moves: moves.slice(0, at), ...(board && { board }), ...(connect && { connect: Number(connect) }),
    };
  }

  // ask returns the server's answer on a position; answers are kept, because a position never changes.
  async ask(body) {
    const key = JSON.stringify(body);
    if (!this.cache.has(key)) {
      const answer = await request('/api/position', body);
      if (this.cache.size > 500) this.cache.clear();
      this.cache.set(key, answer);
    }
    return this.cache.get(key);
  }

  // show asks for the position of the state and draws everything.
  async show(old = null) {
    const number = ++this.requested;
    this.writeAddress();
    let line, position;
    try {
      line = await this.ask(this.describe(Infinity));
      position = this.at === this.state.moves.length ? line : await this.ask(this.describe());
    } catch (e) {
      if (number !== this.requested) return;
      if (e instanceof Refusal) {
        this.tell(e.message);
        this.state = old ?? { ...defaults, game: this.state.game, view: this.state.view };
        if (this.line || !old) return this.show();
      } else {
        this.events.retry();
      }
      return;
    }
    if (number !== this.requested) return;
    if (this.games.some(g => g.variants.some(v => v.setup === this.state.setup))) {
      this.state.setup = line.setup; // the start position that the server has drawn
      return this.show(old);
    }
    this.line = line;
    this.position = position;
    this.draw();
    this.game.update();
    this.analysis.update();
    this.hash.update();
  }

  // ---- What a person does

  play(move) {
    const { moves, you, clock } = this.state;
    this.tell('');
    const patch = { moves: [...moves.slice(0, this.at), move], at: null };
    if (this.at < moves.length && !you) Object.assign(patch, { over: '' });
    if (clock) Object.assign(patch, this.game.punch());
    return this.change(patch);
  }

  goTo(at) {
    const n = Math.max(0, Math.min(at, this.state.moves.length));
    if (n !== this.at) this.change({ at: n === this.state.moves.length ? null : n });
  }

  // undo takes back a move; against the engine as many as give the person the move again.
  undo() {
    const { moves, you } = this.state;
    if (!moves.length) return;
    const back = you !== '' && this.line.side === Number(you) ? 2 : 1;
    this.change({ moves: moves.slice(0, Math.max(0, moves.length - back)), at: null, over: '' });
  }

  chooseGame(name) {
    const { view, kanji } = this.state;
    this.change({ ...defaults, ...fresh, game: name, view, kanji });
  }

  // newGame begins a game with these settings.
  newGame(settings) {
    const patch = { over: '' };
    for (const key of ofGame) patch[key] = defaults[key];
    return this.change({ ...patch, ...settings });
  }

  // setUp begins with a position or a game that was given as text.
  async setUp(text) {
    if (/^\s*1\./.test(text)) text = `[Event "?"]\n\n${text}`; // the moves of a PGN without its tags
    try {
      const { game, board, connect, setup, moves, notes } = await request('/api/import', { ...this.describe(0), setup: undefined, moves: undefined, text });
      await this.newGame({ game, board: board ?? '', connect: connect ? String(connect) : '', setup, moves });
      this.tell(notes.join('; '));
    } catch (e) { this.refuse(e); }
  }

  // enter plays a move that was typed, in the notation of the move list or of the protocol.
  enter(input) {
    const typed = input.value.trim();
    const plain = text => text.replace(/[+#=x!?-]/g, '').toLowerCase();
    const legal = this.board.moves;
    const move = legal.find(m => m.move === typed || m.text === typed) ??
      legal.find(m => plain(m.text) === plain(typed) || m.move.toLowerCase() === typed.toLowerCase());
    if (!move) return this.tell(`“${typed}” is not a legal move here`);
    input.value = '';
    this.play(move.move);
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.tell('Copied.');
    } catch { this.tell(text); } // a page that may not write to the clipboard shows the text instead
  }

  // ---- What the person sees

  draw() {
    const { state, position, line, at } = this;
    document.body.dataset.view = state.view;
    document.body.dataset.game = state.game;
    document.title = `Trefoil – ${this.games.find(g => g.name === state.game).title}`;
    for (const b of document.querySelectorAll('#games button')) b.setAttribute('aria-pressed', b.dataset.game === state.game);
    for (const b of document.querySelectorAll('#views button')) b.setAttribute('aria-pressed', b.dataset.view === state.view);
    this.drawBoard();
    $('#first').disabled = $('#back').disabled = at === 0;
    $('#last').disabled = $('#forward').disabled = at === state.moves.length;
    $('#undo').disabled = !state.moves.length;
    $('#kanji').hidden = state.game !== 'shogi';
    $('#kanji').setAttribute('aria-pressed', Boolean(state.kanji));
    $('#now').value = position.now;
    this.drawMoves(line.played, at);
    const text = this.statusText();
    if ($('#status').textContent !== text) $('#status').textContent = text;
  }

  drawBoard() {
    const { state, position, at } = this;
    this.board.show(this.module, position, {
      flip: Boolean(state.flip), kanji: Boolean(state.kanji),
      label: `${this.games.find(g => g.name === state.game).title} board`,
      active: !position.result && !state.over && this.game.personMoves(),
      last: at > 0 ? state.moves[at - 1] : null,
      hint: this.game.hint,
    });
  }

  drawMoves(played, at) {
    const list = $('#moves');
    const text = m => this.state.kanji && m.kanji ? m.kanji : m.text;
    list.replaceChildren(...played.map((m, i) => {
      const item = element('li');
      const button = element('button', i + 1 === at ? 'now' : '', text(m));
      button.type = 'button';
      if (i + 1 === at) button.setAttribute('aria-current', 'true');
      button.addEventListener('click', () => this.goTo(i + 1));
      item.append(button);
      return item;
    }));
    const now = list.querySelector('.now');
    if (now) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  sides() { return this.games.find(g => g.name === this.state.game).sides; }

  statusText() {
    const { position, state, at } = this;
    const sides = this.sides();
    const last = at > 0 ? `${sides[1 - position.side]} played ${this.line.played[at - 1].text}. ` : '';
    if (position.result) {
      const { winner, reason } = position.result;
      return last + (winner === null ? `Draw: ${reason}.` : `${sides[winner]} wins: ${reason}.`);
    }
    if (state.over && at === state.moves.length) {
      const loser = Number(state.over.at(-1));
      const why = { time: `${sides[loser]} ran out of time`, resign: `${sides[loser]} resigned`, declare: 'by declaration' }[state.over.slice(0, -1)];
      return last + `${sides[1 - loser]} wins: ${why}.`;
    }
    return `${last}${position.check ? 'Check. ' : ''}${sides[position.side]} to move.`;
  }

  say(text) { $('#status').textContent = text; }

  // tell shows a message; an empty one takes it away.
  tell(text) {
    $('#message').textContent = text;
    $('#message').hidden = !text;
  }

  // refuse shows why a request failed.
  refuse(e) {
    if (e instanceof Refusal) this.tell(e.message);
    else this.events.retry();
  }

  // ---- Searches

  // search begins a search and ends the earlier one of this page. on has functions for the events of this search:
  // info, values, queue, best. The request is a function, so that a search begun again has the time of then.
  async search(makeRequest, on) {
    const search = this.current = { id: null, makeRequest, on, early: [] };
    $('#queue').textContent = '';
    try {
      await this.events.ready;
      const { id, place } = await request('/api/search', { session, ...makeRequest() });
      search.id = id;
      if (this.current !== search) return;
      this.receive('queue', { id, place });
      for (const [name, data] of search.early.splice(0)) this.receive(name, data);
    } catch (e) {
      if (this.current === search) {
        if (e instanceof Refusal) this.current = null;
        on.failed?.(e);
        this.refuse(e);
      }
    }
  }

  // stop ends the search of this page. Its last event still comes.
  stop() {
    this.current = null;
    $('#queue').textContent = '';
    request('/api/stop', { session }).catch(() => {});
  }

  receive(name, data) {
    const search = this.current;
    if (!search) return;
    if (search.id === null) return void search.early.push([name, data]); // the answer with the number is under way
    if (data.id !== search.id) return;
    if (name === 'queue') {
      $('#queue').textContent = data.place > 0 ? `Waiting for ${data.place} other search${data.place > 1 ? 'es' : ''}.` : '';
    }
    if (name === 'best') {
      this.current = null;
      if (data.reason?.startsWith('error') || data.reason === 'queue full') this.tell(data.reason);
    }
    search.on[name]?.(data);
  }

  // ---- Connection

  lost() {
    $('#connection').textContent = 'The connection to Trefoil is lost. Trying again …';
    $('#connection').hidden = false;
    this.game.pause();
  }

  async mended() {
    $('#connection').textContent = 'Connected again.';
    setTimeout(() => { if (this.events.connected) $('#connection').hidden = true; }, 2000);
    const search = this.current;
    this.cache.clear();
    await this.show();
    if (search && this.current === search) this.search(search.makeRequest, search.on);
  }
}

const app = new App();
app.start().catch(e => app.refuse(e));
