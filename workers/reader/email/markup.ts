import { UNKNOWN_SIGN } from "../layout/lines";

/** Tags and words of HTML, as they are written. */

const ATTRIBUTE = /([a-zA-Z_:@][-\w:.@]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

export function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", quoted, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, decodeEntities(quoted ?? single ?? bare ?? ""));
  }
  return found;
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
  hairsp: " ",
  numsp: " ",
  puncsp: " ",
  NonBreakingSpace: " ",
  ZeroWidthSpace: "\u200b",
  NoBreak: "\u2060",
  NegativeThinSpace: "\u200b",
  rlm: "\u200f",
  lrm: "\u200e",
  Tab: " ",
  NewLine: "\n",
  lpar: "(",
  rpar: ")",
  commat: "@",
  plus: "+",
};

export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,34}));?/g,
    (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined, at: number) => {
      if (name && !(name in ENTITIES)) {
        const isInNumber = whole.endsWith(";") && /\d/.test(`${text[at - 1] ?? ""}${text[at + whole.length] ?? ""}`);
        return isInNumber ? UNKNOWN_SIGN : whole;
      }
      if (name) return ENTITIES[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "0", 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}
