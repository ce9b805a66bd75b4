// Moves are seen: a piece that stands on another cell than before slides there. Nothing waits for it.

const duration = 140; // ms
const most = 3; // pieces that slide at once; more have changed in another game

// slide moves the pictures of cells, a Map from names to elements, from where these pieces stood. before has the keys of the
// earlier pictures by cell; the piece on the cell skip is there already.
/** @param {Map<string, HTMLElement>} cells @param {Map<string, string | undefined>} before @param {string | null} [skip] */
export function slide(cells, before, skip) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const changed = [...cells].filter(([name, { dataset }]) => dataset.key !== before.get(name));
  const left = changed.map(([name]) => name).filter(name => before.get(name)), pairs = /** @type {HTMLElement[][]} */ ([]);
  for (const [name, cell] of changed) {
    const i = left.findIndex(from => from !== name && before.get(from) === cell.dataset.key);
    if (cell.dataset.key && i >= 0) pairs.push([/** @type {HTMLElement} */ (cells.get(left.splice(i, 1)[0])), cell]);
  }
  if (pairs.length > most) return;
  for (const [from, to] of pairs) {
    if (to.dataset.cell === skip) continue;
    const a = from.getBoundingClientRect(), b = to.getBoundingClientRect();
    to.animate({ zIndex: [4, 4] }, duration);
    to.querySelector('.piece')?.animate({ translate: [`${a.x - b.x}px ${a.y - b.y}px`, '0 0'] }, { duration, easing: 'ease-out' });
  }
}
