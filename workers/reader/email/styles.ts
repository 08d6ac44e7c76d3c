import type { Attributes } from "./html-tree";
import { type Declaration, type Declared, LONGEST_VALUE, type Styled } from "./style-sheets";

/** The effects of a message's styles on its words. Styles that are not recognised make the result uncertain. */

/** With less contrast than this, people cannot read the text. */
const LEAST_CONTRAST = 40;

export const NONE: Attributes = new Map();

type Painted = { color: string; ground: string };

/** Elements whose attributes set colours. */
const HAS_GROUND = /^(?:body|t(?:able|body|head|foot|r|d|h))$/;

/** Applies declarations to the inherited colours. A colour that is not understood leaves the inherited one. */
export function paintedWith(declared: Declared, { tag, attributes }: Hinted, before: Painted): Painted {
  const colorOf = (value: string | undefined) => (value === undefined ? undefined : plainColor(value));
  const hint = tag === "font" ? attributes.get("color") : tag === "body" ? attributes.get("text") : undefined;
  const behind = HAS_GROUND.test(tag) ? attributes.get("bgcolor") : undefined;
  const ground = colorOf(declared.get("background-color") ?? declared.get("background") ?? behind) ?? before.ground;
  const value = declared.get("color") ?? hint;
  if (value?.toLowerCase() === TRANSPARENT) return { color: TRANSPARENT, ground };
  const color = colorOf(value) ?? before.color;
  const isLink = tag === "a" && attributes.has("href") && value === undefined;
  return { color: isLink && isUnreadable({ color, ground }) ? LINK : color, ground };
}

type Hinted = Pick<Styled, "tag" | "attributes">;
export const NOTHING: Hinted = { tag: "", attributes: NONE };
/** The colour of a link that has none of its own. */
const LINK = "#0000ee";
const TRANSPARENT = "transparent";

export const isUnreadable = ({ color, ground }: Painted): boolean =>
  color === TRANSPARENT || contrast(color, ground) < LEAST_CONTRAST;

export const isPaleOn = (part: Declared, painted: Painted) => isUnreadable(paintedWith(part, NOTHING, painted));

export const hasPicture = (declared: Declared, attributes: Attributes) =>
  attributes.has("background") ||
  /url\(|gradient/i.test(`${declared.get("background") ?? ""} ${declared.get("background-image") ?? ""}`);

export const isPictureBehind = (declared: Declared, attributes: Attributes) =>
  attributes.has("background") ||
  [...declared].some(([key, value]) => key !== "cursor" && key !== "src" && /url\(|image-set\(/i.test(value));

/** A negative margin that moves a line over another one. Word moves its tables by a point or two. */
const isFarBack = (value: string) =>
  /\(/.test(value) ||
  [...value.matchAll(/-(\d*\.?\d+)(\w*|%)/g)].some(
    ([, figure, unit = ""]) => Number(figure) > 8 || !/^(?:px|pt|)$/i.test(unit),
  );

export const isPulledBack = ({ key, value }: Declaration): boolean => key.startsWith("margin") && isFarBack(value);

/** Within a line, moving back by a few points covers the previous character. */
const IS_NEGATIVE = /-(?:[2-9]|\d{2}|0*[1-9]?\.\d*em|1em)/;

/** Lines end as they are written. */
export function isAsWritten(declared: Declared, before: boolean): boolean {
  const value = declared.get("white-space");
  return value === undefined ? before : /^(?:pre|break-spaces)/i.test(value);
}

/** A list whose items have dots, letters or nothing in place of numbers. */
export function isUnnumbered(declared: Declared, attributes: Attributes, before: boolean): boolean {
  const value = declared.get("list-style-type") ?? declared.get("list-style") ?? attributes.get("type");
  return value === undefined ? before : /none|disc|circle|square|alpha|latin|roman|greek|^\s*[ai]\s*$/i.test(value);
}

const SIDES = ["top", "right", "bottom", "left"] as const;

/** The background of an element and which of its borders are drawn: what it shows where it has no words. */
export const paintingOf = (declared: Declared, ground: string): string =>
  `${ground}${SIDES.filter((side) => /[1-9]/.test(declared.get(`border-${side}`) ?? declared.get(`border-${side}-width`) ?? ""))}`;

/** More shadows or gradients than this, or a longer outline, may draw a picture. */
const MOST_SHADOWS = 12;
const MOST_GRADIENTS = 8;
const LONGEST_OUTLINE = 240;
/** In characters. Longer values take too long to parse. */
const LONGEST_SHAPE = 1_000;

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
export const withAttributes = (content: string, attributes: Attributes): string =>
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
export function reachOverBefore(part: Declared, size: number): number {
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
export function mayCover(part: Declared, isInline: boolean, isInItsLine: boolean): boolean {
  return [...part].some(
    ([key, value]) =>
      (isInItsLine && /box-shadow$/.test(key) && isShadowFar(value)) ||
      (key === "position" && /absolute|fixed|sticky/i.test(value)) ||
      (key.startsWith("margin") && (isFarBack(value) || (isInline && IS_NEGATIVE.test(value)))) ||
      (/^outline(?:-width)?$/.test(key) && /(?:[4-9]|\d{2,})(?:\.\d+)?(?:px|pt)|em/.test(value)) ||
      (/^(?:transform|translate|rotate|scale|inset)$/.test(key) && !/^(?:none|auto)$/i.test(value)),
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

/** The words of a background beside its colour. Pictures and gradients are looked at elsewhere. */
const BEHIND =
  /^(?:none|transparent|initial|inherit|unset|currentcolor|(?:no-)?repeat(?:-[xy])?|space|round|scroll|fixed|local|center|top|right|bottom|left|cover|contain|auto|(?:border|padding|content)-box|-?\d*\.?\d+(?:px|pt|em|%)?|\/|,)$/;

const RGB = String.raw`rgba?\(\s*[\d.]+%?(?:[\s,]+[\d.]+%?){2}(?:\s*[,/]\s*[\d.]+%?)?\s*\)`;
const COLOR = new RegExp(`#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-f])|${RGB}`, "g");
const IMAGE = /(?:url|[-a-z]{0,40}gradient)\((?:[^()]|\([^()]*\))*\)/g;

/** Browsers drop a background with two colours. */
function isPlainBackground(value: string): boolean {
  let colors = 0;
  const isColor = (word: string) => NAMED.has(word) || /^(?:transparent|currentcolor)$/.test(word);
  const words = value.replace(IMAGE, " ").replace(COLOR, " black ").replace(/[,/]/g, " $& ").split(/\s+/);
  for (const word of words) if (isColor(word)) colors++;
  return colors <= 1 && words.every((word) => word === "" || BEHIND.test(word) || isColor(word));
}

/** Browsers drop a declaration with anything beside the colour. */
const ONE_COLOR = new RegExp(`^(?:#[0-9a-f]+|${RGB}|[a-z]+)$`);

/** In characters. No size is longer, with the names of a font. */
const LONGEST_FIGURES = 400;

export function isPlain(key: string, text: string, isInline: boolean): boolean {
  const value = text.trim().toLowerCase();
  if (key === "color" || key === "background-color")
    return (
      (ONE_COLOR.test(value) && plainColor(value) !== undefined) ||
      /^(?:inherit|initial|transparent|none|currentcolor)$/.test(value)
    );
  if (key === "background") return isPlainBackground(value);
  if (key.startsWith("margin")) return !isFarBack(value) && !(isInline && IS_NEGATIVE.test(value));
  if (key === "float") return value === "none" || !isInline;
  if (JUDGED.test(key)) return /^(?:auto|0(?:px)?)$/.test(value);
  if (/^(?:max-)?(?:width|height)$/.test(key)) return !/^0*(?:\.0*)?[1-5](?:\.\d+)?(?:px|pt)?$/.test(value);
  const allowed = ALLOWED[key];
  return allowed ? value.length <= LONGEST_FIGURES && allowed.test(value) : HARMLESS.test(key);
}

/** A scrolling box: people see the rest of its words when they scroll. */
export const isScrolled = (part: Declared) =>
  /auto|scroll/.test(`${part.get("overflow") ?? ""} ${part.get("overflow-y") ?? ""}`) &&
  (part.has("height") || part.has("max-height"));

/**
 * A box that cuts off words: at a height, or at a width where it holds one line or a few characters.
 */
export function isCutOff(part: Declared): boolean {
  const value = (key: string) => part.get(key) ?? "";
  const isSet = (key: string) => /\d/.test(value(key)) && !/%|v[hw]$/.test(value(key));
  if (!/hidden|clip/.test(`${value("overflow")} ${value("overflow-x")} ${value("overflow-y")}`)) return false;
  const isNarrow = ["width", "max-width"].some(
    (key) =>
      isSet(key) && (/nowrap|pre$/.test(value("white-space")) || !/^\d{3,}(?:\.\d+)?(?:px|pt)?$/.test(value(key))),
  );
  return isSet("height") || isSet("max-height") || isNarrow;
}

/** Values that may hide words: alone, or an overflow with a size and a position with a place. */
const ZERO = /^[-+]?(?:0+(?:\.0+)?|\.0+)(?:px|pt|em|rem|ex|ch|cm|mm|in|pc|v[hw]|%)?$/;
const FAR = /^-\d{3,}/;
const HIDING: Record<string, RegExp> = {
  display: /^(?:none|table-column(?:-group)?)$/,
  visibility: /^(?:hidden|collapse)$/,
  opacity: ZERO,
  "mso-hide": /^all$/,
  overflow: /hidden|clip/,
  "overflow-x": /hidden|clip/,
  "overflow-y": /hidden|clip/,
  ...Object.fromEntries(["height", "max-height", "width", "max-width"].map((key) => [key, ZERO])),
  ...Object.fromEntries(["left", "top", "margin-left", "text-indent"].map((key) => [key, FAR])),
  clip: /rect\(\s*0/,
  "clip-path": /inset\(\s*\d/,
  transform: /scale[xy]?\(\s*0\s*[,)]/,
  color: /^transparent$/,
};

export const mayHide = ({ key, value }: Declaration): boolean => HIDING[key]?.test(value.toLowerCase()) === true;

const valueIn = (declared: Declared) => (key: string) => (declared.get(key) ?? "").toLowerCase();
const SIZES = ["height", "max-height", "width", "max-width"];

/** True if some of these declarations hide words, whichever of them win. */
export function mayBeHiddenBy(declarations: readonly Declaration[]): boolean {
  const hiding = declarations.filter(mayHide);
  const keys = new Set(hiding.map(({ key }) => key));
  const isCutOff = hiding.some(({ key }) => key.startsWith("overflow"));
  return [...keys].some((key) => (SIZES.includes(key) ? isCutOff : !key.startsWith("overflow")));
}

/** What undoes a size of nothing, or a place far away. */
const ROOMY = /^(?:padding|min-)/;
const MOVING = /^(?:(?:min-)?width|right|inset|transform|translate|padding|margin|text-indent)/;

/** True if a box with these styles is shown nowhere, and its words neither. */
export function isBoxHiddenBy(declared: Declared, attributes: Attributes, isBlock: boolean): boolean {
  const value = valueIn(declared);
  const isZero = (key: string) => ZERO.test(value(key)) && !value(key).endsWith("%");
  const isRoomy = [...declared].some(([key, text]) => ROOMY.test(key) && /[1-9]/.test(text));
  const isPlaced = /^(?:absolute|fixed|relative)$/.test(value("position"));
  const isMoved = [...declared].some(([key, text]) => MOVING.test(key) && /\d{4}/.test(text));
  const display = value("display") || (attributes.has("hidden") && !declared.has("all") ? "none" : "");
  if (display === "contents") return false;
  return (
    display === "none" ||
    ZERO.test(value("opacity")) ||
    (isBlock && !isRoomy && /^(?:hidden|clip)$/.test(value("overflow")) && SIZES.some(isZero)) ||
    (isPlaced && !isMoved && ["left", "top"].some((key) => /^-(?:[5-9]\d{3}|\d{5,})(?:\.\d+)?px$/.test(value(key)))) ||
    (/^(?:absolute|fixed)$/.test(value("position")) && /^rect\((?:\s*[01](?:px)?\s*,?){4}\)$/.test(value("clip"))) ||
    /^inset\(\s*(?:50|100)%\s*\)$/.test(value("clip-path")) ||
    (isBlock && /^scale[xy]?\(\s*0\s*\)$/.test(value("transform")))
  );
}

/** A box that is shown, and leaves its words no room: they lie over others. */
export const isFlat = (declared: Declared): boolean => SIZES.some((key) => ZERO.test(valueIn(declared)(key)));

/** Whether words are shown by their visibility, which an element has from the one around it unless it has its own. */
export function isInvisible(declared: Declared, before: boolean): boolean {
  const value = valueIn(declared)("visibility");
  return /^(?:hidden|collapse)$/.test(value) || (before && value !== "visible");
}

/** Sizes that browsers do not make smaller than people can read, if they come from another size. */
export const isOfAnotherSize = (declared: Declared): boolean =>
  /[1-9][\d.]*(?:r?em|%)/i.test(declared.get("font-size") ?? declared.get("font") ?? "");

export function sizeOf(text: string | undefined, before: number): number {
  const match = /(?:^|\s)(\d*\.?\d+)(px|pt|em|rem|%|$|\/)/i.exec((text ?? "").slice(0, LONGEST_FIGURES));
  if (!match) return before;
  const figure = Number(match[1]);
  const unit = (match[2] ?? "").toLowerCase();
  if (unit === "pt") return figure * 1.333;
  if (unit === "em") return figure * before;
  if (unit === "rem") return figure * 16;
  if (unit === "%") return (figure / 100) * before;
  return figure;
}

/** Each followed by its red, green and blue. */
const NAMES =
  "aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32 windowtext 000000";
const NAMED: ReadonlyMap<string, string> = new Map(
  [...NAMES.matchAll(/(\w+) (\w{6})/g)].map(([, name = "", color]) => [name, `#${color}`]),
);

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
  return value
    .split(/\s+/)
    .map((word) => NAMED.get(word))
    .find(Boolean);
}

function contrast(one: string, other: string): number {
  const parts = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [a, b] = [parts(one), parts(other)];
  const WEIGHTS = [0.6, 1, 0.12];
  return Math.max(...WEIGHTS.map((weight, index) => Math.abs((a[index] ?? 0) - (b[index] ?? 0)) * weight));
}
