import type { Box } from "~/ports/document-reader";
import type { Char } from "../layout/lines";
import type { PageObjects } from "./page-objects";
import { type Easel, inkOf, paint, paintWithout } from "./painting";
import { around, within } from "./seen";
import { likeness, type Shape, type ShapeBook, shapeOf } from "./shapes";

/**
 * Whether the digits that a font claims are the digits that a person sees. `other`: one is clearly painted as another digit.
 * `unclear`: one looks more like another, or like nothing. `touched`: something else is painted over or beside one, so that
 * it does not look as its text alone does.
 */
export type PaintedAs = { verdict: "same" | "unclear" | "touched" | "other"; painted: string };

const TALL = 28;
const CLEAR = 0.72;
const MARGIN = 0.06;
const LIKE_ITSELF = 0.5;
const LEAD = 0;
const UNTOUCHED = 0.9;
const MAX_RUN_PIXELS = 1_200_000;
const MAX_TAKEN_OFF = 4_000;

const GRAVITY = ["same", "unclear", "touched", "other"] as const;
const worse = (one: PaintedAs["verdict"], other: PaintedAs["verdict"]) =>
  GRAVITY.indexOf(one) > GRAVITY.indexOf(other) ? one : other;

export function lookAtDigits(easel: Easel, book: ShapeBook, chars: readonly Char[], objects: PageObjects): PaintedAs {
  let verdict: PaintedAs["verdict"] = "same";
  let painted = "";
  for (const run of runsOf(chars)) {
    const view = viewOf(easel, run);
    if (!view) return { verdict: "unclear", painted };
    const picture = paint(easel, view.region, view.scale);
    const isAlone = objects.others.length === 0 || objects.others.length > MAX_TAKEN_OFF;
    const alone = isAlone ? undefined : paintWithout(easel, objects.others, view.region, view.scale);
    for (const char of run) {
      const shape = shapeOf(inkOf(picture, char.box, char.turn));
      const own = alone && shapeOf(inkOf(alone, char.box, char.turn));
      const judged = judge(book, char.text, shape);
      verdict = worse(verdict, judged.verdict);
      if (shape && own && likeness(shape, own) < UNTOUCHED) verdict = worse(verdict, "touched");
      painted += judged.painted;
    }
  }
  return { verdict, painted };
}

/** The same for a text layer over a picture: what is there without the text. */
export function lookAtPicture(
  easel: Easel,
  book: ShapeBook,
  chars: readonly Char[],
  texts: readonly number[],
): PaintedAs {
  let verdict: PaintedAs["verdict"] = "same";
  let painted = "";
  for (const run of runsOf(chars)) {
    const view = viewOf(easel, run);
    if (!view) return { verdict: "unclear", painted };
    const picture = paintWithout(easel, texts, view.region, view.scale);
    for (const char of run) {
      const judged = judge(book, char.text, shapeOf(inkOf(picture, char.box, char.turn)));
      verdict = worse(verdict, judged.verdict);
      painted += judged.painted;
    }
  }
  return { verdict, painted };
}

function judge(book: ShapeBook, claimed: string, shape: Shape | undefined): PaintedAs {
  if (!shape) return { verdict: "unclear", painted: "?" };
  const { digit, score, scores } = book.look(shape);
  const own = scores[Number(claimed)] ?? -1;
  if (digit !== claimed)
    return { verdict: score > CLEAR && score - own > MARGIN ? "other" : "unclear", painted: digit };
  const second = Math.max(...scores.filter((_, at) => at !== Number(claimed)));
  return { verdict: own < LIKE_ITSELF || own - second < LEAD ? "unclear" : "same", painted: digit };
}

function viewOf(easel: Easel, run: readonly Char[]): { region: Box; scale: number } | undefined {
  const page = { x: 0, y: 0, width: easel.space.width, height: easel.space.height };
  const tall = Math.max(...run.map((char) => (char.turn % 2 === 0 ? char.box.height : char.box.width)), 1);
  const region = within(around(run.map(({ box }) => box)), page);
  return region && { region, scale: Math.min(TALL / tall, Math.sqrt(MAX_RUN_PIXELS / (region.width * region.height))) };
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
