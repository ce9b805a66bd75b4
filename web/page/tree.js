// The table from the board: the positions that it knows below the position on the board, as a tree of moves. A field is an
// entry, as high as its share of all entries that were found; the moves go from left to right. An arc is a move to an entry
// that another order of moves has reached.

import { request } from './api.js';
import { $, closest, element } from './board.js';
import { rgb, savePicture, saved, svg } from './picture.js';
import { boundText, bounds, mateIn } from './tables.js';

const pause = 3000; // ms between two requests while a search changes the table
const rootWidth = 34, least = 1.5; // pixels: the first column, and the height of a field that is drawn
const arc = [224, 58, 134]; // seen on light and dark paper

// luminance is how light a colour is, as contrast counts it.
const luminance = (/** @type {Colour} */ [r, g, b]) => [[0.2126, r], [0.7152, g], [0.0722, b]].reduce((sum, [weight, c]) => sum + weight * (c / 255) ** 2.2, 0);

// nameOf names a line.
const nameOf = (/** @type {Move[]} */ line) => line.map(({ move }) => move).join();

// layout gives every field its place from 0 to 1: y and height, the largest child first; its ply, line of moves, children and arcs.
/** @param {Pick<TableTree, 'fields' | 'joins'>} tree */
export function layout({ fields, joins }) {
  const places = /** @type {TreePlace[]} */ ([]);
  for (const field of fields) {
    const parent = places[field.after];
    const height = field.entries / fields[0].entries;
    /** @type {TreePlace} */
    const place = {
      ...field, height, parent, children: [], arcs: [], y: parent ? parent.end : 0, end: parent ? parent.end : 0, ply: parent ? parent.ply + 1 : 0,
      line: parent ? [...parent.line, field.move] : [], name: parent ? nameOf([...parent.line, field.move]) : '', best: !parent || parent.best && parent.content.text === field.move.text,
    };
    if (parent) {
      parent.end += height;
      parent.children.push(place);
    }
    places.push(place);
  }
  for (const { from, to, move } of joins) places[to].arcs.push({ from: places[from], to: places[to], move });
  return places;
}

export class Tree {
  /** @param {App} app @param {import('./hash.js').Hash} hash */
  constructor(app, hash) {
    this.app = app;
    this.hash = hash;
    this.tree = /** @type {TableTree | null} */ (null); // the newest answer, for the position of
    this.of = /** @type {Position | null} */ (null);
    this.places = /** @type {TreePlace[]} */ ([]); // of its fields
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.asked = 0;      // when it was asked for
    this.chosen = '';    // the line that is described
    $('#tree-svg').addEventListener('click', () => this.save('svg'));
    $('#tree-png').addEventListener('click', () => this.save('png'));
    const tree = $('#tree');
    tree.addEventListener('keydown', e => this.key(e));
    tree.addEventListener('focusin', e => this.choose(closest(e, '[data-line]')));
    tree.addEventListener('pointerover', e => this.choose(closest(e, '[data-line]')));
    tree.addEventListener('click', e => this.open(closest(e, '[data-line]')));
    new ResizeObserver(() => this.draw()).observe(tree);
  }

  // shown reports whether there is a tree of the table that is shown, and the person wants to see it.
  get shown() {
    const { app, hash } = this;
    return app.state.view === 'hash' && hash.hasTree && $('#picture').value === 'tree';
  }

  // update asks for the tree, at once if it is of another position.
  async update() {
    clearTimeout(this.timer);
    if (!this.shown) return;
    const { position } = this.app, wait = this.of === position ? this.asked + pause - performance.now() : 0;
    if (wait > 0) {
      this.timer = setTimeout(() => this.update(), wait);
      return;
    }
    if (this.of !== position) this.tree = null;
    this.of = position;
    this.asked = performance.now();
    try {
      const tree = await request('/api/tree', this.app.describe());
      if (this.of !== position) return;
      this.tree = tree;
      this.draw();
    } catch (e) { this.app.refuse(e); }
  }

  // textOf writes moves, the first of which is the one after so many of the game, as the list of moves does.
  /** @param {Move[]} moves */
  textOf(moves, at = this.app.at) {
    return moves.map((move, i) => {
      const number = this.app.numberOf(this.app.line, at + i);
      return `${i === 0 || number.endsWith('.') ? `${number} ` : ''}${this.app.textOf(move)}`;
    }).join(' ');
  }

  // isFirst reports whether the first side is to move in a field.
  /** @param {TreePlace} place */
  isFirst({ ply }) { return (this.app.position.side + ply) % 2 === 0; }

  // boundOf is the bound of a field for the first side.
  /** @param {TreePlace} place @returns {string} */
  boundOf(place) {
    const { bound } = place.content;
    return this.isFirst(place) ? bound : new Map([['lower', 'upper'], ['upper', 'lower']]).get(bound) ?? bound;
  }

  // valueOf writes the value of a field for the first side, shortly or with its bound.
  /** @param {TreePlace} place */
  valueOf(place, short = false) {
    const { value } = place.content, plies = mateIn(value), score = (this.isFirst(place) ? value : -value) / 100;
    const number = plies === null ? Math.abs(score).toFixed(2) : `#${(plies + 1) >> 1}`, text = `${score < 0 ? '−' : plies === null && score > 0 ? '+' : ''}${number}`;
    if (short) return text;
    return plies === null ? `${text} ${boundText(this.boundOf(place))}` : `${text}, ${this.app.sides()[score > 0 ? 0 : 1]} mates in ${plies} plies`;
  }

  // describe says what a field is.
  /** @param {TreePlace} place */
  describe(place) {
    const { line, content, entries, arcs } = place, { depth, age } = content;
    return [
      `${line.length ? this.textOf(line) : 'The position on the board'}: ${this.valueOf(place)}`,
      `depth ${depth}`, content.text ? `best move ${content.text}` : '', age > 0 ? `${age} generation${age === 1 ? '' : 's'} old` : 'of this search',
      entries > 1 ? `${entries - 1} entries below` : 'no entry below', ...arcs.map(({ from, move }) => `also by ${this.textOf([...from.line, move])}`),
    ].filter(Boolean).join(', ');
  }

  // draw shows the tree.
  draw() {
    const { tree, app } = this, frame = $('#tree'), focused = frame.contains(document.activeElement);
    if (!this.shown || !tree || this.of !== app.position) return;
    $('#tree-svg').disabled = $('#tree-png').disabled = !tree.fields.length;
    $('#tree-caption').textContent = this.caption;
    if (!tree.fields.length) {
      frame.replaceChildren(element('p', 'caption', 'The table does not have the position on the board. Search it.'));
      $('#tree-line').textContent = '';
      return;
    }
    this.places = layout(tree);
    frame.replaceChildren(this.picture(this.places, frame.clientWidth, frame.clientHeight));
    const chosen = this.field(this.chosen) ?? this.field('');
    this.choose(chosen);
    if (focused) chosen?.focus();
  }

  /** @returns {Legend} */
  get legend() { return [...this.hash.legend, [arc, 'the same entry by another order of moves']]; }

  // marks says what is no colour.
  get marks() { return `height: entries below · outlined: best line · dashed: described below · pawns for ${this.app.sides()[0]}`; }

  get caption() {
    const tree = /** @type {TableTree} */ (this.tree);
    return `What the table knows of what follows the position on the board: each field is a position after one more move, as high as its share of the ${tree.entries} ` +
      `entries that were found${tree.left ? `, the deepest ones (others have depth ${tree.depth} or less)` : ''}; outlined are the best moves, values are for ${this.app.sides()[0]}, and an arc is another order of ` +
      'moves to the same entry, which has to be searched only once.';
  }

  // picture draws fields and arcs.
  /** @param {TreePlace[]} places @param {number} width @param {number} height */
  picture(places, width, height) {
    const columns = Math.max(...places.map(p => p.ply)), column = (width - rootWidth) / Math.max(1, columns);
    const left = (/** @type {number} */ ply) => ply ? rootWidth + (ply - 1) * column : 0, right = (/** @type {number} */ ply) => rootWidth + ply * column;
    const { colour } = this.hash.colouring;
    const drawn = places.filter(p => p.height * height >= least);
    const fields = drawn.map(p => {
      const [x, y, w, h] = [left(p.ply), p.y * height, right(p.ply) - left(p.ply), p.height * height];
      const { age, depth } = p.content;
      // The bytes of a pixel of the map that has only this entry.
      const shade = colour([this.isFirst(p) ? 1 : 16, Math.max(0, age), depth, bounds.indexOf(this.boundOf(p))], 0);
      const ink = luminance(shade) > 0.179 ? '#000' : '#fff';
      const box = svg('rect', { x: x + 0.5, y, width: w - 1, height: Math.max(1, h - 1), rx: Math.min(3, h / 4), fill: rgb(shade) });
      const item = svg('g', {
        role: 'treeitem', 'aria-level': p.ply + 1, 'aria-label': this.describe(p), 'data-line': p.name, tabindex: p.ply ? -1 : 0,
      }, box);
      if (p.best) Object.entries({ stroke: 'currentColor', 'stroke-width': 2 }).forEach(([name, value]) => box.setAttribute(name, String(value)));
      const write = (/** @type {string} */ text, /** @type {number} */ size, /** @type {number} */ at) => {
        if (text.length * size * 0.58 + 6 <= w) item.append(svg('text', { x: x + 5, y: y + at, 'font-size': size, fill: ink }, text));
      };
      if (p.ply && h >= 13) write(this.app.textOf(p.move), 12.5, Math.min(h / 2 + 4.5, 18));
      if (p.ply && h >= 34) write(this.valueOf(p, true), 11, 32);
      return item;
    });
    const arcs = drawn.flatMap(p => p.arcs).filter(({ from }) => from.height * height >= least).map(({ from, to }) => {
      const middle = (/** @type {TreePlace} */ p) => (p.y + p.height / 2) * height, [x, u, y, v] = [right(from.ply), left(to.ply), middle(from), middle(to)];
      const bulge = x === u ? Math.min(column * 0.6, 10 + Math.abs(y - v) * 0.16) : 0, half = (u - x) / 2;
      return svg('path', {
        d: `M${x} ${y}C${x + bulge + half} ${y} ${u + bulge - half} ${v} ${u} ${v}m-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0`,
        fill: 'none', stroke: rgb(arc), 'stroke-width': 1.3, 'stroke-opacity': 0.8, 'data-to': to.name,
      });
    });
    return svg('svg', {
      width, height, viewBox: `0 0 ${width} ${height}`, role: 'tree', 'aria-label': 'Tree of the entries below the position on the board. The arrow keys walk over it.',
      'font-family': 'system-ui, sans-serif',
    }, ...fields, svg('g', { 'aria-hidden': true, 'pointer-events': 'none' }, ...arcs));
  }

  // field is the element of a line, null if it is not drawn.
  /** @param {string} line @returns {HTMLElement | null} */
  field(line) { return $(`#tree [data-line="${line}"]`); }

  // choose describes a field, and shows its arcs.
  /** @param {HTMLElement | null} item */
  choose(item) {
    if (!item) return;
    const { line = '' } = item.dataset;
    for (const other of document.querySelectorAll('#tree [tabindex="0"]')) other.setAttribute('tabindex', '-1');
    item.setAttribute('tabindex', '0');
    this.chosen = line;
    $('#tree-line').textContent = item.getAttribute('aria-label');
    for (const path of document.querySelectorAll('#tree [data-to]')) path.setAttribute('stroke-width', path.getAttribute('data-to') === line ? '3' : '1.3');
  }

  // The arrow keys go to the position before, the best answer, and the neighbours at the same ply.
  /** @param {KeyboardEvent} event */
  key(event) {
    const item = closest(event, '[data-line]');
    if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter') return this.open(item);
    const place = this.places.find(p => p.name === item.dataset.line);
    if (!place) return;
    const level = this.places.filter(p => p.ply === place.ply && this.field(p.name)).sort((a, b) => a.y - b.y);
    const next = new Map([
      ['ArrowLeft', place.parent], ['ArrowRight', place.children[0]], ['ArrowUp', level[level.indexOf(place) - 1]], ['ArrowDown', level[level.indexOf(place) + 1]],
    ]);
    if (!next.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const to = next.get(event.key);
    if (to) this.field(to.name)?.focus();
  }

  // open shows the entry of a field bit by bit.
  /** @param {HTMLElement | null} item */
  open(item) { if (item) this.hash.find(item.dataset.line?.split(',').filter(Boolean)); }

  // save downloads the picture with its captions.
  /** @param {string} format */
  save(format) {
    const { app } = this;
    return savePicture({
      file: `${app.state.game}-table`, title: `Trefoil – ${app.titleOf()}: ${app.at ? this.textOf(app.line.played.slice(0, app.at), 0) : app.position.now}`,
      picture: this.picture(this.places, saved.width, saved.height), legend: this.legend, caption: this.caption,
    }, format);
  }
}
