import { boxInLine, extentOf, type Line } from "../layout/lines";

const MAX_LINE = 200;

/** A line as a person reads it. */
export const readable = (text: string) => text.replaceAll("\t", "  ").trim().slice(0, MAX_LINE);

/** The document's own lines around one of them, five at most. */
export function linesAround(lines: readonly Line[], row: number): string[] {
  const own = lines[row];
  return lines
    .slice(Math.max(0, row - 2), row + 3)
    .filter((line) => line.turn === own?.turn)
    .map((line) => readable(line.text));
}

type PlacedCell = { text: string; start: number; end: number } & { from: number; to: number };

/** Each label and each number of a line asks for its cells, so a long line would take too long without this. */
const known = new WeakMap<Line, readonly PlacedCell[]>();

/** Splits a line at wide gaps: into the cells of a table or the columns of a page. */
export function cellsOf(line: Line): readonly PlacedCell[] {
  const cells = known.get(line) ?? splitAtGaps(line);
  known.set(line, cells);
  return cells;
}

function splitAtGaps(line: Line): PlacedCell[] {
  const cells: PlacedCell[] = [];
  let from = 0;
  for (const part of line.text.split("\t")) {
    const chars = line.chars.slice(from, from + part.length).filter((char) => char !== undefined);
    const along = chars.map(boxInLine).flatMap((box) => {
      if (line.turn === 0) return [box.x, box.x + box.width];
      if (line.turn === 1) return [box.y, box.y + box.height];
      if (line.turn === 2) return [-box.x, -(box.x + box.width)];
      return [-box.y, -(box.y + box.height)];
    });
    if (part.trim() && along.length > 0)
      cells.push({
        text: part.trim(),
        ...extentOf(along),
        from,
        to: from + part.length,
      });
    from += part.length + 1;
  }
  return cells;
}

/** The words right before a position: a line may be as long as a whole message, and each of its numbers asks for them. */
export const wordsBefore = ({ line, from }: { line: Line; from: number }): string =>
  line.text.slice(Math.max(0, from - LONGEST_WORDS), from);
const LONGEST_WORDS = 400;

/** The text above a position in its column, for a few lines. */
export function precedingText(
  lines: readonly Line[],
  place: { row: number; from: number; start: number; end: number; line: Line },
  rows: number,
  between = " ",
): string {
  const above = lines.slice(Math.max(0, place.row - rows), place.row).filter((line) => {
    const distance = place.line.baseline - line.baseline;
    return line.turn === place.line.turn && distance > 0 && distance < place.line.size * 2.6 * rows;
  });
  const reach = place.line.size * 12;
  const texts = above.map((line) =>
    cellsOf(line)
      .filter((cell) => cell.start < place.end + place.line.size && cell.end > place.start - reach)
      .map(({ text }) => text)
      .join(between),
  );
  return [...texts, wordsBefore(place)].join(between).replaceAll("\t", " ");
}
