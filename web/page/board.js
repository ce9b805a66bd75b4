// What the boards of all games share: cells that are buttons, moves by click, drag and keyboard, legal targets, the choice
// of a promotion. types.d.ts has what the board of a game is.

import { slide } from './slide.js';

export class Board {
  // What show was given last.
  /** @type {GameBoard} */ game;
  /** @type {Position} */ position;
  /** @type {BoardOptions} */ options;

  // play is called with the move that a person made; say with what is selected, '' if nothing is.
  /** @param {HTMLElement} root @param {{ play: (move: string) => void, say: (text: string) => void }} on */
  constructor(root, { play, say }) {
    this.root = root;
    this.play = play;
    this.say = say;
    this.cells = /** @type {Map<string, HTMLElement>} */ (new Map()); // by their names
    this.selected = /** @type {string | null} */ (null);
    this.moves = /** @type {BoardMove[]} */ ([]);
    this.rows = /** @type {string[][]} */ ([]);
    this.dropped = /** @type {string | null | undefined} */ (null); // the cell to which a piece was dragged
    this.geometry = '';
    root.addEventListener('click', e => this.click(e));
    root.addEventListener('keydown', e => this.key(e));
    root.addEventListener('pointerdown', e => this.press(e));
  }

  // show draws a position.
  /** @param {GameBoard} game @param {Position} position @param {BoardOptions} options */
  show(game, position, options) {
    const changed = this.position?.now !== position.now || this.game !== game;
    this.game = game;
    this.position = position;
    this.options = options;
    this.moves = options.active ? game.moves(position) : [];
    if (changed || !options.active) {
      this.selected = null;
      this.root.querySelector('.choice')?.dispatchEvent(new Event('cancel'));
    }
    const before = changed ? new Map([...this.cells].map(([name, cell]) => [name, cell.dataset.key])) : null;
    const layout = game.layout(position, options.flip, options);
    const geometry = JSON.stringify([layout.rows, layout.hands, layout.drawing, options.kanji]);
    if (geometry !== this.geometry) {
      this.geometry = geometry;
      this.build(layout);
      before?.clear();
    }
    this.root.querySelector('.cells')?.setAttribute('aria-label', options.label);
    this.paint();
    if (game.slides && before?.size) slide(this.cells, before, this.dropped);
    if (changed) this.dropped = null;
  }

  // build makes the elements; paint fills them.
  /** @param {Layout} layout */
  build({ rows, ratio, hands, coordinates = {}, drawing }) {
    this.cells.clear();
    this.rows = rows;
    const grid = element('div', 'grid'), cells = element('div', 'cells');
    cells.setAttribute('role', 'grid');
    grid.append(cells);
    const { style } = this.stage; // what is beside the board is as wide
    style.setProperty('--columns', String(rows[0]?.length ?? 1));
    style.setProperty('--rows', String(rows.length || 1));
    style.setProperty('--ratio', String(ratio));
    rows.forEach((names, y) => {
      const row = element('div', 'row');
      row.setAttribute('role', 'row');
      names.forEach((name, x) => {
        const cell = this.cell(name);
        cell.setAttribute('role', 'gridcell');
        cell.tabIndex = x + y === 0 ? 0 : -1;
        cell.style.gridArea = `${y + 1} / ${x + 1}`;
        const edges = new Map([['left', x === 0], ['right', x === names.length - 1], ['top', y === 0], ['bottom', y === rows.length - 1]]);
        for (const [edge, text] of Object.entries(coordinates)) {
          if (edges.get(edge)) cell.dataset[edge] = text(name);
        }
        row.append(cell);
      });
      cells.append(row);
    });
    this.root.replaceChildren(...(drawing === undefined ? [] : [element('pre', 'drawing', drawing)]), grid);
    for (const [end, names] of Object.entries(hands ?? {})) {
      const hand = element('div', `hand ${end}`);
      hand.setAttribute('role', 'group');
      hand.setAttribute('aria-label', end === 'bottom' ? 'Pieces in hand, side below' : 'Pieces in hand, side above');
      hand.append(...names.map(name => this.cell(name)));
      if (end === 'top') this.root.prepend(hand);
      else this.root.append(hand);
    }
  }

  get stage() { return /** @type {HTMLElement} */ (this.root.parentElement); }

  get grid() { return /** @type {HTMLElement} */ (this.root.querySelector('.grid')); }

  /** @param {string} name */
  cell(name) {
    const cell = element('button', 'cell');
    cell.type = 'button';
    cell.dataset.cell = name;
    this.cells.set(name, cell);
    return cell;
  }

  paint() {
    const { game, position, options } = this;
    const last = new Set(options.last ? game.lastMove(options.last, position) : []);
    const hint = this.moves.find(m => m.move === options.hint);
    const sources = new Set(this.moves.map(m => m.from ?? m.to));
    const targets = new Set();
    for (const m of this.moves) if (m.from === this.selected) targets.add(m.to);
    for (const [name, { label, key, draw, count, classes }] of game.contents(position, options)) {
      const cell = this.cells.get(name);
      if (!cell) continue;
      const marks = {
        last: last.has(name), hint: name === hint?.from || name === hint?.to, selected: name === this.selected,
        target: targets.has(name), movable: sources.has(name),
      };
      cell.className = ['cell', ...classes.filter(Boolean), ...Object.entries(marks).flatMap(([mark, on]) => on ? [mark] : [])].join(' ');
      cell.dataset.label = [label, marks.target && this.selected ? 'legal target' : '', marks.last ? 'last move' : '',
        classes.includes('check') ? 'in check' : ''].filter(Boolean).join(', ');
      cell.setAttribute(cell.role === 'gridcell' ? 'aria-selected' : 'aria-pressed', String(marks.selected));
      if (cell.dataset.key !== key) {
        cell.dataset.key = key;
        cell.replaceChildren(...(draw ? [draw()] : []));
      }
      if (count && count > 1) cell.dataset.count = String(count);
      else delete cell.dataset.count;
      this.label(cell);
    }
    const { grid } = this;
    grid.querySelectorAll('.overlay').forEach(old => old.remove());
    for (const { row, column, size, draw } of game.overlays?.(position) ?? []) {
      const overlay = element('div', 'overlay');
      overlay.style.gridArea = `${row + 1} / ${column + 1} / span ${size} / span ${size}`;
      overlay.append(draw());
      grid.append(overlay);
    }
  }

  // label names a cell: what is on it, and the value of its move.
  /** @param {HTMLElement} cell */
  label(cell) { cell.ariaLabel = [cell.dataset.label, cell.querySelector('.value')?.textContent].filter(Boolean).join(', '); }

  // mark shows a score of the first side, from -1 to 1, as a bar beside the cells, and moves as arrows, the best one
  // first; a move that has only a target has a ring.
  /** @param {number | undefined} score @param {string[]} moves */
  mark(score, moves) {
    const { rows, options, grid } = this;
    grid.querySelectorAll('.bar, .arrows').forEach(old => old.remove());
    if (score !== undefined) {
      const bar = element('div', 'bar'), share = element('div', options.flip ? 'flipped' : '');
      share.style.height = `${50 + 50 * score}%`;
      bar.append(share);
      grid.append(bar);
    }
    const ratio = Number(this.stage.style.getPropertyValue('--ratio'));
    const middle = (/** @type {string | null} */ name) => {
      const y = rows.findIndex(row => name && row.includes(name));
      return !name || y < 0 ? null : [(rows[y].indexOf(name) + 0.5) * ratio, y + 0.5];
    };
    const all = this.game.moves(this.position);
    const marks = moves.map(move => all.find(m => m.move === move)).map((m, i) => {
      const from = m && middle(m.from), to = m && middle(m.to);
      if (!to) return '';
      if (!from) return `<circle class="arrow rank${i}" cx="${to[0]}" cy="${to[1]}" r="0.36"/>`;
      const [x, y] = [to[0] - from[0], to[1] - from[1]], long = Math.hypot(x, y), [u, v] = [x / long, y / long];
      const at = (/** @type {number} */ along, /** @type {number} */ across) => `${from[0] + u * along - v * across} ${from[1] + v * along + u * across}`;
      const shaft = long - 0.42;
      return `<path class="arrow rank${i}" d="M${at(0.25, -0.07)}L${at(shaft, -0.07)}L${at(shaft, -0.2)}L${at(long - 0.08, 0)}` +
        `L${at(shaft, 0.2)}L${at(shaft, 0.07)}L${at(0.25, 0.07)}z"/>`;
    });
    if (!marks.length) return;
    const picture = element('div', 'arrows');
    picture.innerHTML = `<svg viewBox="0 0 ${rows[0].length * ratio} ${rows.length}" aria-hidden="true">${marks.reverse().join('')}</svg>`;
    grid.append(picture);
  }

  /** @param {Event} event */
  click(event) {
    const name = closest(event, '.cell')?.dataset.cell;
    if (name && !this.dragged) this.choose(name);
  }

  // choose is a click on a cell: the target of a move, or the piece to move.
  /** @param {string} name */
  choose(name) {
    const from = this.moves.some(m => m.from === null) ? null : this.selected;
    if ((from !== null || this.moves.some(m => m.from === null)) && this.attempt(from, name)) return;
    this.select(name !== this.selected && this.moves.some(m => m.from === name) ? name : null);
  }

  /** @param {string | null} name */
  select(name) {
    if (this.selected === name) return;
    this.selected = name;
    this.paint();
    this.say(name ? `${this.cells.get(name)?.ariaLabel} selected` : '');
  }

  // attempt plays the move between two cells if there is one, after a choice where there are several.
  /** @param {string | null} from @param {string} to */
  attempt(from, to) {
    let moves = this.moves.filter(m => m.from === from && m.to === to);
    if (!moves.length) moves = this.moves.filter(m => m.from === from && m.others.includes(to));
    if (!moves.length) return false;
    this.selected = null;
    if (moves.length === 1) this.play(moves[0].move);
    else {
      this.paint();
      this.promote(moves);
    }
    return true;
  }

  /** @param {BoardMove[]} moves */
  async promote(moves) {
    const { position, rows } = this, [{ to }] = moves;
    const row = rows.findIndex(names => names.includes(to)), at = { row, column: rows[row].indexOf(to), down: row < rows.length / 2 };
    const choices = moves.flatMap(m => this.game.choice?.(m, position, this.options) ?? []);
    const chosen = await choose('Promotion', this.grid, at, choices);
    if (chosen < 0) this.say('');
    else if (this.position === position) this.play(moves[chosen].move);
  }

  // Arrow keys walk over the cells; Enter and the space bar are a click; Escape gives up a selection.
  /** @param {KeyboardEvent} event */
  key(event) {
    const cell = closest(event, '.grid .cell'), name = cell?.dataset.cell;
    if (event.key === 'Escape') this.select(null);
    const step = new Map([['ArrowLeft', [0, -1]], ['ArrowRight', [0, 1]], ['ArrowUp', [-1, 0]], ['ArrowDown', [1, 0]]]).get(event.key);
    if (!cell || !name || !step) return;
    const y = this.rows.findIndex(row => row.includes(name)), x = this.rows[y].indexOf(name);
    const next = this.cells.get(this.rows[y + step[0]]?.[x + step[1]]);
    if (next) {
      cell.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // press begins a drag: a copy of the piece follows the pointer once it has moved some pixels.
  /** @param {PointerEvent} event */
  press(event) {
    this.dragged = false;
    const cell = closest(event, '.cell'), piece = cell?.querySelector('.piece');
    const from = cell?.dataset.cell;
    if (!from || !piece || event.button !== 0 || !this.moves.some(m => m.from === from)) return;
    const { clientX, clientY } = event;
    let copy = /** @type {HTMLElement | null} */ (null);
    const move = (/** @type {PointerEvent} */ e) => {
      if (!copy) {
        if (Math.hypot(e.clientX - clientX, e.clientY - clientY) < 6) return;
        this.select(from);
        const box = piece.getBoundingClientRect();
        copy = /** @type {HTMLElement} */ (piece.cloneNode(true));
        copy.classList.add('dragged');
        copy.style.width = `${box.width}px`;
        copy.style.height = `${box.height}px`;
        document.body.append(copy);
        cell.classList.add('origin');
      }
      copy.style.left = `${e.clientX}px`;
      copy.style.top = `${e.clientY}px`;
    };
    const end = (/** @type {PointerEvent} */ e) => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      if (!copy) return;
      copy.remove();
      cell.classList.remove('origin');
      this.dragged = true; // the click that follows is part of the drag
      setTimeout(() => { this.dragged = false; });
      const to = /** @type {HTMLElement | null | undefined} */ (document.elementFromPoint(e.clientX, e.clientY)?.closest('.cell'))?.dataset.cell;
      this.dropped = to;
      if (e.type === 'pointercancel' || !to || !this.attempt(from, to)) this.select(null);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }
}

// $ finds an element of the page.
export const $ = /** @param {string} selector */ selector => /** @type {Part} */ (document.querySelector(selector));

// closest is the nearest element around the target of an event that a selector finds.
/** @param {Event} event @param {string} selector */
export const closest = (event, selector) => event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest(selector)) : null;

// element makes an element with classes and, if wanted, text.
/** @type {<T extends keyof HTMLElementTagNameMap>(tag: T, classes?: string, text?: string) => HTMLElementTagNameMap[T]} */
export function element(tag, classes = '', text = '') {
  const e = document.createElement(tag);
  if (classes) e.className = classes;
  if (text) e.textContent = text;
  return e;
}

// choose offers pictures in a column over the cells, from a row and a column of the grid on, as many rows up or down. It resolves
// to the index of the choice, or to -1 after Escape, a press elsewhere or the event cancel of the layer.
/** @param {string} title @param {HTMLElement} grid @param {{ row: number, column: number, down: boolean }} at @param {Choice[]} options
  @returns {Promise<number>} */
function choose(title, grid, { row, column, down }, options) {
  const layer = element('div', 'choice'), before = /** @type {HTMLElement | null} */ (document.activeElement);
  layer.setAttribute('role', 'dialog');
  layer.setAttribute('aria-modal', 'true');
  layer.setAttribute('aria-label', title);
  return new Promise(resolve => {
    const finish = (/** @type {number} */ i) => {
      document.removeEventListener('pointerdown', press);
      layer.remove();
      before?.focus();
      resolve(i);
    };
    const press = (/** @type {Event} */ e) => { if (!closest(e, '.option')) finish(-1); };
    const buttons = options.map(({ draw, label }, i) => {
      const button = element('button', 'option');
      button.type = 'button';
      button.title = label;
      button.setAttribute('aria-label', label);
      button.style.gridArea = `${row + 1 + (down ? i : -i)} / ${column + 1}`;
      button.append(draw());
      button.addEventListener('click', () => finish(i));
      return button;
    });
    layer.addEventListener('cancel', () => finish(-1));
    layer.addEventListener('keydown', e => {
      e.stopPropagation();
      if (e.key === 'Escape') finish(-1);
      const below = down ? 1 : -1;
      const step = new Map([['ArrowDown', below], ['ArrowRight', below], ['ArrowUp', -below], ['ArrowLeft', -below], ['Tab', e.shiftKey ? -1 : 1]]).get(e.key);
      if (!step) return;
      e.preventDefault();
      buttons.at((buttons.findIndex(button => button === document.activeElement) + step) % buttons.length)?.focus();
    });
    document.addEventListener('pointerdown', press);
    layer.append(...buttons);
    grid.append(layer);
    buttons[0].focus();
  });
}
