// The page: its state, which is the part of the address after #, and what connects board, panels and server.

import { Events, Refusal, request, session } from './api.js';
import { $, Board, closest, element } from './board.js';
import { fontHasKanji } from './kanji.js';
import { Game, hasLevel } from './game.js';
import { fromTree, pathOf, readHeaders, readNotes, signsOf, textsOf, writeNotes } from './record.js';
import { Analysis } from './analysis.js';
import { Hash } from './hash.js';
import { Film } from './film.js';
import { Files } from './files.js';

// What a person made. Every change of it goes to the address, so a reload or a link brings it back.
/** @type {State} */
const defaults = {
  game: '',       // the first game of the server, see start
  board: '', connect: '', setup: 'startpos',
  moves: [],      // the moves of the game, as the protocol writes them
  at: null,       // how many of them the board shows; null: all
  lines: [],      // other lines: variations, and what moves from earlier positions have replaced, each a list of moves
  main: '',       // 1: the first of the other lines is the game, and moves is a variation of it
  view: 'play',   // play, analyse or hash
  flip: '',       // 1: the second side is below
  kanji: '',      // 1: pieces with kanji
  you: '',        // the side of the person against the engine, 0 or 1; empty: no game against it
  level: '',      // empty: full strength; elo1500, skill7
  clock: '',      // a game of 5 minutes and 3 seconds a move: 300+3; a second for each move of the engine: move1
  left: '',       // what is left on both clocks, in ms
  over: '',       // how the game ended other than on the board: resign, time or declare, and the side that lost; or end, and the words of a file
  notes: {},      // comments and marks, see record.js
  headers: [],    // names and values that a file has of the game
};

// What these keys may have in an address. Other values are ignored, and disappear when the address is written.
/** @type {Record<string, RegExp>} */
const valid = {
  at: /^\d+$/, main: /^1?$/, view: /^(play|analyse|hash)$/, flip: /^1?$/, kanji: /^1?$/, you: /^[01]?$/,
  clock: /^(move\d+(\.\d+)?|\d+\+\d+)?$/, left: /^(-?\d+,-?\d+)?$/, over: /^((resign|time|declare)[01]|end.{1,40})?$/,
};

// What the first page and the choice of a game begin with.
const fresh = { you: '0', clock: 'move1' };

// The keys that belong to a game and end with it.
/** @type {(keyof State)[]} */
const ofGame = ['setup', 'moves', 'at', 'lines', 'main', 'you', 'level', 'clock', 'left', 'over', 'notes', 'headers'];

const maxLines = 1000;

// longestAddress is how many characters an address may have; browsers cut longer ones.
const longestAddress = 1 << 20;

// longestBatch is how many characters of moves are sent in one request.
const longestBatch = 32 << 10;

// shared is how many moves two lines have in common.
/** @param {string[]} a @param {string[]} b */
function shared(a, b) {
  const i = a.findIndex((move, i) => move !== b[i]);
  return i < 0 ? a.length : i;
}

// others are the lines to keep beside the moves that are shown: those that are not the beginning of another one.
/** @param {string[][]} lines @param {string[]} moves */
function others(lines, moves) {
  const all = [moves, ...lines];
  const repeated = (/** @type {string[]} */ line, /** @type {number} */ i) => all.some((other, j) => shared(line, other) === line.length && (other.length > line.length || j <= i));
  return lines.filter((line, i) => !repeated(line, i)).slice(0, maxLines);
}

export class App {
  // What start and show have had from the server: the games, the end of the line that is shown, and what the board shows.
  /** @type {GameInfo[]} */ games;
  /** @type {Position} */ line;
  /** @type {Position} */ position;

  constructor() {
    this.state = { ...defaults };
    this.cache = /** @type {Map<string, Position>} */ (new Map());
    this.written = /** @type {Map<string, Move[]>} */ (new Map()); // the moves of lines as people write them
    this.kept = /** @type {Record<string, State>} */ ({}); // the states of the games that were left for another kind
    /** @type {{ id: number | null, panel: object, makeRequest: () => object, on: Listener, early: [keyof Listener, any][] } | null} */
    this.current = null; // the search of this session, see search
    this.link = /** @type {string | undefined} */ (undefined); // with which a copied link begins
    this.requested = 0;
    this.board = new Board($('#board'), { play: move => { this.tell(''); this.play(move); }, say: text => this.say(text || this.statusText()) });
    this.game = new Game(this);
    this.analysis = new Analysis(this);
    this.hash = new Hash(this);
    this.film = new Film(this);
    this.files = new Files(this);
    this.events = new Events({
      hello: data => {
        $('#engine').textContent = data.engine;
        this.link = data.link;
      },
      queue: data => this.receive('queue', data),
      info: data => this.receive('info', data),
      values: data => this.receive('values', data),
      best: data => this.receive('best', data),
      table: data => this.hash.table(data),
      notice: ({ text }) => {
        $('#notice').textContent = text.replace(/^([XO] wins): /, 'Goal “$1”: '); // the goal of a proof, not its result
        this.analysis.notice(text);
      },
      lost: () => this.lost(),
      released: () => this.game.pause(),
      mended: () => this.mended(),
    });
  }

  async start() {
    const games = await request('/api/games');
    for (const game of games) game.module = (await import(`./boards/${game.board}.js`)).board;
    this.games = games;
    defaults.game = games[0].name;
    // A page without a state begins a game against the engine.
    this.state = { ...defaults, ...(location.hash.length > 1 ? this.readAddress() : fresh) };
    this.listen();
    for (const { name } of this.games) {
      const button = element('button', '', this.titleOf(name));
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
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#views button'))) {
      button.addEventListener('click', () => this.view(button.dataset.view ?? ''));
    }
    const on = (/** @type {string} */ id, /** @type {() => void} */ act) => $(id).addEventListener('click', act);
    on('#first', () => this.goTo(0));
    on('#back', () => this.goTo(this.at - 1));
    on('#forward', () => this.goTo(this.at + 1));
    on('#last', () => this.goTo(this.state.moves.length));
    on('#undo', () => this.undo());
    on('#promote', () => this.replace(this.state.moves, this.at));
    on('#flip', () => this.change({ flip: this.state.flip ? '' : '1' }));
    on('#kanji', () => this.change({ kanji: this.state.kanji ? '' : '1' }));
    $('#comment').addEventListener('change', () => this.annotate($('#comment').value));
    on('#copy-position', () => this.copy($('#now').value));
    on('#copy-moves', () => this.copy(this.state.moves.join(' ')));
    on('#copy-link', () => this.copy((this.link ?? location.origin + location.pathname) + location.hash)); // without the token
    $('#setup').addEventListener('submit', e => { e.preventDefault(); this.setUp($('#text').value); });
    $('#enter').addEventListener('submit', e => { e.preventDefault(); this.enter($('#move')); });
    // The engine need not search for a page that is left.
    addEventListener('pagehide', () => request('/api/stop', { session }, { keepalive: true }).catch(() => {}));
    document.addEventListener('keydown', e => {
      if (closest(e, 'input, textarea, select, dialog') || e.altKey || e.ctrlKey || e.metaKey) return;
      const act = /** @type {Record<string, () => void>} */ ({
        ArrowLeft: () => this.goTo(this.at - 1), ArrowRight: () => this.goTo(this.at + 1),
        Home: () => this.goTo(0), End: () => this.goTo(this.state.moves.length),
        f: () => { if (this.module.flips) $('#flip').click(); },
        ' ': () => { if (this.state.view !== 'play') this.analysis.toggle(!this.analysis.busy); },
      })[e.key];
      if (!act || e.key === ' ' && closest(e, 'button, summary')) return; // which it clicks
      e.preventDefault();
      act();
    });
  }

  // ---- State and address

  readAddress() {
    const state = /** @type {Partial<State>} */ ({});
    let notes = '';
    for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
      if (!Object.hasOwn(defaults, key) || valid[key]?.test(value) === false) continue;
      if (key === 'moves') state.moves = value ? value.split(',') : [];
      else if (key === 'lines') state.lines = value.split(';').filter(Boolean).map(line => line.split(','));
      else if (key === 'at') state.at = Number(value);
      else if (key === 'headers') state.headers = readHeaders(value);
      else if (key === 'notes') notes = value;
      else state[/** @type {'game'} */ (key)] = value; // or another key whose value is a text
    }
    if (!state.lines?.length) delete state.main;
    if (notes) state.notes = readNotes(notes, [state.moves ?? [], ...state.lines ?? []]);
    if (!this.games.some(({ name }) => name === state.game)) delete state.game;
    if (!hasLevel(this.gameOf(state.game ?? defaults.game), state.level ?? '')) delete state.level;
    return state;
  }

  // writeAddress puts the state into the address. With push the old address stays behind the back button of the browser.
  writeAddress(push = false) {
    const query = new URLSearchParams();
    const write = (/** @type {keyof State} */ key, /** @type {State} */ { moves, lines, notes, headers, [key]: value }) => {
      if (key === 'lines') return lines.join(';');
      if (key === 'notes') return writeNotes(notes, [moves, ...lines]);
      if (key === 'headers') return headers.length ? JSON.stringify(headers) : '';
      return String(value ?? '');
    };
    for (const key of /** @type {(keyof State)[]} */ (Object.keys(this.state))) {
      const text = write(key, this.state);
      if (text !== write(key, defaults)) query.set(key, text);
    }
    // Commas, stars and slashes need no escapes after #; so the address can be read.
    let text = query.toString();
    if (text.length > longestAddress) {
      query.delete('notes');
      text = query.toString();
      this.tell('The comments are too long for the address of this page: they are gone when it is loaded again. Save the game.');
    }
    text = text.replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3B', ';');
    history[push ? 'pushState' : 'replaceState'](null, '', `${location.pathname}${location.search}#${text}`);
  }

  // change changes the state and shows what follows from it. If the server refuses it, the state stays.
  /** @param {Partial<State>} patch */
  change(patch, push = false) {
    const old = this.state;
    this.state = { ...old, ...patch };
    return this.show(old, push);
  }

  get at() { return Math.min(this.state.at ?? Infinity, this.state.moves.length); }

  // gameOf is what the server says of a game, with its board as module.
  gameOf(name = this.state.game) { return /** @type {GameInfo} */ (this.games.find(game => game.name === name)); }

  get module() { return this.gameOf().module; }

  // describe is the position after some moves as the server reads it.
  /** @returns {Described} */
  describe(at = this.at) {
    const { game, board, connect, setup, moves } = this.state;
    return {
      game, setup, moves: moves.slice(0, at), ...(board && { board }), ...(connect && { connect: Number(connect) }),
    };
  }

  // ask returns the server's answer on a position; answers are kept, because a position never changes.
  /** @param {Described} body */
  async ask(body) {
    const key = JSON.stringify(body), known = this.cache.get(key);
    if (known) return known;
    const answer = await request('/api/position', body);
    if (this.cache.size > 500) this.cache.clear();
    this.cache.set(key, answer);
    return answer;
  }

  // show asks for the position of the state and draws everything.
  /** @param {State | null} old @returns {Promise<void>} */
  async show(old = null, push = false) {
    const number = ++this.requested;
    this.writeAddress(push);
    let line, position;
    try {
      line = await this.ask(this.describe(Infinity));
      position = this.at === this.state.moves.length ? line : await this.ask(this.describe());
    } catch (e) {
      if (number !== this.requested) return;
      if (e instanceof Refusal) {
        this.tell(e.message);
        const refused = JSON.stringify(this.state);
        this.state = old ?? { ...defaults, game: this.state.game, view: this.state.view };
        if ((this.line || !old) && JSON.stringify(this.state) !== refused) return this.show();
      } else {
        this.events.retry();
      }
      return;
    }
    if (number !== this.requested) return;
    if (this.games.some(g => g.variants.some(v => v.setup === this.state.setup))) {
      this.cache.clear(); // the next time it draws another one
      this.state.setup = line.setup; // the start position that the server has drawn
      return this.show(old);
    }
    if (this.position !== position) $('#notice').textContent = '';
    this.line = line;
    this.position = position;
    this.draw();
    this.game.update();
    this.analysis.update();
    this.hash.update();
  }

  // ---- What a person does

  // play makes a move in the position that is shown.
  /** @param {string} move */
  play(move) {
    const { moves, clock } = this.state;
    return this.follow([...moves.slice(0, this.at), move], clock ? this.game.punch() : {});
  }

  // view shows the board, the analysis or the table. A game against the engine goes on where it was, not in a variation.
  /** @param {string} view */
  view(view) {
    const { main, you } = this.state;
    return this.change({ view, ...(view !== 'analyse' && main && you && { ...this.beside(this.mainLine), at: null }) });
  }

  // follow shows the end of a line. If the game or a variation goes that way, it only walks there. Else the line is a
  // variation in an analysis; in a game it takes the place of the rest, which is kept among the other lines.
  /** @param {string[]} line @param {Partial<State>} patch @returns {Promise<void> | void} */
  follow(line, patch = {}) {
    const old = this.state;
    const common = shared(line, old.moves);
    if (common === line.length) return this.goTo(common);
    if (old.view === 'analyse') {
      const known = old.lines.find(other => shared(line, other) === line.length);
      if (known) return this.swap(known, line.length);
      return this.change({ ...this.beside(line), at: null });
    }
    const replaced = old.moves.length - common;
    if (replaced) {
      this.offer(`${replaced === 1 ? 'One move was replaced; it is' : `${replaced} moves were replaced; they are`} kept as a variation.`, 'Undo', old);
    }
    return this.change({ moves: line, at: null, lines: others([old.moves, ...old.lines], line), main: '', over: '', ...patch });
  }

  // mainLine is the game, of which the moves that are shown may be a variation.
  get mainLine() { return this.state.main ? this.state.lines[0] : this.state.moves; }

  // over is how the game that is shown ended other than on the board; a variation of it goes on.
  get over() { return this.state.main ? '' : this.state.over; }

  // ended is how the file says that the game ended, which does not keep a person from another move.
  get ended() { return this.over.startsWith('end') ? this.over.slice(3) : ''; }

  // keepsComments reports whether games of this kind are saved with comments.
  get keepsComments() { return this.gameOf().formats.some(format => format !== 'text'); }

  // beside is the change of the state that shows a line, and leaves the game as it is. Only a game without an end, and
  // not against the engine, is continued.
  /** @param {string[]} line */
  beside(line) {
    const { moves, lines, you, over } = this.state, game = this.mainLine;
    const rest = [moves, ...lines].filter(other => other !== game);
    if (line === game || shared(game, line) === game.length && !you && !over) return { moves: line, lines: others(rest, line), main: '' };
    return { moves: line, lines: [game, ...others(others(rest, line), game)], main: '1' };
  }

  /** @param {number} at */
  goTo(at) {
    const n = Math.max(0, Math.min(at, this.state.moves.length));
    if (n !== this.at) this.change({ at: n === this.state.moves.length ? null : n });
  }

  // undo takes back the move before the position that is shown; against the engine as many as give the person the move
  // again. What it takes back is kept among the other lines.
  undo() {
    const { you } = this.state;
    this.tell('');
    this.cut(this.at - (you !== '' && this.position.side === Number(you) ? 2 : 1));
  }

  // cut ends the game after some moves; the others are kept among the other lines.
  /** @param {number} n @param {Partial<State>} patch */
  cut(n, patch = {}) {
    const { moves, lines, main } = this.state;
    const left = moves.slice(0, Math.max(0, n));
    if (main && !('clock' in patch)) {
      const common = shared(left, lines[0]);
      return common === left.length ? this.swap(lines[0], common) : this.change({ ...this.beside(left), at: null });
    }
    return this.change({ moves: left, at: null, lines: others([moves, ...lines], left), main: '', over: '', ...('clock' in patch ? {} : this.untimed()), ...patch });
  }

  // swap shows another line after some of its moves: beside the game in an analysis, else in its place.
  /** @param {string[]} line @param {number} at */
  swap(line, at) {
    this.tell('');
    if (this.state.view !== 'analyse') return this.replace(line, at);
    return this.change({ ...this.beside(line), at: at < line.length ? at : null });
  }

  // replace makes a line the game.
  /** @param {string[]} line @param {number} at */
  replace(line, at) {
    const { moves, lines } = this.state;
    return this.change({ moves: line, at: at < line.length ? at : null, lines: others([moves, ...lines], line), main: '', over: '', ...this.untimed() });
  }

  // forget removes lines; the game remains.
  /** @param {string[][]} gone */
  forget(gone) {
    const { moves, lines } = this.state, game = this.mainLine;
    if (!gone.includes(moves)) return this.change({ lines: lines.filter(line => !gone.includes(line)) });
    const at = shared(moves, game);
    return this.change({ moves: game, at: at < game.length ? at : null, main: '', lines: lines.filter(line => line !== game && !gone.includes(line)) });
  }

  // untimed takes the clocks out of a game that one of them has ended, so that the game can go on.
  untimed() {
    if (!this.state.over.startsWith('time')) return {};
    this.tell('The time was up. The game continues without clocks.');
    return { clock: fresh.clock, left: '' };
  }

  // chooseGame goes on with the game of this kind that was left for another one, or begins one.
  /** @param {string} name */
  chooseGame(name) {
    const { game, view, kanji } = this.state;
    if (name === game) return;
    this.game.keep();
    this.kept[game] = this.state;
    this.tell('');
    this.change({ ...defaults, ...fresh, ...this.kept[name], game: name, view, kanji }, true);
  }

  // newGame begins a game with these settings. A game that had moves can be had back.
  /** @param {Partial<State>} settings */
  async newGame(settings) {
    const old = this.state;
    const patch = Object.fromEntries(ofGame.map(key => [key, defaults[key]]));
    this.tell('');
    await this.change({ ...patch, over: '', ...settings }, old.moves.length > 0);
    if (old.moves.length && this.state !== old) this.offer('The earlier game is kept.', 'Back to it', old);
  }

  // offer says what has happened, with a button that brings an earlier state back.
  /** @param {string} text @param {string} button @param {State} state */
  offer(text, button, state) {
    this.tell(text, { text: button, act: () => { this.game.restart(); this.change({ ...state, view: this.state.view }); } });
  }

  // setUp begins with a position or a game that was given as text.
  /** @param {string} text */
  async setUp(text) {
    try {
      const { game, board, connect, setup, moves, notes, headers = [], tree, result } =
        await request('/api/import', { ...this.describe(0), setup: undefined, moves: undefined, text });
      const { end, lines, ...record } = tree ? fromTree(tree, moves) : { end: '', lines: [] };
      await this.newGame({
        game, board: board ?? '', connect: connect ? String(connect) : '', setup, moves, headers, ...record, lines: lines.slice(0, maxLines), over: end && (!result || result.winner === null) ? `end${end}` : '',
      });
      const left = lines.length - maxLines;
      if (left > 0) notes.push(`${left} variations are left out: a game has at most ${maxLines}.`);
      if (notes.length) this.tell(notes.join('; '));
    } catch (e) { this.refuse(e); }
  }

  // enter plays a move that was typed, in the notation of the move list or of the protocol. Signs such as x and + may be missing,
  // and so may capitals, as long as that leaves one move: bc3 is a move of a pawn if that is legal, else one of a bishop.
  /** @param {Part} input */
  enter(input) {
    const typed = input.value.trim();
    const brief = (/** @type {string} */ text) => text.replace(/[#x!?-]/g, '');
    const plain = (/** @type {string} */ text) => brief(text).replace(/[+=]/g, '');
    let found = /** @type {BoardMove[]} */ ([]);
    for (const form of [String, brief, plain, (/** @type {string} */ text) => plain(text).toLowerCase()]) {
      if (!found.length) found = this.board.moves.filter(m => [m.text, m.move].some(text => form(text) === form(typed)));
    }
    if (!found.length) return this.tell(`“${typed}” is not a legal move here.`);
    if (found.length > 1) return this.tell(`“${typed}” may be ${found.map(m => m.text).join(' or ')}.`);
    const [move] = found;
    input.value = '';
    this.tell('');
    this.play(move.move);
  }

  // noteOf is the note on a position of a line.
  /** @param {string[]} moves @param {number} at @returns {Note | undefined} */
  noteOf(moves, at) { return this.state.notes[pathOf(moves, at)]; }

  // annotate sets the comments on the position that is shown, one of each line.
  /** @param {string} text */
  annotate(text) {
    const { notes, moves } = this.state, comments = text.split('\n').map(line => line.trimEnd());
    while (comments.length && !comments.at(-1)) comments.pop();
    return this.change({ notes: { ...notes, [pathOf(moves, this.at)]: { ...this.noteOf(moves, this.at), comments } } });
  }

  /** @param {string} text */
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.tell('Copied.');
      setTimeout(() => { if ($('#message').textContent === 'Copied.') this.tell(''); }, 3000);
    } catch { this.tell(text); } // a page that may not write to the clipboard shows the text instead
  }

  // ---- What the person sees

  draw() {
    const { state, position, at } = this;
    document.body.dataset.view = state.view;
    document.body.dataset.game = state.game;
    document.title = `Trefoil – ${this.titleOf(state.game)}`;
    for (const b of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#games button, #views button'))) {
      b.setAttribute('aria-pressed', String(b.dataset.game === state.game || b.dataset.view === state.view));
    }
    this.drawBoard();
    $('#first').disabled = $('#back').disabled = at === 0;
    $('#last').disabled = $('#forward').disabled = at === state.moves.length;
    $('#undo').disabled = at === 0;
    $('#flip').hidden = !this.module.flips;
    $('#kanji').hidden = !this.module.kanji;
    $('#kanji').setAttribute('aria-pressed', String(Boolean(state.kanji)));
    $('#now').value = position.now;
    $('#move').placeholder = this.module.example ?? 'type a move';
    $('#rules').hidden = !this.module.rules;
    $('#rules p').textContent = this.module.rules ?? '';
    $('#comment-label').hidden = !this.keepsComments;
    $('#comment').value = (this.noteOf(state.moves, at)?.comments ?? []).join('\n');
    $('#headers').hidden = !state.headers.length;
    $('#headers dl').replaceChildren(...state.headers.flatMap(([name, value]) => [element('dt', '', name), element('dd', '', value)]));
    this.drawMoves();
    this.say(this.statusText());
  }

  drawBoard() {
    const { state, position, at } = this;
    this.board.show(this.module, position, {
      flip: Boolean(state.flip), kanji: Boolean(state.kanji),
      label: `${this.titleOf(state.game)} board`,
      active: !position.result && (!this.over || Boolean(this.ended) || state.view === 'analyse') && this.game.personMoves(),
      last: at > 0 ? state.moves[at - 1] : null,
      hint: this.game.hint?.move,
    });
  }

  // textOf writes a move as people do.
  /** @param {{ text: string, kanji?: string }} move */
  textOf(move) { return this.state.kanji && move.kanji && fontHasKanji() ? move.kanji : move.text; }

  // numberOf is the number before a move of a game: 1. or, if the second side made the first move, 1… .
  /** @param {Written} line @param {number} i */
  numberOf(line, i) {
    const second = (line.side + line.played.length) % 2;
    const first = this.module.firstMove?.(line.setup) ?? 1;
    return `${first + ((i + second) >> 1)}${(i + second) % 2 ? '…' : '.'}`;
  }

  // textsOf returns the moves of lines as people write them, null for an address with moves that are not legal.
  /** @param {string[][]} lines */
  async textsOf(lines) {
    const start = this.describe(0), key = (/** @type {string[]} */ line) => JSON.stringify({ ...start, moves: line });
    /** @type {(Move[] | null | undefined)[]} */
    const found = lines.map(line => line === this.state.moves ? this.line.played : this.written.get(key(line)));
    const missing = found.flatMap((texts, i) => texts === undefined ? [i] : []);
    if (this.written.size > 10000) this.written.clear();
    while (missing.length) {
      let n = 0;
      for (let size = 0; n < missing.length && (!size || size < longestBatch); n++) size += JSON.stringify(lines[missing[n]]).length;
      const batch = missing.splice(0, n), { lines: texts } = await request('/api/lines', { ...start, lines: batch.map(i => lines[i]) }).catch(() => ({ lines: [] }));
      batch.forEach((i, j) => {
        const text = found[i] = texts[j] ?? null;
        if (text) this.written.set(key(lines[i]), text);
      });
    }
    return found;
  }

  // drawMoves writes the game and its variations.
  async drawMoves() {
    const { state, at, line: { setup, side, played } } = this, list = $('#moves');
    const lines = [...new Set([this.mainLine, state.moves, ...state.lines])];
    const texts = await this.textsOf(lines);
    if (this.state !== state || this.at !== at) return; // drawn anew meanwhile
    const first = side + played.length;
    const [game, ...others] = lines.flatMap((moves, i) => {
      const text = texts[i];
      return text ? [{ moves, answer: { setup, played: text, side: (first + moves.length) % 2 } }] : [];
    });
    list.replaceChildren(...this.remarks(game, 0, 'li'), ...this.branch(game, others, 0, 'li'));
    $('#promote').hidden = !state.main;
    const now = /** @type {HTMLElement | null} */ (list.querySelector('.now'));
    list.scrollTop = now ? now.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
  }

  // remarks are the comments on a position of a line.
  /** @param {ShownLine} line @param {number} at @param {'li' | 'span'} tag */
  remarks(line, at, tag) {
    return textsOf(this.noteOf(line.moves, at)).filter(Boolean).map(text => element(tag, 'variation comment', text));
  }

  // branch writes the moves of a line from one on, and after each move the variations to it, which are among the others.
  /** @param {ShownLine} line @param {ShownLine[]} others @param {number} from @param {'li' | 'span'} tag */
  branch(line, others, from, tag) {
    const nodes = /** @type {HTMLElement[]} */ ([]);
    let numbered = true;
    for (let i = from; i <= line.moves.length; i++) {
      if (i < line.moves.length) {
        const before = i === from && tag === 'span' ? this.noteOf(line.moves, i + 1)?.before ?? [] : [];
        const remarks = this.remarks(line, i + 1, tag);
        nodes.push(...before.map(text => element(tag, 'variation comment', text)), this.moveItem(line, i, numbered, tag), ...remarks);
        numbered = remarks.length > 0;
      }
      let here = others.filter(({ moves }) => moves.length > i && shared(moves, line.moves) === i);
      while (here.length) {
        const [first] = here, alike = here.filter(({ moves }) => moves[i] === first.moves[i]);
        here = here.filter(other => !alike.includes(other));
        const variation = element(tag, 'variation');
        variation.append('(', ...this.branch(first, alike.slice(1), i, 'span'), ')');
        if (tag === 'li') {
          const forget = element('button', 'forget', '×');
          forget.type = 'button';
          forget.title = 'Remove this line';
          forget.setAttribute('aria-label', forget.title);
          forget.addEventListener('click', () => this.forget(alike.map(({ moves }) => moves)));
          variation.append(forget);
        }
        nodes.push(variation);
        numbered = true;
      }
    }
    return nodes;
  }

  // moveItem is a move of a line as a button that shows its position.
  /** @param {ShownLine} line @param {number} i @param {boolean} numbered @param {'li' | 'span'} tag */
  moveItem(line, i, numbered, tag) {
    const { moves } = this.state, { answer } = line;
    const shown = shared(moves, line.moves) > i, now = shown && i + 1 === this.at;
    const item = element(tag), note = this.noteOf(line.moves, i + 1);
    const button = element('button', now ? 'now' : '', this.textOf(answer.played[i]) + (signsOf(note) || this.analysis.markOf(line.moves, i + 1)));
    button.type = 'button';
    if (note?.time) button.title = note.time;
    if (now) button.setAttribute('aria-current', 'true');
    button.addEventListener('click', () => shown ? this.goTo(i + 1) : this.swap(line.moves, i + 1));
    const second = (answer.side + answer.played.length + i) % 2 === 1;
    if (second) item.classList.add('second');
    if (!second || numbered) item.append(element('span', 'number', this.numberOf(answer, i)));
    item.append(button);
    return item;
  }

  // titleOf is the name of a game as it begins a sentence.
  titleOf(game = this.state.game) {
    const { title } = this.gameOf(game);
    return title[0].toUpperCase() + title.slice(1);
  }

  sides(game = this.state.game) { return this.gameOf(game).sides; }

  statusText() {
    const { position, state, at } = this;
    const sides = this.sides();
    if (this.game.hint) return `Hint: ${this.game.hint.text}`;
    const last = at > 0 ? `${sides[1 - position.side]} played ${this.line.played[at - 1].text}. ` : '';
    if (position.result) {
      const { winner, unknown, reason } = position.result;
      return last + (unknown ? `The game is over: ${reason}.` : winner === null ? `Draw: ${reason}.` : `${sides[winner]} wins: ${reason}.`);
    }
    if (this.ended && at === state.moves.length) return `${last}The game ended: ${!state.kanji && this.module.ends?.[this.ended] || this.ended}.`;
    if (this.over && at === state.moves.length) {
      const loser = Number(this.over.at(-1));
      const why = { time: `${sides[loser]} ran out of time`, resign: `${sides[loser]} resigned`, declare: 'by declaration' }[this.over.slice(0, -1)];
      return last + `${sides[1 - loser]} wins: ${why}.`;
    }
    return `${last}${position.check ? 'Check. ' : ''}${sides[position.side]} to move.`;
  }

  // say writes the line under the board. The same text is not written again, because a screen reader would read it again.
  /** @param {string} text */
  say(text) { if ($('#status').textContent !== text) $('#status').textContent = text; }

  // tell shows a message; an empty one takes it away.
  // An action is offered beside the message: { text, act }.
  /** @param {string} text @param {{ text: string, act: () => void } | null} action */
  tell(text, action = null) {
    const parts = /** @type {(string | Node)[]} */ ([text]);
    if (action) {
      const button = element('button', '', action.text);
      button.type = 'button';
      button.addEventListener('click', () => { this.tell(''); action.act(); });
      parts.push(' ', button);
    }
    const close = element('button', 'close');
    close.type = 'button';
    close.setAttribute('aria-label', 'Close');
    close.addEventListener('click', () => this.tell(''));
    $('#message').replaceChildren(...parts, close);
    $('#message').hidden = !text;
  }

  // refuse shows why a request failed.
  /** @param {unknown} e */
  refuse(e) {
    if (e instanceof Refusal) this.tell(e.message);
    else this.events.retry();
  }

  // ---- Searches

  // search begins a search of a panel and ends the earlier one of this page. on has functions for the events of this search:
  // info, values, queue, best; ended if it has none. The request is a function, so that a search begun again has the time of then.
  /** @param {object} panel @param {() => object} makeRequest @param {Listener} on */
  async search(panel, makeRequest, on) {
    this.end();
    /** @type {NonNullable<App['current']>} */
    const search = this.current = { id: null, panel, makeRequest, on, early: [] };
    try {
      this.events.use();
      await this.events.ready;
      if (this.current !== search) return; // it was stopped meanwhile
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

  // end forgets the search of this page, which is told so: on.ended.
  end() {
    const search = this.current;
    this.current = null;
    $('#queue').textContent = '';
    search?.on.ended?.();
  }

  // stop ends the search of a panel, unless another one has begun a search since.
  /** @param {object} panel */
  stop(panel) {
    if (this.current?.panel !== panel) return;
    this.end();
    request('/api/stop', { session }).catch(() => {});
  }

  /** @param {keyof Listener} name @param {any} data */
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
      if (data.reason?.startsWith('error')) this.tell(data.reason);
    }
    search.on[name]?.(data);
  }

  // ---- Connection

  lost() {
    $('#connection').textContent = 'The connection to Trefoil was lost. Trying again …';
    $('#connection').hidden = false;
    this.game.pause();
  }

  async mended() {
    $('#connection').textContent = 'Connected again.';
    setTimeout(() => { if (this.events.connected) $('#connection').hidden = true; }, 2000);
    const search = this.current;
    this.cache.clear();
    await (this.games ? this.show() : this.start());
    if (!search || this.current !== search) return;
    this.current = null; // it begins again, and does not end
    this.search(search.panel, search.makeRequest, search.on);
  }
}

const app = new App();
app.start().catch(e => app.refuse(e));
