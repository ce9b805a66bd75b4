// Analysis: lines, the value of every move, mates, and the score over the game.

import { Refusal, request } from './api.js';
import { $, element } from './board.js';
import { pathOf } from './record.js';

const arrows = 3; // lines whose first moves are shown on the board

// nameOf names the position after some moves of a game.
/** @param {Position} line */
const nameOf = ({ game, board, connect, setup, moves }, at = moves.length) => JSON.stringify([game, board, connect, setup, ...moves.slice(0, at)]);

export class Analysis {
  /** @type {Position} */ shown; // by the app when update was called last

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.on = false;           // analyses every position that is shown
    this.of = /** @type {Position | null} */ (null); // the position that is searched
    this.walk = /** @type {string[] | null} */ (null); // while every position of the game is searched: the moves of the game
    this.mating = false;       // while a mate is looked for
    this.said = '';            // what the engine says meanwhile
    this.walked = 0;           // how many of its positions were searched
    this.lines = /** @type {Info[]} */ ([]); // the newest report of each line
    this.last = /** @type {Info | null} */ (null); // the newest report of all
    this.values = /** @type {Values | null} */ (null); // the newest values of the moves
    /** @type {{ start: string, path: string, marks: Map<string, number>, sides: string[] } | null} */
    this.review = null;        // of a game whose positions were all searched
    this.scores = /** @type {Map<string, number>} */ (new Map()); // of the first side by positions, for the graph
    $('#analyse-run').addEventListener('click', () => this.toggle(!this.busy));
    $('#analyse-mate').addEventListener('click', () => this.mate());
    $('#analyse-game').addEventListener('click', () => this.wholeGame());
    $('#count').addEventListener('change', () => this.again());
    $('#mode').addEventListener('change', () => this.again());
    $('#graph').addEventListener('click', e => {
      const box = $('#graph').getBoundingClientRect();
      app.goTo(Math.round((e.clientX - box.left) / box.width * Math.max(1, app.state.moves.length)));
    });
  }

  get valuesWanted() { return this.app.gameOf().mode === 'values' && $('#mode').value === 'values'; }

  get busy() { return this.on || this.walk !== null || this.mating; }

  /** @param {boolean} on */
  toggle(on) {
    this.on = on;
    if (!on) this.end();
    this.update();
    this.app.hash.update();
  }

  // again begins the search anew after a change of its settings.
  again() {
    const { value, min, max } = $('#count');
    $('#count').value = String(Math.max(Number(min), Math.min(Number(max), Math.round(Number(value)) || Number(min))));
    this.of = null;
    this.clear();
    this.update();
  }

  // clear forgets what an earlier search has reported of the position that is shown.
  clear() {
    this.lines = [];
    this.last = null;
    this.values = null;
  }

  end() {
    this.of = this.walk = null;
    this.mating = false;
    this.app.stop(this);
  }

  // update follows a new position or another view.
  update() {
    const { app } = this, { mode } = app.gameOf();
    $('#mode-label').hidden = mode !== 'values';
    $('#count-label').hidden = this.valuesWanted;
    $('#analyse-mate').hidden = mode !== 'mate';
    if (this.shown !== app.position) {
      this.shown = app.position;
      this.clear();
      if (this.mating) this.end();
      if (this.walk === null) this.of = null;
    }
    if (this.walk !== null && this.walk !== app.state.moves) this.end();
    const idle = app.state.view === 'play' || app.position.result || app.game.engineMoves;
    if (idle && (this.walk === null || app.state.view === 'play')) this.end();
    if (this.on && !idle && !this.of && this.walk === null) {
      this.of = app.position;
      if (this.valuesWanted) this.run({ mode: 'values', infinite: true });
      else this.run({ mode: 'analyse', infinite: true, lines: Number($('#count').value) });
    }
    $('#analyse-run').setAttribute('aria-pressed', String(this.busy));
    $('#analyse-run').textContent = this.busy ? 'Stop' : 'Analyse';
    $('#analyse-game').disabled = !app.state.moves.length || this.walk !== null;
    this.draw();
  }

  // run searches a position of the game, the one that is shown if none is named. done is called at the end, with the event
  // best unless another search has taken the place of this one.
  /** @param {Record<string, unknown>} limits @param {(best?: Best) => void} done */
  run(limits, done = () => {}, at = this.app.at, of = this.app.position) {
    const { app } = this;
    const noBook = app.state.view === 'hash'; // a book leaves nothing to look at
    if (app.position === of) this.clear();
    app.search(this, () => ({ ...app.describe(at), noBook, ...limits }), {
      info: data => {
        this.record(of, data);
        if (app.position === of) {
          if (data.pv?.length && limits.mode !== 'values') this.lines[(data.line ?? 1) - 1] = data;
          this.last = data;
        }
        this.draw();
      },
      values: data => {
        if (app.position !== of) return;
        this.values = data;
        this.draw();
      },
      best: done,
      failed: e => {
        if (!(e instanceof Refusal)) return; // it begins again when the server is back
        this.on = false;
        done();
        this.update();
      },
      ended: () => done(),
    });
  }

  mate() {
    this.on = false;
    this.mating = true;
    this.said = '';
    this.of = this.app.position;
    this.app.tell('');
    this.run({ mode: 'mate', infinite: true }, best => {
      this.of = null;
      this.mating = false;
      const mate = this.lines[0]?.score.mate ?? 0;
      if (best) this.app.say(mate > 0 ? `Mate in ${mate}.` : best.reason === 'stopped' ? 'No mate found so far.' : 'No mate found.');
      this.update();
    });
    this.update();
  }

  // wholeGame searches every position of the game, as `trefoil analyse` does from the last to the first, for the graph and the
  // marks. The board may show any of them meanwhile.
  async wholeGame() {
    const { app } = this, { moves } = app.state, [kind, limit] = $('#effort').value.split(' '), results = [];
    let newGame = true;
    this.on = false;
    this.walk = moves;
    this.review = null;
    for (let at = moves.length; at >= 0 && this.walk === moves; at--) {
      const position = await app.ask(app.describe(at)).catch(e => app.refuse(e));
      if (this.walk !== moves || !position) break;
      results[at] = null;
      if (position.result && at === moves.length) continue; // a game may go on after a draw that was not claimed
      this.of = position;
      this.walked = moves.length - at;
      this.update();
      const best = await new Promise(resolve => this.run({ mode: 'analyse', [kind]: Number(limit), lines: 1, noBook: true, newGame }, resolve, at, position));
      if (!best) break;
      results[at] = best.result ?? null;
      newGame = false;
    }
    if (this.walk !== moves) return;
    this.walk = null;
    this.of = null;
    if (app.gameOf().marked && results[0]) await this.judge(moves, results);
    this.update();
  }

  // judge asks for the marks of a game.
  /** @param {string[]} moves @param {(Reviewed | null)[]} results */
  async judge(moves, results) {
    const { app } = this, start = JSON.stringify(app.describe(0));
    try {
      const { marks, sides } = await request('/api/review', { ...app.describe(0), moves, results });
      this.review = { start, path: pathOf(moves), sides, marks: new Map(marks.map((mark, i) => [pathOf(moves, i + 1), mark])) };
      app.drawMoves();
    } catch (e) { app.refuse(e); }
  }

  // markOf is how bad the analysis has found the last move of a line.
  /** @param {string[]} moves @param {number} at */
  markOf(moves, at) {
    const { review, app } = this;
    return review?.start === JSON.stringify(app.describe(0)) ? ['', '?!', '?', '??'][review.marks.get(pathOf(moves, at)) ?? 0] : '';
  }

  // notice shows how far the search for a mate is.
  /** @param {string} text */
  notice(text) {
    if (!this.mating || !/^mate/.test(text)) return;
    this.said = text;
    this.draw();
  }

  // record keeps the score of a position for the graph.
  /** @param {Position} position @param {Info} info */
  record(position, { score, line, bound }) {
    if (!score || (line ?? 1) !== 1 || (bound && bound !== 'exact')) return;
    const sign = position.side === 0 ? 1 : -1;
    this.scores.set(nameOf(position), sign * expected(score));
  }

  draw() {
    $('#hash-numbers').textContent = this.numbers();
    this.drawValues();
    const analyses = this.app.state.view === 'analyse';
    this.app.board.mark(analyses ? this.scores.get(nameOf(this.app.position)) : undefined,
      analyses && !this.valuesWanted ? this.lines.filter(Boolean).slice(0, arrows).map(line => line.pv[0]) : []);
    if (!analyses) return;
    this.drawLines();
    this.drawGraph();
  }

  // numbers is depth, nodes and speed as text.
  numbers() {
    const { last } = this;
    if (this.walk !== null) return `Searching position ${this.walked + 1} of ${this.walk.length + 1} …`;
    if (!last) return this.mating ? this.said || 'Looking for a mate …' : this.of ? 'Searching …' : '';
    const done = this.valuesWanted && this.app.position.legal.every(({ move }) => this.values?.moves[move]?.result);
    return [done ? 'all moves solved' : '', `depth ${last.depth}${last.seldepth ? `/${last.seldepth}` : ''}`, `${count(last.nodes)} nodes`, `${count(last.nps)}/s`,
      // The page of the table has that figure as it is now, not as the last report had it.
      last.hashfull != null && this.app.state.view !== 'hash' ? `hash ${(last.hashfull / 10).toFixed(0)} % full` : ''].filter(Boolean).join(' · ');
  }

  drawLines() {
    const { app } = this;
    $('#numbers').textContent = this.numbers();
    $('#pv').hidden = this.valuesWanted; // every move has its value on the board then
    $('#pv').style.setProperty('--lines', $('#count').value); // their place is kept, so that nothing moves
    $('#pv').replaceChildren(...this.lines.filter(Boolean).map(line => {
      const item = element('li');
      item.append(element('b', 'score', scoreText(line, app)));
      (line.pv ?? []).forEach((move, i) => {
        const button = element('button', '', app.textOf({ text: line.text?.[i] ?? move, kanji: line.kanji?.[i] }));
        button.type = 'button';
        button.title = 'Add the line up to this move as a variation';
        button.addEventListener('click', () => {
          app.tell('');
          app.follow([...app.state.moves.slice(0, app.at), ...line.pv.slice(0, i + 1)]);
        });
        if (i === 0 || (app.position.side + i) % 2 === 0) item.append(element('span', 'number', app.numberOf(app.line, app.at + i)));
        item.append(button, ' ');
      });
      return item;
    }));
  }

  // drawValues shows the numbers of columns, and what is proved of the moves: under the columns, or in the cells.
  drawValues() {
    const { app } = this;
    const { module, position } = app;
    const wanted = app.state.view === 'analyse' && this.valuesWanted;
    const moves = wanted ? this.values?.moves ?? {} : {};
    const under = $('#under');
    under.hidden = !module.underColumns;
    if (!under.hidden) {
      const names = module.underColumns?.(position) ?? [];
      under.replaceChildren(...names.map(name => {
        const value = moves[name];
        const legal = position.legal.some(m => m.move === name);
        const cell = element('div', value?.result);
        cell.dataset.column = name;
        cell.append(element('span', 'column', name));
        if (wanted) cell.append(element('b', '', value ? signed(value.score) : legal && this.of ? '…' : ''), element('span', '', value?.text ?? ''));
        return cell;
      }));
    }
    for (const [name, cell] of app.board.cells) {
      const value = module.underColumns ? null : moves[name];
      cell.querySelector('.value')?.remove();
      const words = value && wordsOf(value, app.sides()[app.position.side]);
      if (words) {
        const { word, colour, lines } = words;
        const shown = element('span', `value ${colour}`, lines);
        shown.prepend(element('b', '', word), lines && ' ');
        cell.append(shown);
      }
      cell.title = words?.text ?? '';
      app.board.label(cell);
    }
    $('#proof').hidden = !wanted || !module.values;
    $('#proof').textContent = module.values ?? '';
  }

  drawGraph() {
    const { app } = this;
    const graph = $('#graph');
    const { length } = app.line.moves, n = Math.max(1, length);
    const points = [];
    for (let at = 0; at <= length; at++) {
      const score = this.scores.get(nameOf(app.line, at));
      if (score !== undefined) points.push([at / n * 400, 60 - 56 * score]);
    }
    const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
    const now = app.at / n * 400;
    graph.innerHTML = '<path class="axis" d="M0 60H400"/>' +
      (points.length ? `<polygon points="${points[0][0]},60 ${line} ${points[points.length - 1][0]},60"/><polyline points="${line}"/>` : '') +
      points.map(([x, y]) => `<path class="point" d="M${x} ${y}h.01"/>`).join('') +
      `<path class="here" d="M${now} 0V120"/>`;
    const { review } = this, shown = review?.path === pathOf(app.mainLine) && review.start === JSON.stringify(app.describe(0));
    $('#review').replaceChildren(...shown ? review.sides.map(text => element('p', 'caption', text)) : []);
    graph.setAttribute('aria-label', `Score over the game, known for ${points.length} position${points.length === 1 ? '' : 's'}`);
    $('#graph-caption').textContent = `The score over the game: above the axis ${app.sides()[0]} is better, below it ${app.sides()[1]}. Click to go to a move.${this.lines.length && !this.valuesWanted ? ` The scores of the lines are those of ${app.sides()[0]}, too.` : ''}`;
  }
}

// How a move looks whose value is not proved, by the question that is asked of it, whether it loses or whether it wins, and
// by the answer that needs fewer positions by half: in a word and as the value that it may have.
const looks = {
  loss: { yes: ['bad?', 'loss', 'looks bad'], no: ['good?', 'win', 'looks good'], open: ['open', '', 'can go either way'] },
  win: { yes: ['win?', 'win', 'looks like a win'], no: ['draw?', 'draw', 'looks like a draw'], open: ['no loss', '', 'is a win or a draw'] },
};

// wordsOf says what is known of a move of a side: a word and its colour, what stands below it, and the whole as text.
/** @param {Value} value @param {string} side */
export function wordsOf(value, side) {
  if (value.result) {
    const { result, text, plies } = value;
    return { word: { win: 'wins', draw: 'draws', loss: 'loses' }[result], colour: result, lines: plies ? text.replace(/^\w+ /, '') : '', text };
  }
  const { goal, phi, delta } = value;
  const answer = 2 * phi <= delta ? 'yes' : 2 * delta <= phi ? 'no' : 'open', [word, colour, look] = looks[goal][answer];
  return {
    word, colour, lines: [phi, delta].map((n, i) => `${'φδ'[i]} ${count(n).replace(' ', '')}`).join('\n'),
    text: `${look} for ${side}: at least ${count(phi)} more positions for a proof that it ${goal === 'win' ? 'wins' : 'loses'}, ${count(delta)} for the contrary`,
  };
}

// expected is a score as an expected result from -1 to 1.
/** @param {Score} score */
function expected(score) {
  if (score.mate !== undefined) return score.mate > 0 ? 1 : -1;
  if (score.result) return { win: 1, draw: 0, loss: -1 }[score.result];
  return 2 / (1 + Math.exp(-score.cp / 250)) - 1;
}

// scoreText writes the score of a line for the first side, as usual on boards.
/** @param {Info} info @param {App} app */
function scoreText({ score, bound }, app) {
  const sign = app.position.side === 0 ? 1 : -1;
  const prefix = bound === 'lower' ? (sign > 0 ? '≥ ' : '≤ ') : bound === 'upper' ? (sign > 0 ? '≤ ' : '≥ ') : '';
  if (score.mate !== undefined) return `${sign * score.mate < 0 ? '−' : ''}#${Math.abs(score.mate)}`;
  if (score.result) {
    if (score.result === 'draw') return 'draw';
    const side = score.result === 'win' ? app.position.side : 1 - app.position.side;
    return `${app.sides()[side]} wins${score.plies ? ` in ${(score.plies + 1) >> 1}` : ''}`;
  }
  const pawns = sign * score.cp / 100;
  return `${prefix}${pawns > 0 ? '+' : pawns < 0 ? '−' : ''}${Math.abs(pawns).toFixed(2)}`;
}

const signed = (/** @type {number | undefined} */ n) => n == null ? '' : n > 0 ? `+${n}` : String(n).replace('-', '−');

// count writes a number shortly: 1234567 is 1.23 M.
/** @param {number | undefined} n */
export function count(n) {
  if (n == null) return '';
  for (const [unit, letter] of /** @type {[number, string][]} */ ([[1e9, 'G'], [1e6, 'M'], [1e3, 'k']])) {
    if (n >= 0.9995 * unit) return `${(n / unit).toPrecision(3)} ${letter}`;
  }
  return String(n);
}
