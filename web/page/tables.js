// The kinds of tables, as the map shows them: colours, captions, and what their entries say. web/table_*.go have the bytes of a pixel.

import { count } from './analysis.js';
import { element } from './board.js';
import { disc } from './pieces.js';

// Colours are red, green, blue. They are readable on light and dark paper.
/** @type {Colour} */
export const empty = [128, 128, 128, 40];
const blue = [70, 120, 200], orange = [225, 135, 45], green = [60, 165, 90];
const sides = [[225, 170, 50], [110, 90, 190]];
const old = [120, 70, 110];
const scale = [[62, 45, 120], [38, 140, 141], [250, 220, 60]]; // of depth and of work

// mix is the mean of colours, each with its weight.
/** @param {[Colour, number][]} weighted */
function mix(...weighted) {
  const sum = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  return [0, 1, 2].map(i => Math.round(weighted.reduce((part, [colour, weight]) => part + colour[i] * weight, 0) / sum));
}
const between = (/** @type {Colour} */ a, /** @type {Colour} */ b, /** @type {number} */ share) => mix([a, 1 - Math.min(1, share)], [b, Math.min(1, share)]);

const scaled = (/** @type {number} */ share) => share < 0.5 ? between(scale[0], scale[1], 2 * share) : between(scale[1], scale[2], 2 * share - 1);

// steps is the legend of a scale from one colour to another, scaledSteps of the scale above.
/** @type {(from: Colour, to: Colour, first: string, middle: string, last: string) => Legend} */
const steps = (from, to, first, middle, last) => [[from, first], [between(from, to, 0.5), middle], [to, last]];
/** @type {(...texts: string[]) => Legend} */
const scaledSteps = (...texts) => texts.map((text, i) => [scale[i], text]);

// A colouring has the colour of a pixel whose bytes begin at i, the legend, and what the picture says.
/** @type {(what: string, caption: string) => Colouring} */
const fullness = (what, caption) => ({
  colour: (b, i) => scaled(((b[i] & 15) - 1) / 3),
  legend: scaledSteps(`one ${what}`, 'two or three', 'four'),
  caption,
});
/** @type {(names: string[]) => Omit<Colouring, 'caption'>} */
const results = names => ({
  colour: (b, i) => { const yes = b[i + 3] & 15, no = b[i + 3] >> 4; return mix([green, yes], [orange, no], [blue, b[i] - yes - no]); },
  legend: [[green, names[0]], [orange, names[1]], [blue, names[2]]],
});

// Values of alpha-beta, in hundredths of a pawn: a mate n plies away is 32,000 - n, and 32,002 is no value, the static evaluation in check.
const mate = 32000, noValue = mate + 2, longestMate = 247;

// mateIn is how many plies away the mate of a value is, null if it is none.
export const mateIn = (/** @type {number} */ value) => Math.abs(value) < mate - longestMate ? null : mate - Math.abs(value);

// valueText writes a value of alpha-beta.
/** @param {number} value */
function valueText(value) {
  if (value === noValue) return 'none';
  const plies = mateIn(value);
  return plies === null ? String(value).replace('-', '−') : `${value > 0 ? 'mate' : 'mated'} in ${plies} plies`;
}

export const bounds = ['none', 'upper', 'lower', 'exact'];
export const boundText = (/** @type {string} */ bound) => /** @type {Record<string, string>} */ ({ exact: 'exactly', lower: 'at least', upper: 'at most' })[bound] ?? '';

/** @type {Record<Kind, TableKind>} */
export const kinds = {
  cluster: {
    title: 'alpha-beta',
    about: 'An entry has the best move of a position, its score or a bound on it, and the depth to which it was searched. Three entries share a cluster ' +
      'of 32 bytes. When a cluster is full, the entry that is worth least is replaced: one that is shallow and has not been used for long.',
    help: [
      ['Probe', 'a search looks up a position before it searches it. A hit means that the position was found. A cutoff is a hit that was searched deeply ' +
        'enough: its score is used, and nothing below the position is searched again. This is what the table saves.'],
      ['Depth', 'the number of plies (moves of one side) that were searched below the position. Most positions of a tree are near its leaves, so most ' +
        'pixels are dark.'],
      ['Bound', '“at least”: a move was so good that the other side will avoid the position, so the rest was not searched. “At most”: no move was good ' +
        'enough.'],
      ['Place', 'the key of a position, a random number, selects its cluster. Neighbours on the map have nothing else in common.'],
      ['Age', 'a new search adds four generations, and a long one adds another each time it has replaced two and a half times as many entries as the ' +
        'table has. Hits put an entry up to three generations ahead, so that it stays longer.'],
      ['Try', 'search, then click “Find this position”; colour by age and make a move; set the hash to 1 MiB, and then to twice that: if many entries are ' +
        'replaced and twice the memory has clearly more hits, a larger hash pays off.'],
    ],
    click: 'Click a pixel to see the fuller one of its two clusters.',
    entries: 'entries in clusters of three',
    full: 'stored or used by this search',
    place: 'pair',
    colourings: {
      depth: {
        colour: (b, i) => scaled(b[i + 2] / 20),
        legend: scaledSteps('depth 0', 'depth 10', 'depth 20 or more'),
        caption: 'Each pixel is a pair of neighbouring clusters, with up to six positions. The brighter it is, the deeper is the deepest search whose ' +
          'result it holds. Keys are random, so a good table looks like even noise with a few bright spots: deep results are rare, and are kept.',
      },
      age: {
        colour: (b, i) => between(green, old, Math.sqrt(b[i + 1] / 24)), // the search before is clearly darker
        legend: steps(green, old, 'this search', 'one or two searches ago', 'six searches ago or more'),
        caption: 'The older the entries of a pixel are, the darker it is. A new search replaces old entries first, and a hit makes an entry young again: ' +
          'after a move on the board the map turns dark, and it turns green again as the search fills it.',
      },
      bound: {
        colour: (b, i) => [empty, blue, orange, green][b[i + 3]],
        legend: [[green, 'exact'], [orange, 'lower bound: at least this score'], [blue, 'upper bound: at most this score']],
        caption: 'What the deepest entry of a pixel says about its score. Alpha-beta proves bounds nearly everywhere; exact scores are found only on ' +
          'principal variations, so green points are rare.',
      },
      side: {
        colour: (b, i) => mix([sides[0], b[i] & 15], [sides[1], b[i] >> 4]),
        legend: names => [[sides[0], `${names[0]} to move`], [mix([sides[0], 1], [sides[1], 1]), 'both'], [sides[1], `${names[1]} to move`]],
        caption: 'The side to move is a bit of the index, so positions of the two sides never share a cluster. A pixel is one cluster of each side: where ' +
          'one colour prevails, that side has more entries.',
      },
    },
    heading: (place, sides) => `Cluster ${place.index}, positions with ${sides[place.side ?? 0]} to move`,
    entry: e => [e.text ?? e.move ?? '', `${boundText(e.bound)} ${valueText(e.value)}`, `depth ${e.depth}`, e.pv ? 'on a principal variation' : '',
      e.age > 0 ? `${e.age === 1 ? 'one generation' : `${e.age} generations`} old` : 'of this search', `static evaluation ${valueText(e.eval)}`],
    note: 'The key of a position selects the cluster. The check bits are other bits of the same key, which distinguish the entry from those of other ' +
      'positions. The fourth word has a static evaluation for each of the three entries, with five more bits of the key. Scores are in hundredths of a ' +
      'pawn, for the side to move. In check there is no static evaluation.',
  },

  window: {
    title: 'proof search',
    click: 'Click a pixel to see its slots.',
    about: 'An entry has two numbers: φ, the least number of positions that remain to be settled to prove the goal of the side to move, and δ, the least ' +
      'number to disprove it. With φ 0 the goal is proved, with δ 0 it is disproved. A position may be in any of four neighbouring slots, its window.',
    entries: 'slots of 32 bytes, and an index byte for each',
    full: 'written by this search',
    place: 'group of four',
    colourings: {
      result: {
        ...results(['proved', 'disproved', 'open']),
        caption: 'Each pixel is a group of four neighbouring slots. Green ones are proved, orange ones disproved, blue ones open. A position is proved by ' +
          'one move to a disproved one, and disproved when all its moves lead to proved ones, so a proof has both colours.',
      },
      work: {
        colour: (b, i) => scaled(b[i + 2] / 20),
        legend: scaledSteps('one node', 'a thousand', 'a million or more'),
        caption: 'The brighter a pixel is, the more nodes were searched below its hardest position. A full window replaces the entry with the least work, ' +
          'so bright points stay.',
      },
      age: {
        colour: (b, i) => between(green, old, Math.sqrt(b[i + 1] / 6)),
        legend: steps(green, old, 'this search', 'one or two searches ago', 'six searches ago or more'),
        caption: 'The older the entries of a pixel are, the darker it is. Entries of earlier searches are replaced first.',
      },
      use: fullness('slot', 'How many of the four slots are in use. Nothing is replaced until a window is full.'),
    },
    heading: place => `Slots ${place.index} to ${place.index + 3}`,
    entry: e => [e.result === 'open' ? `open, φ ${e.phi}, δ ${e.delta}` : e.result, e.move, e.work === 1 ? 'one node of work' : `${count(e.work)} nodes of work`,
      e.plies ? `${e.plies === 1 ? 'one ply' : `${e.plies} plies`} to the end` : '', e.age > 0 ? `${e.age === 1 ? 'one search' : `${e.age} searches`} old` : 'of this search', `index byte ${e.indexByte}`],
    note: 'The whole key is stored, so no position is taken for another. The index bytes lie together, apart from the slots: a probe reads four of them ' +
      'at once, and a slot only if its byte matches the key. Sequence and lock let many threads write without waiting.',
  },

  remainder: {
    title: 'exact solver',
    click: 'Click a pixel to see its entries.',
    about: 'An entry has two proved bounds on the score of a position. Only a part of the key is stored. The number of the bucket, which is the remainder ' +
      'of the key divided by an odd number, determines the rest (the Chinese remainder theorem), so the table never takes one position for another.',
    entries: 'entries in buckets of four',
    full: 'of all entries in use',
    place: 'bucket',
    colourings: {
      result: {
        ...results(['won for the side to move', 'lost', 'drawn or not decided']),
        caption: 'Each pixel is a bucket of four positions: green where the side to move is proved to win, orange where it is proved to lose.',
      },
      exact: {
        colour: (b, i) => between(blue, green, b[i + 1] / b[i]),
        legend: steps(blue, green, 'bounds only', 'half', 'exact scores'),
        caption: 'The share of scores that are known exactly. The solver asks only whether a score is at least some number, so it needs few exact ones.',
      },
      work: {
        colour: (b, i) => scaled(b[i + 2] / 20),
        legend: scaledSteps('one node', 'a thousand', 'a million or more'),
        caption: 'The brighter a pixel is, the more nodes were searched below its hardest position. A full bucket replaces the entry with the least work.',
      },
      use: fullness('entry', 'How many of the four entries of a bucket are in use. The number of buckets is a prime, so that positions spread evenly.'),
    },
    heading: place => `Bucket ${place.index}`,
    entry: (e, sides) => [`${sides[e.mover]} to move`, e.lower === e.upper ? `score exactly ${e.lower}` : `score ${e.lower} to ${e.upper}`,
      e.work ? `about ${count(2 ** e.work)} nodes of work` : 'one node of work'],
    picture: e => e.rows && smallBoard(e.rows),
    note: 'The position shown is computed from the bucket and the key bits in the entry; either it or its mirror image was searched. A score is one more ' +
      'than the number of stones that the winner has left, and negative if the side to move loses. The bounds are stored with 32 added, or 64 on boards of more than 64 cells.',
  },
};

// smallBoard draws a position of Connect Four.
/** @param {string[]} rows */
function smallBoard(rows) {
  const board = element('div', 'small-board');
  board.style.setProperty('--columns', String(rows[0].length));
  for (const cell of rows.join('')) {
    const hole = element('span');
    if (cell !== '.') hole.append(disc(Number(cell)));
    board.append(hole);
  }
  return board;
}

const signed = (/** @type {number} */ n) => n > 0x7fff ? n - 0x10000 : n;

// fieldText writes the value of a field as people read it.
/** @param {Field} field @param {Content} content */
export function fieldText({ name, from, to, value }, content) {
  switch (name) {
    case 'bound': return `bound ${bounds[Number(value)]}`;
    case 'move': return `move ${content.move || (value ? '' : 'none')}`;
    case 'value': case 'eval': return `${name} ${valueText(signed(Number(value)))}`;
    case 'lower': case 'upper': return `${name} ${value ? Number(value) - 2 ** (to - from) : ''}`;
    case 'key': return name;
    default: return `${name} ${value}`;
  }
}

// fieldBits writes the bits of a field: those of a long one as hexadecimal digits.
/** @param {Field} field */
export function fieldBits({ from, to, value }) {
  const n = to - from + 1;
  if (typeof value === 'string') return value;
  return n > 20 ? value.toString(16).padStart(Math.ceil(n / 4), '0') : value.toString(2).padStart(n, '0');
}
