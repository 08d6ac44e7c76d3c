import { inflateRawSync } from "node:zlib";
import { isElement, nodesIn, parseHtml, textOf } from "./html-tree";

/** Words that are written otherwise than as plain text or as HTML. */

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
        const words = new TextDecoder()
          .decode(xml)
          .replace(/<w:(?:p|br|tr)[ >/]/g, "\n$&")
          .replace(/<w:(?:tab|tc)[ >/]/g, "\t$&")
          .replace(/<[^<>]*>/g, "");
        return textOf(parseHtml(words).root);
      }
      at += ENTRY_SIZE + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
    }
  } catch {
    return "";
  }
  return "";
}

/** The words of a drawing, one text on each line. */
export const wordsOfSvg = (svg: string): string =>
  [...nodesIn(parseHtml(svg).root)]
    .filter((node) => isElement(node) && /^(?:.*:)?text$/.test(node.tagName))
    .map(textOf)
    .join("\n");
