import { type Evidence, Severity } from "./evidence";
import { Mark, type Reading } from "./reading";
import { AND } from "./vocabulary/flags";

function firstAnd(reading: Reading): number {
  let i = 0;
  while ((reading.flags[i]! & AND) === 0 && i < reading.count) i++;
  return i < reading.count ? i : -1;
}

const isSign = (reading: Reading, i: number) => reading.text.charCodeAt(reading.from[i]!) < LETTERS_FROM;
const LETTERS_FROM = 65;

/** "&" for "and" is the same word, and said. */
function compareSigns(a: Reading, b: Reading, evidence: Evidence): void {
  const i = firstAnd(a);
  const j = firstAnd(b);
  if (i < 0 || j < 0 || isSign(a, i) === isSign(b, j)) return;
  evidence.note("and_symbol", Severity.Format, 1, i, i, j, j);
}

/** What the characters themselves give away: look-alike letters, accents, invisible characters. */
export function compareCharacters(a: Reading, b: Reading, evidence: Evidence): void {
  if ((a.union & b.union & AND) !== 0) compareSigns(a, b, evidence);
  const marks = a.marks | b.marks;
  if ((marks & ~(Mark.Comma | Mark.Digit | Mark.InitialRun | Mark.Latin | Mark.Letter)) === 0) return;
  if ((a.marks & Mark.Homoglyph) !== (b.marks & Mark.Homoglyph) || (marks & Mark.Homoglyph) !== 0) {
    evidence.note("homoglyph", Severity.Close, 18, 0, a.count - 1, 0, b.count - 1);
  }
  if (((a.marks ^ b.marks) & Mark.Diacritic) !== 0) {
    evidence.note("diacritic", Severity.Format, 1, 0, a.count - 1, 0, b.count - 1);
  }
  if ((marks & (Mark.Invisible | Mark.Compatibility | Mark.Symbol)) !== 0) {
    evidence.note("formatting", Severity.Format, 2, 0, a.count - 1, 0, b.count - 1);
  }
}
