import { UNSURE_SIGN } from "../layout/lines";

/**
 * The words of an HTML message as a mail program shows them, and those that it does not show. What hides words is judged as a
 * browser does: by style, not by where they stand. Nothing is loaded and nothing runs. Digits under a style whose effect is not
 * known here are marked with `UNSURE_SIGN`: nobody can say whether they are shown, or where.
 */
export type ShownHtml = { shown: string; hidden: string; pictures: number; isTurned: boolean; isUnsure: boolean };

type Style = {
  isHidden: boolean;
  isUnsure: boolean;
  /** Something is painted behind the words, and nobody here can say in which colour. */
  isGroundUnknown: boolean;
  size: number;
  color: string;
  ground: string;
  /** The same where a program prefers dark colours. */
  dark: { color: string; ground: string };
  isTurned: boolean;
  /** A picture is painted behind the words; it may hold words of its own. */
  hasPicture: boolean;
};
type Declarations = Map<string, string>;
type Rule = { selector: Selector; declarations: Declarations; important: Declarations; media: "" | "dark" | "other" };

const PLAIN_STYLE: Style = {
  isHidden: false,
  isUnsure: false,
  isGroundUnknown: false,
  size: 16,
  color: "#000000",
  ground: "#ffffff",
  dark: { color: "#000000", ground: "#ffffff" },
  isTurned: false,
  hasPicture: false,
};

const VOID = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "track",
  "wbr",
]);
const BLOCKS = new Set(
  "address article aside blockquote body caption center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody tfoot thead tr ul".split(
    " ",
  ),
);
const NOT_SHOWN = new Set([
  "script",
  "style",
  "head",
  "title",
  "template",
  "noscript",
  "object",
  "iframe",
  "svg",
  "select",
  "datalist",
  "textarea",
  "xml",
  "canvas",
  "video",
  "audio",
  "noembed",
  "noframes",
]);
/** What shows something that is not read here. */
const PICTURES = new Set(["img", "svg", "object", "iframe", "embed", "canvas", "video", "input", "textarea", "select"]);
/** Their words stand in another place or size than the words around them. */
const MOVED = new Set(["ruby", "rt", "rp", "sup", "sub", "marquee", "math", "button"]);
/** Words that are no longer meant. */
const STRUCK = new Set(["del", "s", "strike"]);
const MAX_TOKENS = 200_000;
const MAX_RULES = 2_000;
const LEAST_SIZE = 3;

const TOKEN =
  /<!--[\s\S]*?(?:-->|$)|<!\[[^>]*>|<!?\/?[a-zA-Z][^\s/>]*(?:\s+(?:[^"'>]|"[^"]*"|'[^']*')*)?\/?>|<\?[^>]*>|[^<]+|</g;
const ATTRIBUTE = /([a-zA-Z_:@][-\w:.@]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

export function readShownHtml(html: string): ShownHtml {
  return new Reader(readRules(html), fontsOf(html), hasForeignStyles(html)).read(html);
}

class Reader {
  private readonly styles: { tag: string; style: Style; isClosed: boolean }[] = [];
  private shown = "";
  private hidden = "";
  private pictures = 0;
  private isTurned = false;
  /** Something stands right behind a digit that is no text, or that nobody sees: what follows may be the same number. */
  private isBroken = false;

  constructor(
    private readonly rules: readonly Rule[],
    private readonly fonts: readonly string[],
    private isUnsure: boolean,
  ) {}

  read(html: string): ShownHtml {
    let count = 0;
    let skipUntil = "";
    for (const [token] of html.matchAll(TOKEN)) {
      count += 1;
      if (count > MAX_TOKENS) break;
      if (skipUntil !== "") {
        if (new RegExp(`^</${skipUntil}\\b`, "i").test(token)) skipUntil = "";
        continue;
      }
      if (token.startsWith("<!") || token.startsWith("<?")) continue;
      const tag = /^<(\/?)([a-zA-Z][^\s/>]*)/.exec(token);
      if (!tag) this.addText(token);
      else if (tag[1] === "/") this.close((tag[2] ?? "").toLowerCase());
      else {
        const name = (tag[2] ?? "").toLowerCase();
        if (NOT_SHOWN.has(name) && !token.endsWith("/>")) skipUntil = name;
        this.open(name, attributesOf(token.slice(1 + name.length)), skipUntil !== "");
      }
    }
    const { shown, hidden, pictures, isTurned, isUnsure } = this;
    return { shown: tidy(shown), hidden: tidy(hidden), pictures, isTurned, isUnsure };
  }

  private get style(): Style {
    return this.styles.at(-1)?.style ?? PLAIN_STYLE;
  }

  private open(name: string, attributes: Map<string, string>, isSkipped: boolean): void {
    const style = this.styleOf(name, attributes);
    if (name === "br") this.add("\n");
    else if (BLOCKS.has(name)) this.add("\n");
    if (name === "td" || name === "th") this.add("\t");
    const isShown = PICTURES.has(name) && !style.isHidden && attributes.get("type") !== "hidden";
    if (isShown && !isTiny(attributes)) this.pictures += 1;
    else if (style.hasPicture && !(style.isHidden || this.style.hasPicture)) this.pictures += 1;
    if (isShown && !isDot(attributes)) this.breakNumber();
    if (!(isSkipped || VOID.has(name))) {
      const isClosed = (name === "details" || name === "dialog") && !attributes.has("open");
      this.styles.push({ tag: name, style, isClosed });
    }
  }

  private close(name: string): void {
    if (BLOCKS.has(name)) this.add("\n");
    const at = this.styles.map(({ tag }) => tag).lastIndexOf(name);
    if (at >= 0) this.styles.length = at;
  }

  private styleOf(name: string, attributes: Map<string, string>): Style {
    const before = this.style;
    const isClosed = this.styles.at(-1)?.isClosed === true && name !== "summary";
    const matching = this.rules.filter(({ selector }) => matches(selector, name, attributes));
    const always = matching.filter(({ media, selector }) => media === "" && !selector.isPseudo);
    const own = splitStyle(attributes.get("style") ?? "");
    const declared: Declarations = new Map([
      ...always.flatMap(({ declarations }) => [...declarations]),
      ...own.declarations,
      ...always.flatMap(({ important }) => [...important]),
      ...own.important,
    ]);
    const parts = [own, ...matching].flatMap(({ declarations, important }) => [declarations, important]);
    const painted = paintedWith(declared, attributes, before);
    const dark = matching
      .filter(({ media }) => media === "dark")
      .reduce((colors, rule) => paintedWith(new Map([...rule.declarations, ...rule.important]), NONE, colors), {
        ...before.dark,
        ...(painted.color === before.color ? {} : { color: painted.color }),
        ...(painted.ground === before.ground ? {} : { ground: painted.ground }),
      });
    const isHidden = before.isHidden || isClosed || isHiddenBy(declared, attributes);
    // A rule that loses, or that counts on some screens only, may win somewhere else.
    const isDisputed = !isHidden && parts.some((part) => isHiddenBy(part, NONE));
    const isPale = matching.some(
      ({ media, declarations, important }) =>
        media !== "dark" &&
        [declarations, important].some(
          (part) => part.has("color") && !own.declarations.has("color") && isPaleOn(part, painted),
        ),
    );
    const isInline = !(BLOCKS.has(name) || name === "img");
    const isStrange = parts.some(
      (part) => [...part].some(([key, value]) => !isPlain(key, value, isInline)) || isScrolled(part),
    );
    const isForeign = parts.some((part) => this.usesForeignFont(part));
    if (!isHidden && parts.some(mayCover)) this.isUnsure = true;
    const hasGround = painted.ground !== before.ground || declared.has("background-color");
    return {
      ...painted,
      dark: { color: dark.color, ground: dark.ground },
      isHidden,
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

  private usesForeignFont(declarations: Declarations): boolean {
    const family = `${declarations.get("font-family") ?? ""} ${declarations.get("font") ?? ""}`.toLowerCase();
    return this.fonts.some((font) => family.includes(font));
  }

  private addText(raw: string): void {
    const text = decodeEntities(raw).replace(/\s+/g, " ");
    const { isHidden, isUnsure, isGroundUnknown, size, color, ground, dark, isTurned } = this.style;
    if (/[\u202d\u202e\u2066\u2067]/.test(text) || (isTurned && /\d/.test(text))) this.isTurned = true;
    const isClosed = this.styles.at(-1)?.isClosed === true;
    const isSeen = !(isHidden || isClosed) && size >= LEAST_SIZE && contrast(color, ground) >= LEAST_CONTRAST;
    const isJoined = this.isBroken && /^[\s-]?\p{Nd}/u.test(text);
    const isSure = !(isUnsure || isGroundUnknown || isJoined) && contrast(dark.color, dark.ground) >= LEAST_CONTRAST;
    if (isSeen) this.shown += isSure ? text : text.replace(/\p{Nd}/gu, `${UNSURE_SIGN}$&`);
    else if (text.trim()) this.hidden += `${text}\n`;
    if (isSeen) this.isBroken = false;
    else if (/\p{Nd}/u.test(text)) this.breakNumber();
  }

  private breakNumber(): void {
    this.isBroken ||= /\p{Nd}[ -]?$/u.test(this.shown);
  }

  private add(separator: string): void {
    this.shown += separator;
  }
}

const NONE: ReadonlyMap<string, string> = new Map();
const LEAST_CONTRAST = 40;

type Painted = { color: string; ground: string };

/** The colours that declarations make of those before. A colour that is not understood stays what it was: it is not plain. */
function paintedWith(
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

const isPaleOn = (part: Declarations, painted: Painted) =>
  contrast(paintedWith(part, NONE, painted).color, paintedWith(part, NONE, painted).ground) < LEAST_CONTRAST;

const isRightToLeft = (attributes: ReadonlyMap<string, string>) => /rtl/i.test(attributes.get("dir") ?? "");

const hasPicture = (declared: Declarations, attributes: ReadonlyMap<string, string>) =>
  attributes.has("background") ||
  /url\(|gradient/i.test(`${declared.get("background") ?? ""} ${declared.get("background-image") ?? ""}`);

const isPictureBehind = (declared: Declarations, attributes: ReadonlyMap<string, string>) =>
  attributes.has("background") ||
  /url\(/i.test(`${declared.get("background") ?? ""} ${declared.get("background-image") ?? ""}`);

/** A margin that moves a line over another one. Word moves its tables by a point or two. */
const isFarBack = (value: string) =>
  /\(/.test(value) ||
  [...value.matchAll(/-(\d*\.?\d+)(\w*|%)/g)].some(
    ([, figure, unit = ""]) => Number(figure) > 8 || !/^(?:px|pt|)$/i.test(unit),
  );

/** What may lie over words that stand elsewhere in the message. */
function mayCover(part: Declarations): boolean {
  return [...part].some(
    ([key, value]) =>
      (key === "position" && /absolute|fixed|sticky/i.test(value)) ||
      (key.startsWith("margin") && isFarBack(value)) ||
      (/^(?:transform|translate|inset)$/.test(key) && !/^(?:none|auto)$/i.test(value)),
  );
}

/** What a style may say without changing which words are seen, or where they stand in their line. */
const HARMLESS =
  /^(?:font(?:-family|-weight|-style|-stretch|-smoothing|-kerning|-optical-sizing|-(?:variant|feature|variation|size-adjust)[-\w]*)?|line-break|-webkit-(?:nbsp-mode|line-break)|caret-color|tab-size|transition(?:-.+)?|text-(?:wrap|justify)(?:-.+)?|white-space-collapse|object-fit|background(?:-.+)?|padding(?:-.+)?|border(?:-.+)?|text-(?:align|transform|size-adjust|rendering|underline-.+)(?:-.+)?|vertical-align|word-(?:break|wrap|spacing)|overflow-wrap|white-space|hyphens|(?:min-|max-)?(?:width|height)|table-layout|empty-cells|caption-side|list-style(?:-.+)?|box-sizing|box-shadow|cursor|outline(?:-.+)?|mso-.+|page(?:-.+)?|orphans|widows|-(?:webkit|ms|moz)-(?:text-size-adjust|font-smoothing|interpolation-mode|osx-font-smoothing|tap-highlight-color|box-shadow|border-.+)|clear|quotes|user-select|color-scheme|supported-color-schemes|align-(?:items|content|self)|justify-(?:content|items)|(?:row-|column-)?gap|flex(?:-(?:grow|shrink|basis|wrap))?|src|tab-interval|panose-1|punctuation-wrap|size|layout-grid.*)$/;
const NOT_STRUCK = /^(?!.*line-through)/;
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
  "letter-spacing": /^(?:normal|inherit|0|-?0?\.\d+(?:px|pt|em)?|[0-3](?:\.\d+)?(?:px|pt)?|0\.\d+em)$/,
  "text-indent": /^(?:0|\d{1,2}(?:\.\d+)?)(?:px|pt|cm|in|em)?$/,
  content: /^(?:none|normal|""|'')$/,
};
/** Declared of what is hidden: judged there. */
const JUDGED = /^(?:clip|clip-path|left|top|right|bottom)$/;

function isPlain(key: string, text: string, isInline: boolean): boolean {
  const value = text.trim().toLowerCase();
  if (key === "color" || key === "background-color")
    return plainColor(value) !== undefined || /^(?:inherit|initial|transparent|none|currentcolor)$/.test(value);
  if (key.startsWith("margin")) return !isFarBack(value);
  if (key === "float") return value === "none" || !isInline;
  if (JUDGED.test(key)) return /^(?:auto|0(?:px)?)$/.test(value);
  if (/^(?:max-)?(?:width|height)$/.test(key)) return !/^0*\.?0*[1-5](?:\.\d+)?(?:px|pt)?$/.test(value);
  return ALLOWED[key]?.test(value) ?? HARMLESS.test(key);
}

/** A window over words that are longer: what stands below its edge is seen by whoever scrolls it. */
const isScrolled = (part: Declarations) =>
  /auto|scroll/.test(`${part.get("overflow") ?? ""} ${part.get("overflow-y") ?? ""}`) &&
  (part.has("height") || part.has("max-height"));

const tidy = (text: string) =>
  text
    .replace(/[ \u00a0]+/g, " ")
    .replace(/ *\t[ \t]*/g, "\t")
    .replace(/[ \t]*\n[ \t]*/g, "\n")
    .replace(/\n{2,}/g, "\n")
    .trim();

function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", quoted, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, decodeEntities(quoted ?? single ?? bare ?? ""));
  }
  return found;
}

/** A declaration that is important wins over one that is not, wherever it stands. */
function splitStyle(text: string): { declarations: Declarations; important: Declarations } {
  const [declarations, important]: Declarations[] = [new Map(), new Map()];
  for (const part of withoutEscapes(text.replace(/\/\*[\s\S]*?\*\//g, "")).split(";")) {
    const [key, ...rest] = part.split(":");
    if (!key || rest.length === 0) continue;
    const value = rest.join(":");
    const wanted = /!\s*important/i.test(value) ? important : declarations;
    wanted?.set(key.trim().toLowerCase(), value.replace(/!\s*important/i, "").trim());
  }
  return { declarations: declarations ?? new Map(), important: important ?? new Map() };
}

/** "d\\69splay" is "display": letters may be written as their numbers, and any sign after a stroke. */
const withoutEscapes = (text: string) =>
  text.replace(/\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi, (_, hex?: string, sign?: string) => {
    const code = hex ? Number.parseInt(hex, 16) : 0;
    return sign ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "");
  });

const SHEET = /<style\b[^>]*>([\s\S]*?)(?:<\/style|$)/gi;
const BLOCK =
  /@(media|supports|keyframes|-webkit-keyframes|font-face|layer|container)([^{]*)\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}/gi;

/** The rules of style sheets in the message; those for certain screens are marked. */
function readRules(html: string): Rule[] {
  const rules: Rule[] = [];
  const read = (sheet: string, media: Rule["media"]) => {
    for (const [, selectors = "", body = ""] of sheet.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
      for (const each of selectors.split(",")) {
        const selector = readSelector(each.trim());
        if (selector && rules.length < MAX_RULES) rules.push({ selector, ...splitStyle(body), media });
      }
    }
  };
  for (const [, sheet = ""] of html.matchAll(SHEET)) {
    const plain = withoutEscapes(sheet.replace(/\/\*[\s\S]*?\*\//g, "").replace(/<!--|-->/g, ""));
    const rest = plain.replace(BLOCK, (_, kind: string, condition: string, body: string) => {
      if (!/keyframes|font-face/i.test(kind)) read(body, /dark/i.test(condition) ? "dark" : "other");
      return "";
    });
    read(rest.replace(/@(?:import|charset|namespace)[^;{]*;/gi, ""), "");
  }
  return rules;
}

const TRUSTED_SHEET = /^(?:https?:)?\/\/fonts\.(?:googleapis|gstatic)\.com\//i;

/** Fonts that come with the message or from a server of its sender: what they paint for a digit, nobody here can say. */
function fontsOf(html: string): string[] {
  return [...html.matchAll(/@font-face\s*\{([^{}]*)\}/gi)].flatMap(([, body = ""]) => {
    const family = /font-family\s*:\s*["']?([^"';}]+)/i.exec(body)?.[1]?.trim().toLowerCase();
    const sources = [...body.matchAll(/url\(\s*["']?([^"')]*)/gi)].map(([, url = ""]) => url);
    return family && sources.some((url) => !TRUSTED_SHEET.test(url)) ? [family] : [];
  });
}

/** Styles that are fetched when the message is opened: they may say anything. */
function hasForeignStyles(html: string): boolean {
  const links = [...html.matchAll(/<link\b[^>]*>/gi)]
    .map(([tag]) => attributesOf(tag.slice(5)))
    .filter((attributes) => /stylesheet/i.test(attributes.get("rel") ?? ""))
    .map((attributes) => attributes.get("href") ?? "");
  const imports = [...html.matchAll(/@import\s+(?:url\(\s*)?["']?([^"')\s;]+)/gi)].map(([, url = ""]) => url);
  return [...links, ...imports].some((url) => !TRUSTED_SHEET.test(url));
}

type Selector = {
  tag: string;
  wanted: { kind: string; value: string }[];
  attributes: string[];
  /** It stands for a moment (a pointer above it) or for words that the style itself adds. */
  isPseudo: boolean;
};

/** The last part of a selector: what may be meant counts as meant. */
function readSelector(text: string): Selector | undefined {
  // A link that was visited, or a pointer above it, changes nothing for who reads.
  if (/:(?:hover|active|focus|visited|link)\b/i.test(text)) return undefined;
  const last = text
    .replace(/\s*([>+~])\s*/g, "$1")
    .split(/[\s>+~]+(?![^[]*\])/)
    .filter(Boolean)
    .at(-1);
  if (!last) return undefined;
  const attributes = [...last.matchAll(/\[\s*([-\w:]+)/g)].map(([, name = ""]) => name.toLowerCase());
  const isPseudo = /:(?:before|after|first-l|marker|placeholder|selection)/i.test(last);
  const plain = last.replace(/\[[^\]]*\]?/g, "").replace(/:{1,2}[-\w]+(?:\([^)]*\))?/g, "");
  const tag = /^([a-zA-Z][\w-]*)/.exec(plain)?.[1]?.toLowerCase() ?? "";
  const wanted = [...plain.matchAll(/([.#])([\w-]+)/g)].map(([, kind = "", value = ""]) => ({ kind, value }));
  return { tag, wanted, attributes, isPseudo };
}

function matches({ tag, wanted, attributes: named }: Selector, name: string, attributes: Map<string, string>): boolean {
  if (tag && tag !== name) return false;
  const classes = (attributes.get("class") ?? "").split(/\s+/);
  return (
    named.every((each) => attributes.has(each)) &&
    wanted.every(({ kind, value }) => (kind === "." ? classes.includes(value) : attributes.get("id") === value))
  );
}

function isHiddenBy(style: ReadonlyMap<string, string>, attributes: ReadonlyMap<string, string>): boolean {
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

function sizeOf(text: string | undefined, before: number): number {
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

function contrast(one: string, other: string): number {
  const parts = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [a, b] = [parts(one), parts(other)];
  const WEIGHTS = [0.6, 1, 0.12];
  return Math.max(...WEIGHTS.map((weight, index) => Math.abs((a[index] ?? 0) - (b[index] ?? 0)) * weight));
}

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  shy: "\u00ad",
  zwnj: "\u200c",
  zwj: "\u200d",
  copy: "©",
  reg: "®",
  trade: "™",
  rsquo: "’",
  lsquo: "‘",
  rdquo: "”",
  ldquo: "“",
  hellip: "…",
  bull: "•",
  middot: "·",
  pound: "£",
  euro: "€",
  cent: "¢",
  dollar: "$",
  num: "#",
  colon: ":",
  period: ".",
  hyphen: "-",
  dash: "-",
  sol: "/",
  ensp: " ",
  emsp: " ",
  thinsp: " ",
  rlm: "\u200f",
  lrm: "\u200e",
  Tab: " ",
  NewLine: "\n",
  lpar: "(",
  rpar: ")",
  commat: "@",
  plus: "+",
};

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,10}));?/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name) return ENTITIES[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "0", 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}

/** A dot that counts readers, which nobody sees. */
const isDot = (attributes: ReadonlyMap<string, string>) =>
  ["width", "height"].some((side) => Number.parseFloat(attributes.get(side) ?? "") <= 2);

/** A spacer, a dot that counts readers, a symbol. A flat strip may hold a line of writing. */
function isTiny(attributes: ReadonlyMap<string, string>): boolean {
  const [width = 100, height = 100] = ["width", "height"].map((side) => {
    const figure = Number.parseFloat(attributes.get(side) ?? "");
    return Number.isNaN(figure) ? undefined : figure;
  });
  return Math.min(width, height) <= 6 || (width <= 40 && height <= 40);
}
