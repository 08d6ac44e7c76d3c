/**
 * How many single edits (inserting, deleting or replacing a character, or swapping two neighbours) turn `a` into `b`,
 * counted up to `limit`; anything further is `limit + 1`. Takes O(length * limit) steps, because only a band around the
 * diagonal is filled.
 *
 * This is the optimal string alignment distance: no stretch is edited twice. Counts UTF-16 units.
 *
 * Source: Ukkonen, "Algorithms for approximate string matching" (1985), for the band; Damerau (1964) for the four
 * edits.
 */
export function boundedEditDistance(a: string, b: string, limit: number): number {
  const tooFar = limit + 1;
  if (Math.abs(a.length - b.length) > limit) return tooFar;
  // A common start and end need no edits.
  let from = 0;
  let [endA, endB] = [a.length, b.length];
  while (from < endA && from < endB && a.charCodeAt(from) === b.charCodeAt(from)) from++;
  while (endA > from && endB > from && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  const rows = endA - from;
  const columns = endB - from;
  if (rows === 0 || columns === 0) return Math.min(rows + columns, tooFar);

  let beforeLast: number[] = [];
  let last: number[] = [];
  for (let j = 0; j <= columns; j++) last.push(Math.min(j, tooFar));
  for (let i = 1; i <= rows; i++) {
    const row: number[] = [];
    for (let j = 0; j <= columns; j++) row.push(tooFar);
    if (i <= limit) row[0] = i;
    let best = row[0] ?? tooFar;
    const x = a.charCodeAt(from + i - 1);
    for (let j = Math.max(1, i - limit); j <= Math.min(columns, i + limit); j++) {
      const y = b.charCodeAt(from + j - 1);
      let cost = Math.min(at(last, j - 1) + (x === y ? 0 : 1), at(last, j) + 1, at(row, j - 1) + 1, tooFar);
      if (i > 1 && j > 1 && x === b.charCodeAt(from + j - 2) && a.charCodeAt(from + i - 2) === y) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      }
      row[j] = cost;
      best = Math.min(best, cost);
    }
    if (best > limit) return tooFar;
    beforeLast = last;
    last = row;
  }
  return at(last, columns);
}

function at(row: number[], j: number): number {
  return row[j] ?? Number.POSITIVE_INFINITY;
}
