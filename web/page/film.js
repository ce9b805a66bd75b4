// A film: a trace of any engine, replayed by the server against tables of two designs. The page keeps the trace, and draws.

import { request } from './api.js';
import { count } from './analysis.js';
import { $, element } from './board.js';
import { css, fill, legendEntry, legendOf, paint } from './hash.js';
import { rgb, savePicture, saved, svg } from './picture.js';
import { empty, kinds } from './tables.js';

const longestTrace = 64 << 20; // bytes; the server takes no more
const pause = 100; // ms between two moments
const colours = [[63, 120, 208], [208, 106, 16]]; // of the two designs, seen on light and dark paper
const head = 70, gap = 16, margin = 30, title = 26; // pixels above and between the maps, left of the charts, and above each
const colourings = Object.fromEntries(['depth', 'age', 'bound'].map(name => [name, kinds.cluster.colourings[name]]));

const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`;

export class Film {
  /** @type {FilmData | null} */ film = null; // what the server made of the trace
  /** @type {ReturnType<typeof setInterval> | undefined} */ timer;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.trace = /** @type {Uint8Array | null} */ (null); // its bytes
    this.loading = /** @type {Uint8Array | null} */ (null); // the trace that is replayed
    this.at = 0; // the moment that is shown
    $('#film-open').addEventListener('click', () => $('#film-file').click());
    $('#film-file').addEventListener('change', () => {
      const file = $('#film-file').files?.[0];
      $('#film-file').value = '';
      if (file) this.open(file);
    });
    $('#film-form').addEventListener('submit', e => e.preventDefault());
    for (const id of ['#film-first', '#film-second', '#film-mib']) $(id).addEventListener('change', () => this.load());
    fill($('#film-colour'), Object.keys(colourings).map(name => [name, name]), 'depth');
    $('#film-colour').addEventListener('change', () => this.draw());
    $('#film-play').addEventListener('click', () => this.play(!this.timer));
    $('#film-position').addEventListener('input', () => {
      this.play(false);
      this.show(Number($('#film-position').value));
    });
    $('#film-svg').addEventListener('click', () => this.save('svg'));
    $('#film-png').addEventListener('click', () => this.save('png'));
    new ResizeObserver(() => this.draw()).observe($('#film-frame'));
  }

  // open reads a file and shows it.
  /** @param {File} file */
  async open(file) {
    const { app } = this;
    app.tell('');
    await app.view('hash');
    $('#film').open = true;
    if (file.size > longestTrace) return app.tell(`${file.name} has more than ${longestTrace >> 20} MiB. Record a shorter search.`);
    try {
      this.trace = new Uint8Array(await file.arrayBuffer());
    } catch { return app.tell(`${file.name} cannot be read.`); }
    this.film = null;
    $('#film-shown').hidden = true;
    // A table that fills up long before the trace ends.
    $('#film-mib').value = String(Math.min(64, Math.max(1 / 64, 2 ** Math.floor(Math.log2(file.size / 256 / 2 ** 20)))));
    await this.load();
    $('#film-frame').scrollIntoView({ block: 'nearest' });
  }

  // load has the server replay the trace. It replays one at a time, so what is chosen meanwhile comes after.
  /** @returns {Promise<void>} */
  async load() {
    this.play(false);
    this.again = Boolean(this.loading);
    if (this.again || !this.trace) return;
    this.loading = this.trace;
    $('#film-status').textContent = 'Replaying …';
    try {
      const film = await request(`/api/film?${new URLSearchParams({
        first: $('#film-first').value || 'trefoil', second: $('#film-second').value || 'stockfish', mib: $('#film-mib').value,
      })}`, this.trace);
      if (this.loading === this.trace) this.take(film);
    } catch (e) { this.app.refuse(e); }
    $('#film-status').textContent = '';
    this.loading = null;
    $('#film-shown').hidden = !this.film;
    if (this.again) return this.load();
    if (!this.film) return;
    const designs = this.film.designs.map(({ name }) => /** @type {[string, string]} */ ([name, name])), [first, second] = this.film.tables;
    fill($('#film-first'), designs, first.design);
    fill($('#film-second'), designs, second.design);
    $('#film-mib').value = String(first.mib);
  }

  // take shows a film: it plays, or its end is shown to those who do not want motion.
  /** @param {FilmData} film */
  take(film) {
    const last = film.moments.length - 1;
    if (last < 0) return this.app.tell('The trace has no records.');
    const began = !this.film;
    this.film = film;
    $('#film-shown').hidden = false;
    $('#film-position').max = String(last);
    $('#film-caption').textContent = this.caption;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.show(began ? still ? last : 0 : Math.min(this.at, last));
    if (began) this.play(!still);
  }

  /** @param {boolean} on */
  play(on) {
    clearInterval(this.timer);
    this.timer = undefined;
    $('#film-play').textContent = on ? 'Pause' : 'Play';
    if (!on) return;
    const last = this.shown.moments.length - 1;
    if (this.at === last) this.show(0);
    this.timer = setInterval(() => {
      if (this.at < last) this.show(this.at + 1);
      else this.play(false);
    }, pause);
  }

  // show shows a moment.
  /** @param {number} at */
  show(at) {
    this.at = at;
    const { moments, tables } = this.shown, [now, end] = [moments[at], moments[moments.length - 1]].map(({ records }) => records.toLocaleString('en'));
    $('#film-position').value = String(at);
    $('#film-at').textContent = `record ${now} of ${end}`;
    $('#film-position').setAttribute('aria-valuetext', [$('#film-at').textContent, ...tables.map(table => `${table.design}: ${this.numbers(table, at).join(', ')}`)].join('; '));
    this.draw();
  }

  // numbers says what a table has had until a moment.
  /** @param {FilmTable} table @param {number} at */
  numbers({ frames }, at) {
    const { hits, cutoffs, full } = frames[at], probes = this.shown.moments[at].probes || 1;
    return [`${percent(hits / probes)} hits`, `${percent(cutoffs / probes)} cutoffs`, `${percent(full)} full`];
  }

  draw() {
    const frame = $('#film-frame'), { clientWidth: width } = frame;
    if (!this.film || !width) return;
    frame.replaceChildren(this.picture(width, 90));
    $('#film-legend').replaceChildren(...this.legend.map(([colour, text]) => legendEntry(css(colour), text)));
  }

  // shown is the film, where there is one.
  get shown() { return /** @type {FilmData} */ (this.film); }

  get colouring() { return colourings[$('#film-colour').value]; }

  /** @returns {Legend} */
  get legend() { return [...legendOf(this.colouring, this.app.sides()), [empty, 'empty']]; }

  get caption() {
    const { game, note, searches, mib, moments, tables, designs } = this.shown;
    const names = tables.map(({ design }) => `${design} (${designs.find(({ name }) => name === design)?.help.replaceAll('\n', ' ')})`);
    return `A trace of ${game}${note ? ` (${note})` : ''}: ${count(moments.at(-1)?.records)} records of ${count(searches)} search${searches === 1 ? '' : 'es'} with a table of ${mib} MiB, replayed against tables of ` +
      `${tables[0].mib} MiB: ${names.join(' and ')}. Each pixel is a pair of neighbouring clusters.`;
  }

  // picture draws the moment: both maps, and below them two charts of a height each.
  /** @param {number} width @param {number} height */
  picture(width, height) {
    const { at, shown: { width: columns, moments, tables } } = this, half = (width - gap) / 2, map = half / 2, top = head + map + title, plot = width - margin;
    const maps = tables.map((table, i) => {
      const canvas = element('canvas'), cells = Uint8Array.from(atob(table.frames[at].cells), c => c.charCodeAt(0));
      paint(canvas, columns, table.pixels, cells, this.colouring.colour);
      return svg('g', { transform: `translate(${i * (half + gap)} 0)`, 'font-size': 12 },
        svg('rect', { y: 1, width: 12, height: 12, rx: 2, fill: rgb(colours[i]) }), svg('text', { x: 18, y: 12, 'font-size': 14, 'font-weight': 600 }, table.design),
        ...this.numbers(table, at).map((text, j) => svg('text', { y: 30 + 16 * j }, text)),
        svg('image', { y: head, width: half, height: map, href: canvas.toDataURL(), preserveAspectRatio: 'none', 'image-rendering': 'pixelated' }));
    });
    const end = moments[moments.length - 1].records, x = (/** @type {number} */ i) => (margin + plot * moments[i].records / end).toFixed(1), label = (/** @type {object} */ attributes, /** @type {string | number} */ text) => svg('text', { 'font-size': 12, ...attributes }, text);
    const charts = /** @type {const} */ (['hits', 'cutoffs']).flatMap((part, i) => {
      const shares = tables.map(({ frames }) => frames.map((frame, j) => 100 * frame[part] / (moments[j].probes || 1))), all = shares.flat();
      const low = Math.floor(Math.min(...all)), high = Math.max(low + 1, Math.ceil(Math.max(...all))), from = top + i * (height + title);
      const curves = shares.map((share, k) => svg('polyline', {
        points: share.map((value, j) => `${x(j)},${(from + height * (high - value) / (high - low)).toFixed(1)}`).join(' '), fill: 'none', stroke: rgb(colours[k]),
        'stroke-width': k ? 1.6 : 3,
      }));
      return [label({ x: margin, y: from - 6 }, `${part}, % of the probes so far`), ...[[high, 10], [low, height]].map(([n, y]) => label({ x: margin - 6, y: from + y, 'text-anchor': 'end' }, n)),
        svg('rect', { x: margin, y: from, width: plot, height, fill: 'none', stroke: 'currentColor', 'stroke-opacity': 0.3 }), ...curves,
        svg('path', { d: `M${x(at)} ${from}v${height}`, stroke: 'currentColor', 'stroke-width': 1.5 })];
    });
    const bottom = top + 2 * height + title + 16, all = bottom + 6;
    return svg('svg', {
      width, height: all, viewBox: `0 0 ${width} ${all}`, role: 'img', fill: 'currentColor', 'font-family': 'system-ui, sans-serif',
      'aria-label': 'Maps of both tables, and their hits and cutoffs over the trace',
    }, ...maps, ...charts, label({ x: margin, y: bottom }, 0), label({ x: width, y: bottom, 'text-anchor': 'end' }, `${count(end)} records`));
  }

  // save downloads the moment that is shown.
  /** @param {string} format */
  save(format) {
    const chart = (saved.height - head - (saved.width - gap) / 4 - 2 * title - 22) / 2;
    return savePicture({
      file: 'trace', title: `Trefoil – ${this.shown.tables.map(({ design }) => design).join(' and ')}: ${$('#film-at').textContent}`,
      picture: this.picture(saved.width, chart), legend: this.legend, caption: this.caption,
    }, format);
  }
}
