import { Inflate } from "fflate";
import { CannotRead, MAX_INFLATED_BYTES, MAX_STREAM_BYTES } from "../limits";

/**
 * Looks through a PDF before the engine does, for what would fill its memory or keep it busy: nobody can stop the engine in
 * the middle of a stream. Sizes that the file claims are not believed; what comes out is counted.
 */

const MAX_DRAWN_BYTES = 6 * 1024 * 1024;
const MAX_STREAMS = 20_000;
const MAX_SIDE = 20_000;
/** A packed byte becomes at most about a thousand: what one piece unpacks to stays at 4 MiB. */
const PIECE_BYTES = 4 * 1024;
const DICTIONARY_BYTES = 4_096;
/** Streams that are not drawn by their operators. */
const NOT_DRAWN = /\/(?:ObjStm|XRef|Metadata|EmbeddedFile|Type1C|CIDFontType0C|OpenType|Length1|N\s+\d)\b/;

export function screenPdf(bytes: Uint8Array): void {
  const text = new TextDecoder("latin1").decode(bytes);
  let total = 0;
  let drawn = 0;
  let count = 0;
  for (const match of text.matchAll(/(?<!end)stream(\r?\n|\r)/g)) {
    count += 1;
    if (count > MAX_STREAMS) throw new CannotRead("too_large");
    const start = match.index + match[0].length;
    const dictionary = dictionaryBefore(text, match.index);
    const filters = dictionary.match(/\/(?:FlateDecode|Fl|LZWDecode|LZW|RunLengthDecode|RL)\b/g) ?? [];
    if (
      filters.length > 1 &&
      /\/Filter\s*\[[^\]]*(?:Flate|LZW|RunLength)[^\]]*(?:Flate|LZW|RunLength)/.test(dictionary)
    )
      throw new CannotRead("too_large");
    if (isPicture(dictionary)) {
      checkPicture(dictionary);
      continue;
    }
    const end = text.indexOf("endstream", start);
    const packed = bytes.subarray(start, end < 0 ? bytes.length : end);
    const isPlain = !/\/Filter\b/.test(dictionary);
    const isFlate = /\/Filter\s*(?:\[\s*)?\/(?:FlateDecode|Fl)\b/.test(dictionary);
    const size = isPlain
      ? packed.length
      : isFlate
        ? inflatedSize(packed, Math.min(MAX_STREAM_BYTES, MAX_INFLATED_BYTES - total))
        : packed.length * 3;
    total += size;
    if (!NOT_DRAWN.test(dictionary)) drawn += size;
    if (size > MAX_STREAM_BYTES || total > MAX_INFLATED_BYTES || drawn > MAX_DRAWN_BYTES * 3)
      throw new CannotRead("too_large");
    if (!NOT_DRAWN.test(dictionary) && size > MAX_DRAWN_BYTES) throw new CannotRead("too_slow");
  }
}

function dictionaryBefore(text: string, at: number): string {
  const from = Math.max(0, at - DICTIONARY_BYTES);
  const near = text.slice(from, at);
  const object = near.lastIndexOf(" obj");
  return object < 0 ? near : near.slice(object);
}

const isPicture = (dictionary: string) => /\/Subtype\s*\/Image\b/.test(dictionary);

function checkPicture(dictionary: string): void {
  const side = (name: string) => Number(new RegExp(`/${name}\\s+(\\d{1,9})`).exec(dictionary)?.[1] ?? 0);
  const [width, height] = [side("Width"), side("Height")];
  if (width > MAX_SIDE || height > MAX_SIDE) throw new CannotRead("too_large");
}

/** How long it is unpacked. What is broken is as long as it got. */
function inflatedSize(packed: Uint8Array, most: number): number {
  let size = 0;
  const inflate = new Inflate((piece) => {
    size += piece.length;
  });
  // Two bytes of a header that says how it is packed come first.
  const body = packed.subarray(2);
  try {
    for (let at = 0; at < body.length && size <= most; at += PIECE_BYTES)
      inflate.push(body.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= body.length);
  } catch {
    return size;
  }
  return size;
}
