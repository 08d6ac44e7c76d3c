import { inflateRawSync } from "node:zlib";
import { UNKNOWN_CHARACTER } from "../layout/lines";

/** Tags and words of HTML, as they are written. */

/** Blanks of HTML: any other, as U+00A0, is a part of a name or of a value. */
export const BLANKS = String.raw`\t\n\f\r `;
const NAME = `(?:=[^${BLANKS}/>=]*|[^${BLANKS}/>=]+)`;
const VALUE = (quoted: string, single: string, bare: string) =>
  `(?:[${BLANKS}]*=[${BLANKS}]*(?:"${quoted}(?:"|$)|'${single}(?:'|$)|${bare})?)?`;
const BARE = `[^${BLANKS}>"'][^${BLANKS}>]*`;

/**
 * What stands in a tag after its name: quotation marks only count after the "=" behind a name. One that never ends goes
 * on to the end, as in browsers. No place in it is read in two ways.
 */
export const WRITTEN = `(?:[${BLANKS}/]+|${NAME}${VALUE(`[^"]*`, `[^']*`, BARE)})*`;
const TO_END_OF_TAG = new RegExp(`^(${WRITTEN})(>?)`);

/** A tag's attributes as they are written after its name; undefined if the tag never ends, so that browsers drop it. */
export function attributesAfter(afterName: string): string | undefined {
  const [, attributes, end] = TO_END_OF_TAG.exec(afterName) ?? [];
  return end ? attributes : undefined;
}

/** Elements whose content is not markup. */
const RAW = "style|script|title|textarea|iframe|noembed|noframes|xmp";

/**
 * As browsers split it: comments that end at once, text that only looks like a comment, and elements whose content is
 * not markup. Whatever begins one of these matches, so that no text is searched twice.
 */
export const TOKEN = new RegExp(
  String.raw`<(${RAW})(?=[${BLANKS}/>])${WRITTEN}(?:>|$)[\s\S]*?(?=<\/\1[${BLANKS}/>]|$)|<plaintext(?=[${BLANKS}/>])[\s\S]*|<!--(?:>|->|[\s\S]*?(?:--!?>|$))|<[!?][^>]*(?:>|$)|<\/[^a-zA-Z>][^>]*(?:>|$)|<\/?[a-zA-Z][^${BLANKS}/>]*${WRITTEN}(?:>|$)|[^<]+|<`,
  "gi",
);

const ATTRIBUTE = new RegExp(`(${NAME})${VALUE(`([^"]*)`, `([^']*)`, `(${BARE})`)}`, "g");

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
        return isInNumber ? UNKNOWN_CHARACTER : whole;
      }
      if (name) return ENTITIES[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "0", 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}

/** "+AEI-SB" is "BSB": other letters than those of ASCII as base64 of UTF-16. Few programs still decode it. */
export const decodeUtf7 = (text: string): string =>
  text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_, packed: string) =>
    packed === "" ? "+" : new TextDecoder("utf-16be").decode(Buffer.from(packed, "base64")),
  );

const [ENTRY, ENTRY_SIZE, HEADER_SIZE, MOST_ENTRIES] = [0x02014b50, 46, 30, 500];
const MAX_LETTER_BYTES = 2_000_000;

/** The words of a Word document; none if it cannot be unpacked. */
export function wordsOfLetter(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf("PK\x05\x06", undefined, "latin1");
  try {
    let at = view.getUint32(end + 16, true);
    for (let count = 0; count < MOST_ENTRIES && view.getUint32(at, true) === ENTRY; count += 1) {
      const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
      const fileName = new TextDecoder("latin1").decode(bytes.subarray(at + ENTRY_SIZE, at + ENTRY_SIZE + (name ?? 0)));
      if (fileName === "word/document.xml") {
        const header = view.getUint32(at + 42, true);
        const from = header + HEADER_SIZE + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
        const packed = bytes.subarray(from, from + view.getUint32(at + 20, true));
        const isPacked = view.getUint16(at + 10, true) === 8;
        const xml = isPacked ? inflateRawSync(packed, { maxOutputLength: MAX_LETTER_BYTES }) : packed;
        return decodeEntities(
          new TextDecoder()
            .decode(xml)
            .replace(/<w:(?:p|br|tr)[ >/]/g, "\n$&")
            .replace(/<w:(?:tab|tc)[ >/]/g, "\t$&")
            .replace(/<[^<>]*>/g, ""),
        );
      }
      at += ENTRY_SIZE + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
    }
  } catch {
    return "";
  }
  return "";
}
