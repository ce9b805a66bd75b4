// The hash, live: a map of the transposition table, what searches do with it, and single clusters bit by bit.

import { request } from './api.js';
import { count } from './analysis.js';
import { element } from './board.js';

const $ = selector => document.querySelector(selector);

// The bytes of a pixel, as docs/web.md has them.
const pixelBytes = 4;
const inUse = (cells, i) => [cells[i] & 15, cells[i] >> 4]; // entries of the first and of the second side
const [age, depth, bound] = [1, 2, 3];                      // offsets
const bounds = ['none', 'upper', 'lower', 'exact'];

// Colours are red, green, blue. They are readable on light and dark paper.
const empty = [128, 128, 128, 40];
const boundColours = [empty, [70, 120, 200], [225, 135, 45], [60, 165, 90]];
const sideColours = [[225, 170, 50], [110, 90, 190]];
const young = [60, 165, 90], old = [120, 70, 110];
const shallow = [55, 50, 110], deep = [250, 215, 70];

const mix = (a, b, share) => a.map((c, i) => Math.round(c + (b[i] - c) * share));
const css = ([r, g, b, a = 255]) => `rgb(${r} ${g} ${b} / ${a / 255})`;

const oldest = 24;  // generations, which is six searches; older ones have the same colour
const deepest = 20;

// How the map is coloured: the colour of the pixel whose bytes begin at i, the legend, and what the picture says.
const colourings = {
  depth: {
    colour: (cells, i) => mix(shallow, deep, Math.min(1, cells[i + depth] / deepest)),
    legend: [[shallow, 'depth 0'], [mix(shallow, deep, 0.5), `depth ${deepest / 2}`], [deep, `depth ${deepest} or more`]],
    caption: 'Each pixel is a pair of neighbouring clusters, with up to six positions. The brighter it is, the deeper was the deepest ' +
      'search whose result is kept there. Keys are random, so a good table is an even noise, with few bright spots: deep results are rare, and are kept.',
  },
  age: {
    colour: (cells, i) => mix(young, old, Math.min(1, cells[i + age] / oldest)),
    legend: [[young, 'this search'], [mix(young, old, 0.5), 'three searches ago'], [old, 'six searches ago or more']],
    caption: 'The older the entries of a pixel are, the darker it is. A new search replaces old entries first, and a hit makes an entry young again: ' +
      'after a move on the board the map turns dark, and becomes green again as the search fills it.',
  },
  bound: {
    colour: (cells, i) => boundColours[cells[i + bound]],
    legend: [[boundColours[3], 'exact'], [boundColours[2], 'lower bound: at least this score'], [boundColours[1], 'upper bound: at most this score']],
    caption: 'What the deepest entry of a pixel knows of its score. Alpha-beta proves bounds nearly everywhere; exact scores are found only on ' +
      'principal variations, so green points are rare.',
  },
  side: {
    colour: (cells, i) => { const [a, b] = inUse(cells, i); return mix(sideColours[0], sideColours[1], b / (a + b)); },
    legend: [[sideColours[0], 'first side to move'], [mix(...sideColours, 0.5), 'both'], [sideColours[1], 'second side to move']],
    caption: 'The side to move is a bit of the index, so positions of the two sides never share a cluster. A pixel is a cluster of each: ' +
      'where one colour prevails, that side has more entries there.',
  },
};

// The curves of the chart: what is counted, of what, and the colour.
const curves = [
  { part: 'hits', of: 'probes', text: 'hits', colour: 'var(--win)' },
  { part: 'cutoffs', of: 'probes', text: 'cutoffs', colour: 'var(--x)' },
  { part: 'replaced', of: 'stores', text: 'replacements', colour: 'var(--loss)' },
];
const history = 300; // points of a curve

export class Hash {
  constructor(app) {
    this.app = app;
    this.last = null;    // the newest event of the table
    this.points = [];    // shares since the event before, for the chart
    this.cluster = null; // the pixel whose cluster is shown
    $('#hash-run').addEventListener('click', () => app.analysis.toggle(!app.analysis.busy));
    $('#colour').addEventListener('change', () => this.drawMap());
    $('#map').addEventListener('click', e => this.open(e));
    $('#map').addEventListener('keydown', e => this.key(e));
    $('#hash-slider').addEventListener('input', () => { $('#hash-mib').value = Math.round(2 ** $('#hash-slider').value); });
    $('#hash-slider').addEventListener('change', () => this.set('Hash', $('#hash-mib').value));
    $('#hash-form').addEventListener('submit', e => { e.preventDefault(); this.set('Hash', $('#hash-mib').value); });
    $('#hash-stats').addEventListener('change', e => this.set('HashStats', String(e.target.checked)));
    $('#hash-audit').addEventListener('change', e => this.set('HashAudit', e.target.value));
    $('#hash-clear').addEventListener('click', () => this.set('Clear Hash', ''));
  }

  // start reads the options, and has the engine count what its searches do with the table.
  async start() {
    this.started = true;
    try {
      const options = Object.fromEntries((await request('/api/options')).map(o => [o.name, o]));
      this.showSize(options.Hash.value);
      $('#hash-audit').value = options.HashAudit.value;
      $('#hash-stats').checked = true;
      if (options.HashStats.value !== 'true') await this.set('HashStats', 'true');
    } catch (e) {
      this.started = false;
      this.app.refuse(e);
    }
  }

  showSize(mib) {
    $('#hash-mib').value = mib;
    $('#hash-slider').value = Math.log2(mib);
  }

  async set(name, value) {
    try {
      const { notices } = await request('/api/option', { name, value });
      $('#hash-notice').textContent = notices.join(' ');
    } catch (e) { this.app.refuse(e); }
  }

  // update follows the view: the table is sent only while it is looked at.
  update() {
    const { app } = this;
    const seen = app.state.view === 'hash';
    app.events.watchTable(seen);
    if (!seen) return;
    if (!this.started) this.start();
    $('#hash-run').textContent = app.analysis.busy ? 'Stop' : 'Search this position';
    $('#hash-run').setAttribute('aria-pressed', app.analysis.busy);
    const none = app.state.game === 'connect4';
    $('#no-table').hidden = !none;
    $('#with-table').hidden = none;
  }

  // table takes an event.
  table(data) {
    const before = this.last;
    this.last = data;
    data.bytes = Uint8Array.from(atob(data.cells), c => c.charCodeAt(0));
    if (data.probes) {
      // The counters are of one search: with fewer probes than before a new one has begun.
      const since = before?.probes <= data.probes ? before : {};
      const shares = curves.map(({ part, of }) => {
        const n = data[of] - (since[of] ?? 0);
        return n > 0 ? (data[part] - (since[part] ?? 0)) / n : null;
      });
      if (shares[0] !== null) this.points = [...this.points, shares].slice(-history);
    }
    this.drawMap();
    this.drawNumbers();
    this.drawChart();
  }

  drawMap() {
    const { last } = this;
    const { colour, legend, caption } = colourings[$('#colour').value];
    $('#map-legend').replaceChildren(...[...legend, [empty, 'empty']].map(([c, text]) => legendEntry(css(c), text)));
    $('#map-caption').textContent = caption + (last?.group ? ` The map shows every ${ordinal(last.group / 2)} pair. A click shows the entries of a pixel.` : '');
    if (!last?.pixels) return;
    const canvas = $('#map');
    const { width, pixels, bytes } = last;
    const height = Math.ceil(pixels / width);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const context = canvas.getContext('2d');
    const image = context.createImageData(width, height);
    for (let pixel = 0; pixel < pixels; pixel++) {
      const i = pixel * pixelBytes;
      const [r, g, b, a = 255] = bytes[i] ? colour(bytes, i) : empty;
      image.data.set([r, g, b, a], pixel * 4);
    }
    context.putImageData(image, 0, 0);
    if (this.cluster !== null) {
      context.strokeStyle = '#f00';
      context.strokeRect(this.cluster % width - 0.5, Math.floor(this.cluster / width) - 0.5, 2, 2);
    }
  }

  drawNumbers() {
    const d = this.last;
    const percent = share => `${(100 * share).toFixed(1)} %`;
    const numbers = [
      ['size', d.clusters ? `${d.mib} MiB` : 'no table yet', `${count(3 * d.clusters)} entries in clusters of three`],
      ['full', percent(d.hashfull / 1000), 'entries of this search'],
    ];
    if (d.probes) {
      numbers.push(['hits', percent(d.hits / d.probes), 'of the probes found their position'],
        ['cutoffs', percent(d.cutoffs / d.probes), 'of the probes ended a node at once'],
        ['replaced', count(d.replaced), 'entries of other positions were overwritten']);
    }
    if (d.halfHits != null) {
      numbers.push(['½ × memory', percent(d.halfHits), 'hits with a table of half the size'], ['2 × memory', percent(d.doubleHits), 'hits with twice the size']);
    }
    if (d.falseHits != null) numbers.push(['false hits', count(d.falseHits), 'another position was taken for this one']);
    $('#hash-values').replaceChildren(...numbers.map(([name, value, meaning]) => {
      const group = element('div');
      group.append(element('dt', '', name), element('dd', '', value), element('dd', 'meaning', meaning));
      return group;
    }));
    $('#pages').textContent = d.pages ? `Memory: ${d.pages}.` : '';
  }

  drawChart() {
    const chart = $('#hash-chart');
    const lines = curves.map(({ colour }, i) => {
      const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
      const points = this.points.map((shares, x) => shares[i] === null ? null : `${(x * 400 / (history - 1)).toFixed(1)},${(118 - 116 * shares[i]).toFixed(1)}`);
      line.setAttribute('points', points.filter(Boolean).join(' '));
      line.style.stroke = colour;
      return line;
    });
    chart.replaceChildren(...lines);
    if (!$('#chart-legend').children.length) $('#chart-legend').append(...curves.map(c => legendEntry(c.colour, c.text)));
  }

  // open shows the cluster of the pixel that was clicked.
  open(event) {
    const canvas = $('#map'), box = canvas.getBoundingClientRect();
    const x = Math.floor((event.clientX - box.left) / box.width * canvas.width);
    const y = Math.floor((event.clientY - box.top) / box.height * canvas.height);
    this.show(y * canvas.width + x);
  }

  // The arrow keys walk over the map.
  key(event) {
    const { width } = $('#map');
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width, Enter: 0 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.show((this.cluster ?? 0) + step);
  }

  async show(pixel) {
    if (!(pixel >= 0 && pixel < this.last?.pixels)) return;
    this.cluster = pixel;
    this.drawMap();
    try {
      const answer = await request(`/api/cluster?pixel=${pixel}`);
      if (this.cluster === pixel) this.drawCluster(answer);
    } catch (e) { this.app.refuse(e); }
  }

  drawCluster({ index, side, bytes, entries }) {
    const words = bytes.match(/.{16}/g).map(word => word.match(/../g).reverse().join(''));
    const parts = [element('h3', '', `Cluster ${index}, positions with ${this.app.sides()[side]} to move`),
      element('p', 'caption', `Its 32 bytes as four words: ${words.join(' ')}`)];
    entries.forEach((entry, i) => {
      const box = element('div', 'entry');
      const text = entry.used
        ? `score ${entry.value}, ${boundText(entry.bound)}, searched to depth ${entry.depth}, ` +
          (entry.age > 0 ? `${entry.age} generations old` : 'of this search') + `, static evaluation ${entry.eval}`
        : 'empty';
      box.append(element('h3', '', `Entry ${i + 1}: ${text}`));
      const fields = element('div', 'fields');
      for (const { name, from, to, value } of entry.bits) {
        const field = element('span', 'field');
        field.append(`${name} ${name === 'bound' ? bounds[value] : value}`, element('b', '', value.toString(2).padStart(to - from + 1, '0')),
          element('small', '', from === to ? `bit ${from}` : `bits ${from} to ${to}`));
        fields.append(field);
      }
      box.append(fields);
      parts.push(box);
    });
    parts.push(element('p', 'caption', 'The key of a position chooses the cluster; the check bits are other bits of the same key, which tell its entry from those ' +
      'of other positions. The fourth word has a static evaluation for each of the three entries, with five more bits of the key.'));
    $('#cluster').replaceChildren(...parts);
  }
}

function legendEntry(colour, text) {
  const entry = element('span');
  const sample = element('i');
  sample.style.background = colour;
  entry.append(sample, text);
  return entry;
}

const boundText = bound => bound === 'exact' ? 'exact' : `${bound} bound`;
const ordinal = n => n <= 1 ? '' : `${n}${['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 || n % 10 > 3 ? 0 : n % 10]}`;
