// Connect Four on the page: a position is the columns played from the empty board. It knows no rules.

import { disc } from '../pieces.js';

const columns = '123456789abcdefghijklmnop';
const colours = ['yellow', 'red'];

// sizeOf returns width and height of the board, 7 by 6 where none is named.
/** @param {Position} position */
const sizeOf = position => (position.board || '7x6').split('x').map(Number);

// stonesOf returns a Map from cells, column and row from below, such as 4-1, to sides.
/** @param {Position} position */
function stonesOf(position) {
  const stones = new Map(), heights = /** @type {Record<string, number>} */ ({});
  [...(position.now.match(/^[1-9a-p]+/)?.[0] ?? '')].forEach((column, i) => {
    heights[column] = (heights[column] ?? 0) + 1;
    stones.set(`${column}-${heights[column]}`, i % 2);
  });
  return stones;
}

// winning returns the cells of all lines of n stones of one side.
/** @param {Map<string, number>} stones @param {number} n */
function winning(stones, n) {
  const cells = new Set();
  for (const [name, side] of stones) {
    const x = columns.indexOf(name[0]), y = Number(name.slice(2));
    for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
      const line = Array.from({ length: n }, (_, i) => `${columns[x + i * dx]}-${y + i * dy}`);
      if (line.every(cell => stones.get(cell) === side)) line.forEach(cell => cells.add(cell));
    }
  }
  return cells;
}

/** @type {GameBoard} */
export const board = {
  example: 'column: 4',
  rules: 'Yellow moves first. A stone falls to the lowest free cell of its column. The first side with four stones, or as many as “In a row” says, in a ' +
    'row, a column or a diagonal wins; the game is drawn when the board is full.',
  values: 'The score of a move is the number of stones that the winner has left at the end, plus one. It is negative if the side to move loses.',

  layout(position) {
    const [width, height] = sizeOf(position);
    const rows = [];
    for (let row = height; row >= 1; row--) rows.push([...columns.slice(0, width)].map(column => `${column}-${row}`));
    return { rows, ratio: 1 };
  },

  contents(position) {
    const [width, height] = sizeOf(position);
    const stones = stonesOf(position), cells = new Map();
    const won = position.result ? winning(stones, position.connect || 4) : new Set();
    for (const column of columns.slice(0, width)) {
      for (let row = 1; row <= height; row++) {
        const name = `${column}-${row}`, side = stones.get(name);
        cells.set(name, {
          label: `column ${column}, row ${row}, ${side === undefined ? 'empty' : colours[side]}`,
          key: side === undefined ? '' : String(side),
          draw: side === undefined ? null : () => disc(side),
          classes: ['hole', won.has(name) ? 'won' : ''],
        });
      }
    }
    return cells;
  },

  // A click anywhere in a column drops a stone; the target shown is the cell where it lands.
  moves(position) {
    const [, height] = sizeOf(position);
    const stones = stonesOf(position);
    return position.legal.map(({ move, text }) => {
      const cells = Array.from({ length: height }, (_, i) => `${move}-${i + 1}`);
      const to = cells.find(cell => !stones.has(cell)) ?? '';
      return { move, text, from: null, to, others: cells.filter(cell => cell !== to), promotion: '' };
    });
  },

  lastMove(move, position) {
    const cells = [...stonesOf(position).keys()].filter(name => name.startsWith(move + '-'));
    return cells.slice(-1);
  },

  // underColumns are the columns, whose numbers stand under the board with what the server has proved of the moves.
  underColumns: position => [...columns.slice(0, sizeOf(position)[0])],
};
