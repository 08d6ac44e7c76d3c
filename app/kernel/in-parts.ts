/** A list in parts of at most this many, for statements that carry many rows in one parameter. */
export function inParts<Row>(rows: readonly Row[], size: number): Row[][] {
  const parts: Row[][] = [];
  for (let at = 0; at < rows.length; at += size) parts.push(rows.slice(at, at + size));
  return parts;
}
