import type { Box } from "~/ports/document-reader";
import { boxInLine, type Char } from "../layout/lines";
import { inputOf, recogniseCharacter } from "./glyphs";
import type { PageObjects } from "./page-objects";
import { inkOf, type Picture, paint, paintWithout, type Surface } from "./painting";
import { around, within } from "./seen";
import { likeness, type Shape, type ShapeMatcher, shapeOf } from "./shapes";
import { findBlobs } from "./writing";

/**
 * Whether the digits that a font claims are the digits that a person sees. `other`: one is clearly painted as another digit.
 * `unclear`: one looks more like another, or like nothing. `touched`: something else is painted over or beside one, so that
 * it does not look as its text alone does.
 */
export type PaintedAs = { verdict: "same" | "unclear" | "touched" | "other"; painted: string };

const TALL = 28;
const CLEAR = 0.72;
const MARGIN = 0.06;
const BARELY = 0.1;
const LIKE_ITSELF = 0.5;
/** Enough for a digit that looks less like itself, but much more so than like any other digit. */
const NEARLY_LIKE = 0.4;
const FAR = 0.1;
const SURE = 0.9;
/** Enough where both ways of recognising find the claimed digit. */
const AGREED = 0.5;
const UNTOUCHED = 0.9;
const MAX_RUN_PIXELS = 1_200_000;
const MAX_TAKEN_OFF = 4_000;

const GRAVITY = ["same", "unclear", "touched", "other"] as const;
const worse = (one: PaintedAs["verdict"], other: PaintedAs["verdict"]) =>
  GRAVITY.indexOf(one) > GRAVITY.indexOf(other) ? one : other;

export const worst = (one: PaintedAs, other: PaintedAs): PaintedAs =>
  GRAVITY.indexOf(other.verdict) > GRAVITY.indexOf(one.verdict) ? other : one;

export function lookAtDigits(
  surface: Surface,
  matcher: ShapeMatcher,
  chars: readonly Char[],
  objects: PageObjects,
  visible: readonly Char[],
): PaintedAs {
  let verdict: PaintedAs["verdict"] = "same";
  let painted = "";
  for (const run of runsOf(chars)) {
    const level = levelWith(surface, run);
    const view = viewOf(level, run);
    if (!view) return { verdict: "unclear", painted };
    const picture = paint(level, view.region, view.scale);
    const others = objects.others.length > MAX_TAKEN_OFF ? [] : objects.others;
    const isAlone = others.length === 0 && surface.engine.FPDFPage_GetAnnotCount(surface.page) === 0;
    const alone = isAlone ? undefined : paintWithout({ ...level, isBare: true }, others, view.region, view.scale);
    if (hasInkBeside(picture, run, visible)) verdict = worse(verdict, "touched");
    for (const char of run) {
      const shape = shapeOf(inkOf(picture, boxInLine(char), char.turn));
      const own = alone && shapeOf(inkOf(alone, boxInLine(char), char.turn));
      const judged = judge(matcher, char.text, shape);
      const isLikeClaim =
        judged.verdict === "unclear" && shape && differsAsClaimed(level, matcher, char, shape, visible);
      verdict = worse(verdict, isLikeClaim ? "same" : judged.verdict);
      if (shape && own && likeness(shape, own) < UNTOUCHED) verdict = worse(verdict, "touched");
      painted += judged.painted;
    }
  }
  return { verdict, painted };
}

/** How much more a digit has to look like another one than the digit in question does. */
const CLEARER = 0.1;
const ALIKE = 0.9;

/**
 * In narrow fonts a 7 may look more like the usual 1. It is a 7 if the page's own 1 of the same size looks otherwise, and
 * even more like the usual 1.
 */
function differsAsClaimed(
  surface: Surface,
  matcher: ShapeMatcher,
  char: Char,
  shape: Shape,
  visible: readonly Char[],
): boolean {
  const { scores } = matcher.look(shape);
  const own = scores[Number(char.text)] ?? -1;
  const rivals = scores.map((score, digit) => ({ score, digit })).filter(({ digit }) => digit !== Number(char.text));
  const rival = rivals.reduce((most, each) => (each.score > most.score ? each : most));
  if (isClearly(rival.score, own)) return false;
  const other = visible.find(
    ({ text, size, turn, slope }) =>
      text === String(rival.digit) && turn === char.turn && !slope && Math.abs(size - char.size) < char.size / 20,
  );
  const view = other && !char.slope && own > LIKE_ITSELF && viewOf(surface, [other]);
  const painted = view && shapeOf(inkOf(paint(surface, view.region, view.scale), other.box, other.turn));
  if (!painted || likeness(painted, shape) > ALIKE) return false;
  const otherScores = matcher.look(painted).scores;
  const lead = (otherScores[rival.digit] ?? -1) - (otherScores[Number(char.text)] ?? -1);
  return lead > rival.score - own + CLEARER;
}

/** The same for a text layer over a picture: examines the picture without the text. */
export function lookAtPicture(
  surface: Surface,
  matcher: ShapeMatcher,
  chars: readonly Char[],
  texts: readonly number[],
): PaintedAs {
  let verdict: PaintedAs["verdict"] = "same";
  let painted = "";
  for (const run of runsOf(chars)) {
    const level = levelWith(surface, run);
    const view = viewOf(level, run);
    if (!view) return { verdict: "unclear", painted };
    const picture = paintWithout(level, texts, view.region, view.scale);
    for (const char of run) {
      const judged = judge(matcher, char.text, shapeOf(inkOf(picture, boxInLine(char), char.turn)));
      verdict = worse(verdict, judged.verdict);
      painted += judged.painted;
    }
  }
  return { verdict, painted };
}

const isClearly = (score: number, own: number) => score > CLEAR && score - own > MARGIN;

export function judge(matcher: Pick<ShapeMatcher, "look">, claimed: string, shape: Shape | undefined): PaintedAs {
  if (!shape) return { verdict: "unclear", painted: "?" };
  const { digit, score, scores } = matcher.look(shape);
  const own = scores[Number(claimed)] ?? -1;
  if (digit !== claimed && isClearly(score, own)) {
    // In very narrow fonts a 7 looks a little more like the usual 1, so a mismatch needs the second recogniser to agree.
    const guess = recogniseCharacter(inputOf(shape));
    const isSure = score - own > BARELY || (guess.character === digit && guess.share > SURE);
    return { verdict: isSure ? "other" : "unclear", painted: digit };
  }
  const second = Math.max(...scores.filter((_, at) => at !== Number(claimed)));
  if (digit === claimed && (own >= LIKE_ITSELF || (own >= NEARLY_LIKE && own - second > FAR)))
    return { verdict: "same", painted: digit };
  // Ornamental digits, and those that reach below the line, resemble none of the usual ones.
  const { character, share } = recogniseCharacter(inputOf(shape));
  const areAgreed = digit === claimed && own >= NEARLY_LIKE && share > AGREED;
  return character === claimed && (share > SURE || areAgreed)
    ? { verdict: "same", painted: claimed }
    : { verdict: "unclear", painted: digit };
}

const slopeOf = (char: Char | undefined) => char?.slope?.angle ?? 0;

/** The surface turned so that a number on a slope lies level on it. */
const levelWith = (surface: Surface, run: readonly Char[]): Surface => ({ ...surface, slope: slopeOf(run[0]) });

function viewOf(surface: Surface, run: readonly Char[]): { region: Box; scale: number } | undefined {
  const boxes = run.map(boxInLine);
  const tall = Math.max(...run.map((char, at) => boxes[at]?.[char.turn % 2 === 0 ? "height" : "width"] ?? 1), 1);
  const wanted = around(boxes, tall * BESIDE + 2);
  const page = { x: 0, y: 0, width: surface.space.width, height: surface.space.height };
  const region = surface.slope ? wanted : within(wanted, page);
  return region && { region, scale: Math.min(TALL / tall, Math.sqrt(MAX_RUN_PIXELS / (region.width * region.height))) };
}

/** How far from a number, in heights of its digits, something painted still belongs to it. */
const BESIDE = 0.9;
const ACROSS = 0.35;
const INK = 0.5;

/**
 * A mark as tall as the digits, right beside or between them, that is not a character of the page: a digit that is only
 * drawn.
 */
function hasInkBeside(picture: Picture, run: readonly Char[], visible: readonly Char[]): boolean {
  const [first] = run;
  if (!first) return false;
  const isLevel = first.turn % 2 === 0;
  const bounds = around(run.map(boxInLine), 0);
  const tall = isLevel ? bounds.height : bounds.width;
  const [along, across] = [tall * BESIDE, tall * ACROSS];
  const [growX, growY] = isLevel ? [along, across] : [across, along];
  const grown = {
    x: bounds.x - growX,
    y: bounds.y - growY,
    width: bounds.width + 2 * growX,
    height: bounds.height + 2 * growY,
  };
  const strip = within(grown, picture.region);
  if (!strip) return false;
  const { width, height, ink } = inkOf(picture, strip);
  const mask = Uint8Array.from(ink, (value) => Number(value > INK));
  const sheet = { width, height, scale: picture.scale };
  for (const char of visible) if (isAlike(char, first)) erase(mask, sheet, strip, boxInLine(char));
  const size = tall * picture.scale;
  return findBlobs(mask, width, height).some(({ left, top, right, bottom }) => {
    const isCut = left === 0 || top === 0 || right === width || bottom === height;
    const [blobTall, blobWide] = isLevel ? [bottom - top, right - left] : [right - left, bottom - top];
    return !isCut && blobTall > size * 0.55 && blobTall < size * 1.4 && blobWide > size * 0.1 && blobWide < size * 1.6;
  });
}

type Sheet = { width: number; height: number; scale: number };

/** Erases a known character, together with its soft edge. */
function erase(mask: Uint8Array, { width, height, scale }: Sheet, strip: Box, box: Box): void {
  const SPILL = 0.6;
  const left = Math.max(0, Math.floor((box.x - SPILL - strip.x) * scale));
  const right = Math.min(width, Math.ceil((box.x + box.width + SPILL - strip.x) * scale));
  const top = Math.max(0, Math.floor((box.y - SPILL - strip.y) * scale));
  const bottom = Math.min(height, Math.ceil((box.y + box.height + SPILL - strip.y) * scale));
  for (let y = top; y < bottom && left < right; y += 1) mask.fill(0, y * width + left, y * width + right);
}

/** Groups digits that stand together in a line. Each group is painted once, so that nothing between distant groups is. */
function runsOf(chars: readonly Char[]): Char[][] {
  const digits = chars.filter((char) => /^\d$/.test(char.text));
  const runs: Char[][] = [];
  for (const char of digits) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    const isNear = before !== undefined && isOfOneLine(before, char);
    if (run && isNear) run.push(char);
    else runs.push([char]);
  }
  return runs;
}

const isAlike = (one: Char, other: Char) => Math.abs(slopeOf(one) - slopeOf(other)) < 0.01;

function isOfOneLine(before: Char, char: Char): boolean {
  const [one, other] = [before.slope?.origin ?? before.origin, char.slope?.origin ?? char.origin];
  const [x, y] = [Math.abs(one.x - other.x), Math.abs(one.y - other.y)];
  const [along, across] = char.turn % 2 === 0 ? [x, y] : [y, x];
  return before.turn === char.turn && isAlike(before, char) && across < char.size * 0.5 && along < char.size * 4;
}
