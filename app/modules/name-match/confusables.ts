import { Mark, type Reading } from "./reading";
import { rereadToken } from "./token-edits";

/**
 * Letters of other scripts that look like Latin ones (a selection of the Unicode consortium's confusables list,
 * UTS #39), and the Latin letters they are taken for.
 */
const LOOKS_LIKE = new Map<number, number>();
const PAIRS =
  "аa вb сc ԁd еe һh іi јj кk ӏl мm нh оo рp ԛq ѕs тt υu ѵv ԝw хx уy ѡw ёe їi ғf ҝk ңh ҽe զq " +
  "αa βb εe ηn ιi κk μm νv οo ρp τt υu χx ωw ϲc ϳj ζz γy";
for (const pair of PAIRS.split(" ")) LOOKS_LIKE.set(pair.charCodeAt(0), pair.charCodeAt(1));

/**
 * In a name that mixes Latin with Cyrillic or Greek letters, reads the foreign letters as the Latin ones they imitate
 * and marks the name: such a name is never exact.
 * @param force also read a name wholly in another script this way
 */
export function readLookAlikes(reading: Reading, force: boolean): void {
  const { marks, codes } = reading;
  if ((marks & (Mark.Cyrillic | Mark.Greek)) === 0) return;
  let latin = 0;
  for (let k = 0; k < reading.size; k++) if (codes[k]! >= 97 && codes[k]! <= 122) latin++;
  if (latin === 0 && !force) return;
  for (let k = 0; k < reading.size; k++) {
    const like = LOOKS_LIKE.get(codes[k]!);
    if (like !== undefined) codes[k] = like;
  }
  reading.marks |= Mark.Homoglyph;
  for (let i = 0; i < reading.count; i++) rereadToken(reading, i);
}

const ZERO = 48;
const ONE = 49;

function plain(code: number): number {
  switch (code) {
    case ZERO:
      return 111;
    case ONE:
    case 105:
      return 108;
    case 50:
      return 122;
    case 52:
      return 97;
    case 54:
      return 98;
    case 55:
      return 116;
    case 57:
      return 103;
    case 51:
      return 101;
    case 53:
      return 115;
    case 56:
      return 98;
    default:
      return code;
  }
}

const R = 114;
const N = 110;
const M = 109;
const V = 118;
const W = 119;

/**
 * Do two words look the same on a screen though their letters differ: 0 and O, 1, I and l, 5 and S, "rn" and "m",
 * "vv" and "w"? At least one side must use a digit or a pair of letters for another letter.
 */
export function looksAlike(
  x: Uint16Array,
  xStart: number,
  xLength: number,
  y: Uint16Array,
  yStart: number,
  yLength: number,
): boolean {
  let i = 0;
  let j = 0;
  let tricks = 0;
  let letters = 0;
  while (i < xLength && j < yLength) {
    const a = x[xStart + i]!;
    const b = y[yStart + j]!;
    if (a === b) {
      if (a > 57) letters++;
      i++;
      j++;
    } else if (a === R && b === M && i + 1 < xLength && x[xStart + i + 1] === N) {
      tricks++;
      i += 2;
      j++;
    } else if (b === R && a === M && j + 1 < yLength && y[yStart + j + 1] === N) {
      tricks++;
      i++;
      j += 2;
    } else if (a === V && b === W && i + 1 < xLength && x[xStart + i + 1] === V) {
      tricks++;
      i += 2;
      j++;
    } else if (b === V && a === W && j + 1 < yLength && y[yStart + j + 1] === V) {
      tricks++;
      i++;
      j += 2;
    } else if (plain(a) === plain(b) && (a <= 57 || b <= 57)) {
      tricks++;
      if (a > 57 || b > 57) letters++;
      i++;
      j++;
    } else return false;
  }
  return i === xLength && j === yLength && tricks > 0 && letters > 0;
}
