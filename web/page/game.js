// Playing against the engine: strength, clocks, hints, resigning, export.

import { request } from './api.js';
import { $, element } from './board.js';
import { download } from './files.js';
import { playerOf, toTree } from './record.js';

/** @type {[string, string][]} */
const times = [
  ['move0.2', '0.2 seconds per move'], ['move1', '1 second per move'], ['move5', '5 seconds per move'], ['move30', '30 seconds per move'],
  ['60+0', '1 minute'], ['180+2', '3 minutes + 2 s'], ['300+3', '5 minutes + 3 s'], ['900+10', '15 minutes + 10 s'], ['1800+0', '30 minutes'],
];

// What the kinds of weaker levels are called, and how far one is from the next.
/** @type {Record<string, { step: number, text: (value: number, highest: number) => string }>} */
const kinds = {
  elo: { step: 200, text: value => `Elo ${value}` },
  skill: { step: 2, text: (value, highest) => `level ${value} of ${highest}` },
};

// strengths lists the strengths at which the engine plays a game.
/** @param {GameInfo} game */
function strengths({ levels }) {
  const list = /** @type {[string, string][]} */ ([['', 'full strength']]);
  if (!levels) return list;
  const { kind, lowest, highest } = levels, { step, text } = kinds[kind];
  for (let value = lowest; value < highest; value += step) list.splice(1, 0, [kind + value, text(value, highest)]);
  return list;
}

// parseLevel returns the kind and the number of a level.
/** @param {string} level */
function parseLevel(level) {
  const [, kind, value] = level.match(/^(elo|skill)(\d+)$/) ?? [];
  return { kind, value: Number(value) };
}

// hasLevel reports whether the engine plays a game at a level.
/** @param {GameInfo | undefined} game @param {string} level */
export function hasLevel(game, level) {
  const { kind, value } = parseLevel(level), levels = game?.levels;
  return level === '' || levels !== undefined && levels.kind === kind && levels.lowest <= value && value <= levels.highest;
}

const keepInterval = 1000; // ms between two updates of the clocks in the address

/** @param {Part} select @param {[string, string][]} entries @param {string} chosen */
function fill(select, entries, chosen) {
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value, false, value === chosen)));
}

export class Game {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.asked = /** @type {Move & { position: Position, moves: string[] } | null} */ (null); // the newest hint
    // The position for which the engine searches its move; '' in an earlier game.
    this.thinking = /** @type {string | null} */ (null);
    this.waits = false; // that search, for searches of other pages
    this.settingsOf = ''; // the game whose settings the form has
    this.turn = /** @type {{ of: string, since: number } | null} */ (null); // when the side to move began to think
    $('#new-game').addEventListener('submit', e => { e.preventDefault(); this.begin(); });
    $('#from-here').addEventListener('click', () => this.begin(true));
    $('#hint').addEventListener('click', () => this.askHint());
    $('#resign').addEventListener('click', () => this.resign());
    $('#declare').addEventListener('click', () => app.change({ over: `declare${1 - app.line.side}` }));
    setInterval(() => this.tick(), 100);
  }

  // begin starts the game that the form describes, from its start or from the position that is shown.
  begin(here = false) {
    const { shapes } = this.app.gameOf();
    const value = (/** @type {string} */ id) => $(id).closest('[hidden]') ? '' : $(id).value;
    const you = value('#you'), clock = you === '' ? '' : value('#clock');
    const settings = /** @type {Partial<State>} */ ({ you, clock, level: you === '' ? '' : value('#level'), flip: you === '1' ? '1' : '' });
    const [base] = clock.split('+').map(Number);
    if (clock.includes('+')) settings.left = `${base * 1000},${base * 1000}`;
    this.restart();
    this.app.tell('');
    if (here) return this.app.cut(this.app.at, settings);
    settings.setup = value('#variant') || 'startpos';
    if (shapes) {
      settings.board = value('#size') === shapes.size ? '' : value('#size');
      settings.connect = value('#connect') === String(shapes.connect) ? '' : value('#connect');
    }
    return this.app.newGame(settings);
  }

  // restart forgets what belongs to the earlier game.
  restart() {
    this.thinking &&= '';
    this.turn = null;
    this.asked = null;
  }

  // over is how the game ended in the page, which offers no hints then.
  get over() { return this.app.ended ? '' : this.app.state.over; }

  // hint is the one for the position that is shown, until the game goes on.
  get hint() {
    const { asked, app: { state, position } } = this;
    return asked?.position === position && asked.moves === state.moves && !this.over ? asked : null;
  }

  // resign ends the game, and shows its end.
  resign() {
    const old = this.app.state;
    this.app.change({ over: `resign${old.you}`, at: null });
    this.app.offer('You resigned.', 'Continue the game', old);
  }

  // running reports whether a game against the engine goes on. It waits while a person analyses.
  get running() {
    const { state, line } = this.app;
    return state.you !== '' && state.view !== 'analyse' && !line.result && !state.over;
  }

  // engineMoves reports whether the engine has to move now.
  get engineMoves() {
    const { state, line, at } = this.app;
    return this.running && at === state.moves.length && line.side !== Number(state.you);
  }

  // clockRuns reports whether the side to move loses time. The engine does not while an earlier position is shown, because
  // it does not search then, and while its search waits.
  get clockRuns() {
    const { state, line } = this.app;
    return this.running && (line.side === Number(state.you) || this.engineMoves && !this.waits);
  }

  // personMoves reports whether a person may move on the board.
  personMoves() { return !this.engineMoves; }

  // update follows a new position.
  update() {
    const { app } = this, { state } = app;
    this.fillForm();
    const key = JSON.stringify(app.describe(Infinity));
    const turn = `${key} ${this.running} ${this.engineMoves}`;
    if (this.turn?.of !== turn && app.events.connected !== false) {
      this.turn = { of: turn, since: performance.now() };
    }
    $('#resign').disabled = !this.running;
    $('#from-here').disabled = Boolean(app.position.result);
    $('#declare').hidden = !app.line.declares || Boolean(app.line.result || state.over) || this.engineMoves;
    $('#hint').disabled = Boolean(app.position.result) || this.engineMoves || Boolean(this.over);
    if (this.engineMoves) {
      if (this.thinking !== key) this.think(key);
    } else if (this.thinking !== null) {
      this.thinking = null;
      app.stop(this);
    }
    this.inform();
    this.names();
    this.tick();
  }

  // inform says beside the buttons what the engine does.
  inform(text = this.thinking ? 'Trefoil is thinking …' : '') {
    const { state, position } = this.app;
    if (!text && state.you === '' && !position.result) text = 'You play both sides. “Play from here” starts a game against Trefoil.';
    $('#thinking').textContent = text;
  }

  fillForm() {
    const { state } = this.app;
    const of = state.game;
    if (this.settingsOf === of) return;
    this.settingsOf = of;
    const sides = this.app.sides();
    fill($('#you'), [['0', sides[0]], ['1', sides[1]], ['', 'both sides']], state.you || '0');
    const game = this.app.gameOf(), { variants, shapes } = game;
    fill($('#level'), strengths(game), state.level);
    fill($('#clock'), times, state.clock || 'move1');
    fill($('#variant'), [['', 'standard'], ...variants.map(v => /** @type {[string, string]} */ ([v.setup, v.title]))], '');
    if (shapes) {
      fill($('#size'), shapes.sizes.map(size => /** @type {[string, string]} */ ([size, size.replace('x', ' × ')])), state.board || shapes.size);
      const lengths = Array.from({ length: shapes.most - shapes.least + 1 }, (_, i) => String(shapes.least + i));
      fill($('#connect'), lengths.map(n => /** @type {[string, string]} */ ([n, n])), state.connect || String(shapes.connect));
    }
    $('#variant-label').hidden = !variants.length;
    $('#size-label').hidden = $('#connect-label').hidden = !shapes;
    $('#level').labels?.forEach(label => { label.hidden = !game.levels; });
    $('#exports').replaceChildren(...game.formats.map(format => {
      const button = element('button', '', `Save as ${format === 'text' ? 'text' : format.toUpperCase()}`);
      button.type = 'button';
      button.addEventListener('click', () => this.save(format));
      return button;
    }));
  }

  // limits are those of a search for a move.
  limits() {
    const { clock, level } = this.app.state;
    const limits = /** @type {Record<string, unknown>} */ ({});
    if (clock.includes('+')) limits.clock = { time: this.remaining().map(ms => Math.max(1, Math.round(ms))), inc: Array(2).fill(Number(clock.split('+')[1]) * 1000) };
    else limits.movetime = Math.round(1000 * Number(clock.replace('move', '') || 1));
    const { kind, value } = parseLevel(level);
    if (kind) limits[kind] = value;
    return limits;
  }

  /** @param {string} key */
  think(key) {
    const { app } = this;
    this.thinking = key;
    this.wait(false);
    app.search(this, () => ({ ...app.describe(Infinity), mode: 'play', ...this.limits() }), {
      info: data => app.analysis.record(app.line, data),
      queue: ({ place }) => this.wait(place > 0),
      best: ({ move, reason }) => {
        if (this.thinking !== key) return;
        this.thinking = null;
        if (move && this.engineMoves && key === JSON.stringify(app.describe(Infinity))) app.play(move);
        else if (reason === 'resigns') app.change({ over: `resign${app.line.side}` });
        else if (reason === 'declares a win') app.change({ over: `declare${1 - app.line.side}` });
        else if (reason) app.tell(reason);
      },
      failed: () => { this.thinking = null; this.inform(); },
    });
  }

  askHint() {
    const { app } = this;
    const asked = app.position;
    const done = () => this.inform();
    app.search(this, () => ({ ...app.describe(), mode: 'hint', movetime: 1000 }), {
      best: ({ move }) => {
        done();
        if (!move || app.position !== asked) return;
        this.asked = { position: asked, moves: app.state.moves, move, text: asked.legal.find(m => m.move === move)?.text ?? move };
        app.drawBoard();
        app.say(app.statusText());
      },
      failed: done,
      ended: done,
    });
    this.inform('Looking for a move …'); // after the end of an earlier one
  }

  // ---- Clocks

  get hasClock() { return this.app.state.clock.includes('+') && this.app.state.left !== ''; }

  // remaining is what both sides have left now, in ms.
  remaining() {
    const left = this.app.state.left.split(',').map(Number);
    if (this.clockRuns && this.turn && this.app.state.moves.length) left[this.app.line.side] -= performance.now() - this.turn.since;
    return left;
  }

  // punch is the change of the state when the side to move has moved.
  punch() {
    if (!this.hasClock || !this.running) return {};
    this.pause();
    const left = this.remaining();
    left[this.app.position.side] += Number(this.app.state.clock.split('+')[1]) * 1000;
    return { left: left.map(Math.round).join(',') };
  }

  // keep puts what is left on the clocks into the address, so that a page that is loaded again goes on from there.
  keep() {
    if (!this.hasClock || !this.app.line) return;
    this.app.state.left = this.remaining().map(Math.round).join(',');
    if (this.turn) this.turn.since = performance.now();
    this.app.writeAddress();
  }

  // wait stops the clock of the engine while its search waits.
  /** @param {boolean} waits */
  wait(waits) {
    if (waits === this.waits) return;
    this.keep();
    this.waits = waits;
  }

  // pause stops the clocks until the server has answered: what a move leads to, or at all.
  pause() {
    this.keep();
    this.turn = null;
  }

  tick() {
    const { app } = this;
    if (!app.line) return;
    const flip = Boolean(app.state.flip);
    const left = this.hasClock ? this.remaining() : [];
    for (const [id, side] of places(flip)) {
      const clock = $(`${id} .clock`);
      clock.hidden = !this.hasClock;
      if (!this.hasClock) continue;
      const text = clockText(left[side]);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle('runs', this.clockRuns && app.line.side === side);
    }
    if (this.hasClock && this.clockRuns && this.turn) {
      const side = app.line.side;
      if (performance.now() - this.turn.since > keepInterval) this.keep();
      // The engine has its clock in its own hands; a moment is granted to the line between.
      if (left[side] < (side === Number(app.state.you) ? 0 : -500)) {
        app.change({ over: `time${side}`, left: left.map(ms => Math.max(0, Math.round(ms))).join(',') });
      }
    }
  }

  names() {
    const { state, line } = this.app;
    const sides = this.app.sides();
    for (const [id, side] of places(Boolean(state.flip))) {
      const player = state.you === '' ? playerOf(state.headers, side) : Number(state.you) === side ? 'you' : 'Trefoil';
      $(`${id} .name`).textContent = sides[side] + (player && ` – ${player}`);
      $(id).classList.toggle('to-move', !line.result && this.app.position.side === side);
      $(id).classList.toggle('first', side === 0);
      $(id).classList.toggle('second', side === 1);
    }
  }

  // save downloads the game as a file.
  /** @param {string} format */
  async save(format) {
    const { app } = this, { state } = app;
    const tags = /** @type {Record<string, string>} */ ({});
    if (state.you !== '') {
      app.sides().forEach((side, i) => { tags[side] = Number(state.you) === i ? 'Person' : 'Trefoil'; });
      if (format === 'pgn') tags.Date = new Date().toLocaleDateString('sv').replaceAll('-', '.');
    }
    const end = state.over.startsWith('end') ? state.over.slice(3) : '';
    if (state.over && !end) tags.Result = state.over.endsWith('0') ? '0-1' : '1-0';
    if (state.over.startsWith('time')) tags.Termination = 'time forfeit';
    try {
      const game = { ...app.describe(Infinity), moves: app.mainLine, format, tags };
      if (format !== 'text') Object.assign(game, { moves: [], headers: state.headers, tree: toTree([...new Set([app.mainLine, state.moves, ...state.lines])], state.notes, end) });
      const { text } = await request('/api/export', game);
      if (format === 'csa' && state.lines.length) app.tell('A game in CSA has no variations: they are not in the file.');
      download(`${state.game}.${format === 'text' ? 'txt' : format}`, new Blob([text], { type: 'text/plain' }));
    } catch (e) { app.refuse(e); }
  }
}

// places are where the sides have their names and clocks.
/** @type {(flip: boolean) => [string, number][]} */
const places = flip => [['#above', flip ? 0 : 1], ['#below', flip ? 1 : 0]];

// clockText writes milliseconds as minutes and seconds, with tenths in the last ten seconds, rounded up.
/** @param {number} ms */
function clockText(ms) {
  const tenths = Math.ceil(Math.max(0, ms) / 100);
  if (tenths < 100) return `0:0${(tenths / 10).toFixed(1)}`;
  const s = Math.ceil(ms / 1000);
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
}
