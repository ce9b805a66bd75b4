// The board of games that have none of their own: the drawing of the engine, and a button for each legal move.

import { element } from '../board.js';

const columns = 8;

/** @type {GameBoard} */
export const board = {
  layout({ drawing, legal }) {
    const names = legal.map(({ move }) => move), rows = [];
    while (rows.length * columns < names.length) rows.push(names.slice(rows.length * columns, (rows.length + 1) * columns));
    return { rows, ratio: 2, drawing: (drawing ?? []).join('\n') };
  },

  contents: ({ legal }) => new Map(legal.map(({ move, text }) =>
    [move, { label: text, key: text, draw: () => element('span', '', text), classes: ['text'] }])),

  moves: ({ legal }) => legal.map(({ move, text }) => ({ move, text, from: null, to: move, others: [], promotion: '' })),

  lastMove: move => [move],
};
