// What the boards of all games share: cells that are buttons, moves by click, drag and keyboard, legal targets, the choice
// of a promotion.
//
// The board of a game is an object with these functions of a position of the server; boards/NAME.js exports it as board,
// where NAME is the name of the game. A game without such a file has boards/text.js.
//   layout(position, flip, options)  { rows: names of cells as they are seen, ratio: width by height of a cell,
//                                      hands?: { top, bottom }, coordinates?: { left, right, top, bottom: name → text },
//                                      drawing?: text above the cells }
//   contents(position, options)      Map from names to { label, key, draw, count, classes }; key changes with the picture
//   moves(position)                  [{ move, text, from, to, others, promotion }]; from is null where moves have only a target
//   lastMove(move, position)         the cells of the last move
//   overlays?(position)              pictures over several cells
//   example?                         a move, as it can be typed
//   ends?                            how games end, in English by the words of files
//   rules?                           how the game is played, in some sentences
//   values?                          what the values of moves mean
//   flips?                           the board can be seen from the other side
//   slides?                          pieces go from cell to cell, and are seen to
//   kanji?                           pieces and moves can be written with kanji
//   firstMove?(setup)                the number of the first move; 1 without it
//   underColumns?(position)          moves whose values stand under the columns of the board, not in their cells
//   choice?(move, position, options) { draw, label } of a move that promotes

import { slide } from './slide.js';

export class Board {
  // play is called with the move that a person made; say with what is selected, '' if nothing is.
  constructor(root, { play, say }) {
    this.root = root;
    this.play = play;
    this.say = say;
    this.cells = new Map(); // from names to elements
    this.selected = null;
    this.geometry = '';
    root.addEventListener('click', e => this.click(e));
    root.addEventListener('keydown', e => this.key(e));
    root.addEventListener('pointerdown', e => this.press(e));
  }

  // show draws a position. options: flip, kanji, label, active (a person may move), last (the last move), hint.
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
    this.root.querySelector('.cells').setAttribute('aria-label', options.label);
    this.paint();
    if (game.slides && before?.size) slide(this.cells, before, this.dropped);
    if (changed) this.dropped = null;
  }

  // build makes the elements; paint fills them.
  build({ rows, ratio, hands, coordinates = {}, drawing }) {
    this.cells.clear();
    this.rows = rows;
    const grid = element('div', 'grid'), cells = element('div', 'cells');
    cells.setAttribute('role', 'grid');
    grid.append(cells);
    const { style } = this.root.parentElement; // what is beside the board is as wide
    style.setProperty('--columns', rows[0]?.length ?? 1);
    style.setProperty('--rows', rows.length || 1);
    style.setProperty('--ratio', ratio);
    rows.forEach((names, y) => {
      const row = element('div', 'row');
      row.setAttribute('role', 'row');
      names.forEach((name, x) => {
        const cell = this.cell(name);
        cell.setAttribute('role', 'gridcell');
        cell.tabIndex = x + y === 0 ? 0 : -1;
        cell.style.gridArea = `${y + 1} / ${x + 1}`;
        const edges = { left: x === 0, right: x === names.length - 1, top: y === 0, bottom: y === rows.length - 1 };
        for (const [edge, text] of Object.entries(coordinates)) {
          if (edges[edge]) cell.dataset[edge] = text(name);
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
    const hint = new Set(options.hint ? game.lastMove(options.hint, position) : []);
    const sources = new Set(this.moves.map(m => m.from ?? m.to));
    const targets = new Set();
    for (const m of this.moves) if (m.from === this.selected) targets.add(m.to);
    for (const [name, { label, key, draw, count, classes }] of game.contents(position, options)) {
      const cell = this.cells.get(name);
      const marks = {
        last: last.has(name), hint: hint.has(name), selected: name === this.selected,
        target: targets.has(name), movable: sources.has(name),
      };
      cell.className = ['cell', ...classes.filter(Boolean), ...Object.keys(marks).filter(mark => marks[mark])].join(' ');
      cell.dataset.label = [label, marks.target && this.selected ? 'legal target' : '', marks.last ? 'last move' : '',
        classes.includes('check') ? 'in check' : ''].filter(Boolean).join(', ');
      cell.setAttribute(cell.role === 'gridcell' ? 'aria-selected' : 'aria-pressed', marks.selected);
      if (cell.dataset.key !== key) {
        cell.dataset.key = key;
        cell.replaceChildren(...(draw ? [draw()] : []));
      }
      if (count > 1) cell.dataset.count = count;
      else delete cell.dataset.count;
      this.label(cell);
    }
    const grid = this.root.querySelector('.grid');
    grid.querySelectorAll('.overlay').forEach(old => old.remove());
    for (const { row, column, size, draw } of game.overlays?.(position) ?? []) {
      const overlay = element('div', 'overlay');
      overlay.style.gridArea = `${row + 1} / ${column + 1} / span ${size} / span ${size}`;
      overlay.append(draw());
      grid.append(overlay);
    }
  }

  // label names a cell: what is on it, and the value of its move.
  label(cell) { cell.ariaLabel = [cell.dataset.label, cell.querySelector('.value')?.textContent].filter(Boolean).join(', '); }

  // mark shows a score of the first side, from -1 to 1, as a bar beside the cells, and moves as arrows, the best one
  // first; a move that has only a target has a ring.
  mark(score, moves) {
    const { rows, options } = this, grid = this.root.querySelector('.grid');
    grid.querySelectorAll('.bar, .arrows').forEach(old => old.remove());
    if (score !== undefined) {
      const bar = element('div', 'bar');
      bar.append(element('div', options.flip ? 'flipped' : ''));
      bar.firstChild.style.height = `${50 + 50 * score}%`;
      grid.append(bar);
    }
    const ratio = Number(this.root.parentElement.style.getPropertyValue('--ratio'));
    const middle = name => {
      const y = rows.findIndex(row => row.includes(name));
      return y < 0 ? null : [(rows[y].indexOf(name) + 0.5) * ratio, y + 0.5];
    };
    const all = this.game.moves(this.position);
    const marks = moves.map(move => all.find(m => m.move === move)).map((m, i) => {
      const from = m && middle(m.from), to = m && middle(m.to);
      if (!to) return '';
      if (!from) return `<circle class="arrow rank${i}" cx="${to[0]}" cy="${to[1]}" r="0.36"/>`;
      const [x, y] = [to[0] - from[0], to[1] - from[1]], long = Math.hypot(x, y), [u, v] = [x / long, y / long];
      const at = (along, across) => `${from[0] + u * along - v * across} ${from[1] + v * along + u * across}`;
      const shaft = long - 0.42;
      return `<path class="arrow rank${i}" d="M${at(0.25, -0.07)}L${at(shaft, -0.07)}L${at(shaft, -0.2)}L${at(long - 0.08, 0)}` +
        `L${at(shaft, 0.2)}L${at(shaft, 0.07)}L${at(0.25, 0.07)}z"/>`;
    });
    if (!marks.length) return;
    const picture = element('div', 'arrows');
    picture.innerHTML = `<svg viewBox="0 0 ${rows[0].length * ratio} ${rows.length}" aria-hidden="true">${marks.reverse().join('')}</svg>`;
    grid.append(picture);
  }

  click(event) {
    const cell = event.target.closest('.cell');
    if (!cell || this.dragged) return;
    this.choose(cell.dataset.cell);
  }

  // choose is a click on a cell: the target of a move, or the piece to move.
  choose(name) {
    const from = this.moves.some(m => m.from === null) ? null : this.selected;
    if ((from !== null || this.moves.some(m => m.from === null)) && this.attempt(from, name)) return;
    this.select(name !== this.selected && this.moves.some(m => m.from === name) ? name : null);
  }

  select(name) {
    if (this.selected === name) return;
    this.selected = name;
    this.paint();
    this.say(name ? `${this.cells.get(name).getAttribute('aria-label')} selected` : '');
  }

  // attempt plays the move between two cells if there is one, after a choice where there are several.
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

  async promote(moves) {
    const { position, rows } = this, [{ to }] = moves;
    const row = rows.findIndex(names => names.includes(to)), at = { row, column: rows[row].indexOf(to), down: row < rows.length / 2 };
    const choices = moves.map(m => this.game.choice(m, position, this.options));
    const chosen = await choose('Promotion', this.root.querySelector('.grid'), at, choices);
    if (chosen < 0) this.say('');
    else if (this.position === position) this.play(moves[chosen].move);
  }

  // Arrow keys walk over the cells; Enter and the space bar are a click; Escape gives up a selection.
  key(event) {
    const cell = event.target.closest('.grid .cell');
    if (event.key === 'Escape') this.select(null);
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!cell || !step) return;
    const y = this.rows.findIndex(row => row.includes(cell.dataset.cell)), x = this.rows[y].indexOf(cell.dataset.cell);
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
  press(event) {
    this.dragged = false;
    const cell = event.target.closest('.cell'), piece = cell?.querySelector('.piece');
    const from = cell?.dataset.cell;
    if (!piece || event.button !== 0 || !this.moves.some(m => m.from === from)) return;
    const { clientX, clientY } = event;
    let copy = null;
    const move = e => {
      if (!copy) {
        if (Math.hypot(e.clientX - clientX, e.clientY - clientY) < 6) return;
        this.select(from);
        const box = piece.getBoundingClientRect();
        copy = piece.cloneNode(true);
        copy.classList.add('dragged');
        copy.style.width = `${box.width}px`;
        copy.style.height = `${box.height}px`;
        document.body.append(copy);
        cell.classList.add('origin');
      }
      copy.style.left = `${e.clientX}px`;
      copy.style.top = `${e.clientY}px`;
    };
    const end = e => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      if (!copy) return;
      copy.remove();
      cell.classList.remove('origin');
      this.dragged = true; // the click that follows is part of the drag
      setTimeout(() => { this.dragged = false; });
      const to = document.elementFromPoint(e.clientX, e.clientY)?.closest('.cell')?.dataset.cell;
      this.dropped = to;
      if (e.type === 'pointercancel' || !to || !this.attempt(from, to)) this.select(null);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }
}

// element makes an element with classes and, if wanted, text.
export function element(tag, classes = '', text = '') {
  const e = document.createElement(tag);
  if (classes) e.className = classes;
  if (text) e.textContent = text;
  return e;
}

// choose offers pictures in a column over the cells, from a row and a column of the grid on, as many rows up or down. It resolves
// to the index of the choice, or to -1 after Escape, a press elsewhere or the event cancel of the layer.
function choose(title, grid, { row, column, down }, options) {
  const layer = element('div', 'choice'), before = document.activeElement;
  layer.setAttribute('role', 'dialog');
  layer.setAttribute('aria-modal', true);
  layer.setAttribute('aria-label', title);
  return new Promise(resolve => {
    const finish = i => {
      document.removeEventListener('pointerdown', press);
      layer.remove();
      before?.focus();
      resolve(i);
    };
    const press = e => { if (!e.target.closest('.option')) finish(-1); };
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
      const step = { ArrowDown: below, ArrowRight: below, ArrowUp: -below, ArrowLeft: -below, Tab: e.shiftKey ? -1 : 1 }[e.key];
      if (!step) return;
      e.preventDefault();
      buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length).focus();
    });
    document.addEventListener('pointerdown', press);
    layer.append(...buttons);
    grid.append(layer);
    buttons[0].focus();
  });
}
