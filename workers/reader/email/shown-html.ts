import { DOUBT_MARK } from "../layout/lines";
import { CannotRead } from "../limits";
import { RIGHT_TO_LEFT, withDoubtedDigits } from "./doubted-digits";
import {
  BLOCKS,
  isDarkOnly,
  isDot,
  isRightToLeft,
  isTiny,
  MOVED,
  NOT_SHOWN,
  numberIn,
  PICTURES,
  REMOTE,
  ROWS,
  STRUCK,
  VOID,
  WORDED,
} from "./html-elements";
import { attributesAfter, attributesOf, BLANKS, decodeEntities, TOKEN } from "./markup";
import {
  contrast,
  type Declarations,
  fontsOf,
  hasForeignStyles,
  hasPicture,
  isAsWritten,
  isCutOff,
  isHiddenBy,
  isPaleOn,
  isPictureBehind,
  isPlain,
  isScrolled,
  isShape,
  isSure,
  isUnnumbered,
  LEAST_CONTRAST,
  matches,
  mayCover,
  NONE,
  paintedWith,
  paintingOf,
  type Rule,
  reachOverBefore,
  readRules,
  type Styled,
  sizeOf,
  splitStyle,
  styled,
  withAttributes,
  wordsOfStyle,
} from "./styles";

/**
 * The words of an HTML message as a mail program shows them, and those that it does not show. What hides words is judged as a
 * browser does: by style, not by where they stand. Nothing is loaded and nothing runs. Digits under a style whose effect is not
 * known here are marked with `DOUBT_MARK`: nobody can say whether they are shown, or where.
 */
export type ShownHtml = {
  shown: string;
  hidden: string;
  pictures: number;
  /** Of these, the pictures that are not in the message. */
  remote: number;
  isTurned: boolean;
  isUnsure: boolean;
  /** Digits may be drawn by the colours of empty cells or by shadows, or be counted or added by styles. */
  isDrawn: boolean;
  /** It has pictures made of lines, which are not looked at. */
  hasLines: boolean;
};

type Style = {
  isHidden: boolean;
  isUnsure: boolean;
  /** A rule that may apply paints here: nobody can say that the words cannot be read. */
  isDoubted: boolean;
  /** The background behind the words has an unknown colour. */
  isGroundUnknown: boolean;
  size: number;
  color: string;
  ground: string;
  /** The same in mail programs with dark colours. */
  dark: { color: string; ground: string };
  isTurned: boolean;
  /** The background is an image, which may contain words. */
  hasPicture: boolean;
  /** The background and borders of an element without words. */
  painted: string;
  /** Lines end where they end in the source. */
  isAsWritten: boolean;
  /** The items of a list have no visible numbers. */
  isUnnumbered: boolean;
};

const PLAIN_STYLE: Style = {
  isHidden: false,
  isUnsure: false,
  isDoubted: false,
  isGroundUnknown: false,
  size: 16,
  color: "#000000",
  ground: "#ffffff",
  dark: { color: "#000000", ground: "#ffffff" },
  isTurned: false,
  hasPicture: false,
  painted: "",
  isAsWritten: false,
  isUnnumbered: false,
};

/** In characters: the outline of a drawing that is more than a frame or a button. */
const LONGEST_PATH = 240;

const MAX_TOKENS = 200_000;
/** Elements times rules of style sheets, each of which is compared with each. One that matches costs as much as so many others. */
const MOST_COMPARED = 2_000_000;
const COST_OF_MATCH = 20;

const LEAST_SIZE = 3;

const isUnreadable = ({ color, ground }: Pick<Style, "color" | "ground">) => contrast(color, ground) < LEAST_CONTRAST;

/** Styles that decide whether words can be read. */
const PAINTS = /^(?:color|background(?:-color)?|font(?:-size)?)$/;

/**
 * In pixels: what reaches further back than this covers the digits of the line before, or of the block before.
 */
const OVER_LINE = 8;
const OVER_BLOCK = 24;

/** A list may start with a number up to this without looking odd. */
const USUAL_NUMBER = 99;
/** Fewer digits than this, added by styles or by unusual counting, cannot be taken for an account. */
const FEWEST_DIGITS = 6;
/** A row of empty cells that draws digits changes its colour at least this often, and a drawing has at least this many rows. */
const FEWEST_CHANGES = 6;
const FEWEST_ROWS = 4;

/** A picture of lines with more characters than this in a style is more than an icon. */
const LONGEST_ICON = 1_000;

/** Where the last line and the two before it begin; empty lines do not count. */
function lastLinesFrom(text: string): number {
  let from = text.lastIndexOf("\n") + 1;
  for (let lines = 0; lines < 2 && from > 0; lines++) {
    let end = from - 1;
    while (text[end - 1] === "\n") end -= 1;
    from = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
  }
  return from;
}

export function readShownHtml(html: string): ShownHtml {
  const read = new Reader(readRules(html), fontsOf(html), hasForeignStyles(html)).read(html);
  const isDrawn = read.isDrawn || /@counter-style\b/i.test(html);
  // With `auto`, the first letter of an element decides in which direction its columns run.
  const isUnsure = read.isUnsure || (/\bdir\s*=\s*["']?auto\b|plaintext/i.test(html) && RIGHT_TO_LEFT.test(read.shown));
  return { ...read, isDrawn, isUnsure };
}

const TAG = new RegExp(`^<(/?)([a-z][^${BLANKS}/>]*)`);
/** Inside drawings, lists of choices and comments, what begins such an element begins none, and what ends it may not. */
const IS_MARKUP_INSIDE =
  /^<(?:style|script|title|textarea|iframe|noembed|noframes)\b[\s\S]*<\/[a-z]|^<!--[\s\S]*<\/(?:style|script|title|textarea|iframe|noembed|noframes|noscript|xmp|svg|math|select|template)\b/i;
/** What may be the start of a comment, or of text in a drawing, so that a later end is the right one. */
const isOpenInside = (token: string, isSkipped: boolean): boolean =>
  /^<!\[cdata/i.test(token) ||
  ((isSkipped || /^<script/i.test(token)) &&
    !token.startsWith("<!") &&
    token.lastIndexOf("<!--") > token.lastIndexOf("-->"));

const TABLES = new Set(["table", "thead", "tbody", "tfoot", "tr"]);
const CELLS = new Set(["td", "th", "caption"]);
/** True if the end of an element does not reach past one inside it that is still open: browsers leave both open. */
function isLeftOpen(inner: string, ended: string): boolean {
  if (inner === "table" || TABLES.has(ended)) return inner === "table";
  return CELLS.has(inner) || (BLOCKS.has(inner) && !(BLOCKS.has(ended) || CELLS.has(ended)));
}

class Reader {
  private readonly styles: (Styled & { style: Style; isClosed: boolean })[] = [];
  /** How many of each element are open. */
  private readonly openTags = new Map<string, number>();
  private compared = 0;
  private shown = "";
  private hidden = "";
  /** Where the last block or cell began or ended. */
  private blockFrom = 0;
  /** The part of `shown` whose digits were doubted last. */
  private doubted = { from: 0, to: 0 };
  private pictures = 0;
  private remote = 0;
  private isTurned = false;
  /**
   * Directly after a digit comes something that is not text or not visible, so what follows may belong to the same
   * number.
   */
  private isBroken = false;
  /** Directly after an image, which may show a digit. */
  private isAfterPicture = false;
  /** The number of the next item in each open list, and whether it is unusual. */
  private readonly lists: { next: number; isOdd: boolean }[] = [];
  private lastNumber = 0;
  /** Digits that styles add, or that lists count in an unusual way. */
  private added = 0;
  /** How the elements of the present row are painted, since its last words. */
  private painted: string[] = [];
  private drawnRows = 0;
  private isShaped = false;
  private hasLines = false;

  constructor(
    private readonly rules: readonly Rule[],
    private readonly fonts: readonly string[],
    private isUnsure: boolean,
  ) {}

  read(html: string): ShownHtml {
    let count = 0;
    // The element that is skipped, and how many of its kind are open in each other.
    let [skipUntil, depth] = ["", 0];
    for (const [token] of html.matchAll(TOKEN)) {
      count += 1;
      if (count > MAX_TOKENS) {
        this.pictures += 1;
        break;
      }
      const [, slash, name = ""] = TAG.exec(token.toLowerCase()) ?? [];
      // Programs differ in where it ends.
      if (IS_MARKUP_INSIDE.test(token)) this.hide(token.replace(/<[^<>]*>/g, "\n"));
      if (isOpenInside(token, skipUntil !== "")) this.isUnsure = true;
      if (skipUntil !== "") {
        if (name === skipUntil) depth += slash ? -1 : 1;
        if (depth === 0) skipUntil = "";
        else if (!token.startsWith("<") && !/^(?:style|script)$/.test(skipUntil)) this.hide(token);
        continue;
      }
      if (/^<(?:[!?]|\/[^a-zA-Z])/.test(token)) {
        // Some programs show what is between conditions.
        if (/^<!--\[if/i.test(token)) this.readCondition(token);
        continue;
      }
      if (name === "") this.addText(token);
      else if (slash) this.close(name);
      else {
        const attributes = attributesAfter(token.slice(1 + name.length));
        if (attributes === undefined) {
          this.hide(token);
          continue;
        }
        // Only what is not HTML ends where it begins.
        if (NOT_SHOWN.has(name) && !(/^(?:svg|xml)$/.test(name) && token.endsWith("/>")))
          [skipUntil, depth] = [name, 1];
        this.open(name, attributesOf(attributes), skipUntil !== "");
        const inside = token.slice(2 + name.length + attributes.length);
        if (skipUntil === "" && inside !== "") this.addText(inside.replaceAll("&", "&amp;"));
      }
    }
    this.endRow();
    const { shown, hidden, pictures, remote, isTurned, isUnsure, hasLines } = this;
    const isDrawn = this.isShaped || this.drawnRows >= FEWEST_ROWS || this.added >= FEWEST_DIGITS;
    return { shown: tidy(shown), hidden: tidy(hidden), pictures, remote, isTurned, isUnsure, isDrawn, hasLines };
  }

  private get style(): Style {
    return this.styles.at(-1)?.style ?? PLAIN_STYLE;
  }

  /** Words that a program does not show, or shows in place of something else. */
  private hide(raw: string): void {
    const text = decodeEntities(raw);
    if (text.trim()) this.hidden += `${text}\n`;
  }

  /** What only some programs show: words, and drawings whose words stand in their attributes. */
  private readCondition(comment: string): void {
    for (const [tag] of comment.matchAll(/<v:[^<>]*>/gi)) this.readWorded(attributesOf(tag.slice(2)));
    this.hide(comment.replace(/<!?[^<>]*>|<!--|-->/g, "\n"));
  }

  /** Words in attributes, and the outline of a drawing. */
  private readWorded(attributes: ReadonlyMap<string, string>): void {
    for (const key of WORDED) {
      const words = attributes.get(key);
      if (words && /\d/.test(words)) this.hide(words.replace(/<[^<>]*>/g, " "));
    }
    if ((attributes.get("path") ?? attributes.get("v") ?? "").length > LONGEST_PATH) this.hasLines = true;
  }

  private open(name: string, attributes: Map<string, string>, isSkipped: boolean): void {
    const style = this.styleOf(name, attributes);
    this.readWorded(attributes);
    if (name === "br") this.add("\n");
    else if (BLOCKS.has(name)) this.addBlock("\n");
    if (name === "td" || name === "th") this.addBlock("\t");
    if (ROWS.has(name)) this.endRow();
    if (name === "ol" || name === "ul") {
      const start = numberIn(attributes, "start") ?? 1;
      this.lists.push({ next: start, isOdd: start > USUAL_NUMBER });
    }
    if (name === "li" && !style.isHidden) this.number(numberIn(attributes, "value"), style.isUnnumbered);
    if (!(style.isHidden || VOID.has(name))) this.painted.push(style.painted);
    const isShown = PICTURES.has(name) && !style.isHidden && attributes.get("type") !== "hidden";
    const isOfLines = name === "svg" || /^\s*data:image\/svg/i.test(attributes.get("src") ?? "");
    if (isShown && isOfLines && !isTiny(attributes)) this.hasLines = true;
    if (isShown && !isTiny(attributes)) {
      this.pictures += 1;
      if (REMOTE.test(attributes.get("src") ?? attributes.get("srcset") ?? "")) this.remote += 1;
    } else if (style.hasPicture && !(style.isHidden || this.style.hasPicture)) {
      this.pictures += 1;
      if (REMOTE.test(attributes.get("background") ?? attributes.get("style") ?? "")) this.remote += 1;
      this.breakNumber();
    }
    if (isShown && !isDot(attributes)) {
      this.breakNumber();
      this.isAfterPicture = true;
    }
    const isHiddenColumn = (name === "col" || name === "colgroup") && style.isHidden;
    const isDark = name === "meta" && /color-scheme/i.test(attributes.get("name") ?? "") && isDarkOnly(attributes);
    if (isHiddenColumn || isDark) this.isUnsure = true;
    if (!(isSkipped || VOID.has(name))) {
      const isClosed = (name === "details" || name === "dialog") && !attributes.has("open");
      this.styles.push({ ...styled(name, attributes), style, isClosed });
      this.openTags.set(name, (this.openTags.get(name) ?? 0) + 1);
    }
  }

  /** Shows the number of a list's item as programs do, unless it follows the one before. */
  private number(value: number | undefined, isUnnumbered: boolean): void {
    const list = this.lists.at(-1) ?? { next: 0, isOdd: false };
    const number = value ?? list.next;
    const isOdd = list.isOdd || !(number === list.next || number === this.lastNumber + 1);
    Object.assign(list, { next: number + 1, isOdd: false });
    this.lastNumber = number;
    if (!isOdd || isUnnumbered) return;
    this.added += String(number).length;
    this.add(`${number}. `);
  }

  private endRow(): void {
    const changes = this.painted.filter((each, at) => at > 0 && each !== this.painted[at - 1]).length;
    if (changes >= FEWEST_CHANGES) this.drawnRows += 1;
    if (changes >= FEWEST_CHANGES * FEWEST_ROWS) this.drawnRows += FEWEST_ROWS;
    this.painted = [];
  }

  private close(name: string): void {
    if (BLOCKS.has(name)) this.addBlock("\n");
    if (ROWS.has(name)) this.endRow();
    if (name === "ol" || name === "ul") this.lists.pop();
    // Only ends of what is open are searched for, and each search closes what it passes.
    const open = this.openTags.get(name) ?? 0;
    while (open > 0) {
      const { tag = "", style } = this.styles.pop() ?? {};
      this.openTags.set(tag, (this.openTags.get(tag) ?? 0) - 1);
      if (tag === name) break;
      if (style?.isHidden && isLeftOpen(tag, name)) this.isUnsure = true;
    }
  }

  private styleOf(name: string, attributes: Map<string, string>): Style {
    const before = this.style;
    const isClosed = this.styles.at(-1)?.isClosed === true && name !== "summary";
    const element = styled(name, attributes);
    const matching = this.rules.filter(({ selector }) => matches(selector, element, attributes));
    const around = matching.some(({ selector }) => selector.above.length > 0) ? this.styles.length : 0;
    this.compared += this.rules.length + (COST_OF_MATCH + around) * matching.length;
    if (this.compared > MOST_COMPARED) throw new CannotRead("too_slow");
    const likely = matching.filter(({ media, selector }) => media === "" && !selector.isPseudo);
    const always = likely.filter(({ selector }) => isSure(selector, element, this.styles));
    const own = splitStyle(attributes.get("style") ?? "");
    const declaredBy = (rules: readonly Rule[]): Declarations =>
      new Map([
        ...rules.flatMap(({ declarations }) => [...declarations]),
        ...own.declarations,
        ...rules.flatMap(({ important }) => [...important]),
        ...own.important,
      ]);
    const declared = declaredBy(always);
    const perhaps = likely.length === always.length ? declared : declaredBy(likely);
    const parts = [own, ...matching].flatMap(({ declarations, important }) => [declarations, important]);
    const painted = paintedWith(declared, attributes, before);
    const dark = matching
      .filter(({ media }) => media === "dark")
      .reduce((colors, rule) => paintedWith(new Map([...rule.declarations, ...rule.important]), NONE, colors), {
        ...before.dark,
        ...(painted.color === before.color ? {} : { color: painted.color }),
        ...(painted.ground === before.ground ? {} : { ground: painted.ground }),
      });
    // Hidden by what surely applies, and not shown again by what may.
    const isHiddenHere = isHiddenBy(declared, attributes) && isHiddenBy(perhaps, attributes);
    const isHidden = before.isHidden || isClosed || isHiddenHere;
    // A rule that is overridden here, or applies to some screens only, may apply in another program.
    const isDisputed =
      !isHidden &&
      (parts.some((part) => isHiddenBy(part, NONE)) ||
        isUnreadable(paintedWith(perhaps, attributes, before)) ||
        matching.some(
          (rule) => !always.includes(rule) && sizeOf(rule.declarations.get("font-size"), PLAIN_STYLE.size) < LEAST_SIZE,
        ));
    const added = matching.filter(({ selector }) => selector.isPseudo);
    const words = added.map(({ declarations }) => withAttributes(declarations.get("content") ?? "", attributes));
    if (!isHidden && words.some((each) => /\d|url\(|attr\(|counter/i.test(each))) {
      this.pictures += 1;
      this.hide(words.join(" "));
      this.added += words.join("").replace(/[-a-z]+\([^)]*\)|\D/gi, "").length;
    }
    if (!isHidden) this.lookAtShapes(parts);
    const isPale = matching.some(
      ({ media, declarations, important }) =>
        media !== "dark" &&
        [declarations, important].some(
          (part) => part.has("color") && !own.declarations.has("color") && isPaleOn(part, painted),
        ),
    );
    const isInline = !(BLOCKS.has(name) || name === "img");
    const isStrange =
      isCutOff(declared) ||
      matching.some(({ selector }) => selector.isFirst) ||
      parts.some((part) => [...part].some(([key, value]) => !isPlain(key, value, isInline)) || isScrolled(part));
    const isForeign = parts.some((part) => this.usesForeignFont(part));
    const isCell = name === "td" || name === "th";
    const display = declared.get("display") ?? (isInline && !isCell ? "inline" : "");
    const isInItsLine = display.startsWith("inline");
    if (!isHidden && parts.some((part) => mayCover(part, isInline, isInItsLine))) this.isUnsure = true;
    if (!isHidden && display === "inline") this.doubtLinesBefore(reachOverBefore(declared, before.size));
    const hasGround = painted.ground !== before.ground || declared.has("background-color");
    return {
      ...painted,
      dark: { color: dark.color, ground: dark.ground },
      isHidden,
      isAsWritten: /^(?:pre|listing|xmp)$/.test(name) || isAsWritten(declared, before.isAsWritten),
      isUnnumbered: isUnnumbered(
        declared,
        /^(?:ol|li)$/.test(name) ? attributes : NONE,
        name !== "ol" && before.isUnnumbered,
      ),
      painted: paintingOf(declared, painted.ground),
      isDoubted:
        before.isDoubted ||
        likely.some(
          (rule) =>
            !always.includes(rule) &&
            [...rule.declarations.keys(), ...rule.important.keys()].some((key) => PAINTS.test(key)),
        ),
      isUnsure:
        before.isUnsure ||
        isDisputed ||
        isPale ||
        isStrange ||
        isForeign ||
        MOVED.has(name) ||
        STRUCK.has(name) ||
        isRightToLeft(attributes),
      hasPicture: before.hasPicture || isPictureBehind(declared, attributes),
      isGroundUnknown: hasPicture(declared, attributes) || (before.isGroundUnknown && !hasGround),
      size: sizeOf(declared.get("font-size") ?? declared.get("font"), before.size),
      isTurned:
        before.isTurned ||
        (/rtl/i.test(declared.get("direction") ?? attributes.get("dir") ?? "") &&
          (name === "bdo" || /override/i.test(declared.get("unicode-bidi") ?? ""))),
    };
  }

  /** Looks for shadows, gradients and outlines, which can draw anything if there are many, and for counters with many digits. */
  private lookAtShapes(parts: readonly Declarations[]): void {
    for (const [key, value] of parts.flatMap((part) => [...part])) {
      if (/^counter-(?:reset|set|increment)$/.test(key))
        this.added += (value.match(/(?<![-\w])\d{3,}(?![-\w])/g) ?? []).join("").length;
      const words = wordsOfStyle(key, value);
      this.added += words.replace(/\D/g, "").length;
      this.hide(words);
      this.isShaped ||= isShape(key, value);
      this.hasLines ||= /url\(\s*["']?data:image\/svg/i.test(value) && value.length > LONGEST_ICON;
    }
  }

  private usesForeignFont(declarations: Declarations): boolean {
    const family = `${declarations.get("font-family") ?? ""} ${declarations.get("font") ?? ""}`.toLowerCase();
    return this.fonts.some((font) => family.includes(font));
  }

  private addText(raw: string): void {
    const text = decodeEntities(raw).replace(this.style.isAsWritten ? /[^\S\n]+/g : /\s+/g, " ");
    const { isHidden, isDoubted, isUnsure, isGroundUnknown, size, color, ground, dark, isTurned } = this.style;
    if (/[\u202d\u202e\u2066\u2067]/.test(text) || (isTurned && /\d/.test(text))) this.isTurned = true;
    const isClosed = this.styles.at(-1)?.isClosed === true;
    const isClear = size >= LEAST_SIZE && !isUnreadable({ color, ground });
    const isSeen = !(isHidden || isClosed) && (isClear || isDoubted);
    const isJoined = (this.isBroken && /^[\s-]?\p{Nd}/u.test(text)) || (this.isAfterPicture && /^\p{Nd}/u.test(text));
    const isCertain = isClear && !(isUnsure || isGroundUnknown || isJoined || isUnreadable(dark));
    if (isSeen) this.shown += isCertain ? text : withDoubtedDigits(text);
    else if (text.trim()) this.hidden += `${text}\n`;
    if (isSeen && text !== "") this.isAfterPicture = false;
    if (isSeen && text.trim() !== "") this.painted = [];
    if (isSeen) this.isBroken = false;
    else if (/\p{Nd}/u.test(text)) this.breakNumber();
  }

  private breakNumber(): void {
    const end = this.shown.slice(-4);
    if (!/\p{Nd}[ -]?$/u.test(end)) return;
    this.isBroken = true;
    this.shown = this.shown.slice(0, -4) + end.replace(/(?<!\ue000)\p{Nd}[ -]?$/u, `${DOUBT_MARK}$&`);
  }

  /**
   * What follows may cover digits of earlier lines: those of its own block, or farther up. What was doubted
   * before is not looked at again: a message may have thousands of such elements.
   */
  private doubtLinesBefore(reach: number): void {
    if (reach <= OVER_LINE) return;
    const from = reach > OVER_BLOCK ? lastLinesFrom(this.shown) : this.blockFrom;
    const { doubted, shown } = this;
    const isOnward = from >= doubted.from && from <= doubted.to;
    const rest = isOnward ? doubted.to : from;
    const added = shown.slice(rest);
    if (/\p{Nd}/u.test(added)) this.shown = shown.slice(0, rest) + withDoubtedDigits(added);
    this.doubted = { from: isOnward ? doubted.from : from, to: this.shown.length };
  }

  private add(separator: string): void {
    this.shown += separator;
  }

  private addBlock(separator: string): void {
    this.add(separator);
    this.blockFrom = this.shown.length;
  }
}

const tidy = (text: string) =>
  text
    .replace(/[ \u00a0]+/g, " ")
    .replace(/ *\t[ \t]*/g, "\t")
    .replace(/[ \t]*\n[ \t]*/g, "\n")
    .replace(/\n{2,}/g, "\n")
    .trim();
