// Ultimate Tic-Tac-Toe on the page: reads `side;big board;board/…/board`. It knows no rules.

import { sign } from '../pieces.js';

const letters = [...'abcdefghi'];
const places = ['top left', 'top', 'top right', 'left', 'centre', 'right', 'bottom left', 'bottom', 'bottom right'];
/** @type {Record<string, number>} */
const sides = { X: 0, O: 1 };

/** @type {GameBoard} */
export const board = {
  example: 'board, cell: ee',
  rules: 'X moves first. Three in a row win a small board, and three small boards in a row win the game. The cell of a move decides on which board the ' +
    'other side has to play: after a move in the top right cell of any board it is the top right board. If that one is won or full, any other may be ' +
    'chosen. The boards to play on are green. If no board is open, the game is drawn. A move is written as two letters, first the board and then the ' +
    'cell, from a, top left, to i, bottom right.',
  values: 'Wins, draws and loses are proved. For the other moves the solver first asks whether they lose, then whether they win. φ, the proof number, is ' +
    'how many more positions have to be decided at least for a yes, and δ, the disproof number, for a no. Where one is twice the other or more, a word ' +
    'with a question mark says how the move looks.',

  layout() {
    const rows = [];
    for (let y = 0; y < 9; y++) {
      rows.push(Array.from({ length: 9 }, (_, x) =>
        letters[Math.floor(y / 3) * 3 + Math.floor(x / 3)] + letters[(y % 3) * 3 + x % 3]));
    }
    return { rows, ratio: 1 };
  },

  contents(position) {
    const [, big, small] = position.now.split(';');
    const boards = small.split('/');
    const playable = new Set(position.legal.map(({ move }) => move[0]));
    const cells = new Map();
    letters.forEach((board, i) => letters.forEach((cell, j) => {
      const side = sides[boards[i][j]];
      cells.set(board + cell, {
        label: `${board}${cell}, board ${places[i]}, cell ${places[j]}, ${side === undefined ? 'empty' : boards[i][j]}`,
        key: side === undefined ? '' : String(side),
        draw: side === undefined ? null : () => sign(side),
        classes: ['small', playable.has(board) ? 'playable' : '', '.@'.includes(big[i]) ? '' : 'decided',
          j % 3 === 2 && i % 3 < 2 ? 'edge-right' : '', j > 5 && i < 6 ? 'edge-bottom' : ''],
      });
    }));
    return cells;
  },

  // overlays are pictures over several cells: the boards that are won.
  overlays(position) {
    return [...position.now.split(';')[1]].flatMap((c, i) =>
      c in sides ? [{ row: Math.floor(i / 3) * 3, column: (i % 3) * 3, size: 3, draw: () => sign(sides[c]) }] : []);
  },

  moves: position => position.legal.map(({ move, text }) =>
    ({ move, text, from: null, to: move, others: [], promotion: '' })),

  lastMove: move => [move],
};
