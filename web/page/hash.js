// The hash, live: a map of the transposition table, what searches do with it, and single clusters bit by bit.

import { request } from './api.js';
import { count } from './analysis.js';
import { $, element } from './board.js';
import { empty, fieldBits, fieldText, kinds } from './tables.js';
import { Tree } from './tree.js';

const pixelBytes = 4;
export const css = (/** @type {Colour} */ [r, g, b, a = 255]) => `rgb(${r} ${g} ${b} / ${a / 255})`;

// The curves of the chart: what is counted, of what, and the colour.
/** @type {{ part: 'hits' | 'cutoffs' | 'replaced', of: 'probes' | 'stores', text: string, colour: string }[]} */
const curves = [
  { part: 'hits', of: 'probes', text: 'hits', colour: 'var(--win)' },
  { part: 'cutoffs', of: 'probes', text: 'cutoffs', colour: 'var(--x)' },
  { part: 'replaced', of: 'stores', text: 'replacements', colour: 'var(--loss)' },
];
const history = 300; // points of a curve

export class Hash {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.wanted = '1';   // the kind of table that is asked for; 1: the first one
    this.last = /** @type {TableEvent | null} */ (null); // the newest event of the table
    this.points = /** @type {(number | null)[][]} */ ([]); // shares since the event before, for the chart
    this.pixel = /** @type {number | null} */ (null); // the pixel whose entries are shown
    this.helped = /** @type {[string, string][]} */ ([]); // the words that are explained
    this.game = ''; // whose table was shown last
    this.started = false;
    this.tree = new Tree(app, this);
    $('#hash-run').addEventListener('click', () => app.analysis.toggle(!app.analysis.busy));
    $('#hash-find').addEventListener('click', () => this.find());
    $('#kind').addEventListener('change', () => { this.wanted = $('#kind').value; this.update(); });
    $('#colour').addEventListener('change', () => { this.drawMap(); this.tree.draw(); });
    $('#picture').addEventListener('change', () => { this.update(); this.drawMap(); });
    $('#map').addEventListener('click', e => this.open(e));
    $('#map').addEventListener('keydown', e => this.key(e));
    $('#hash-slider').addEventListener('input', () => { $('#hash-mib').value = String(Math.round(2 ** Number($('#hash-slider').value))); });
    for (const input of ['#hash-slider', '#hash-mib']) $(input).addEventListener('change', () => this.set('Hash', $('#hash-mib').value));
    $('#hash-threads').addEventListener('change', () => this.set('Threads', String(Math.min(Number($('#hash-threads').value), Number($('#hash-threads').max)))));
    $('#hash-form').addEventListener('submit', e => e.preventDefault());
    $('#hash-stats').addEventListener('change', () => this.update());
    $('#hash-audit').addEventListener('change', () => this.set('HashAudit', $('#hash-audit').value));
    $('#hash-clear').addEventListener('click', () => this.set('Clear Hash', ''));
  }

  // start reads the options, which other pages change too.
  async start() {
    this.started = true;
    try {
      const options = Object.fromEntries((await request('/api/options')).map(o => [o.name, o]));
      $('#hash-mib').value = options.Hash.value;
      $('#hash-slider').value = String(Math.log2(Number(options.Hash.value)));
      $('#hash-audit').value = options.HashAudit.value;
      Object.assign($('#hash-threads'), { value: options.Threads.value, max: options.Threads.useful });
    } catch (e) {
      this.started = false;
      this.app.refuse(e);
    }
  }

  /** @param {string} name @param {string} value */
  async set(name, value) {
    try {
      const { notices } = await request('/api/option', { name, value });
      $('#hash-notice').textContent = notices.join(' ');
      this.close(); // what is shown of the table is of before
    } catch (e) { this.app.refuse(e); }
    this.start(); // a value that was refused is not shown
  }

  // update follows the view: the table is sent, and its searches are counted, only while it is looked at.
  update() {
    const { app } = this;
    const seen = app.state.view === 'hash';
    const { counted: counts, table } = app.gameOf();
    app.events.watchTable(seen ? { table: this.wanted, ...(counts && $('#hash-stats').checked && { stats: '1' }) } : {});
    if (!seen) {
      this.started = false;
      return;
    }
    if (!this.started) this.start();
    for (const id of ['#hash-run', '#hash-form', '#with-table']) $(id).hidden = !table;
    this.explain();
    $('#hash-run').textContent = app.analysis.busy ? 'Stop' : 'Search this position';
    $('#hash-run').setAttribute('aria-pressed', String(app.analysis.busy));
    for (const id of ['#stats-label', '#audit-label']) $(id).hidden = !counts;
    if (this.game !== app.state.game) {
      this.game = app.state.game;
      this.close();
      this.points = [];
    }
    this.tree.update();
  }

  // hasTree reports whether the table that is shown has positions that can be reached from the board.
  get hasTree() { return this.kind === kinds.cluster && Boolean(this.app.position.keyed); }

  // colouring is how pictures of the table are coloured, and legend its colours with what they mean.
  get colouring() { return this.kind.colourings[$('#colour').value] ?? Object.values(this.kind.colourings)[0]; }

  get legend() { return legendOf(this.colouring, this.sides); }

  // sides are those of the game whose table is shown.
  get sides() { return this.app.sides(this.last?.places ? this.last.game : undefined); }

  get kind() { return kinds[this.last?.kind || this.app.gameOf().table || 'cluster']; }

  // table takes an event.
  /** @param {TableEvent} data */
  table(data) {
    const before = this.last;
    this.last = data;
    data.bytes = Uint8Array.from(atob(data.cells), c => c.charCodeAt(0));
    if (data.kind !== before?.kind || data.game !== before?.game) {
      this.close();
      this.points = [];
    }
    if (before && data.mib !== before.mib) this.start();
    this.fillChoices(data);
    if (data.probes) {
      // The counters are of one search: with fewer probes than before a new one has begun.
      const since = before?.probes && before.probes <= data.probes ? before : null;
      const shares = curves.map(({ part, of }) => {
        const n = (data[of] ?? 0) - (since?.[of] ?? 0);
        return n > 0 ? (data[part] - (since?.[part] ?? 0)) / n : null;
      });
      if (shares[0] !== null) this.points = [...this.points, shares].slice(-history);
    }
    this.drawMap();
    this.drawNumbers(data);
    this.drawChart(data);
    this.tree.update();
  }

  // fillChoices lists the tables that there are, and how they can be coloured.
  /** @param {TableEvent} last */
  fillChoices(last) {
    fill($('#kind'), last.kinds.map(kind => [kind, kinds[kind].title]), last.kind);
    $('#kind-label').hidden = last.kinds.length < 2;
    const { colourings } = this.kind;
    fill($('#colour'), Object.keys(colourings).map(name => [name, name]), $('#colour').value in colourings ? $('#colour').value : Object.keys(colourings)[0]);
    this.explain();
    $('#hash-find').hidden = last.kind !== 'cluster' || last.game !== this.app.state.game || !this.app.position.keyed;
  }

  // explain says what the table has, or that there is none.
  explain() {
    const { table } = this.app.gameOf();
    const { about, help = [] } = table ? this.kind : { about: `${this.app.titleOf()} uses no table.`, help: [] };
    $('#about').textContent = about;
    $('#hash-help').hidden = !help.length;
    $('#picture-label').hidden = !this.hasTree;
    $('#tree-figure').hidden = !this.tree.shown;
    $('#map-figure').hidden = this.tree.shown;
    $('#with-table').classList.toggle('wide', this.tree.shown);
    if (this.helped === help) return;
    this.helped = help;
    $('#hash-help ul').replaceChildren(...help.map(([word, text]) => {
      const item = element('li');
      item.append(element('b', '', `${word}: `), text);
      return item;
    }));
  }

  drawMap() {
    const { last } = this;
    const { colour, caption } = this.colouring;
    /** @type {Legend} */
    const legend = this.tree.shown ? this.tree.legend : [...this.legend, [empty, 'empty']];
    $('#map-legend').replaceChildren(...legend.map(([c, text]) => legendEntry(css(c), text)), ...this.tree.shown ? [element('span', '', this.tree.marks)] : []);
    const notes = [caption];
    if (last?.places && last.game !== this.app.state.game) notes.unshift(`This is still the table of ${this.app.gameOf(last.game).title}, the game that was searched last. The engine keeps the table of one game only.`);
    if (last?.inUse) notes.push(`The table grows with the search: so far ${count(last.inUse)} places are in use.`);
    if (last && last.step > 1) notes.push(`The map shows every ${ordinal(last.step)} ${this.kind.place}.`);
    $('#map-caption').textContent = `${notes.join(' ')} ${this.kind.click}`;
    $('#map-marker').hidden = this.pixel === null;
    if (!last?.pixels) {
      $('#map').getContext('2d')?.clearRect(0, 0, $('#map').width, $('#map').height);
      return;
    }
    const canvas = $('#map');
    const { width, pixels, bytes } = last;
    paint(canvas, width, pixels, bytes, colour);
    if (this.pixel !== null) {
      const { height } = canvas;
      Object.assign($('#map-marker').style, {
        left: `${this.pixel % width / width * 100}%`, top: `${Math.floor(this.pixel / width) / height * 100}%`,
        width: `${100 / width}%`, height: `${100 / height}%`,
      });
    }
  }

  /** @param {TableEvent} d */
  drawNumbers(d) {
    const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`;
    const numbers = [
      ['size', d.places ? `${d.mib} MiB` : 'no table yet', d.places ? `${count(d.entries)} ${this.kind.entries}` : 'made at the first search'],
      ['full', percent(d.hashfull / 1000), this.kind.full],
    ];
    if (d.probes) {
      numbers.push(['hits', percent(d.hits / d.probes), 'of the probes found their position'],
        ['cutoffs', percent(d.cutoffs / d.probes), 'of the probes ended a node at once'],
        ['replaced', count(d.replaced), 'entries of other positions were overwritten']);
    }
    if (d.halfHits != null) {
      numbers.push(['½ × memory', percent(d.halfHits), 'hits with a table of half the size'], ['2 × memory', percent(d.doubleHits ?? 0), 'hits with a table of twice the size']);
    }
    if (d.falseHits != null) numbers.push(['false hits', count(d.falseHits), 'hits on the entry of another position']);
    $('#hash-values').replaceChildren(...numbers.map(([name, value, meaning]) => {
      const group = element('div');
      group.append(element('dt', '', name), element('dd', '', value), element('dd', 'meaning', meaning));
      return group;
    }));
    $('#pages').textContent = d.pages ? `Memory: ${d.pages}.` : '';
  }

  /** @param {TableEvent} last */
  drawChart(last) {
    const chart = $('#hash-chart');
    $('#chart-figure').hidden = last.kind !== 'cluster' || !this.app.gameOf(last.game).counted;
    const lines = curves.map(({ colour }, i) => {
      const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
      const points = this.points.flatMap(({ [i]: share }, x) => share === null ? [] : [`${(x * 400 / (history - 1)).toFixed(1)},${(118 - 116 * share).toFixed(1)}`]);
      line.setAttribute('points', points.join(' '));
      line.style.stroke = colour;
      return line;
    });
    chart.replaceChildren(...lines);
    if (!$('#chart-legend').children.length) $('#chart-legend').append(...curves.map(c => legendEntry(c.colour, c.text)));
  }

  // open shows the cluster of the pixel that was clicked.
  /** @param {MouseEvent} event */
  open(event) {
    const canvas = $('#map'), box = canvas.getBoundingClientRect();
    const x = Math.floor((event.clientX - box.left) / box.width * canvas.width);
    const y = Math.floor((event.clientY - box.top) / box.height * canvas.height);
    this.show(y * canvas.width + x);
  }

  // The arrow keys walk over the map.
  /** @param {KeyboardEvent} event */
  key(event) {
    const { width } = $('#map');
    const step = new Map([['ArrowLeft', -1], ['ArrowRight', 1], ['ArrowUp', -width], ['ArrowDown', width], ['Enter', 0]]).get(event.key);
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.show((this.pixel ?? 0) + step);
  }

  /** @param {number} pixel */
  async show(pixel) {
    if (!this.last || !(pixel >= 0 && pixel < this.last.pixels)) return;
    this.pixel = pixel;
    this.drawMap();
    try {
      const answer = await request(`/api/cluster?kind=${this.last.kind}&pixel=${pixel}`);
      if (this.pixel === pixel) this.drawPlace(answer);
    } catch (e) { this.app.refuse(e); }
  }

  // find shows the cluster of the position on the board, or after moves from there.
  async find(line = /** @type {string[]} */ ([])) {
    try {
      const position = this.app.describe(), answer = await request('/api/cluster', { ...position, moves: [...position.moves, ...line] });
      this.pixel = answer.pixel;
      this.drawMap();
      this.drawPlace(answer, line.length ? 'the position after the moves' : 'the position on the board');
    } catch (e) { this.app.refuse(e); }
  }

  close() {
    this.pixel = null;
    $('#cluster').replaceChildren();
  }

  /** @param {Place} place @param {string} [name] */
  drawPlace(place, name) {
    const kind = kinds[place.kind];
    const words = place.bytes.match(/.{16}/g)?.map(word => word.match(/../g)?.reverse().join('')) ?? [];
    const parts = [element('h3', '', kind.heading(place, this.sides)),
      element('p', 'caption', `Its ${place.bytes.length / 2} bytes as ${words.length} words of 64 bits: ${words.join(' ')}`)];
    if (place.found === -1) parts.push(element('p', '', `Here ${name} would be, but it has no entry.`));
    place.entries.forEach((entry, i) => {
      const box = element('div', 'entry');
      const text = entry.used ? kind.entry(entry.content, this.sides).filter(Boolean).join(', ') : 'empty';
      box.append(element('h4', '', `${i + 1}: ${text}${place.found === i ? ` – ${name}` : ''}`));
      if (place.found === i) box.classList.add('found');
      const fields = element('div', 'fields');
      const picture = kind.picture?.(entry.content);
      if (picture) fields.append(picture);
      for (const bits of entry.bits) {
        const { from, to } = bits;
        const field = element('span', 'field');
        field.append(fieldText(bits, entry.content), element('b', '', fieldBits(bits)),
          element('small', '', from === to ? `bit ${from}` : `bits ${from} to ${to}`));
        fields.append(field);
      }
      box.append(fields);
      parts.push(box);
    });
    parts.push(element('p', 'caption', kind.note));
    $('#cluster').replaceChildren(...parts);
    parts.find(part => part.className.includes('entry'))?.scrollIntoView({ block: 'nearest' }); // no further, so that the map is still seen
  }
}

// legendOf is the legend of a colouring for a game with these sides.
/** @param {Colouring} colouring @param {string[]} sides */
export const legendOf = ({ legend }, sides) => typeof legend === 'function' ? legend(sides) : legend;

// paint draws a map from the bytes of its pixels.
/** @param {HTMLCanvasElement | Part} canvas @param {number} width @param {number} pixels @param {Uint8Array} bytes @param {Colouring['colour']} colour */
export function paint(canvas, width, pixels, bytes, colour) {
  const height = Math.ceil(pixels / width);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const image = context.createImageData(width, height);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const i = pixel * pixelBytes;
    const [r, g, b, a = 255] = bytes[i] ? colour(bytes, i) : empty;
    image.data.set([r, g, b, a], pixel * 4);
  }
  context.putImageData(image, 0, 0);
}

// fill lists the choices of a select, unless it has them already.
/** @param {Part} select @param {[string, string][]} entries @param {string} chosen */
export function fill(select, entries, chosen) {
  if ([...select.options].map(o => o.value).join() !== entries.map(([value]) => value).join()) {
    select.replaceChildren(...entries.map(([value, text]) => new Option(text, value)));
  }
  if (select.value !== chosen) select.value = chosen;
}

/** @param {string} colour @param {string} text */
export function legendEntry(colour, text) {
  const entry = element('span');
  const sample = element('i');
  sample.style.background = colour;
  entry.append(sample, text);
  return entry;
}

const ordinal = (/** @type {number} */ n) => n <= 1 ? '' : `${n}${['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 || n % 10 > 3 ? 0 : n % 10]}`;
