import { CannotRead } from "../limits";
import { attributesOf, BLANKS, WRITTEN } from "./markup";

/** The effects of a message's styles on its words. Styles that are not recognised make the result uncertain. */

export type Declarations = Map<string, string>;

export type Rule = {
  selector: Selector;
  declarations: Declarations;
  important: Declarations;
  media: "" | "dark" | "other";
};

const MAX_RULES = 2_000;

/** With less contrast than this, people cannot read the text. */
export const LEAST_CONTRAST = 40;

export const NONE: ReadonlyMap<string, string> = new Map();

type Painted = { color: string; ground: string };

/** Applies declarations to the inherited colours. A colour that is not understood leaves the inherited one. */
export function paintedWith(
  declared: ReadonlyMap<string, string>,
  attributes: ReadonlyMap<string, string>,
  before: Painted,
): Painted {
  const colorOf = (value: string | undefined) => (value === undefined ? undefined : plainColor(value));
  return {
    color: colorOf(declared.get("color")) ?? colorOf(attributes.get("color")) ?? before.color,
    ground:
      colorOf(declared.get("background-color")) ??
      colorOf(declared.get("background")) ??
      colorOf(attributes.get("bgcolor")) ??
      before.ground,
  };
}

export const isPaleOn = (part: Declarations, painted: Painted) =>
  contrast(paintedWith(part, NONE, painted).color, paintedWith(part, NONE, painted).ground) < LEAST_CONTRAST;

export const hasPicture = (declared: Declarations, attributes: ReadonlyMap<string, string>) =>
  attributes.has("background") ||
  /url\(|gradient/i.test(`${declared.get("background") ?? ""} ${declared.get("background-image") ?? ""}`);

export const isPictureBehind = (declared: Declarations, attributes: ReadonlyMap<string, string>) =>
  attributes.has("background") ||
  [...declared].some(([key, value]) => key !== "cursor" && key !== "src" && /url\(|image-set\(/i.test(value));

/** A negative margin that moves a line over another one. Word moves its tables by a point or two. */
const isFarBack = (value: string) =>
  /\(/.test(value) ||
  [...value.matchAll(/-(\d*\.?\d+)(\w*|%)/g)].some(
    ([, figure, unit = ""]) => Number(figure) > 8 || !/^(?:px|pt|)$/i.test(unit),
  );

/** Within a line, moving back by a few points covers the previous character. */
const IS_NEGATIVE = /-(?:[2-9]|\d{2}|0*[1-9]?\.\d*em|1em)/;

/** Lines end as they are written. */
export function isAsWritten(declared: ReadonlyMap<string, string>, before: boolean): boolean {
  const value = declared.get("white-space");
  return value === undefined ? before : /^(?:pre|break-spaces)/i.test(value);
}

/** A list whose items have dots, letters or nothing in place of numbers. */
export function isUnnumbered(
  declared: ReadonlyMap<string, string>,
  attributes: ReadonlyMap<string, string>,
  before: boolean,
): boolean {
  const value = declared.get("list-style-type") ?? declared.get("list-style") ?? attributes.get("type");
  return value === undefined ? before : /none|disc|circle|square|alpha|latin|roman|greek|^\s*[ai]\s*$/i.test(value);
}

const SIDES = ["top", "right", "bottom", "left"] as const;

/** The background of an element and which of its borders are drawn: what it shows where it has no words. */
export const paintingOf = (declared: ReadonlyMap<string, string>, ground: string): string =>
  `${ground}${SIDES.filter((side) => /[1-9]/.test(declared.get(`border-${side}`) ?? declared.get(`border-${side}-width`) ?? ""))}`;

/** More shadows or gradients than this, or a longer outline, may draw a picture. */
const MOST_SHADOWS = 12;
const MOST_GRADIENTS = 8;
const LONGEST_OUTLINE = 240;
/** In characters. Longer values take too long to parse. */
const LONGEST_SHAPE = 1_000;
/** In characters. A value is examined once for each element that its rule matches. */
const LONGEST_VALUE = 5_000;

/** Values of styles that show words. */
const OF_WORDS =
  /^(?:content|list-style(?:-type)?|quotes|text-emphasis(?:-style)?|text-overflow|hyphenate-character|string-set)$/;
const ONE_PICTURE = /^[-\w\s]*url\([^()]*\)[-\w\s]*$/i;

/** A picture drawn by a style: by many shadows or gradients, or along an outline; or words that are too long to be read. */
export function isShape(key: string, value: string): boolean {
  if (value.length >= LONGEST_VALUE && !/url\(/i.test(value)) return true;
  if (OF_WORDS.test(key))
    return value.length > LONGEST_SHAPE && !/url\([^()]*$/i.test(value) && !ONE_PICTURE.test(value);
  if (/shadow$/.test(key)) return value.length > LONGEST_SHAPE || value.split(/,(?![^(]*\))/).length > MOST_SHADOWS;
  if (/^background/.test(key)) return (value.match(/gradient\(/gi)?.length ?? 0) > MOST_GRADIENTS;
  return /^(?:-webkit-)?(?:clip-path|mask.*|shape-.*|offset-path)$/.test(key) && value.length > LONGEST_OUTLINE;
}

/** Digits that a style shows as marks of a list, quotation marks and so on. */
export function wordsOfStyle(key: string, value: string): string {
  if (key === "content" || !OF_WORDS.test(key)) return "";
  return (value.slice(0, LONGEST_SHAPE).match(/"[^"]*\d[^"]*"|'[^']*\d[^']*'/g) ?? []).join(" ");
}

/** The words that a style adds, with those that it takes from an element's attributes. */
export const withAttributes = (content: string, attributes: ReadonlyMap<string, string>): string =>
  content
    .slice(0, LONGEST_SHAPE)
    .replace(/attr\(\s*([-\w]+)[^)]*\)/gi, (whole, name: string) =>
      /\d{3}/.test(attributes.get(name.toLowerCase()) ?? "") ? ` ${attributes.get(name.toLowerCase())} ` : whole,
    );

const MOST_LAYERS = 3;
const MOST_SPREAD = 8;
const MOST_BLUR = 16;
/** In characters. Nobody writes a longer one, and it would take too long to parse. */
const LONGEST_SHADOW = 400;

/** A shadow is painted over the words before its own. A distant or wide one may cover them. */
function isShadowFar(value: string): boolean {
  if (value.length > LONGEST_SHADOW) return true;
  const layers = value.split(/,(?![^(]*\))/).filter((layer) => !/\binset\b/i.test(layer));
  return (
    layers.length > MOST_LAYERS ||
    layers.some((layer) => {
      const alpha = /(?:rgb|hsl)a?\([^)]*[,/]\s*(0?\.\d+|0|\d+%)\s*\)/i.exec(layer)?.[1];
      const isFaint =
        alpha !== undefined && (alpha.endsWith("%") ? Number.parseFloat(alpha) / 100 : Number(alpha)) < 0.35;
      const plain = layer.replace(/\([^)]*\)|#[0-9a-f]+/gi, " ");
      const [x = 0, y = 0, blur = 0, spread = 0] = [...plain.matchAll(/-?\d*\.?\d+/g)].map(([figure]) =>
        Math.abs(Number(figure)),
      );
      const isOtherUnit = /\d(?!px|\d|\.|\s|$)/i.test(plain.trim());
      return !isFaint && (isOtherUnit || Math.max(x, y, spread) > MOST_SPREAD || blur > MOST_BLUR);
    })
  );
}

const EDGE = /^(?:padding|border)(?:-(?:top|bottom|width|block|start|end))*$/;

/** How far, in pixels, the background or border of words within a line covers what comes before. */
export function reachOverBefore(part: ReadonlyMap<string, string>, size: number): number {
  const isPainted = [...part].some(([key]) => /^(?:background|border)/.test(key));
  const edges = [...part].filter(([key]) => EDGE.test(key));
  const figures = edges.flatMap(([, value]) =>
    [...value.replace(/#[0-9a-f]+/gi, " ").matchAll(/(\d*\.?\d+)(\w*)/g)].map(
      ([, figure, unit = ""]) => Number(figure) * (/^(?:px|pt|)$/i.test(unit) ? 1 : size),
    ),
  );
  return isPainted ? Math.max(0, ...figures) : 0;
}

/** Styles that may cover words elsewhere in the message. */
export function mayCover(part: Declarations, isInline: boolean, isInItsLine: boolean): boolean {
  return [...part].some(
    ([key, value]) =>
      (isInItsLine && /box-shadow$/.test(key) && isShadowFar(value)) ||
      (key === "position" && /absolute|fixed|sticky/i.test(value)) ||
      (key.startsWith("margin") && (isFarBack(value) || (isInline && IS_NEGATIVE.test(value)))) ||
      (/^outline(?:-width)?$/.test(key) && /(?:[4-9]|\d{2,})(?:\.\d+)?(?:px|pt)|em/.test(value)) ||
      (/^(?:transform|translate|inset)$/.test(key) && !/^(?:none|auto)$/i.test(value)),
  );
}

/** Styles that change neither which words are visible nor where they are in their line. */
const HARMLESS =
  /^(?:font(?:-family|-weight|-style|-stretch|-smoothing|-kerning|-optical-sizing|-(?:variant|feature|variation)[-\w]*)?|line-break|-webkit-(?:nbsp-mode|line-break)|caret-color|tab-size|transition(?:-.+)?|text-(?:wrap|justify)(?:-.+)?|white-space-collapse|object-fit|background(?:-.+)?|padding(?:-.+)?|border(?:-(?!image).+)?|text-(?:align|transform|size-adjust|rendering|underline-.+)(?:-.+)?|word-(?:break|wrap)|overflow-wrap|white-space|hyphens|(?:min-|max-)?(?:width|height)|table-layout|empty-cells|caption-side|box-sizing|box-shadow|cursor|mso-.+|page(?:-.+)?|orphans|widows|-(?:webkit|ms|moz)-(?:text-size-adjust|font-smoothing|interpolation-mode|osx-font-smoothing|tap-highlight-color|box-shadow|border-.+)|clear|user-select|supported-color-schemes|align-(?:items|content|self)|justify-(?:content|items)|(?:row-|column-)?gap|flex(?:-(?:grow|shrink|basis))?|src|tab-interval|panose-1|punctuation-wrap|size|layout-grid.*)$/;

const NOT_STRUCK = /^(?!.*line-through)/;

/** A custom bullet may be a digit or an image of one. */
const NO_SYMBOL = /^[^"'(]*$/;

/** Light text on a dark background that only some programs paint. */
const LIGHT = /^(?!(?:only\s+)?dark)/;

const ALLOWED: Record<string, RegExp> = {
  "font-size": /^(?:\d*\.?\d+(?:px|pt|em|rem|%|)|(?:xx?-|xxx-)?(?:small|large)|medium|smaller|larger|inherit|initial)$/,
  font: /^(?:inherit|[^(]*\d*\.?\d+(?:px|pt|em|rem|%)[^(]*)$/,
  "text-decoration": NOT_STRUCK,
  "text-decoration-line": NOT_STRUCK,
  display:
    /^(?:none|block|inline|inline-block|table(?:-\w+)*|list-item|flow-root|flex|inline-flex|contents|initial|inherit)$/,
  visibility: /^(?:visible|hidden|collapse|inherit)$/,
  opacity: /^(?:1(?:\.0+)?|0|0?\.[5-9]\d*|0\.0+|inherit)$/,
  overflow: /^(?:visible|hidden|auto|initial)$/,
  "overflow-x": /^(?:visible|hidden|auto)$/,
  "overflow-y": /^(?:visible|auto)$/,
  "text-decoration-color": /./,
  "text-decoration-style": /./,
  "text-decoration-thickness": /./,
  "text-decoration-skip-ink": /./,
  position: /^(?:static|relative|inherit)$/,
  direction: /^(?:ltr|inherit)$/,
  "unicode-bidi": /^(?:normal|embed|isolate|plaintext|inherit)$/,
  transform: /^none$/,
  "flex-direction": /^(?:row|column)$/,
  order: /^0$/,
  filter: /^none$/,
  "-webkit-text-stroke-width": /^0(?:px)?$/,
  "line-height":
    /^(?:normal|inherit|(?:0?\.[7-9]\d*|[1-9]\d*(?:\.\d+)?)(?:em|rem)?|(?:[6-9]|\d{2,})(?:\.\d+)?(?:px|pt)|[7-9]\d%|\d{3,}(?:\.\d+)?%)$/,
  "letter-spacing": /^(?:normal|inherit|0|-?0?\.\d+(?:px|pt)|-?0?\.0\d*em|[0-3](?:\.\d+)?(?:px|pt)?|0\.\d+em)$/,
  "text-indent": /^(?:0|\d{1,2}(?:\.\d+)?)(?:px|pt|cm|in|em)?$/,
  "word-spacing": /^(?:normal|inherit|\d*\.?\d+(?:px|pt|em)?)$/,
  "vertical-align": /^(?:baseline|top|middle|bottom|text-top|text-bottom|inherit|initial|0(?:px)?)$/,
  "list-style": NO_SYMBOL,
  "list-style-type": NO_SYMBOL,
  "list-style-image": /^none$/,
  "list-style-position": /./,
  "font-size-adjust": /^(?:none|inherit|initial)$/,
  "flex-wrap": /^(?:no)?wrap$/,
  outline: /^(?:0(?:px)?|none)(?:\s|$)/,
  "outline-color": /./,
  "outline-style": /./,
  "outline-width": /^0(?:px)?$/,
  "outline-offset": /./,
  "color-scheme": LIGHT,
  "supported-color-schemes": LIGHT,
  content: /^(?:none|normal|""|'')$/,
};

/** Declarations on hidden elements are judged where the element is hidden. */
const JUDGED = /^(?:clip|clip-path|left|top|right|bottom)$/;

export function isPlain(key: string, text: string, isInline: boolean): boolean {
  const value = text.trim().toLowerCase();
  if (key === "color" || key === "background-color")
    return plainColor(value) !== undefined || /^(?:inherit|initial|transparent|none|currentcolor)$/.test(value);
  if (key.startsWith("margin")) return !isFarBack(value) && !(isInline && IS_NEGATIVE.test(value));
  if (key === "float") return value === "none" || !isInline;
  if (JUDGED.test(key)) return /^(?:auto|0(?:px)?)$/.test(value);
  if (/^(?:max-)?(?:width|height)$/.test(key)) return !/^0*\.?0*[1-5](?:\.\d+)?(?:px|pt)?$/.test(value);
  return ALLOWED[key]?.test(value) ?? HARMLESS.test(key);
}

/** A scrolling box: people see the rest of its words when they scroll. */
export const isScrolled = (part: Declarations) =>
  /auto|scroll/.test(`${part.get("overflow") ?? ""} ${part.get("overflow-y") ?? ""}`) &&
  (part.has("height") || part.has("max-height"));

/**
 * A box that cuts off words: at a height, or at a width where it holds one line or a few characters.
 */
export function isCutOff(part: ReadonlyMap<string, string>): boolean {
  const value = (key: string) => part.get(key) ?? "";
  const isSet = (key: string) => /\d/.test(value(key)) && !/%|v[hw]$/.test(value(key));
  if (!/hidden|clip/.test(`${value("overflow")} ${value("overflow-x")} ${value("overflow-y")}`)) return false;
  const isNarrow = ["width", "max-width"].some(
    (key) =>
      isSet(key) && (/nowrap|pre$/.test(value("white-space")) || !/^\d{3,}(?:\.\d+)?(?:px|pt)?$/.test(value(key))),
  );
  return isSet("height") || isSet("max-height") || isNarrow;
}

/** An !important declaration overrides others, whatever their order. */
export function splitStyle(text: string): { declarations: Declarations; important: Declarations } {
  const [declarations, important]: Declarations[] = [new Map(), new Map()];
  for (const part of withoutEscapes(withoutComments(text)).split(";")) {
    const [key, ...rest] = part.split(":");
    if (!key || rest.length === 0) continue;
    const value = rest.join(":");
    const wanted = /!\s*important/i.test(value) ? important : declarations;
    const plain = value
      .replace(/!\s*important/i, "")
      .trim()
      .replace(/\s+/g, " ");
    wanted?.set(key.trim().toLowerCase(), plain.slice(0, LONGEST_VALUE));
  }
  return { declarations: declarations ?? new Map(), important: important ?? new Map() };
}

/** "d\\69splay" is "display": letters may be written as their numbers, and any character after a backslash. */
const withoutEscapes = (text: string) =>
  text.replace(/\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi, (_, hex?: string, sign?: string) => {
    const code = hex ? Number.parseInt(hex, 16) : 0;
    return sign ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "");
  });

// Each begins where it can also end, so that no text is searched twice.
/** A comment, or words in quotation marks or in an address, in which none begins. */
const COMMENT =
  /("(?:\\[\s\S]|[^"\\\n])*(?:"|\n|$)|'(?:\\[\s\S]|[^'\\\n])*(?:'|\n|$)|(?<![-\w\\\u0080-\uffff])url\(\s*(?!["'\s])(?:\\[\s\S]|[^)\\])*(?:\)|$))|\/\*[\s\S]*?(?:\*\/|$)/gi;
const withoutComments = (text: string) => text.replace(COMMENT, (_, words?: string) => words ?? "");
const SHEET = new RegExp(
  String.raw`<style(?=[${BLANKS}/>])${WRITTEN}(?:>|$)([\s\S]*?)(?:<\/style(?=[${BLANKS}/>])|$)`,
  "gi",
);
const LINKED = new RegExp(`<link(?=[${BLANKS}/>])${WRITTEN}(?:>|$)`, "gi");
/** A rule that never ends goes on to the end. */
const RULE = /(?<![^{}])([^{}]+)\{([^{}]*)(?:\}|$)/g;
const BLOCK =
  /@(media|supports|keyframes|-webkit-keyframes|font-face|layer|container)([^{@]*)\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}/gi;
const LONGEST_SELECTOR = 1_000;

/** The rules of style sheets in the message; those for certain screens are marked. */
export function readRules(html: string): Rule[] {
  const rules: Rule[] = [];
  const read = (sheet: string, media: Rule["media"]) => {
    for (const [, selectors = "", body = ""] of sheet.matchAll(RULE)) {
      for (const each of selectors.split(",")) {
        const selector = readSelector(each.trim());
        if (selector && rules.length < MAX_RULES) rules.push({ selector, ...splitStyle(body), media });
      }
    }
  };
  for (const [, sheet = ""] of html.matchAll(SHEET)) {
    const plain = withoutEscapes(withoutComments(sheet).replace(/<!--|-->/g, ""));
    const rest = plain.replace(BLOCK, (_, kind: string, condition: string, body: string) => {
      if (!/keyframes|font-face/i.test(kind)) read(body, /dark/i.test(condition) ? "dark" : "other");
      return "";
    });
    read(rest.replace(/@(?:import|charset|namespace)[^;{]*;?/gi, ""), "");
  }
  return rules;
}

const TRUSTED_SHEET = /^(?:https?:)?\/\/fonts\.(?:googleapis|gstatic)\.com\//i;

/** Fonts that are embedded or downloaded: which shape they paint for a digit is unknown. */
export function fontsOf(html: string): string[] {
  return [...html.matchAll(/@font-face\s*\{([^{}]*)\}/gi)].flatMap(([, body = ""]) => {
    const family = /font-family\s*:\s*["']?([^"';}]+)/i.exec(body)?.[1]?.trim().toLowerCase();
    const sources = [...body.matchAll(/url\(\s*["']?([^"')]*)/gi)].map(([, url = ""]) => url);
    return family && sources.some((url) => !TRUSTED_SHEET.test(url)) ? [family] : [];
  });
}

/** Styles that are fetched when the message is opened, whose content is unknown. */
export function hasForeignStyles(html: string): boolean {
  const links = [...html.matchAll(LINKED)]
    .map(([tag]) => attributesOf(tag.slice(5)))
    .filter((attributes) => /stylesheet/i.test(attributes.get("rel") ?? ""))
    .map((attributes) => attributes.get("href") ?? "");
  const imports = [...html.matchAll(/@import\s+(?:url\(\s*)?["']?([^"')\s;]+)/gi)].map(([, url = ""]) => url);
  return [...links, ...imports].some((url) => !TRUSTED_SHEET.test(url));
}

/** What a part of a selector asks of an element: its name, and classes and ids with the sign before them. */
type Part = { tag: string; wanted: string[] };

type Selector = Part & {
  attributes: string[];
  /** What it asks of the elements around, the nearest first. */
  above: Part[];
  /** False where more is asked than is compared, as of values, of the element right around or of those beside. */
  isExact: boolean;
  /** Selectors that only match temporarily (a pointer above the element), or words that the style itself adds. */
  isPseudo: boolean;
  /** Selects only the first letter or line. */
  isFirst: boolean;
};

const PSEUDO = /::?(?:before|after|first-l|marker|placeholder|selection)/i;

/** The last part of a selector decides which elements may match. In doubt they match, as in letters of another case. */
function readSelector(text: string): Selector | undefined {
  // Styles of visited links, or of links under the pointer, do not affect the reader.
  if (/:(?:hover|active|focus|visited|link)\b/i.test(text)) return undefined;
  const short = text.replace(/\s+/g, " ");
  if (short.length > LONGEST_SELECTOR) throw new CannotRead("too_slow");
  const [last, ...above] = short
    .replace(/ ?([>+~]) ?/g, "$1")
    .split(/[\s>+~]+(?![^[]*\])/)
    .filter(Boolean)
    .reverse();
  if (!last) return undefined;
  return {
    ...readPart(last),
    attributes: [...new Set(last.toLowerCase().match(/(?<=\[\s*)[-\w:]+/g))],
    above: above.map(readPart),
    isExact: !/[[+~>:]/.test(short.replace(PSEUDO, "")),
    isPseudo: PSEUDO.test(last),
    isFirst: /:first-l/i.test(last),
  };
}

function readPart(text: string): Part {
  const plain = text.replace(/\[[^\]]*\]?/g, "").replace(/:{1,2}[-\w]+(?:\([^)]*\))?/g, "");
  return { tag: /^([a-z][\w-]*)/i.exec(plain)?.[1]?.toLowerCase() ?? "", wanted: plain.match(/[.#][\w-]+/g) ?? [] };
}

/** An element with its classes and its id, as they are written and in small letters. */
export type Styled = { tag: string; written: ReadonlySet<string>; named: ReadonlySet<string> };

export function styled(tag: string, attributes: ReadonlyMap<string, string>): Styled {
  const classes = (attributes.get("class") ?? "").split(/\s+/).map((each) => `.${each}`);
  const written = new Set([...classes, `#${attributes.get("id") ?? ""}`]);
  return { tag, written, named: new Set([...written].map((each) => each.toLowerCase())) };
}

const isPart = ({ tag, wanted }: Part, element: Styled): boolean =>
  (tag === "" || tag === element.tag) && wanted.every((each) => element.written.has(each));

/** True if a selector that matches does so for sure: nothing else is asked, and the elements around are those it names. */
export function isSure(selector: Selector, element: Styled, around: readonly Styled[]): boolean {
  let at = around.length;
  return (
    selector.isExact &&
    isPart(selector, element) &&
    selector.above.every((part) => {
      at -= 1;
      while (at >= 0 && !isPart(part, around[at] as Styled)) at -= 1;
      return at >= 0;
    })
  );
}

export const matches = (
  { tag, wanted, attributes: named }: Selector,
  element: Styled,
  attributes: ReadonlyMap<string, string>,
): boolean =>
  (tag === "" || tag === element.tag) &&
  named.every((each) => attributes.has(each)) &&
  wanted.every((each) => element.named.has(each.toLowerCase()));

export function isHiddenBy(style: ReadonlyMap<string, string>, attributes: ReadonlyMap<string, string>): boolean {
  const value = (key: string) => (style.get(key) ?? "").toLowerCase();
  const isZero = (key: string) => /^0(?:\.0+)?(?:px|pt|em|%)?$/.test(value(key));
  const isFarOff = (key: string) => /^-\d{3,}/.test(value(key));
  return (
    attributes.has("hidden") ||
    value("display") === "none" ||
    /^(?:hidden|collapse)$/.test(value("visibility")) ||
    /^0(?:\.0\d*)?$/.test(value("opacity")) ||
    (/hidden|clip/.test(value("overflow")) &&
      (isZero("height") || isZero("max-height") || isZero("width") || isZero("max-width"))) ||
    value("mso-hide") === "all" ||
    isFarOff("text-indent") ||
    isFarOff("left") ||
    isFarOff("top") ||
    isFarOff("margin-left") ||
    /rect\(\s*0/.test(value("clip")) ||
    /inset\(\s*(?:50|100)%/.test(value("clip-path")) ||
    /scale[xy]?\(\s*0\s*[,)]/.test(value("transform")) ||
    /^transparent$/.test(value("color"))
  );
}

export function sizeOf(text: string | undefined, before: number): number {
  const match = /(?:^|\s)(\d*\.?\d+)(px|pt|em|rem|%|$|\/)/i.exec(text ?? "");
  if (!match) return before;
  const figure = Number(match[1]);
  const unit = (match[2] ?? "").toLowerCase();
  if (unit === "pt") return figure * 1.333;
  if (unit === "em") return figure * before;
  if (unit === "rem") return figure * 16;
  if (unit === "%") return (figure / 100) * before;
  return figure;
}

const NAMED: Record<string, string> = {
  white: "#ffffff",
  black: "#000000",
  transparent: "",
  snow: "#fffafa",
  ivory: "#fffff0",
  whitesmoke: "#f5f5f5",
  ghostwhite: "#f8f8ff",
  red: "#ff0000",
  blue: "#0000ff",
  navy: "#000080",
  green: "#008000",
  gray: "#808080",
  grey: "#808080",
  silver: "#c0c0c0",
  yellow: "#ffff00",
  windowtext: "#000000",
  maroon: "#800000",
  teal: "#008080",
  purple: "#800080",
  olive: "#808000",
  darkblue: "#00008b",
  darkgreen: "#006400",
  darkred: "#8b0000",
  dimgray: "#696969",
  dimgrey: "#696969",
  darkgray: "#a9a9a9",
  lightgray: "#d3d3d3",
  lightgrey: "#d3d3d3",
  slategray: "#708090",
  darkslategray: "#2f4f4f",
  steelblue: "#4682b4",
  royalblue: "#4169e1",
  orange: "#ffa500",
  orangered: "#ff4500",
  lightyellow: "#ffffe0",
  lightblue: "#add8e6",
  aliceblue: "#f0f8ff",
};

function plainColor(text: string): string | undefined {
  const value = text.trim().toLowerCase();
  const hex = /#([0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-f])/.exec(value)?.[1];
  if (hex) return hex.length === 3 ? `#${[...hex].map((digit) => digit + digit).join("")}` : `#${hex}`;
  const parts = /rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+))?/.exec(value);
  if (parts) {
    if (parts[4] !== undefined && Number(parts[4]) < 0.1) return undefined;
    return `#${parts
      .slice(1, 4)
      .map((part) => Math.min(255, Number(part)).toString(16).padStart(2, "0"))
      .join("")}`;
  }
  const word = value.split(/\s+/).find((each) => each in NAMED);
  return word ? NAMED[word] || undefined : undefined;
}

export function contrast(one: string, other: string): number {
  const parts = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [a, b] = [parts(one), parts(other)];
  const WEIGHTS = [0.6, 1, 0.12];
  return Math.max(...WEIGHTS.map((weight, index) => Math.abs((a[index] ?? 0) - (b[index] ?? 0)) * weight));
}
