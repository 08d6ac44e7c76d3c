import { Code } from "./characters";
import { Mark, type Reading } from "./reading";

/**
 * Letters of other scripts that look like Latin ones (a selection of the Unicode consortium's confusables list,
 * UTS #39), and the Latin letters they are taken for.
 */
const PAIRS =
  "аa вb сc ԁd еe һh іi јj кk ӏl мm нh оo рp ԛq ѕs тt υu ѵv ԝw хx уy ѡw ёe їi ғf ҝk ңh ҽe զq " +
  "αa βb εe ηn ιi κk μm νv οo ρp τt υu χx ωw ϲc ϳj ζz γy";
const LOOKS_LIKE: ReadonlyMap<number, number> = new Map(
  PAIRS.split(" ").map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
);

const isLatin = (code: number) => code >= Code.LowerA && code < Code.LowerA + 26;

/**
 * In a name that mixes Latin with Cyrillic or Greek letters, reads the foreign letters as the Latin ones they imitate
 * and marks the name: such a name is never exact.
 * @param force also read a name wholly in another script this way
 */
export function readLookAlikes(reading: Reading, force: boolean): void {
  const { letters, size } = reading;
  if ((reading.marks & (Mark.Cyrillic | Mark.Greek)) === 0) return;
  if (!force && !letters.subarray(0, size).some(isLatin)) return;
  for (let k = 0; k < size; k++) {
    const like = LOOKS_LIKE.get(letters[k] ?? 0);
    if (like !== undefined) letters[k] = like;
  }
  reading.marks |= Mark.Homoglyph;
  for (let i = 0; i < reading.count; i++) reading.reread(reading.word(i));
}
