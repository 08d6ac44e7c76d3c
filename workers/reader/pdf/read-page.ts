import type { FoundAccount } from "@workers/reader/facts/accounts";
import type { Box, Doubt, Finding, ReadBpay, ReadPayId } from "~/ports/document-reader";
import { readable } from "../facts/context";
import { type Label, startOfCaption } from "../facts/labels";
import { findLooseNumbers } from "../facts/loose-numbers";
import { findBpay, findPayIds, type WithChars } from "../facts/other-numbers";
import { paymentLinks } from "../facts/other-ways";
import { type PageFacts, readPageFacts } from "../facts/page-facts";
import { boxAround, type Char, isNamed, type Line, toLines } from "../layout/lines";
import { CannotRead, MAX_CLOSE_PAGES, MAX_PICTURE_PIXELS, MAX_PICTURES } from "../limits";
import { accountsInText, differsOnPaper, readLinks } from "./beside-the-page";
import { findMisnamed } from "./claims";
import type { PageCode } from "./codes";
import { findCovered } from "./covered-amounts";
import type { LookedAt } from "./judge-pictures";
import { type PageObjects, readObjects } from "./page-objects";
import { PagePictures } from "./page-pictures";
import { readChars, readSpace } from "./page-text";
import { lookAtDigits, lookAtPicture, worst } from "./painted-digits";
import { paintWithout, type Surface } from "./painting";
import type { Pdfium } from "./pdfium";
import type { Budget } from "./read-picture";
import { lookAtPage, type Seen } from "./seen";
import { type ShapeMatcher, shapesOf } from "./shapes";
import { findWriting, type Row, spotsOf } from "./writing";

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
  codes: PageCode[];
  isReadableEverywhere: boolean;
};

const MAX_SEE_THROUGH = 150;
const MAX_SHADINGS = 150;
const SCANNED_SHARE = 0.8;
const FEW_CHARS = 12;
const MANY_ROWS = 4;
/** This many characters without a Unicode value may be a number. */
const MANY_UNREAD = 6;
/** Matches "BSB" in any spelling, so that a document that names one is never reported to have no bank details. */
const BSB_DIGITS = /b\.?s\.?b\.?[\s:.#-]{0,4}\d{3}/i;
/** Columns so close together that "BSB" touches the next word. */
const BSB_IN_WORD = /(?:[a-z]BSB|BSB[A-Za-z])/;
const DASHED = /\d{3}-\d{3}/;
/** Digits of other scripts, and characters without a Unicode value. */
const FOREIGN_DIGITS = /\ufffd|(?!\d)\p{N}/u;
/** More drawings than this may be words drawn as outlines. */
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
 * @param mayPaint false once enough pages were painted
 * @param isBesideText another page of the document has words, so that a page without words is examined closely
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
  const surface = { engine, page, space, form };
  const isTwofold = hasLayers || differsOnPaper(engine, page);
  const surfaces: [Surface, ...Surface[]] = isTwofold ? [surface, { ...surface, isPrinted: true }] : [surface];
  const reader = new PageReader(surfaces, objects, index + 1, { budget, isBesideText });
  const read =
    mayPaint && canPaint(engine, objects, space) ? reader.readPainted(chars, objectOf) : reader.readUnpainted(chars);
  const links = readLinks(engine, document, page, space).map(({ target, box }) => ({
    target,
    words: wordsIn(read.lines, box),
  }));
  read.findings.push(...paymentLinks(links).map((each) => ({ ...each, page: index + 1 })));
  engine.FPDFText_ClosePage(textPage);
  if (form !== 0) engine.FORM_OnBeforeClosePage(page, form);
  engine.FPDF_ClosePage(page);
  return read;
}

/** The words that a person sees inside a box. */
function wordsIn(lines: readonly Line[], box: Box): string {
  const isInside = (char: Char | undefined) => {
    const [x, y] = char ? [char.box.x + char.box.width / 2, char.box.y + char.box.height / 2] : [-1, -1];
    return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
  };
  const near = lines.filter(
    ({ turn, baseline, size }) => turn !== 0 || (baseline > box.y && baseline < box.y + box.height + size),
  );
  const parts = near.map(({ text, chars }) => {
    const places = chars.flatMap((char, at) => (isInside(char) ? [at] : []));
    return places.length === 0 ? "" : text.slice(places[0], (places.at(-1) ?? 0) + 1);
  });
  return parts.filter(Boolean).join(" ").slice(0, LONGEST_WORDS);
}
const LONGEST_WORDS = 300;

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
  private readonly surface: Surface;
  private readonly pictures: PagePictures;

  constructor(
    /** The page on the screen, and on paper where that may show something else. */
    private readonly surfaces: readonly [Surface, ...Surface[]],
    private readonly objects: PageObjects,
    private readonly number: number,
    private readonly how: { budget: Budget; isBesideText: boolean },
  ) {
    [this.surface] = surfaces;
    this.pictures = new PagePictures(surfaces, objects, how.budget);
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
    const { engine } = this.surface;
    const seen = lookAtPage(this.surface, this.objects.texts, found, objectOf);
    const visible = seen.chars.filter(({ isHidden }) => !isHidden);
    const hidden = seen.chars.filter((char) => char.isHidden && isNamed(char));
    const spots = this.pictures.hasAny() ? spotsOf(seen.withoutText) : [];
    const rows = findWriting(seen.withoutText, spots);
    for (const surface of this.surfaces.slice(1)) {
      const { region, scale } = seen.withoutText;
      const printed = paintWithout(surface, this.objects.texts, region, scale);
      rows.push(...findWriting(printed, spotsOf(printed)));
    }
    const isScanned =
      hidden.length > 20 && hidden.length > seen.chars.length * SCANNED_SHARE && this.objects.images.length > 0;
    const lines = toLines(isScanned ? seen.chars.filter(isNamed) : visible);
    const facts = readPageFacts(lines);
    const matcher = shapesOf(engine);
    const named = visible.filter(isNamed);
    const check = <T extends Looked>(found: T) =>
      isScanned ? this.checkScanned(found, matcher) : this.check(found, matcher, named);
    const accounts = facts.accounts.map(check);
    if (!isScanned) {
      accounts.push(...this.hiddenAccounts(seen, hidden, accounts));
    }
    this.overlaps(seen.chars, accounts);
    if (!isScanned)
      this.findings.push(...findCovered(lines, seen.chars).map((each) => ({ ...each, page: this.number })));
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
      isScanned || (isPicture && !this.how.isBesideText) ? [] : this.pictures.lookAt(seen, lines, objectOf, spots);
    if (isScanned) this.pictures.lookAtScan(seen.withoutText);
    const isOpen = accounts.length === 0 && this.findings.length === 0 && this.objects.images.length > 0;
    const isClose = this.number <= MAX_CLOSE_PAGES;
    const isFaint = isOpen && isClose && this.pictures.hasFaintWriting(seen.withoutText);
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
      codes: this.pictures.codes,
      isReadableEverywhere:
        rows.length === 0 &&
        !(isPicture || isScanned || isFaint || (isOpen && !isClose)) &&
        unread < MANY_UNREAD &&
        !this.pictures.hasLarge(),
    };
  }

  /** Lines whose characters are painted as digits but called something else. */
  private misnamed(lines: readonly Line[]): void {
    const found = findMisnamed(this.surface, lines);
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
      codes: [],
      isReadableEverywhere: true,
    };
  }

  /** Checks that the digits are painted as the file says, and that nothing else is in their place. */
  private check<T extends Looked>(account: T, matcher: ShapeMatcher, visible: readonly Char[]): T {
    const looked = this.surfaces.map((surface) => lookAtDigits(surface, matcher, account.chars, this.objects, visible));
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
  private checkScanned<T extends Looked>(account: T, matcher: ShapeMatcher): T {
    const { verdict, painted } = lookAtPicture(this.surface, matcher, account.chars, this.objects.texts);
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

  /** A file may give replacement words for painted ones. Programs use them to read aloud and to copy. */
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

const SAME_SIZE = 1.4;

/** A digit that is much smaller than the others of its number may be overlooked. */
function hasTwoSizes(chars: readonly Char[]): boolean {
  const sizes = chars.filter(({ text }) => /\d/.test(text)).map(({ size }) => size);
  return Math.max(...sizes) > SAME_SIZE * Math.min(...sizes);
}

/**
 * A small raised digit beside a number may belong to it or mark a footnote. These say how far off the line it is, and how
 * near to the number.
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

/** True if two boxes are side by side, and not one below the other. */
function isLevelWith(one: Box, other: Box): boolean {
  const shared = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return shared > Math.min(one.height, other.height) * 0.25;
}

type Reach = { left: number; right: number; top: number; bottom: number };

const isWithin = (reach: Reach) => (box: Box) =>
  box.x < reach.right && box.x + box.width > reach.left && box.y < reach.bottom && box.y + box.height > reach.top;

const hasInk = (rows: readonly Row[], reach: Reach): boolean => rows.map(({ box }) => box).some(isWithin(reach));

/** True for six or more digits within reach, of dates and amounts too: a person sees numbers there. */
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
