import { DOUBT_MARK } from "../layout/lines";
import { CannotRead } from "../limits";
import { RIGHT_TO_LEFT, withDoubtedDigits } from "./doubted-digits";
import {
  type Attributes,
  attributesOf,
  BLOCKS,
  childrenOf,
  type Element,
  EMPTY,
  isDarkOnly,
  isDot,
  isElement,
  isRightToLeft,
  isTiny,
  MOVED,
  NOT_SHOWN,
  type Node,
  nodesIn,
  numberIn,
  PERHAPS_SHOWN,
  PICTURES,
  parseHtml,
  REMOTE,
  ROWS,
  STRUCK,
  TABLES,
  type Tree,
  WORDED,
} from "./html-tree";
import {
  type Applied,
  type Declaration,
  type Part,
  readStyleSheets,
  type Styled,
  type StyleSheets,
  styled,
  stylesOf,
} from "./style-sheets";
import {
  hasPicture,
  isAsWritten,
  isBoxHiddenBy,
  isCutOff,
  isFlat,
  isInvisible,
  isOfAnotherSize,
  isPaleOn,
  isPictureBehind,
  isPlain,
  isPulledBack,
  isScrolled,
  isShape,
  isUnnumbered,
  isUnreadable,
  mayBeHiddenBy,
  mayCover,
  mayHide,
  NONE,
  NOTHING,
  paintedWith,
  paintingOf,
  reachOverBefore,
  sizeOf,
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
  /** The text of both, in the order of the source: a label may be hidden, and its number shown. */
  whole: string;
  links: Link[];
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

type Link = { target: string; words: string };

type Style = {
  isHidden: boolean;
  /** Not visible, unless an element inside says that it is. */
  isInvisible: boolean;
  isUnsure: boolean;
  /** What may apply paints here, as old modes do in tables: nobody can say that the words cannot be read. */
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
  /** It begins and ends lines. */
  isBlock: boolean;
  /** Lines end where they end in the source. */
  isAsWritten: boolean;
  /** The items of a list have no visible numbers. */
  isUnnumbered: boolean;
};

const PLAIN_STYLE: Style = {
  isHidden: false,
  isInvisible: false,
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
  isBlock: false,
  isAsWritten: false,
  isUnnumbered: false,
};

/** In characters: the outline of a drawing that is more than a frame or a button. */
const LONGEST_PATH = 240;

/** Elements times rules of style sheets, each of which is compared with each. */
const MOST_COMPARED = 2_000_000;

const LEAST_SIZE = 3;

/** Styles that decide whether words can be read. */
const PAINTS = /^(?:color|background(?:-color)?|font(?:-size)?)$/;

/** Ways in which an element is a box that may be smaller than its words. */
const BOXES = /^(?:(?:inline-)?(?:block|flex|grid)|list-item|flow-root)$/;
/** Ways in which an element begins and ends lines. */
const LINES = /^(?:block|flex|grid|list-item|table|table-row|flow-root)$/;

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

/** In characters, of the words of a link. */
const LONGEST_WORDS = 3_000;

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
  const tree = parseHtml(html);
  const read = new Reader(tree, readStyleSheets(tree.root)).read();
  // With `auto`, the first letter of an element decides in which direction its columns run.
  const isUnsure = read.isUnsure || (/\bdir\s*=\s*["']?auto\b|plaintext/i.test(html) && RIGHT_TO_LEFT.test(read.shown));
  return { ...read, isUnsure };
}

/** Text and comments in which a program may see the end of the element around them. */
const ENDS_INSIDE =
  /<\/(?:style|script|title|textarea|iframe|noembed|noframes|noscript|xmp|svg|math|select|template)\b/i;
const CONDITIONS = /^\[if[^\]]*\]>(?:<!)?|<!\[endif\]$/gi;
const withoutTags = (text: string) => text.replace(/<[^<>]*>|<!--|-->/g, "\n");

/** The colours in mail programs with dark colours. */
const darkOf = ({ found }: Applied, painted: Style["dark"], before: Style): Style["dark"] =>
  found
    .filter(({ media }) => media === "dark")
    .reduce((colors, { declared }) => paintedWith(declared, NOTHING, colors), {
      ...before.dark,
      ...(painted.color === before.color ? {} : { color: painted.color }),
      ...(painted.ground === before.ground ? {} : { ground: painted.ground }),
    });

/** A rule that is overridden here, or that only may apply, makes the words unreadable. */
function isPaintedOtherwise(
  { found, own, declaredBy }: Applied,
  painted: Style["dark"],
  element: Styled,
  before: Style,
): boolean {
  const light = found.filter(({ media, selector }) => media !== "dark" && !selector.isPseudo);
  if (light.length === 0) return false;
  const likely = declaredBy((_, { media }) => media !== "dark");
  const isTouched = ({ declared, isSure }: Applied["found"][number]) =>
    (declared.has("color") && !own.declared.has("color")) ||
    (!isSure && [...declared.keys()].some((key) => PAINTS.test(key)));
  return (
    isUnreadable(paintedWith(likely, element, before)) ||
    light.some((rule) => isTouched(rule) && isPaleOn(rule.declared, painted)) ||
    light.some(({ isSure, declared }) => !isSure && sizeOf(declared.get("font-size"), PLAIN_STYLE.size) < LEAST_SIZE)
  );
}

class Reader {
  private shown = "";
  private hidden = "";
  private whole = "";
  private readonly links: Link[] = [];
  /** The link around what is read now. */
  private link: Link | undefined;
  private compared = 0;
  /** Where the last block or cell began or ended. */
  private blockFrom = 0;
  /** The part of `shown` whose digits were doubted last. */
  private doubted = { from: 0, to: 0 };
  private pictures = 0;
  private remote = 0;
  private isUnsure: boolean;
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
    private readonly tree: Tree,
    private readonly sheets: StyleSheets,
  ) {
    this.isUnsure = sheets.isUnknown || tree.isMixed;
  }

  read(): ShownHtml {
    this.readInside(this.tree.root, PLAIN_STYLE, undefined);
    this.hide(withoutTags(this.tree.dropped));
    this.endRow();
    const { shown, hidden, whole, links, pictures, remote, isTurned, isUnsure, hasLines } = this;
    const isDrawn =
      this.isShaped || this.drawnRows >= FEWEST_ROWS || this.added >= FEWEST_DIGITS || this.sheets.hasOwnMarks;
    const words = { shown: tidy(shown), hidden: tidy(hidden), whole: tidy(whole) };
    return { ...words, links, pictures, remote, isTurned, isUnsure, isDrawn, hasLines };
  }

  private readInside(parent: Node, style: Style, around: Styled | undefined): void {
    for (const node of childrenOf(parent)) {
      if (isElement(node)) this.readElement(node, style, around);
      else if ("value" in node) this.addText(node.value, style);
      else if ("data" in node) this.readComment(node.data);
    }
  }

  /** Words that a program does not show, or shows in place of something else. */
  private hide(text: string): void {
    if (text.trim()) this.hidden += `${text}\n`;
  }

  /** What only some programs show between conditions: words, and drawings whose words stand in their attributes. */
  private readComment(comment: string): void {
    const isCondition = /^\[if/i.test(comment);
    if (isCondition)
      for (const [drawing] of comment.matchAll(/<v:[^<>]*>/gi))
        for (const node of nodesIn(parseHtml(drawing).root)) if (isElement(node)) this.readWorded(attributesOf(node));
    // Programs differ in where it ends.
    if (isCondition || ENDS_INSIDE.test(comment)) this.hide(withoutTags(comment.replace(CONDITIONS, "")));
  }

  /** What is in an element that is not shown. */
  private readNotShown(root: Element): void {
    for (const node of nodesIn(root)) {
      if (isElement(node) && node !== root) this.readWorded(attributesOf(node));
      const text = "value" in node ? node.value : "data" in node ? node.data : "";
      const isOfPrograms = "parentNode" in node && /^(?:style|script)$/.test(node.parentNode?.nodeName ?? "");
      const isOpen = ENDS_INSIDE.test(text);
      this.isUnsure ||= isOpen && !/^(?:title|textarea|iframe|noembed|noframes)$/.test(root.tagName);
      if (isOpen || ("value" in node && !isOfPrograms)) this.hide(withoutTags(text));
    }
  }

  /** Words in attributes, and the outline of a drawing. */
  private readWorded(attributes: Attributes): void {
    for (const key of WORDED) {
      const words = attributes.get(key);
      if (words && /\d/.test(words)) this.hide(words.replace(/<[^<>]*>/g, " "));
    }
    if ((attributes.get("path") ?? attributes.get("v") ?? "").length > LONGEST_PATH) this.hasLines = true;
  }

  private readElement(element: Element, before: Style, around: Styled | undefined): void {
    const name = element.tagName.toLowerCase();
    const attributes = attributesOf(element);
    const own = styled(element, attributes, around);
    const style = this.styleOf(own, before);
    if (style.isHidden && this.tree.contested.has(element)) this.isUnsure = true;
    const separator = style.isBlock ? "\n" : name === "td" || name === "th" ? "\t" : "";
    this.readWorded(attributes);
    if (name === "br") this.add("\n");
    else if (separator) this.addBlock(separator);
    if (ROWS.has(name)) this.endRow();
    if (name === "ol" || name === "ul") {
      const start = numberIn(attributes, "start") ?? 1;
      this.lists.push({ next: start, isOdd: start > USUAL_NUMBER });
    }
    if (name === "li" && !style.isHidden) this.number(numberIn(attributes, "value"), style.isUnnumbered);
    if (!(style.isHidden || EMPTY.has(name))) this.painted.push(style.painted);
    this.readPicture(name, attributes, style, before);
    const isHiddenColumn = (name === "col" || name === "colgroup") && (style.isHidden || style.isInvisible);
    const isDark = name === "meta" && /color-scheme/i.test(attributes.get("name") ?? "") && isDarkOnly(attributes);
    // It takes the place of what is around it, where programs know it.
    const isShadow = name === "template" && attributes.has("shadowrootmode");
    if (isHiddenColumn || isDark || isShadow) this.isUnsure = true;
    const { link } = this;
    if (name === "a") {
      this.link = { target: attributes.get("href") ?? "", words: "" };
      this.links.push(this.link);
    }
    if (NOT_SHOWN.has(name)) this.readNotShown(element);
    else this.readInside(element, style, own);
    this.link = link;
    if (style.isBlock) this.addBlock("\n");
    if (ROWS.has(name)) this.endRow();
    if (name === "ol" || name === "ul") this.lists.pop();
  }

  private readPicture(name: string, attributes: Attributes, style: Style, before: Style): void {
    const isHidden = style.isHidden || style.isInvisible;
    const isShown = PICTURES.has(name) && !isHidden && attributes.get("type") !== "hidden";
    const isOfLines = name === "svg" || /^\s*data:image\/svg/i.test(attributes.get("src") ?? "");
    if (this.link) this.link.words += ` ${attributes.get("alt") ?? ""} `;
    if (isShown && isOfLines && !isTiny(attributes)) this.hasLines = true;
    if (isShown && !isTiny(attributes)) {
      this.pictures += 1;
      if (REMOTE.test(attributes.get("src") ?? attributes.get("srcset") ?? "")) this.remote += 1;
    } else if (style.hasPicture && !(isHidden || before.hasPicture)) {
      this.pictures += 1;
      if (REMOTE.test(attributes.get("background") ?? attributes.get("style") ?? "")) this.remote += 1;
      this.breakNumber();
    }
    if (isShown && !isDot(attributes)) {
      this.breakNumber();
      this.isAfterPicture = true;
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

  /** What applies to an element. Comparing each element with each rule takes time. */
  private stylesOf(element: Styled): Applied {
    const applied = stylesOf(element, this.sheets);
    this.compared += applied.cost;
    if (this.compared > MOST_COMPARED) throw new CannotRead("too_slow");
    return applied;
  }

  private styleOf(element: Styled, before: Style): Style {
    const { tag: name, attributes } = element;
    const applied = this.stylesOf(element);
    const { found, own } = applied;
    const perhaps = found.filter(({ isSure, selector }) => !(isSure || selector.isPseudo));
    const declared = applied.declaredBy((_, { isSure }) => isSure);
    // With all that may show words.
    const milder = perhaps.length === 0 ? declared : applied.declaredBy((one, { isSure }) => isSure || !mayHide(one));
    const parts = [own, ...found];
    const all = parts.flatMap(({ declarations }) => declarations);
    const display = declared.get("display")?.toLowerCase() ?? "";
    const isInline = !(BLOCKS.has(name) || name === "img");
    const isBox = !TABLES.has(name) && (display === "" ? !(isInline || declared.has("all")) : BOXES.test(display));
    const isHidden = before.isHidden || [declared, milder].every((each) => isBoxHiddenBy(each, attributes, isBox));
    const isNowInvisible = [declared, milder].every((each) => isInvisible(each, before.isInvisible));
    const isSeen = !(isHidden || isNowInvisible);
    const painted = paintedWith(declared, element, before);
    if (isSeen) this.lookAtAdded(found, attributes);
    if (isSeen) this.lookAtShapes(all);
    const isCell = name === "td" || name === "th";
    const shownAs = display || (isInline && !isCell ? "inline" : "");
    if (isSeen && parts.some((part) => mayCover(part.declared, isInline, shownAs.startsWith("inline"))))
      this.isUnsure = true;
    // What is not visible may still move what is.
    if (!(isSeen || before.isHidden || display === "none") && all.some(isPulledBack)) this.isUnsure = true;
    if (isSeen && shownAs === "inline") this.doubtLinesBefore(reachOverBefore(declared, before.size));
    const size = sizeOf(declared.get("font-size") ?? declared.get("font"), before.size);
    const isOdd = ({ declarations }: Part) => declarations.some(({ key, value }) => !isPlain(key, value, isInline));
    const isOddItself = [own, ...found.filter(({ selector }) => !selector.isPseudo)].some(isOdd);
    const hasGround = painted.ground !== before.ground || declared.has("background-color");
    const isUnsure =
      parts.some(isOdd) ||
      (isSeen && (before.isInvisible || attributes.has("hidden") || attributes.has("popover") || mayBeHiddenBy(all))) ||
      [declared, ...parts.map((part) => part.declared)].some(isCutOff) ||
      (isBox && parts.some((part) => isFlat(part.declared))) ||
      MOVED.has(name) ||
      STRUCK.has(name) ||
      PERHAPS_SHOWN.has(name) ||
      isRightToLeft(attributes) ||
      found.some(({ selector }) => selector.isFirst) ||
      parts.some((part) => isScrolled(part.declared)) ||
      all.some((one) => this.usesForeignFont(one)) ||
      isPaintedOtherwise(applied, painted, element, before);
    return {
      ...painted,
      dark: darkOf(applied, painted, before),
      isHidden,
      isInvisible: isNowInvisible,
      isBlock: BLOCKS.has(name) ? display !== "inline" : LINES.test(display),
      isAsWritten: /^(?:pre|listing|plaintext|xmp)$/.test(name) || isAsWritten(declared, before.isAsWritten),
      isUnnumbered: isUnnumbered(
        declared,
        /^(?:ol|li)$/.test(name) ? attributes : NONE,
        name !== "ol" && before.isUnnumbered,
      ),
      painted: paintingOf(declared, painted.ground),
      isDoubted:
        before.isDoubted ||
        isOddItself ||
        (size < LEAST_SIZE && (/^h\d$/.test(name) || isOfAnotherSize(declared))) ||
        MOVED.has(name) ||
        (name === "table" && (before.size < LEAST_SIZE || isUnreadable(before))) ||
        perhaps.some((rule) => rule.declarations.some(({ key }) => PAINTS.test(key))),
      isUnsure: before.isUnsure || isUnsure,
      hasPicture: before.hasPicture || isPictureBehind(declared, attributes),
      isGroundUnknown: hasPicture(declared, attributes) || (before.isGroundUnknown && !hasGround),
      size,
      isTurned:
        before.isTurned ||
        (/rtl/i.test(declared.get("direction") ?? attributes.get("dir") ?? "") &&
          (name === "bdo" || /override/i.test(declared.get("unicode-bidi") ?? ""))),
    };
  }

  /** Looks at the words that styles add to an element. */
  private lookAtAdded(found: Applied["found"], attributes: Attributes): void {
    const words = found
      .filter(({ selector }) => selector.isPseudo)
      .map(({ declared }) => withAttributes(declared.get("content") ?? "", attributes));
    if (!words.some((each) => /\d|url\(|attr\(|counter/i.test(each))) return;
    this.pictures += 1;
    this.hide(words.join(" "));
    this.added += words.join("").replace(/[-a-z]+\([^)]*\)|\D/gi, "").length;
  }

  /** Looks for shadows, gradients and outlines, which can draw anything if there are many, and for counters with many digits. */
  private lookAtShapes(declarations: readonly Declaration[]): void {
    for (const { key, value } of declarations) {
      if (/^counter-(?:reset|set|increment)$/.test(key))
        this.added += (value.match(/(?<![-\w])\d{3,}(?![-\w])/g) ?? []).join("").length;
      const words = wordsOfStyle(key, value);
      this.added += words.replace(/\D/g, "").length;
      this.hide(words);
      this.isShaped ||= isShape(key, value);
      this.hasLines ||= /url\(\s*["']?data:image\/svg/i.test(value) && value.length > LONGEST_ICON;
    }
  }

  private usesForeignFont({ key, value }: Declaration): boolean {
    return /^font(?:-family)?$/.test(key) && this.sheets.fonts.some((font) => value.toLowerCase().includes(font));
  }

  private addText(raw: string, style: Style): void {
    const text = raw.replace(style.isAsWritten ? /[^\S\n]+/g : /\s+/g, " ");
    const { isHidden, isInvisible, isDoubted, isUnsure, isGroundUnknown, size, color, ground, dark, isTurned } = style;
    this.whole += text;
    if (this.link && this.link.words.length < LONGEST_WORDS) this.link.words += text;
    if (/[\u202d\u202e\u2066\u2067]/.test(text) || (isTurned && /\d/.test(text))) this.isTurned = true;
    const isClear = size >= LEAST_SIZE && !isUnreadable({ color, ground });
    const isSeen = !(isHidden || isInvisible) && (isClear || isDoubted || isGroundUnknown);
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
    this.whole += separator;
    if (this.link) this.link.words += " ";
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
