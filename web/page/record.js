// Games with headers, comments, marks and variations, as files have them. The page keeps lines of moves, and notes on
// positions by their paths: { before, comments, marks, time, end }, all of them optional. The server has trees.

// pathOf names the position after some moves of a line.
export const pathOf = (/** @type {string[]} */ moves, at = moves.length) => moves.slice(0, at).join();

// The signs of the marks that have any.
/** @type {Record<number, string>} */
const signs = {
  1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□', 10: '=', 13: '∞', 14: '⩲', 15: '⩱', 16: '±', 17: '∓', 18: '+−', 19: '−+', 22: '⨀', 23: '⨀',
  32: '⟳', 33: '⟳', 36: '→', 37: '→', 40: '↑', 41: '↑', 132: '⇆', 133: '⇆', 138: '⊕', 139: '⊕', 140: '∆', 146: 'N',
};

// signsOf writes the marks of a note after a move.
export const signsOf = (/** @type {Note | undefined} */ note) => (note?.marks ?? []).map(mark => mark < 7 ? signs[mark] : ` ${signs[mark] ?? `$${mark}`}`).join('');

// textsOf are the comments of a note, and how its line ends.
export const textsOf = (/** @type {Note | undefined} */ note) => [...note?.comments ?? [], ...note?.end ? [note.end] : []];

// fromTree returns the other lines of a tree, the notes, and how the game ended.
/** @param {TreeNode[]} tree @param {string[]} moves */
export function fromTree(tree, moves) {
  const children = tree.map(() => /** @type {number[]} */ ([])), lines = /** @type {string[][]} */ ([]);
  const paths = /** @type {string[][]} */ ([[]]), notes = /** @type {Notes} */ ({});
  tree.forEach(({ after, move = '', ...note }, i) => {
    if (i > 0) {
      children[after].push(i);
      paths[i] = [...paths[after], move];
    }
    if (Object.keys(note).length) notes[pathOf(paths[i])] = note;
  });
  const open = [0]; // from the last to the first
  for (let at; (at = open.pop()) !== undefined;) {
    if (children[at].length) open.push(...children[at].toReversed());
    else lines.push(paths[at]);
  }
  const game = pathOf(moves), last = /** @type {Note | undefined} */ (notes[game]), end = last?.end ?? '';
  delete last?.end; // it is the end of the game, which has a place of its own
  if (!Object.keys(last ?? {}).length) delete notes[game];
  return { lines: lines.filter(line => pathOf(line) !== game), notes, end: end === '*' ? '' : end };
}

// toTree returns the tree of lines, the first of which is the game and ends so. A line that goes on where the game ends
// begins beside the last move of the game, which it repeats.
/** @param {string[][]} lines @param {Notes} notes @param {string} end @returns {TreeNode[]} */
export function toTree(lines, notes, end) {
  const tree = [/** @type {TreeNode} */ ({ after: 0, ...notes[''] })], known = new Map([['', 0]]);
  const [game] = lines, n = game.length;
  for (const line of lines) {
    const longer = n && line.length > n && pathOf(line, n) === pathOf(game);
    let after = 0;
    line.forEach((move, i) => {
      const path = pathOf(line, i + 1), name = longer && i >= n - 1 ? `${path}+` : path;
      if (!known.has(name)) {
        known.set(name, tree.length);
        tree.push({ after, move, ...longer && i === n - 1 ? {} : notes[path] });
      }
      after = known.get(name) ?? 0;
    });
    if (line === game && end) tree[after].end = end;
  }
  return tree;
}

// writeNotes writes the notes on lines for an address: of each the number of a line, of moves, and the note.
/** @param {Notes} notes @param {string[][]} lines */
export function writeNotes(notes, lines) {
  const list = /** @type {[number, number, Note][]} */ ([]), written = new Set();
  if (!Object.keys(notes).length) return '';
  lines.forEach((line, i) => {
    for (let at = 0; at <= line.length; at++) {
      const path = pathOf(line, at);
      if (notes[path] && !written.has(path)) list.push([i, at, notes[path]]);
      written.add(path);
    }
  });
  return list.length ? JSON.stringify(list) : '';
}

// readNotes reads what writeNotes has written. What it did not write is ignored.
/** @param {string} text @param {string[][]} lines */
export function readNotes(text, lines) {
  const notes = /** @type {Notes} */ ({});
  for (const [i, at, note] of parsed(text)) {
    if (!lines[i] || !(at >= 0 && at <= lines[i].length) || typeof note !== 'object') continue;
    const kept = /** @type {Note} */ ({});
    for (const key of /** @type {const} */ (['before', 'comments'])) if (Array.isArray(note?.[key])) kept[key] = note[key].map(String);
    for (const key of /** @type {const} */ (['time', 'end'])) if (typeof note?.[key] === 'string') kept[key] = note[key];
    if (Array.isArray(note?.marks)) kept.marks = note.marks.filter((/** @type {number} */ mark) => Number.isInteger(mark) && mark >= 0 && mark < 256);
    notes[pathOf(lines[i], at)] = kept;
  }
  return notes;
}

// readHeaders reads names and values from an address.
export const readHeaders = (/** @type {string} */ text) => parsed(text).map(([name, value]) => /** @type {[string, string]} */ ([String(name), String(value)]));

// parsed reads a list of lists.
/** @param {string} text @returns {any[][]} */
function parsed(text) {
  try {
    const list = JSON.parse(text);
    return Array.isArray(list) ? list.filter(Array.isArray) : [];
  } catch { return []; }
}

// playerOf is the name of a player, '' if it is not known.
/** @param {HeaderList} headers @param {number} side */
export function playerOf(headers, side) {
  const names = [['White', '先手', '下手'], ['Black', '後手', '上手']][side];
  const name = headers.find(([name]) => names.includes(name))?.[1] ?? '';
  return name === '?' ? '' : name;
}
