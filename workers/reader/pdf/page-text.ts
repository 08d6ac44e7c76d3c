import type { Box } from "~/ports/document-reader";
import { type Char, UNKNOWN_CHARACTER } from "../layout/lines";
import { CannotRead, MAX_CHARS_OF_PAGE } from "../limits";
import type { Pdfium } from "./pdfium";

/** Where points of a page's own space stand on the page as it is shown. */
export type PageSpace = {
  width: number;
  height: number;
  rotation: 0 | 1 | 2 | 3;
  toShown(x: number, y: number): { x: number; y: number };
};

export function readSpace(engine: Pdfium, page: number): PageSpace {
  const { memory } = engine;
  const rotation = (engine.FPDFPage_GetRotation(page) & 3) as PageSpace["rotation"];
  const [left, top, right, bottom] = memory.with(16, (rect) => {
    engine.FPDF_GetPageBoundingBox(page, rect);
    return [
      memory.float32(rect, 0),
      memory.float32(rect, 1),
      memory.float32(rect, 2),
      memory.float32(rect, 3),
    ] as const;
  });
  const upright = rotation % 2 === 0;
  return {
    width: upright ? right - left : top - bottom,
    height: upright ? top - bottom : right - left,
    rotation,
    toShown(x, y) {
      if (rotation === 0) return { x: x - left, y: top - y };
      if (rotation === 1) return { x: y - bottom, y: x - left };
      if (rotation === 2) return { x: right - x, y: y - bottom };
      return { x: top - y, y: right - x };
    },
  };
}

const DASHES = /[\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/;
/** The character that the engine returns for a hyphen at the end of a line. */
const LINE_HYPHENS = new Set([0x02, 0xfffe]);
/** Blanks, control characters, invisible marks, and those that draw a key around a digit. */
const NOT_SHOWN = /[\s\p{Cc}\p{Cf}\uffff]|\u20e3|[\ufe00-\ufe0f]/u;

/** Letters of other scripts that are drawn as these, in the same order. */
const DRAWN_ALIKE = "АВЕЅКМНОРСТУХІЈаеѕкморстухіјсԁցһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧονα";
const AS_LATIN = "ABESKMHOPCTYXIJaeskmopctyxijcdghlABEZHIKMNOPTYXova";

/**
 * Reduces a character to its plain form: ASCII digits, one kind of dash, and an empty string for what paints nothing.
 */
export function plainCharacter(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "";
  const letter = String.fromCodePoint(code);
  if (LINE_HYPHENS.has(code) || DASHES.test(letter)) return "-";
  if (NOT_SHOWN.test(letter)) return "";
  const alike = DRAWN_ALIKE.indexOf(letter);
  if (alike >= 0) return AS_LATIN[alike] ?? letter;
  // Fractions, raised digits and digits in circles are not ordinary digits.
  if (/\p{No}/u.test(letter)) return letter;
  const plain = letter.normalize("NFKC");
  // A ligature stays as it is: one box, one character.
  return plain.length === 1 ? plain : letter;
}

/** All characters of a page with their positions, including hidden ones. */
export function readChars(
  engine: Pdfium,
  textPage: number,
  space: PageSpace,
): { chars: Char[]; objectOf: Map<number, number> } {
  const count = engine.FPDFText_CountChars(textPage);
  if (count > MAX_CHARS_OF_PAGE) throw new CannotRead("too_large");
  const chars: Char[] = [];
  const pieces = new Map<number, number>();
  const objectOf = new Map<number, number>();
  let isAfterBlank = false;
  // A character that does not fit into sixteen bits comes as two, in one place.
  const codeAt = (index: number) => {
    const [high, low] = [engine.FPDFText_GetUnicode(textPage, index), engine.FPDFText_GetUnicode(textPage, index + 1)];
    return high >> 10 === 0x36 && low >> 10 === 0x37 ? 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff) : high;
  };
  engine.memory.with(64, (scratch) => {
    for (let index = 0; index < count; index += 1) {
      if (engine.FPDFText_GetUnicode(textPage, index) >> 10 === 0x37) continue;
      if (engine.FPDFText_IsGenerated(textPage, index) === 1 && engine.FPDFText_IsHyphen(textPage, index) !== 1)
        continue;
      const code = engine.FPDFText_HasUnicodeMapError(textPage, index) === 1 ? 0 : codeAt(index);
      const named = plainCharacter(code);
      const char = readChar(engine, textPage, index, space, scratch);
      // A font may call a painted character a blank: whether it has ink is looked at later.
      const isPlaced = char !== undefined && char.box.width > 0.4 && char.box.height > 0.4;
      if (named === "") isAfterBlank = true;
      if (!char || (named === "" && !isPlaced)) continue;
      const text = named === "" ? UNKNOWN_CHARACTER : named;
      const letter = named !== "" && code > LAST_OF_ASCII ? String.fromCodePoint(code) : "";
      const object = engine.FPDFText_GetTextObject(textPage, index);
      const piece = pieces.get(object) ?? pieces.size;
      pieces.set(object, piece);
      objectOf.set(piece, object);
      const written = DRAWN_ALIKE.includes(letter) && letter !== "" ? { written: letter } : {};
      chars.push({ ...char, ...written, text, order: index, piece, isAfterBlank });
      if (named !== "") isAfterBlank = false;
    }
  });
  keepWords(chars);
  return { chars: chars.map(withOwnWidth), objectOf };
}

/** "Στεφανίδης" keeps its own α and ν, because all its letters are Greek; "ВSВ", "ВЅВ" and "φВЅВ" are read as "BSB". */
export function keepWords(chars: Pick<Char, "text" | "written" | "isAfterBlank" | "origin" | "size">[]): void {
  const isLetter = (at: number) => /\p{L}/u.test(chars[at]?.text ?? "");
  // Nothing but its place separates the first letter of a line from the last of the line before.
  const goesOn = (at: number) => {
    const [one, other] = [chars[at - 1], chars[at]];
    if (!(one && other) || other.isAfterBlank) return false;
    return Math.hypot(other.origin.x - one.origin.x, other.origin.y - one.origin.y) < 2 * one.size;
  };
  const hasOthers = chars.some((char) => char.written);
  for (let from = 0, to = 1; hasOthers && from < chars.length; from = to, to += 1) {
    while (isLetter(to - 1) && isLetter(to) && goesOn(to)) to += 1;
    const word = chars.slice(from, to);
    const isOther = word.map(({ text, written }) => written !== undefined || OTHER_SCRIPTS.test(text));
    const text = word.map((char) => char.text).join("");
    if (isOther.includes(false) || !OTHER_SCRIPTS.test(text) || LABELS.test(text)) continue;
    for (const char of word) char.text = char.written ?? char.text;
  }
}
const LAST_OF_ASCII = 0x7f;
const OTHER_SCRIPTS = /[\p{Script=Greek}\p{Script=Cyrillic}]/u;
/** A letter that nobody sees may stand in the word. */
const LABELS = /bsb|acc|bank|branch|swift|iban/i;

/**
 * In fonts whose characters are drawings the engine gives each the box of the largest. A character ends where the next
 * of its piece begins.
 */
function withOwnWidth(char: Char, at: number, chars: readonly Char[]): Char {
  const isAlike = (other: Char | undefined): other is Char =>
    other !== undefined &&
    other.piece === char.piece &&
    Math.abs(other.box.width - char.box.width) + Math.abs(other.box.height - char.box.height) < 0.01;
  const [before, next] = [chars[at - 1], chars[at + 1]];
  const [one, other] = isAlike(next) ? [char, next] : [isAlike(before) ? before : char, char];
  const advance = other.origin.x - one.origin.x;
  if (char.turn !== 0 || char.slope || advance <= 0 || char.box.width < advance * OVERLAPPING) return char;
  const across = { x: char.origin.x, width: advance };
  return { ...char, box: { ...char.box, ...across }, room: { ...char.room, ...across } };
}
/** How much wider than the step to the next character the box of one is. */
const OVERLAPPING = 1.25;

/** Text that slopes less than this counts as level, in quarters of a full turn. */
const LEAST_SLOPE = 0.03;

function readChar(
  engine: Pdfium,
  textPage: number,
  index: number,
  space: PageSpace,
  scratch: number,
): Pick<Char, "box" | "room" | "origin" | "size" | "turn" | "slope"> | undefined {
  const { memory } = engine;
  if (!engine.FPDFText_GetCharBox(textPage, index, scratch, scratch + 8, scratch + 16, scratch + 24)) return undefined;
  const [left, right, bottom, top] = [0, 1, 2, 3].map((at) => memory.float64(scratch, at));
  if (left === undefined || right === undefined || bottom === undefined || top === undefined) return undefined;
  const box = boxBetween(space.toShown(left, top), space.toShown(right, bottom));
  const hasRoom = engine.FPDFText_GetLooseCharBox(textPage, index, scratch);
  const [l, t, r, b0] = [0, 1, 2, 3].map((at) => memory.float32(scratch, at));
  const room = hasRoom ? boxBetween(space.toShown(l ?? 0, t ?? 0), space.toShown(r ?? 0, b0 ?? 0)) : box;
  engine.FPDFText_GetCharOrigin(textPage, index, scratch, scratch + 8);
  const origin = space.toShown(memory.float64(scratch, 0), memory.float64(scratch, 1));
  engine.FPDFText_GetMatrix(textPage, index, scratch);
  const [a, b, c, d] = [0, 1, 2, 3].map((at) => memory.float32(scratch, at));
  const scale = Math.hypot(c ?? 0, d ?? 1) || 1;
  const size = engine.FPDFText_GetFontSize(textPage, index) * scale;
  // Angles run anticlockwise in a page's own space, and clockwise when the page is turned.
  const quarters = -Math.atan2(b ?? 0, a ?? 1) / (Math.PI / 2);
  const quarter = Math.round(quarters) + space.rotation;
  const angle = (quarters - Math.round(quarters)) * (Math.PI / 2);
  const isSloping = Math.abs(angle) > LEAST_SLOPE * (Math.PI / 2);
  return {
    box,
    room,
    origin,
    size: Math.abs(size) || box.height,
    turn: (((quarter % 4) + 4) % 4) as Char["turn"],
    ...(isSloping ? { slope: { angle, ...levelled(angle, origin, { box, room }) } } : {}),
  };
}

/**
 * Turned around the page's upper left corner until its line lies level. The middle of a box around a sloping letter
 * stays.
 */
function levelled(angle: number, origin: { x: number; y: number }, { box, room }: Pick<Char, "box" | "room">) {
  const turned = ({ x, y }: { x: number; y: number }) => levelPoint(angle, x, y);
  // The size of the character itself, given the size of the level box around it.
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const shrunk = ({ x, y, width, height }: Box): Box => {
    const spread = cos * cos - sin * sin;
    const [wide, tall] =
      Math.abs(spread) > 0.2
        ? [(width * cos - height * sin) / spread, (height * cos - width * sin) / spread]
        : [Math.min(width, height), Math.min(width, height)];
    const middle = turned({ x: x + width / 2, y: y + height / 2 });
    const [w, h] = [Math.max(wide, 0.5), Math.max(tall, 0.5)];
    return { x: middle.x - w / 2, y: middle.y - h / 2, width: w, height: h };
  };
  return { origin: turned(origin), box: shrunk(box), room: shrunk(room) };
}

function levelPoint(angle: number, x: number, y: number): { x: number; y: number } {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: x * cos + y * sin, y: y * cos - x * sin };
}

export function boxBetween(one: { x: number; y: number }, other: { x: number; y: number }): Box {
  return {
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
  };
}
