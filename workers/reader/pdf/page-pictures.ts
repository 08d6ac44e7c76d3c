import { createHash } from "node:crypto";
import type { Box } from "~/ports/document-reader";
import { type Char, isNamed, type Line } from "../layout/lines";
import { findCodes, type PageCode, readCodes } from "./codes";
import { isOutOfFocus } from "./ink";
import { isLookedAt, judgePictures, type LookedAt, NOT_LOOKED_AT } from "./judge-pictures";
import type { PageObjects } from "./page-objects";
import { boxBetween } from "./page-text";
import { cropped, digestOfBox, type Picture, paint, paintWithout, type Surface } from "./painting";
import { type Budget, type Painted, readPicture } from "./read-picture";
import { around, type Seen, within } from "./seen";
import { type Blob, circlesOf, findLetters, findWriting, gathered, spotsOf } from "./writing";

const LEAST_PICTURE = 30;
const LEAST_LINE = 5;
const LARGE_SHARE = 0.15;
const CLOSE_SCALE = 3;
const CLOSE_PIXELS = 3_500_000;
/** Ink is what is darker than this, from 0 to 255. */
const FAINT = 215;

/**
 * In points: a smaller code cannot be read by a phone, and the squares of one in a small box are only seen from near.
 */
const SMALLEST_CODE = 14;
/** The empty space around a code, in points. */
const QUIET = 6;
const SMALL_BOX = 200;
const CODE_SCALE = 4;

/** What a page shows besides its text: pictures, outlines, stamps. */
export class PagePictures {
  private readonly surface: Surface;
  /** The QR codes among what was looked at. */
  readonly codes: PageCode[] = [];

  constructor(
    private readonly surfaces: readonly [Surface, ...Surface[]],
    private readonly objects: PageObjects,
    private readonly budget: Budget,
  ) {
    [this.surface] = surfaces;
  }

  hasAny(): boolean {
    return this.objects.others.length > 0 || this.surface.engine.FPDFPage_GetAnnotCount(this.surface.page) > 0;
  }

  /** A picture over much of the page may hold anything, even writing that does not look like rows. */
  hasLarge(): boolean {
    const { width, height } = this.surface.space;
    return this.boxes().some(({ box }) => box.width * box.height > width * height * LARGE_SHARE);
  }

  /**
   * Small, pale or blurred writing in pictures is only seen close up: looked for if the page itself names no account.
   */
  hasFaintWriting(ground: Picture): boolean {
    const { faint } = this.budget;
    const key = digestOfBox(ground, ground.region);
    const isKnown = faint.get(key) ?? this.looksForFaintWriting();
    faint.set(key, isKnown);
    return isKnown;
  }

  private looksForFaintWriting(): boolean {
    const { width, height } = this.surface.space;
    const scale = Math.min(CLOSE_SCALE, Math.sqrt(CLOSE_PIXELS / (width * height)));
    const picture = paintWithout(this.surface, this.objects.texts, { x: 0, y: 0, width, height }, scale);
    return (
      findWriting(picture, spotsOf(picture, FAINT)).length > 0 ||
      this.boxes().some(({ box }) => isOutOfFocus(cropped(picture, box)))
    );
  }

  /** What is painted but is not text, in images and as outlines, and text that says nothing by itself. */
  lookAt(
    { chars, withoutText }: Seen,
    lines: readonly Line[],
    objectOf: ReadonlyMap<number, number>,
    spots: readonly Blob[][],
  ): LookedAt[] {
    const { texts, others, rules } = this.objects;
    const visible = chars.filter(({ isHidden }) => !isHidden);
    const drawn = [...visible.filter(isNameless), ...symbolsOf(visible), ...bentOf(lines)];
    const nameless = new Set(drawn.map(({ piece }) => objectOf.get(piece)));
    const known = texts.filter((text) => !nameless.has(text));
    const isTextOnly = others.length === rules.length && known.length === texts.length;
    if (isTextOnly && this.surface.engine.FPDFPage_GetAnnotCount(this.surface.page) === 0) return [];
    const left: Painted = { texts: [...known, ...rules], others };
    const { region, scale } = withoutText;
    const found = spots.flatMap((blobs) => findCodes(withoutText, blobs));
    const codes = found.filter(({ corner }) => corner !== undefined).map(({ box }) => around([box], QUIET));
    // The whole page comes last, because a part of it that was looked at is not looked at again.
    const anywhere = found.filter(({ corner }) => corner === undefined).map(({ box }) => box);
    return this.surfaces.flatMap((surface) => {
      const page = paintWithout(surface, left.texts, region, scale);
      const letters = findLetters(page);
      const boxes = gathered([...this.boxes().map(({ box }) => box), ...letters, ...roundsOf(letters)]);
      this.lookForCodes(surface, page, [...codes, ...boxes, ...anywhere]);
      const read = boxes.map((box) => {
        // The squares of a code that was decoded are not writing.
        const isCode = this.codes.some((code) => code.text !== undefined && isInside(box, around([code.box], QUIET)));
        const looked: LookedAt = { box, bands: isCode ? [] : readPicture(surface, left, box, this.budget, page) };
        const { accounts, unread } = judgePictures([looked], []);
        const only = accounts.length + unread.length > 0 ? this.boxes().filter((one) => within(one.box, box)) : [];
        const [picture] = only;
        const isAlone = isLookedAt(looked) && only.length === 1 && picture && isInside(box, picture.box);
        return isAlone ? { ...looked, picture: digestOf(surface, picture.image, looked) } : looked;
      });
      const isEmpty = (box: Box) => !letters.some((one) => within(one, around([box], -2)));
      const lost = this.boxes().filter(({ box, image }) => isEmpty(box) && isLost(surface, image));
      return [...read, ...lost.map(({ box }) => ({ box, bands: [[NOT_LOOKED_AT]] }))];
    });
  }

  /** What the codes of a scanned page say: nothing else of its picture is read. */
  lookAtScan(page: Picture): void {
    const boxes = this.boxes().map(({ box }) => box);
    this.lookForCodes(this.surface, page, boxes);
  }

  private lookForCodes(surface: Surface, page: Picture, boxes: readonly Box[]): void {
    const { budget } = this;
    for (const box of boxes) {
      const { width, height } = box;
      const isKnown = this.codes.some((code) => isInside(box, around([code.box], QUIET)));
      if (isKnown || Math.min(width, height) < SMALLEST_CODE || budget.pixels <= 0) continue;
      // What looks the same on several pages, as a letterhead does, says the same.
      const key = digestOfBox(page, around([box], 2));
      const known = budget.codes.get(key);
      if (known) {
        this.codes.push(...known);
        continue;
      }
      const isSmall = Math.max(width, height) < SMALL_BOX;
      const picture = isSmall ? paint(surface, around([box], 4), CODE_SCALE) : cropped(page, box);
      budget.pixels -= picture.width * picture.height;
      const found = readCodes(surface, picture, budget);
      budget.codes.set(key, found);
      this.codes.push(...found);
    }
  }

  /** Where pictures stand that are large enough to hold an account, as they are shown. */
  private boxes(): { box: Box; image: number }[] {
    const { toShown } = this.surface.space;
    return this.objects.images
      .map(({ image, box: { x, y, width, height } }) => ({
        image,
        box: boxBetween(toShown(x, y), toShown(x + width, y + height)),
      }))
      .filter(
        ({ box: { width, height } }) => Math.max(width, height) > LEAST_PICTURE && Math.min(width, height) > LEAST_LINE,
      );
  }
}

/** Boxes around the circles that letters stand along, however far apart. */
const roundsOf = (letters: readonly Box[]): Box[] =>
  circlesOf(letters.map(({ x, y, width, height }) => blobOf(x, y, width, height))).map(({ x, y, radius, height }) =>
    around([{ x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }], height),
  );

const blobOf = (left: number, top: number, width: number, height: number) => ({
  ...{ left, top, right: left + width, bottom: top + height },
  area: width * height,
});

const isInside = (box: Box, outer: Box) =>
  box.x >= outer.x - 1 &&
  box.y >= outer.y - 1 &&
  box.x + box.width <= outer.x + outer.width + 1 &&
  box.y + box.height <= outer.y + outer.height + 1;

/** What was read counts too: the same bytes may be shown through another mask. */
function digestOf({ engine }: Surface, image: number, { bands }: LookedAt): string {
  const { memory } = engine;
  const size = engine.FPDFImageObj_GetImageDataRaw(image, 0, 0);
  const bytes = memory.with(Math.max(size, 1), (pointer) => {
    engine.FPDFImageObj_GetImageDataRaw(image, pointer, size);
    return memory.bytes(pointer, size).slice();
  });
  const read = bands.flat().map(({ rows, characters, known }) => [rows, characters, known]);
  return createHash("sha256").update(bytes).update(JSON.stringify(read)).digest("base64url").slice(0, 32);
}

/** Filters that other programs may support and this one does not: it then paints nothing. */
const OTHER_FILTERS = /^(?:JBIG2|JPX|CCITTFax)Decode$/;
/** In bytes: the most that an empty page takes. */
const MOST_OF_EMPTY = 1_500;

/** A picture that shows nothing although it has data, or whose data ends too early. */
function isLost({ engine }: Surface, image: number): boolean {
  const bitmap = engine.FPDFImageObj_GetBitmap(image);
  if (bitmap === 0) return true;
  engine.FPDFBitmap_Destroy(bitmap);
  const { memory } = engine;
  const count = engine.FPDFImageObj_GetImageFilterCount(image);
  const filters = Array.from({ length: count }, (_, at) =>
    memory.with(32, (name) => {
      const length = engine.FPDFImageObj_GetImageFilter(image, at, name, 32);
      return new TextDecoder("latin1").decode(memory.bytes(name, Math.max(0, Math.min(length, 32) - 1)).slice());
    }),
  );
  const [width, height] = memory.with(8, (size) => {
    engine.FPDFImageObj_GetImagePixelSize(image, size, size + 4);
    return [memory.int32(size, 0), memory.int32(size, 1)];
  });
  const raw = engine.FPDFImageObj_GetImageDataRaw(image, 0, 0);
  if (filters.some((filter) => OTHER_FILTERS.test(filter))) return raw > MOST_OF_EMPTY;
  const isPlain = filters.every((filter) => filter === "FlateDecode");
  return isPlain && engine.FPDFImageObj_GetImageDataDecoded(image, 0, 0) < (width * height) / 8;
}

/** Without a name in the file, or with one whose meaning each font defines for itself. */
const isNameless = (char: Char) => !isNamed(char) || /\p{Co}/u.test(char.text);

/** With fewer symbols there are bullets and rules; with more they may draw digits. */
const FEWEST_SYMBOLS = 60;
const SYMBOLS = /[\p{So}\p{Sm}*#|_\u2022\u00b7]/u;

/** Characters of pieces that are made of symbols alone: what they draw is looked at. */
function symbolsOf(visible: readonly Char[]): Char[] {
  const words = new Set(visible.filter(({ text }) => !SYMBOLS.test(text)).map(({ piece }) => piece));
  const symbols = visible.filter(({ piece }) => !words.has(piece));
  return symbols.length < FEWEST_SYMBOLS ? [] : symbols;
}

/** Letters with slopes of their own, along a circle or a wave, if digits are among them. */
function bentOf(lines: readonly Line[]): Char[] {
  const bent = lines
    .map(({ chars }) => chars.filter((char) => char !== undefined))
    .filter((chars) => chars.length <= SHORTEST_LINE)
    .flat();
  const isBent = bent.filter(({ slope, text }) => slope && /\d/.test(text)).length >= FEWEST_BENT;
  return isBent ? bent : [];
}
const SHORTEST_LINE = 3;
const FEWEST_BENT = 6;
