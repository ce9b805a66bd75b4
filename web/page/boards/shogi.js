// Shogi on the page: reads the board and the hands of an sfen and the moves of USI. It knows no rules.

import { fontHasKanji } from '../kanji.js';
import { shogiPiece } from '../pieces.js';

/** @type {Record<string, string>} */
const names = {
  p: 'pawn', l: 'lance', n: 'knight', s: 'silver', g: 'gold', b: 'bishop', r: 'rook', k: 'king',
  '+p': 'promoted pawn', '+l': 'promoted lance', '+n': 'promoted knight', '+s': 'promoted silver', '+b': 'horse', '+r': 'dragon',
};
const inHand = [...'rbgsnlp'];
const ranks = 'abcdefghi';
const rankKanji = '一二三四五六七八九';

/** @param {string} name */
const sideOf = name => name === name.toLowerCase() ? 1 : 0;
/** @param {string} name */
const describe = name => `${sideOf(name) === 0 ? 'black' : 'white'} ${names[name.toLowerCase()]}`;

/** @param {string} sfen */
function read(sfen) {
  const [board, , hands = '-'] = sfen.replace(/^sfen /, '').split(' ');
  const pieces = new Map();
  board.split('/').forEach((row, i) => {
    let file = 9;
    for (const [token] of row.matchAll(/\+?[a-zA-Z]|[1-9]/g)) {
      if (token >= '1' && token <= '9') file -= Number(token);
      else pieces.set(`${file--}${ranks[i]}`, token);
    }
  });
  const hand = new Map();
  for (const [, count, letter] of hands.matchAll(/(\d*)([a-zA-Z])/g)) hand.set(letter, Number(count || 1));
  return { pieces, hand };
}

// A piece in hand is a cell too. Its name is that of a drop in USI, and the side: P*0 is a pawn in Black's hand.
/** @param {number} side */
const handCells = side => inHand.map(letter => `${letter.toUpperCase()}*${side}`);

/** @type {GameBoard} */
export const board = {
  rules: 'Black moves first, up the board. The dots on a piece are steps of one square, the bars go any distance. A captured piece changes sides: it lies ' +
    'beside the board, and instead of a move it can be dropped on a free square. Any piece but the king and the gold may promote when it moves into, ' +
    'within or out of the three farthest rows. A pawn must not be dropped on a file where its side has another pawn that is not promoted, nor give mate ' +
    'by its drop. Checkmate wins: the king is attacked, and no move saves it. A position that occurs for the fourth time is a draw, or a loss for the ' +
    'side that gave check all the time.',

  example: 'P-7f or 7g7f',
  ends: {
    投了: 'resignation', 中断: 'adjourned', 詰み: 'checkmate', 詰: 'checkmate', 不詰: 'no mate', 千日手: 'repetition', 持将棋: 'impasse', 引き分け: 'a draw', 引分け: 'a draw',
    切れ負け: 'time', 反則負け: 'illegal move', 反則勝ち: 'illegal move', 入玉勝ち: 'declaration', 勝ち宣言: 'declaration', 不戦勝: 'forfeit', 不戦敗: 'forfeit', 封じ手: 'sealed move',
  },
  slides: true,
  flips: true,
  kanji: true,

  layout(position, flip, options) {
    const rows = [...ranks].map(rank => [9, 8, 7, 6, 5, 4, 3, 2, 1].map(file => `${file}${rank}`));
    if (flip) rows.reverse().forEach(row => row.reverse());
    return {
      rows, ratio: 0.92,
      hands: { top: handCells(flip ? 0 : 1), bottom: handCells(flip ? 1 : 0).reverse() },
      coordinates: { top: name => name[0], right: name => options.kanji && fontHasKanji() ? rankKanji[ranks.indexOf(name[1])] : name[1] },
    };
  },

  contents(position, options) {
    const { pieces, hand } = read(position.now);
    const turned = /** @param {string} name */ name => (sideOf(name) === 1) !== options.flip;
    const cells = new Map();
    for (const rank of ranks) {
      for (let file = 1; file <= 9; file++) {
        const name = `${file}${rank}`, piece = pieces.get(name);
        cells.set(name, {
          label: piece ? `${name}, ${describe(piece)}` : name,
          key: piece ? `${piece} ${options.kanji} ${turned(piece)}` : '',
          draw: piece && (() => shogiPiece(piece, turned(piece), options.kanji)),
          classes: ['wood', position.check && piece && sideOf(piece) === position.side && piece.toLowerCase() === 'k' ? 'check' : ''],
        });
      }
    }
    for (const side of [0, 1]) {
      for (const cell of handCells(side)) {
        const letter = side === 0 ? cell[0] : cell[0].toLowerCase();
        const count = hand.get(letter) ?? 0;
        cells.set(cell, {
          label: `${count} ${describe(letter)}${count === 1 ? '' : 's'} in hand`,
          key: `${letter} ${options.kanji} ${turned(letter)} ${count}`,
          draw: () => shogiPiece(letter, turned(letter), options.kanji),
          count,
          classes: ['in-hand', count ? '' : 'none'],
        });
      }
    }
    return cells;
  },

  moves(position) {
    return position.legal.map(({ move, text }) => ({
      move, text,
      from: move[1] === '*' ? `${move.slice(0, 2)}${position.side}` : move.slice(0, 2),
      to: move.slice(2, 4), others: [], promotion: move.slice(4),
    })).sort((a, b) => b.promotion.length - a.promotion.length);
  },

  lastMove: move => move[1] === '*' ? [move.slice(2, 4)] : [move.slice(0, 2), move.slice(2, 4)],

  choice(m, position, options) {
    const { pieces } = read(position.now);
    const piece = (m.promotion ? '+' : '') + pieces.get(m.from);
    return { draw: () => shogiPiece(piece, false, options.kanji), label: m.promotion ? 'promote' : 'do not promote' };
  },
};
