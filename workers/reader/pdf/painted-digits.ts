import type { Char } from "../layout/lines";
import { type Easel, inkOf, paint, paintWithout } from "./painting";
import { around, within } from "./seen";
import { type ShapeBook, shapeOf } from "./shapes";

/**
 * Whether the digits that a font claims are the digits that it paints. `other`: one is clearly painted as another digit.
 * `unclear`: one looks more like another, or like nothing.
 */
export type PaintedAs = { verdict: "same" | "other" | "unclear"; painted: string };

const TALL = 28;
const CLEAR = 0.72;
const MARGIN = 0.1;
const LIKE_ITSELF = 0.62;
const MAX_RUN_PIXELS = 1_200_000;

/**
 * @param isOnlyGround look at what is there without the text: for a text layer over a picture
 */
export function lookAtDigits(
  easel: Easel,
  book: ShapeBook,
  chars: readonly Char[],
  texts: readonly number[],
  isOnlyGround = false,
): PaintedAs {
  const page = { x: 0, y: 0, width: easel.space.width, height: easel.space.height };
  let verdict: PaintedAs["verdict"] = "same";
  let painted = "";
  for (const run of runsOf(chars)) {
    const tall = Math.max(...run.map((char) => (char.turn % 2 === 0 ? char.box.height : char.box.width)), 1);
    const region = within(around(run.map(({ box }) => box)), page);
    if (!region) return { verdict: "unclear", painted };
    const scale = Math.min(TALL / tall, Math.sqrt(MAX_RUN_PIXELS / (region.width * region.height)));
    const picture = isOnlyGround ? paintWithout(easel, texts, region, scale) : paint(easel, region, scale);
    for (const char of run) {
      const shape = shapeOf(inkOf(picture, char.box, char.turn));
      if (!shape) {
        verdict = verdict === "other" ? verdict : "unclear";
        painted += "?";
        continue;
      }
      const { digit, score, scores } = book.look(shape);
      const own = scores[Number(char.text)] ?? -1;
      painted += digit;
      if (digit === char.text) {
        if (own < LIKE_ITSELF && verdict === "same") verdict = "unclear";
      } else if (score > CLEAR && score - own > MARGIN) verdict = "other";
      else if (verdict === "same") verdict = "unclear";
    }
  }
  return { verdict, painted };
}

/** Digits of one piece of line, so that each is painted once and not with half a page between. */
function runsOf(chars: readonly Char[]): Char[][] {
  const digits = chars.filter((char) => /^\d$/.test(char.text));
  const runs: Char[][] = [];
  for (const char of digits) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    const isNear =
      before &&
      Math.abs(before.box.x - char.box.x) + Math.abs(before.box.y - char.box.y) < char.size * 4 &&
      before.turn === char.turn;
    if (run && isNear) run.push(char);
    else runs.push([char]);
  }
  return runs;
}
