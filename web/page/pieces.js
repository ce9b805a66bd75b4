// The pieces and stones, drawn as SVG for Trefoil. Every function returns a new <svg> element.
//
// Colours are not here: style.css gives them to .first (White of chess, Black of shogi, Yellow, X) and to .second.

import { kanji } from './kanji.js';

const template = document.createElement('template');

// draw makes an element of constant markup. Text of users or of the server never gets here.
/** @param {string} classes @param {string} viewBox @param {string} markup */
function draw(classes, viewBox, markup) {
  template.innerHTML = `<svg class="piece ${classes}" viewBox="${viewBox}" aria-hidden="true">${markup}</svg>`;
  return /** @type {Element} */ (template.content.firstChild?.cloneNode(true));
}

/** @param {number} side */
const sideClass = side => side === 0 ? 'first' : 'second';

// Chess: outlines on a field of 100 by 100, all on the same foot.
const foot = '<path d="M24 90v-5q0-9 9-9h34q9 0 9 9v5z"/>';
/** @type {Record<string, string>} */
const chessShapes = {
  p: '<path d="M42 42h16q1 21 13 34H29q12-13 13-34z"/><path d="M36 46q0-6 14-6t14 6-14 5-14-5z"/>' +
    '<circle cx="50" cy="29" r="13"/>',
  n: '<path d="M31 76q-1-15 10-25 5-5 5-9-7 7-14 8-3 6-8 5-7-2-5-9l13-19q3-9 10-12l-1-9 10 7q26 4 25 42-.4 12-3 21z"/>' +
    '<circle class="detail" cx="39" cy="29" r="3"/><path class="line" d="M56 22q13 9 12 34"/>',
  b: '<path d="M41 57h18q1 11 8 19H33q7-8 8-19z"/><path d="M50 17q20 14 20 27 0 8-8 13H38q-8-5-8-13 0-13 20-27z"/>' +
    '<circle cx="50" cy="13" r="6"/><path class="line" d="M50 31v16M42 39h16"/><path d="M34 57q0-4 16-4t16 4-16 5-16-5z"/>',
  r: '<path d="M34 42h32l4 34H30z"/><path d="M26 16h11v9h8v-9h10v9h8v-9h11v19l-8 8H34l-8-8z"/>' +
    '<path class="line" d="M34 43h32"/>',
  q: '<path d="M30 76q2-11-1-20L17 27l18 17 1-26 14 23 14-23 1 26 18-17-12 29q-3 9-1 20z"/>' +
    '<circle cx="16" cy="24" r="5"/><circle cx="36" cy="15" r="5"/><circle cx="64" cy="15" r="5"/><circle cx="84" cy="24" r="5"/>' +
    '<path class="line" d="M30 62q20-6 40 0"/>',
  k: '<path d="M46 7h8v7h8v8h-8v12h-8V22h-8v-8h8z"/><path d="M32 76q0-9-8-17-8-9-6-18 3-10 15-10 12 1 17 15 5-14 17-15 12 0 15 10 2 9-6 18-8 8-8 17z"/>' +
    '<path class="line" d="M50 46v16M31 66q19-7 38 0"/>',
};

// chessPiece draws the piece with this letter of a FEN, such as N for a white knight.
/** @param {string} letter */
export function chessPiece(letter) {
  const kind = letter.toLowerCase();
  return draw('chess ' + sideClass(letter === kind ? 1 : 0), '0 0 100 100', chessShapes[kind] + foot);
}

// Shogi: a wedge with a character, or with a letter and marks that show how the piece moves.
const wedge = '<path d="M50 6 78 20 88 94H12L22 20z"/>';
const orthogonal = [[0, -1], [0, 1], [-1, 0], [1, 0]];
const diagonal = [[-1, -1], [1, -1], [-1, 1], [1, 1]];
const gold = [[0, -1], [-1, -1], [1, -1], [-1, 0], [1, 0], [0, 1]];
// The directions in which a piece steps, and those in which it slides; x to the right, y down.
/** @type {Record<string, { steps?: number[][], slides?: number[][] }>} */
const shogiMoves = {
  k: { steps: [...orthogonal, ...diagonal] },
  r: { slides: orthogonal },
  b: { slides: diagonal },
  g: { steps: gold },
  s: { steps: [[0, -1], ...diagonal] },
  n: { steps: [[-0.5, -1.15], [0.5, -1.15]] },
  l: { slides: [[0, -1]] },
  p: { steps: [[0, -1]] },
  '+r': { slides: orthogonal, steps: diagonal },
  '+b': { slides: diagonal, steps: orthogonal },
  '+s': { steps: gold }, '+n': { steps: gold }, '+l': { steps: gold }, '+p': { steps: gold },
};

/** @param {string} kind */
function movementMarks(kind) {
  const at = /** @type {(to: number[], far: number) => number[]} */ ([x, y], far) => [50 + 27 * x * far, 58 + 27 * y * far];
  const { steps = [], slides = [] } = shogiMoves[kind];
  return steps.map(d => { const [x, y] = at(d, 1); return `<circle class="mark" cx="${x}" cy="${y}" r="3.5"/>`; }).join('') +
    slides.map(d => {
      const [x, y] = at(d, 0.8), [u, v] = at(d, 1.15);
      return `<path class="mark slide" d="M${x} ${y}L${u} ${v}"/>`;
    }).join('');
}

// shogiPiece draws the piece with this name of an sfen, such as +R for a promoted rook of Black. Pieces of the
// side that plays down the screen are turned.
/** @param {string} name @param {boolean} turned @param {boolean} withKanji */
export function shogiPiece(name, turned, withKanji) {
  const kind = name.toLowerCase();
  const promoted = kind.startsWith('+');
  const text = withKanji
    ? `<path class="kanji" transform="translate(22 29) scale(.56)" d="${kanji[name === 'k' ? 'king' : kind]}"/>`
    : movementMarks(kind) + `<text x="50" y="59" class="letter">${kind.toUpperCase()}</text>`;
  const classes = ['shogi', sideClass(name === kind ? 1 : 0), promoted ? 'promoted' : '', turned ? 'turned' : ''];
  return draw(classes.join(' '), '7 4 86 92', wedge + text);
}

// disc draws a stone of Connect Four. One side has a ring, the other a cross, so that colours are not needed to tell them apart.
/** @param {number} side */
export function disc(side) {
  return draw('disc ' + sideClass(side), '0 0 100 100',
    '<circle cx="50" cy="50" r="43"/>' + (side === 0 ? '<path class="line" d="M50 30v40M30 50h40"/>' : '<circle class="line" cx="50" cy="50" r="30"/>'));
}

// sign draws X or O of Ultimate Tic-Tac-Toe.
/** @param {number} side */
export function sign(side) {
  return draw('sign ' + sideClass(side), '0 0 100 100',
    side === 0 ? '<path d="M22 22l56 56M78 22L22 78"/>' : '<circle cx="50" cy="50" r="29"/>');
}
