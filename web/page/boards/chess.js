// Chess on the page: reads the board of a FEN and the moves of UCI. It knows no rules; the server says what is legal.

import { chessPiece } from '../pieces.js';

/** @type {Record<string, string>} */
const names = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };
const promotions = ['', 'q', 'n', 'r', 'b']; // in the order in which they are offered
const files = 'abcdefgh';

// piecesOf returns a Map from squares, such as e4, to letters of the FEN.
/** @param {string} fen */
function piecesOf(fen) {
  const pieces = new Map();
  fen.split(' ')[0].split('/').forEach((row, i) => {
    let file = 0;
    for (const c of row) {
      if (c >= '1' && c <= '8') file += Number(c);
      else pieces.set(files[file++] + (8 - i), c);
    }
  });
  return pieces;
}

/** @param {string} letter */
const describe = letter => `${letter === letter.toLowerCase() ? 'black' : 'white'} ${names[letter.toLowerCase()]}`;

/** @type {GameBoard} */
export const board = {
  rules: 'White moves first. Click a piece to see its moves, then a marked square; or drag it. To castle, move the king two squares; in Chess960, onto ' +
    'its rook. Checkmate wins: the king is attacked, and no move saves it. The game is drawn by stalemate (no legal move without check), by a position ' +
    'that occurs for the third time, after fifty moves of each side without a capture or a pawn move, and with too few pieces for a mate.',

  example: 'e4 or e2e4',
  slides: true,
  flips: true, // the board can be seen from the other side

  // layout says where the cells are: rows of names, as they are seen.
  layout(position, flip) {
    const rows = [];
    for (let rank = 8; rank >= 1; rank--) rows.push([...files].map(file => file + rank));
    if (flip) rows.reverse().forEach(row => row.reverse());
    return { rows, ratio: 1, coordinates: { bottom: name => name[0], left: name => name[1] } };
  },

  // contents says what is on the cells: a Map from names to { label, key, draw, classes }.
  contents(position) {
    const pieces = piecesOf(position.now);
    const cells = new Map();
    for (const [i, file] of [...files].entries()) {
      for (let rank = 1; rank <= 8; rank++) {
        const name = file + rank, letter = pieces.get(name);
        const mover = letter && (letter === letter.toLowerCase() ? 1 : 0) === position.side;
        cells.set(name, {
          label: letter ? `${name}, ${describe(letter)}` : name,
          key: letter ?? '',
          draw: letter && (() => chessPiece(letter)),
          classes: [(i + rank) % 2 ? 'dark' : 'light', position.check && mover && letter.toLowerCase() === 'k' ? 'check' : ''],
        });
      }
    }
    return cells;
  },

  // moves reads the legal moves: from and to are names of cells, others further cells that mean the same move.
  moves(position) {
    const pieces = piecesOf(position.now);
    const moves = position.legal.map(({ move, text }) =>
      ({ move, text, from: move.slice(0, 2), to: move.slice(2, 4), others: /** @type {string[]} */ ([]), promotion: move.slice(4) }))
      .sort((a, b) => promotions.indexOf(a.promotion) - promotions.indexOf(b.promotion));
    for (const m of moves) {
      const from = pieces.get(m.from);
      // Chess960 castles by a move of the king to its rook; the square where the king arrives does it too,
      // if no other move goes there.
      if (from?.toLowerCase() === 'k' && pieces.get(m.to) === (from === 'K' ? 'R' : 'r')) {
        const arrives = (m.to > m.from ? 'g' : 'c') + m.from[1];
        if (arrives !== m.from && !moves.some(o => o !== m && o.from === m.from && o.to === arrives)) m.others.push(arrives);
      }
    }
    return moves;
  },

  // The number of the first move is the last field of a FEN.
  firstMove: setup => Number(setup.match(/ (\d+)$/)?.[1]) || 1,

  // lastMove returns the cells to mark after this move.
  lastMove: move => [move.slice(0, 2), move.slice(2, 4)],

  // choice returns the picture and the name of a move that promotes.
  choice(m, position) {
    const letter = position.side === 0 ? m.promotion.toUpperCase() : m.promotion;
    return { draw: () => chessPiece(letter), label: names[m.promotion] };
  },
};
