import { createHash } from "node:crypto";
import type { FoundAccount } from "@workers/reader/facts/accounts";
import type { Box, Doubt, Finding, ReadBpay, ReadPayId } from "~/ports/document-reader";
import { readable } from "../facts/context";
import { type Label, startOfCaption } from "../facts/labels";
import { findLooseNumbers } from "../facts/loose-numbers";
import { findBpay, findPayIds, type WithChars } from "../facts/other-numbers";
import { type PageFacts, readPageFacts } from "../facts/page-facts";
import { boxAround, type Char, isNamed, type Line, toLines } from "../layout/lines";
import { CannotRead, MAX_CLOSE_PAGES, MAX_PICTURE_PIXELS, MAX_PICTURES } from "../limits";
import { accountsInText, differsOnPaper } from "./beside-the-page";
import { findMisnamed } from "./claims";
import { type PageObjects, readObjects } from "./page-objects";
import { boxBetween, readChars, readSpace } from "./page-text";
import { lookAtDigits, lookAtPicture, worst } from "./painted-digits";
import { digestOfBox, type Easel, type Picture, paintWithout } from "./painting";
import type { Pdfium } from "./pdfium";
import {
  type Budget,
  isLookedAt,
  judgePictures,
  type LookedAt,
  NOT_LOOKED_AT,
  type Painted,
  readPicture,
} from "./read-picture";
import { around, lookAtPage, type Seen, within } from "./seen";
import { type ShapeBook, shapesOf } from "./shapes";
import { circlesOf, findLetters, findWriting, gathered, type Row } from "./writing";

export type PageRead = {
  number: number;
  /** The lines that a person sees. */
  lines: Line[];
  accounts: FoundAccount[];
  bpay: WithChars<ReadBpay>[];
  payIds: WithChars<ReadPayId>[];
  findings: Finding[];
  charCount: number;
  /** The page has painted content but no text. */
  isPicture: boolean;
  /** The page has pictures or drawings, and was not painted. */
  isUnseen: boolean;
  /** Judged once all accounts of the document are known. */
  pictures: LookedAt[];
  isReadableEverywhere: boolean;
};

const MAX_SEE_THROUGH = 150;
const MAX_SHADINGS = 150;
const LEAST_PICTURE = 30;
const LEAST_LINE = 5;
const SCANNED_SHARE = 0.8;
const FEW_CHARS = 12;
const MANY_ROWS = 4;
const LARGE_SHARE = 0.15;
const CLOSE_SCALE = 3;
const CLOSE_PIXELS = 3_500_000;
/** Ink is what is darker than this, from 0 to 255. */
const FAINT = 215;
/** Characters without a name: more than one or two may be a number. */
const MANY_UNREAD = 6;
/** Matches "BSB" in any spelling, so that a document that names one is never reported to have no bank details. */
const BSB_DIGITS = /b\.?s\.?b\.?[\s:.#-]{0,4}\d{3}/i;
/** Columns so close that their words run together, and a number written like a BSB. */
const BSB_IN_WORD = /(?:[a-z]BSB|BSB[A-Za-z])/;
const DASHED = /\d{3}-\d{3}/;
/** Digits of other scripts, and characters without a Unicode value. */
const FOREIGN_DIGITS = /\ufffd|(?!\d)\p{N}/u;
/** More drawings than this may be words as outlines. */
const MANY_DRAWINGS = 8;

type OpenPages = {
  engine: Pdfium;
  document: number;
  form: number;
  budget: Budget;
  /** The file has layers, which may differ on paper. */
  hasLayers: boolean;
};

/**
 * Reads one page as it is shown.
 * @param mayPaint false past the number of pages that are painted
 * @param isBesideText a page without words is looked at closely, because another page of the document has words
 */
export function readPage(
  { engine, document, form, budget, hasLayers }: OpenPages,
  index: number,
  { mayPaint, isBesideText = false }: { mayPaint: boolean; isBesideText?: boolean },
): PageRead {
  const page = engine.FPDF_LoadPage(document, index);
  if (page === 0) throw new CannotRead("damaged");
  if (form !== 0) engine.FORM_OnAfterLoadPage(page, form);
  const space = readSpace(engine, page);
  const objects = readObjects(engine, page);
  const textPage = engine.FPDFText_LoadPage(page);
  const { chars, objectOf } = readChars(engine, textPage, space);
  const easel = { engine, page, space, form };
  const isTwofold = hasLayers || differsOnPaper(engine, page);
  const easels: [Easel, ...Easel[]] = isTwofold ? [easel, { ...easel, isPrinted: true }] : [easel];
  const reader = new PageReader(easels, objects, index + 1, { budget, isBesideText });
  const read =
    mayPaint && canPaint(engine, objects, space) ? reader.readPainted(chars, objectOf) : reader.readUnpainted(chars);
  engine.FPDFText_ClosePage(textPage);
  if (form !== 0) engine.FORM_OnBeforeClosePage(page, form);
  engine.FPDF_ClosePage(page);
  return read;
}

/** A page that takes too long to paint would delay other documents. */
function canPaint(engine: Pdfium, objects: PageObjects, space: { width: number; height: number }): boolean {
  if (objects.see_through > MAX_SEE_THROUGH || objects.shadings > MAX_SHADINGS || objects.images.length > MAX_PICTURES)
    return false;
  if (!(space.width > 1 && space.height > 1 && space.width < 15_000 && space.height < 15_000)) return false;
  const pixels = engine.memory.with(8, (size) =>
    objects.images.reduce((sum, { image }) => {
      engine.FPDFImageObj_GetImagePixelSize(image, size, size + 4);
      return sum + engine.memory.int32(size, 0) * engine.memory.int32(size, 1);
    }, 0),
  );
  return pixels < MAX_PICTURE_PIXELS;
}

class PageReader {
  private readonly findings: Finding[] = [];
  private readonly easel: Easel;

  constructor(
    /** The page on the screen, and on paper where that may show something else. */
    private readonly easels: readonly [Easel, ...Easel[]],
    private readonly objects: PageObjects,
    private readonly number: number,
    private readonly how: { budget: Budget; isBesideText: boolean },
  ) {
    [this.easel] = easels;
  }

  /** Reads the text only. Its appearance is not checked, so nothing on it is certain. */
  readUnpainted(all: readonly Char[]): PageRead {
    const chars = all.filter(isNamed);
    const lines = toLines(chars);
    const facts = readPageFacts(lines);
    const { accounts } = facts;
    this.looseNumbers(lines, facts);
    const doubted = <T extends Looked>(found: T) => withDoubt(found, "not_painted");
    const hasPictures = this.objects.images.length > 0 || this.objects.drawings > MANY_DRAWINGS;
    if (accounts.length > 0 || hasPictures) this.findings.push({ code: "page_not_painted", page: this.number });
    return {
      ...this.finish(
        lines,
        accounts.map(doubted),
        { bpay: findBpay(lines).map(doubted), payIds: findPayIds(lines).map(doubted) },
        chars.length,
      ),
      isUnseen: hasPictures,
      isReadableEverywhere: !hasPictures && this.objects.paths < 200,
    };
  }

  readPainted(found: readonly Char[], objectOf: ReadonlyMap<number, number>): PageRead {
    const { engine } = this.easel;
    const seen = lookAtPage(this.easel, this.objects.texts, found, objectOf);
    const visible = seen.chars.filter(({ isHidden }) => !isHidden);
    const hidden = seen.chars.filter((char) => char.isHidden && isNamed(char));
    const rows = this.hasMoreThanText() ? findWriting(seen.withoutText) : [];
    for (const easel of this.easels.slice(1)) {
      const { region, scale } = seen.withoutText;
      rows.push(...findWriting(paintWithout(easel, this.objects.texts, region, scale)));
    }
    const isScanned =
      hidden.length > 20 && hidden.length > seen.chars.length * SCANNED_SHARE && this.objects.images.length > 0;
    const lines = toLines(isScanned ? seen.chars.filter(isNamed) : visible);
    const facts = readPageFacts(lines);
    const book = shapesOf(engine);
    const named = visible.filter(isNamed);
    const check = <T extends Looked>(found: T) =>
      isScanned ? this.checkScanned(found, book) : this.check(found, book, named);
    const accounts = facts.accounts.map(check);
    if (!isScanned) {
      accounts.push(...this.hiddenAccounts(seen, hidden, accounts));
    }
    this.overlaps(seen.chars, accounts);
    this.claimedText(accounts);
    const unread = visible.filter((char) => !isNamed(char)).length;
    const isPicture = !isScanned && visible.length < FEW_CHARS && (rows.length > 0 || this.objects.images.length > 0);
    if (isScanned) this.findings.push({ code: "scanned_page", page: this.number });
    else {
      this.misnamed(lines);
      this.looseNumbers(lines, facts);
      this.openLabels(facts.openLabels, rows, lines, accounts.length > 0);
      const isMissed =
        unread >= MANY_UNREAD ||
        lines.some(({ text }) => BSB_DIGITS.test(text)) ||
        (lines.some(({ text }) => BSB_IN_WORD.test(text)) && lines.some(({ text }) => DASHED.test(text)));
      if (accounts.length === 0 && isMissed && this.findings.length === 0)
        this.findings.push({ code: "account_could_not_be_read", page: this.number });
      if (isPicture || (accounts.length === 0 && rows.length >= MANY_ROWS))
        this.findings.push({ code: "picture_without_text", page: this.number });
    }
    const pictures =
      isScanned || (isPicture && !this.how.isBesideText) ? [] : this.lookAtPictures(seen, lines, objectOf);
    const isOpen = accounts.length === 0 && this.findings.length === 0 && this.objects.images.length > 0;
    const isClose = this.number <= MAX_CLOSE_PAGES;
    const isFaint = isOpen && isClose && this.hasFaintWriting(seen.withoutText);
    if (isFaint) this.findings.push({ code: "picture_without_text", page: this.number });
    return {
      ...this.finish(
        lines,
        accounts,
        { bpay: findBpay(lines).map(check), payIds: findPayIds(lines).map(check) },
        visible.length,
      ),
      isPicture,
      pictures,
      isReadableEverywhere:
        rows.length === 0 &&
        !(isPicture || isScanned || isFaint || (isOpen && !isClose)) &&
        unread < MANY_UNREAD &&
        !this.hasLargePicture(),
    };
  }

  /** Lines whose characters are painted as digits but called something else. */
  private misnamed(lines: readonly Line[]): void {
    const found = findMisnamed(this.easel, lines);
    const named = found.filter(({ isNamed: isClaim }) => isClaim);
    for (const { line, chars, painted, isNamed: isClaim } of named.length > 0 ? named : found.slice(0, 1)) {
      const box = boxAround(chars);
      this.findings.push({
        code: isClaim ? "glyphs_differ" : "account_could_not_be_read",
        page: this.number,
        ...(isClaim ? { digits: painted } : {}),
        lines: [readable(line.text)],
        ...(box ? { box } : {}),
      });
    }
  }

  private looseNumbers(lines: readonly Line[], facts: PageFacts): void {
    this.findings.push(...findLooseNumbers(lines, facts).map((finding) => ({ ...finding, page: this.number })));
  }

  /** A picture over much of the page may hold anything, even writing that does not look like rows. */
  private hasLargePicture(): boolean {
    const { width, height } = this.easel.space;
    return this.pictureBoxes().some(({ box }) => box.width * box.height > width * height * LARGE_SHARE);
  }

  /** Small or pale writing in pictures is only seen close up: looked for if the page itself names no account. */
  private hasFaintWriting(ground: Picture): boolean {
    const { faint } = this.how.budget;
    const key = digestOfBox(ground, ground.region);
    const isKnown = faint.get(key) ?? this.looksForFaintWriting();
    faint.set(key, isKnown);
    return isKnown;
  }

  private looksForFaintWriting(): boolean {
    const { width, height } = this.easel.space;
    const scale = Math.min(CLOSE_SCALE, Math.sqrt(CLOSE_PIXELS / (width * height)));
    const picture = paintWithout(this.easel, this.objects.texts, { x: 0, y: 0, width, height }, scale);
    return findWriting(picture, FAINT).length > 0;
  }

  private hasMoreThanText(): boolean {
    return this.objects.others.length > 0 || this.easel.engine.FPDFPage_GetAnnotCount(this.easel.page) > 0;
  }

  private finish(
    lines: Line[],
    accounts: FoundAccount[],
    { bpay, payIds }: Pick<PageRead, "bpay" | "payIds">,
    charCount: number,
  ): PageRead {
    const paged = accounts.map((account) => ({ ...account, page: this.number }));
    return {
      number: this.number,
      lines,
      accounts: paged,
      bpay: bpay.map((each) => ({ ...each, page: this.number })),
      payIds: payIds.map((each) => ({ ...each, page: this.number })),
      findings: this.findings,
      charCount,
      isPicture: false,
      isUnseen: false,
      pictures: [],
      isReadableEverywhere: true,
    };
  }

  /** Are the digits painted as the file says, and is nothing else in their place? */
  private check<T extends Looked>(account: T, book: ShapeBook, visible: readonly Char[]): T {
    const looked = this.easels.map((easel) => lookAtDigits(easel, book, account.chars, this.objects, visible));
    const { verdict, painted } = looked.reduce(worst);
    let checked = account;
    const code = verdict === "touched" ? "text_differs_from_picture" : "glyphs_differ";
    if (verdict !== "same") checked = withDoubt(checked, code);
    if (verdict === "other" || verdict === "touched") {
      const { box, lines } = account;
      this.findings.push({ code, page: this.number, digits: painted, lines, ...(box ? { box } : {}) });
    }
    if (account.chars.some(({ isOverlapped }) => isOverlapped)) checked = withDoubt(checked, "text_over_text");
    if (hasRaisedDigitBeside(account.chars, visible) || hasTwoSizes(account.chars))
      checked = withDoubt(checked, "several_readings");
    return checked;
  }

  /** Compares a text layer over an image with the image. */
  private checkScanned<T extends Looked>(account: T, book: ShapeBook): T {
    const { verdict, painted } = lookAtPicture(this.easel, book, account.chars, this.objects.texts);
    const doubted = withDoubt(account, "scanned");
    if (verdict !== "other") return doubted;
    const { box, lines } = account;
    this.findings.push({
      code: "text_differs_from_picture",
      page: this.number,
      digits: painted,
      lines,
      ...(box ? { box } : {}),
    });
    return withDoubt(doubted, "text_differs_from_picture");
  }

  /** Invisible bank details are evidence, never an answer. */
  private hiddenAccounts(seen: Seen, hidden: readonly Char[], known: readonly FoundAccount[]): FoundAccount[] {
    if (hidden.length === 0) return [];
    const isHiddenRun = (chars: readonly (Char | undefined)[]) =>
      chars.some((char) => char?.isHidden && /\d/.test(char.text));
    const all = readPageFacts(toLines(seen.chars.filter((char) => isNamed(char) || !char.isHidden)));
    const alone = readPageFacts(toLines(hidden));
    const accounts = [...all.accounts, ...alone.accounts].filter(({ chars }) => isHiddenRun(chars));
    const isKnown = (digits: string) =>
      known.some(({ bsb, accountNumber }) => `${bsb}${accountNumber}`.includes(digits));
    const found: FoundAccount[] = [];
    for (const account of accounts) {
      if (
        isKnown(`${account.bsb}${account.accountNumber}`) ||
        found.some((one) => one.bsb === account.bsb && one.accountNumber === account.accountNumber)
      )
        continue;
      found.push(withDoubt(account, "hidden_text"));
      const { box, lines } = account;
      this.findings.push({
        code: "hidden_text",
        page: this.number,
        digits: `${account.bsb}${account.accountNumber}`,
        lines,
        ...(box ? { box } : {}),
      });
    }
    // Hidden numbers without a label.
    for (const run of alone.numbers) {
      const digits = run.groups.map((group) => group.digits).join("");
      if (
        digits.length < 6 ||
        digits.length > 16 ||
        isKnown(digits) ||
        found.some((one) => `${one.bsb}${one.accountNumber}`.includes(digits))
      )
        continue;
      const box = boxAround(run.line.chars.slice(run.from, run.to));
      this.findings.push({
        code: "hidden_text",
        page: this.number,
        digits,
        lines: [readable(run.line.text)],
        ...(box ? { box } : {}),
      });
    }
    return found;
  }

  /** A file may give other words for painted ones, and programs that read aloud or copy use those. */
  private claimedText(known: readonly FoundAccount[]): void {
    for (const { bsb, accountNumber, lines } of accountsInText(this.objects.actualText)) {
      if (known.some((one) => one.bsb === bsb && one.accountNumber === accountNumber)) continue;
      this.findings.push({ code: "hidden_text", page: this.number, digits: `${bsb}${accountNumber}`, lines });
    }
  }

  /** Finds digits painted over other digits. */
  private overlaps(chars: readonly Char[], accounts: readonly FoundAccount[]): void {
    const isOfAccount = (char: Char) =>
      accounts.some((account) => account.chars.some(({ order }) => order === char.order));
    const under = chars.filter((char) => char.isOverlapped && /\d/.test(char.text));
    const touched = under.filter(isOfAccount);
    if (under.length < 3 || touched.length === 0) return;
    const box = boxAround(under);
    const below = under.filter((char) => !touched.includes(char));
    this.findings.push({
      code: "text_over_text",
      page: this.number,
      digits: (below.length > 0 ? below : under)
        .map(({ text }) => text)
        .join("")
        .slice(0, 20),
      ...(box ? { box } : {}),
    });
  }

  /** What is painted but is not text, in images and as outlines, and text that says nothing by itself. */
  private lookAtPictures(seen: Seen, lines: readonly Line[], objectOf: ReadonlyMap<number, number>): LookedAt[] {
    const { texts, others, rules } = this.objects;
    const visible = seen.chars.filter(({ isHidden }) => !isHidden);
    const drawn = [...visible.filter(isNameless), ...signsOf(visible), ...bentOf(lines)];
    const nameless = new Set(drawn.map(({ piece }) => objectOf.get(piece)));
    const known = texts.filter((text) => !nameless.has(text));
    const isTextOnly = others.length === rules.length && known.length === texts.length;
    if (isTextOnly && this.easel.engine.FPDFPage_GetAnnotCount(this.easel.page) === 0) return [];
    const left: Painted = { texts: [...known, ...rules], others };
    const { region, scale } = seen.withoutText;
    return this.easels.flatMap((easel) => {
      const page = paintWithout(easel, left.texts, region, scale);
      const letters = findLetters(page);
      const boxes = gathered([...this.pictureBoxes().map(({ box }) => box), ...letters, ...roundsOf(letters)]);
      const read = boxes.map((box) => {
        const looked: LookedAt = { box, bands: readPicture(easel, left, box, this.how.budget, page) };
        const { accounts, unread } = judgePictures([looked], []);
        const only =
          accounts.length + unread.length > 0 ? this.pictureBoxes().filter((one) => within(one.box, box)) : [];
        const [picture] = only;
        const isAlone = isLookedAt(looked) && only.length === 1 && picture && isInside(box, picture.box);
        return isAlone ? { ...looked, picture: digestOf(easel, picture.image, looked) } : looked;
      });
      const isEmpty = (box: Box) => !letters.some((one) => within(one, around([box], -2)));
      const lost = this.pictureBoxes().filter(({ box, image }) => isEmpty(box) && isLost(easel, image));
      return [...read, ...lost.map(({ box }) => ({ box, bands: [[NOT_LOOKED_AT]] }))];
    });
  }

  /** Where pictures stand that are large enough to hold an account, as they are shown. */
  private pictureBoxes(): { box: Box; image: number }[] {
    const { toShown } = this.easel.space;
    return this.objects.images
      .map(({ image, box: { x, y, width, height } }) => ({
        image,
        box: boxBetween(toShown(x, y), toShown(x + width, y + height)),
      }))
      .filter(
        ({ box: { width, height } }) => Math.max(width, height) > LEAST_PICTURE && Math.min(width, height) > LEAST_LINE,
      );
  }

  /** "BSB" without digits, where something is painted that is not text. */
  private openLabels(labels: readonly Label[], rows: readonly Row[], lines: readonly Line[], isRead: boolean): void {
    for (const label of labels) {
      const box = boxAround(label.line.chars.slice(startOfCaption(label), label.to));
      if (!box) continue;
      const reach = {
        left: box.x - box.height,
        right: box.x + box.width + 30 * box.height,
        top: box.y - box.height * 1.5,
        bottom: box.y + box.height * 5,
      };
      const rest = label.line.text.slice(label.to);
      const isThere =
        hasInk(rows, reach) ||
        (!isRead && lines.some((line) => hasDigits(line, reach))) ||
        /\d|[OoIlSB]{3}/.test(rest) ||
        FOREIGN_DIGITS.test(rest) ||
        (!isRead && /^\s*[:.#-]\s*\S{3}/.test(rest));
      if (!isThere) continue;
      this.findings.push({
        code: "account_could_not_be_read",
        page: this.number,
        box,
        lines: [readable(label.line.text)],
      });
      return;
    }
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
function digestOf({ engine }: Easel, image: number, { bands }: LookedAt): string {
  const { memory } = engine;
  const size = engine.FPDFImageObj_GetImageDataRaw(image, 0, 0);
  const bytes = memory.with(Math.max(size, 1), (pointer) => {
    engine.FPDFImageObj_GetImageDataRaw(image, pointer, size);
    return memory.bytes(pointer, size).slice();
  });
  const read = bands.flat().map(({ rows, signs, known }) => [rows, signs, known]);
  return createHash("sha256").update(bytes).update(JSON.stringify(read)).digest("base64url").slice(0, 32);
}

/** Filters that other programs may support and this one does not: it then paints nothing. */
const OTHER_FILTERS = /^(?:JBIG2|JPX|CCITTFax)Decode$/;
/** In bytes: the most that an empty page takes. */
const MOST_OF_EMPTY = 1_500;

/** A picture that shows nothing although it has data, or whose data ends too early. */
function isLost({ engine }: Easel, image: number): boolean {
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

/** With fewer signs there are bullets and rules; with more they may draw digits. */
const FEWEST_SIGNS = 60;
const SIGNS = /[\p{So}\p{Sm}*#|_\u2022\u00b7]/u;

/** Characters of pieces that are made of signs alone: what they draw is looked at. */
function signsOf(visible: readonly Char[]): Char[] {
  const words = new Set(visible.filter(({ text }) => !SIGNS.test(text)).map(({ piece }) => piece));
  const signs = visible.filter(({ piece }) => !words.has(piece));
  return signs.length < FEWEST_SIGNS ? [] : signs;
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

const SAME_SIZE = 1.4;

/** A digit that is much smaller than the others of its number may be overlooked. */
function hasTwoSizes(chars: readonly Char[]): boolean {
  const sizes = chars.filter(({ text }) => /\d/.test(text)).map(({ size }) => size);
  return Math.max(...sizes) > SAME_SIZE * Math.min(...sizes);
}

/**
 * How far from the line, and how near, a small digit is that may belong to the number or mark a footnote: nobody can
 * say which.
 */
const RAISED = 0.12;
const TOUCHING = 0.35;

function hasRaisedDigitBeside(chars: readonly Char[], visible: readonly Char[]): boolean {
  const digits = chars.filter(({ text, turn, slope }) => /\d/.test(text) && turn === 0 && !slope);
  const own = new Set(chars.map(({ order }) => order));
  const others = visible.filter(
    (char) => /\d/.test(char.text) && char.turn === 0 && !char.slope && !own.has(char.order),
  );
  return others.some((other) =>
    digits.some(({ box, origin, size }) => {
      const off = Math.abs(other.origin.y - origin.y);
      const isBeside =
        other.box.x < box.x + box.width + TOUCHING * size && other.box.x + other.box.width > box.x - TOUCHING * size;
      return isBeside && off > RAISED * size && off < size && isLevelWith(other.box, box);
    }),
  );
}

/** They are side by side, not one below the other. */
function isLevelWith(one: Box, other: Box): boolean {
  const shared = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return shared > Math.min(one.height, other.height) * 0.25;
}

type Reach = { left: number; right: number; top: number; bottom: number };

const isWithin = (reach: Reach) => (box: Box) =>
  box.x < reach.right && box.x + box.width > reach.left && box.y < reach.bottom && box.y + box.height > reach.top;

const hasInk = (rows: readonly Row[], reach: Reach): boolean => rows.map(({ box }) => box).some(isWithin(reach));

/** Six or more digits without a label, including dates and amounts: people who look at the page see numbers there. */
function hasDigits(line: Line, reach: Reach): boolean {
  const isThere = isWithin(reach);
  return line.chars.filter((char) => char && /\d/.test(char.text) && isThere(char.box)).length >= 6;
}

/** A number with its characters, for checking how they are painted. */
type Looked = Pick<FoundAccount, "chars" | "certain" | "doubts" | "lines" | "box">;

function withDoubt<T extends Looked>(account: T, doubt: Doubt): T {
  const doubts = account.doubts.includes(doubt) ? account.doubts : [...account.doubts, doubt];
  return { ...account, certain: false, doubts };
}
