import { constants, inflateSync } from "node:zlib";
import { CannotRead, MAX_INFLATED_BYTES, MAX_STREAM_BYTES } from "../limits";

/**
 * Looks through a PDF before the engine does, for what would fill its memory or keep it busy: the engine cannot be stopped
 * in the middle of a stream. Sizes that the file claims are not believed; what comes out is counted.
 */

const MAX_DRAWN_BYTES = 6 * 1024 * 1024;
const MAX_STREAMS = 20_000;
const MAX_SIDE = 20_000;
const MAX_DESCRIPTION = 200_000;
const DICTIONARY_BYTES = 4_096;
const LAYERS = /\/(?:OCProperties|OCGs|OCG|OCMD)\b/;
/** Streams without drawing operators. */
const NOT_DRAWN = /\/(?:ObjStm|XRef|Metadata|EmbeddedFile|Type1C|CIDFontType0C|OpenType|Length1|N\s+\d)\b/;

/** A script, or an action that starts a program. */
export const namesScript = (text: string): boolean => /\/S\s*\/(?:JavaScript|Launch)\b/.test(plainName(text));

/** Letters of a name may be written as their numbers. */
const plainName = (text: string) =>
  text.replace(/#([46-7][0-9a-fA-F])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Keys whose value decides what is shown. */
const SHOWS = new Set(
  "Contents Resources Kids Pages Root MediaBox CropBox Rotate UserUnit Annots AcroForm Fields XObject Font ToUnicode Encoding AP N V".split(
    " ",
  ),
);
const TOKEN =
  /%[^\r\n]*|<<|>>|[[\]]|\/[^\s<>[\](){}/%]*|\((?:\\[\s\S]|[^\\()]|\((?:\\[\s\S]|[^\\()])*\))*\)|<[\da-fA-F\s]*>|\bendobj\b|\bstream\r?\n|[^\s<>[\](){}/%]+/g;

/** A dictionary that has one key twice: programs differ in which of the two they show. */
function hasKeyTwice(text: string): boolean {
  const token = new RegExp(TOKEN);
  let open: { keys: Set<string>; isList: boolean; isKeyNext: boolean }[] = [];
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [word] = match;
    const inner = open.at(-1);
    if (word.startsWith("%")) continue;
    if (word === "endobj") open = [];
    else if (/^stream\r?\n$/.test(word)) {
      const end = text.indexOf("endstream", token.lastIndex);
      if (end < 0) return false;
      token.lastIndex = end;
      open = [];
    } else if (word === "<<" || word === "[") open.push({ keys: new Set(), isList: word === "[", isKeyNext: true });
    else if (word === ">>" || word === "]") {
      open.pop();
      const outer = open.at(-1);
      if (outer) outer.isKeyNext = true;
    } else if (inner && !inner.isList) {
      if (!(inner.isKeyNext && word.startsWith("/"))) {
        inner.isKeyNext = true;
        continue;
      }
      inner.isKeyNext = false;
      const key = plainName(word.slice(1));
      if (inner.keys.has(key) && SHOWS.has(key)) return true;
      inner.keys.add(key);
    }
  }
  return false;
}

type Screened = {
  /** A script stands among the objects that are packed into streams, where the engine does not count it. */
  hasPackedScript: boolean;
  hasLayers: boolean;
  /** Programs may show different parts of the file. */
  isTwofold: boolean;
  /** What the file says of itself in XML. */
  description: string;
};

export function screenPdf(bytes: Uint8Array): Screened {
  let hasPackedScript = false;
  let description = "";
  const text = new TextDecoder("latin1").decode(bytes);
  // The streams of an encrypted file cannot be unpacked here.
  let hasLayers = LAYERS.test(text) || /\/Encrypt\b/.test(text);
  let isTwofold = hasKeyTwice(text);
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
    if (/\/Subtype\s*\/Image\b/.test(dictionary)) {
      checkPicture(dictionary);
      continue;
    }
    const end = text.indexOf("endstream", start);
    const packed = bytes.subarray(start, end < 0 ? bytes.length : end);
    const isPlain = !/\/Filter\b/.test(dictionary);
    const isFlate = /\/Filter\s*(?:\[\s*)?\/(?:FlateDecode|Fl)\b/.test(dictionary);
    const unpacked = isFlate ? inflated(packed, Math.min(MAX_STREAM_BYTES, MAX_INFLATED_BYTES - total)) : undefined;
    const size = isPlain ? packed.length : isFlate ? (unpacked?.length ?? MAX_STREAM_BYTES + 1) : packed.length * 3;
    if (unpacked && /\/ObjStm\b/.test(dictionary)) {
      const objects = new TextDecoder("latin1").decode(unpacked);
      hasPackedScript ||= namesScript(objects);
      hasLayers ||= LAYERS.test(objects);
      isTwofold ||= hasKeyTwice(objects);
    }
    // It may be in UTF-8 or in UTF-16.
    if (description.length < MAX_DESCRIPTION && /\/Type\s*\/Metadata\b/.test(dictionary))
      description += new TextDecoder()
        .decode((unpacked ?? packed).subarray(0, 2 * MAX_DESCRIPTION))
        .replaceAll("\0", "")
        .slice(0, MAX_DESCRIPTION - description.length);
    total += size;
    if (!NOT_DRAWN.test(dictionary)) drawn += size;
    if (size > MAX_STREAM_BYTES || total > MAX_INFLATED_BYTES || drawn > MAX_DRAWN_BYTES * 3)
      throw new CannotRead("too_large");
    if (!NOT_DRAWN.test(dictionary) && size > MAX_DRAWN_BYTES) throw new CannotRead("too_slow");
  }
  return { hasPackedScript, hasLayers, isTwofold, description };
}

function dictionaryBefore(text: string, at: number): string {
  const from = Math.max(0, at - DICTIONARY_BYTES);
  const near = text.slice(from, at);
  const object = near.lastIndexOf(" obj");
  return object < 0 ? near : near.slice(object);
}

function checkPicture(dictionary: string): void {
  const side = (name: string) => Number(new RegExp(`/${name}\\s+(\\d{1,9})`).exec(dictionary)?.[1] ?? 0);
  const [width, height] = [side("Width"), side("Height")];
  if (width > MAX_SIDE || height > MAX_SIDE) throw new CannotRead("too_large");
}

/** Inflates a stream; undefined if it exceeds the limit. A damaged stream stays packed, because the engine stops too. */
function inflated(packed: Uint8Array, most: number): Uint8Array | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(most, 1), finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    const isTooLong =
      error instanceof RangeError ||
      (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE");
    return isTooLong ? undefined : packed;
  }
}
