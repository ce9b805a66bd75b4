// The score of a match as Elo, from pairs of games with the same opening and swapped colours.

/** elo is the difference in rating that expects a share p of the points. */
const elo = (p) => (p <= 0 ? -Infinity : p >= 1 ? Infinity : -400 * Math.log10(1 / p - 1));

/**
 * score is a line of text: points, and Elo with its 95 % interval, both ends from the normal
 * interval of the mean of the pairs.
 * @param {{game: number, points: number}[]} results of the first engine
 */
export function score(name, results) {
  const count = (points) => results.filter((r) => r.points === points).length;
  const total = results.reduce((sum, r) => sum + r.points, 0);
  const pairs = new Map();
  for (const { game, points } of results) pairs.set(game >> 1, [...(pairs.get(game >> 1) ?? []), points]);
  const full = [...pairs.values()].filter((p) => p.length === 2).map((p) => (p[0] + p[1]) / 2);
  const text = `${name}: +${count(1)} =${count(0.5)} -${count(0)}, ${((100 * total) / results.length).toFixed(1)} %`;
  if (full.length < 2) return text;
  const mean = full.reduce((a, b) => a + b) / full.length;
  const variance = full.reduce((sum, x) => sum + (x - mean) ** 2, 0) / full.length;
  const half = 1.96 * Math.sqrt(variance / full.length);
  return `${text}, Elo ${[mean, mean - half, mean + half].map((p) => elo(p).toFixed(0)).join(", 95 % from ").replace(/, 95 % from (\S+)$/, " to $1")}`;
}
