/**
 * The words of an HTML message as a mail program shows them, and those that it does not show. What hides words is judged as a
 * browser does: by style, not by where they stand. Nothing is loaded and nothing runs.
 */
export type ShownHtml = { shown: string; hidden: string; pictures: number; isTurned: boolean };

type Style = { isHidden: boolean; size: number; color: string; ground: string; isTurned: boolean };
type Rule = { selector: string; declarations: Map<string, string> };

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
]);
const MAX_TOKENS = 200_000;
const MAX_RULES = 2_000;
const LEAST_SIZE = 3;

const TOKEN =
  /<!--[\s\S]*?(?:-->|$)|<!\[[^>]*>|<!?\/?[a-zA-Z][^\s/>]*(?:\s+(?:[^"'>]|"[^"]*"|'[^']*')*)?\/?>|<\?[^>]*>|[^<]+|</g;
const ATTRIBUTE = /([a-zA-Z_:@][-\w:.@]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

export function readShownHtml(html: string): ShownHtml {
  return new Reader(readRules(html)).read(html);
}

class Reader {
  private readonly styles: { tag: string; style: Style }[] = [];
  private shown = "";
  private hidden = "";
  private pictures = 0;
  private isTurned = false;

  constructor(private readonly rules: readonly Rule[]) {}

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
        else this.open(name, attributesOf(token.slice(1 + name.length)));
      }
    }
    return { shown: tidy(this.shown), hidden: tidy(this.hidden), pictures: this.pictures, isTurned: this.isTurned };
  }

  private get style(): Style {
    return (
      this.styles.at(-1)?.style ?? { isHidden: false, size: 16, color: "#000000", ground: "#ffffff", isTurned: false }
    );
  }

  private open(name: string, attributes: Map<string, string>): void {
    const style = this.styleOf(name, attributes);
    if (name === "br") this.add("\n");
    else if (BLOCKS.has(name)) this.add("\n");
    if (name === "td" || name === "th") this.add("\t");
    if (name === "img" && !style.isHidden && !isTiny(attributes)) this.pictures += 1;
    if (!VOID.has(name)) this.styles.push({ tag: name, style });
  }

  private close(name: string): void {
    if (BLOCKS.has(name)) this.add("\n");
    const at = this.styles.map(({ tag }) => tag).lastIndexOf(name);
    if (at >= 0) this.styles.length = at;
  }

  private styleOf(name: string, attributes: Map<string, string>): Style {
    const before = this.style;
    const declared = new Map<string, string>();
    for (const { selector, declarations } of this.rules) {
      if (matches(selector, name, attributes)) for (const [key, value] of declarations) declared.set(key, value);
    }
    for (const [key, value] of declarationsOf(attributes.get("style") ?? "")) declared.set(key, value);
    const colorOf = (value: string | undefined) => (value === undefined ? undefined : plainColor(value));
    const ground =
      colorOf(declared.get("background-color")) ??
      colorOf(declared.get("background")) ??
      colorOf(attributes.get("bgcolor")) ??
      before.ground;
    const color = colorOf(declared.get("color")) ?? colorOf(attributes.get("color")) ?? before.color;
    const size = sizeOf(declared.get("font-size") ?? declared.get("font"), before.size);
    const isTurned =
      before.isTurned ||
      (/rtl/i.test(declared.get("direction") ?? attributes.get("dir") ?? "") &&
        (name === "bdo" || /override/i.test(declared.get("unicode-bidi") ?? "")));
    return { isHidden: before.isHidden || isHiddenBy(declared, attributes), size, color, ground, isTurned };
  }

  private addText(raw: string): void {
    const text = decodeEntities(raw).replace(/\s+/g, " ");
    const { isHidden, size, color, ground, isTurned } = this.style;
    if (/[\u202d\u202e\u2066\u2067]/.test(text) || (isTurned && /\d/.test(text))) this.isTurned = true;
    const isSeen = !isHidden && size >= LEAST_SIZE && contrast(color, ground) >= 40;
    if (isSeen) this.shown += text;
    else if (text.trim()) this.hidden += `${text}\n`;
  }

  private add(separator: string): void {
    this.shown += separator;
  }
}

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

function declarationsOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of text.replace(/\/\*[\s\S]*?\*\//g, "").split(";")) {
    const [key, ...value] = part.split(":");
    if (key && value.length > 0)
      found.set(
        key.trim().toLowerCase(),
        value
          .join(":")
          .replace(/!important/i, "")
          .trim(),
      );
  }
  return found;
}

/** The rules of style sheets in the message. Those for certain screens alone are left out, as most readers do not have them. */
function readRules(html: string): Rule[] {
  const rules: Rule[] = [];
  for (const [, sheet = ""] of html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style/gi)) {
    const plain = sheet
      .replace(/\/\*[\s\S]*?\*\//g, "")
      .replace(/<!--|-->/g, "")
      .replace(/@(?:media|supports|keyframes|-webkit-keyframes)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/gi, "");
    for (const [, selectors = "", body = ""] of plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
      for (const selector of selectors.split(","))
        if (rules.length < MAX_RULES) rules.push({ selector: selector.trim(), declarations: declarationsOf(body) });
    }
  }
  return rules;
}

/** By the last part of a selector alone: what may be hidden counts as hidden. */
function matches(selector: string, name: string, attributes: Map<string, string>): boolean {
  const last =
    selector
      .split(/[\s>+~]+/)
      .filter(Boolean)
      .at(-1) ?? "";
  if (last === "" || /[:[]/.test(last)) return false;
  const [, tag = ""] = /^([a-zA-Z*][\w-]*|\*)?/.exec(last) ?? [];
  if (tag && tag !== "*" && tag.toLowerCase() !== name) return false;
  const classes = (attributes.get("class") ?? "").split(/\s+/);
  const wanted = [...last.matchAll(/([.#])([\w-]+)/g)];
  if (!tag && wanted.length === 0) return false;
  return wanted.every(([, kind, value = ""]) =>
    kind === "." ? classes.includes(value) : attributes.get("id") === value,
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
    (value("overflow") === "hidden" &&
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

const isTiny = (attributes: ReadonlyMap<string, string>) =>
  [attributes.get("width"), attributes.get("height")].some(
    (side) => side !== undefined && Number.parseFloat(side) <= 40,
  );
