const BITS_PER_BYTE = 8;
const NO_LETTER = 64;

/** An alphabet in which each letter represents a number of bits. */
class Alphabet {
  private readonly letters: Uint8Array;
  /** The value of each character code; `NO_LETTER` for characters outside the alphabet. */
  private readonly values = new Uint8Array(256).fill(NO_LETTER);

  constructor(
    letters: string,
    private readonly bitsPerLetter: number,
  ) {
    this.letters = new TextEncoder().encode(letters);
    for (const [value, letter] of this.letters.entries()) this.values[letter] = value;
  }

  write(bytes: Uint8Array): string {
    const { letters, bitsPerLetter } = this;
    const text = new Uint8Array(Math.ceil((bytes.length * BITS_PER_BYTE) / bitsPerLetter));
    const mask = (1 << bitsPerLetter) - 1;
    let buffer = 0;
    let bits = 0;
    let length = 0;
    for (let at = 0; at < bytes.length; at++) {
      buffer = (buffer << BITS_PER_BYTE) | (bytes[at] ?? 0);
      bits += BITS_PER_BYTE;
      while (bits >= bitsPerLetter) {
        bits -= bitsPerLetter;
        text[length++] = letters[(buffer >> bits) & mask] ?? 0;
      }
      buffer &= (1 << bits) - 1;
    }
    if (bits > 0) text[length] = letters[buffer << (bitsPerLetter - bits)] ?? 0;
    return new TextDecoder().decode(text);
  }

  /**
   * Reads exactly what `write` produces: no padding, no other alphabet, and no stray bits at the end, so that every
   * value has only one spelling.
   */
  read(text: string): Uint8Array<ArrayBuffer> | undefined {
    const { values, bitsPerLetter } = this;
    const letters = new TextEncoder().encode(text);
    const bytes = new Uint8Array(Math.floor((letters.length * bitsPerLetter) / BITS_PER_BYTE));
    let buffer = 0;
    let bits = 0;
    let length = 0;
    for (let at = 0; at < letters.length; at++) {
      const value = values[letters[at] ?? 0] ?? NO_LETTER;
      if (value === NO_LETTER) return undefined;
      buffer = (buffer << bitsPerLetter) | value;
      bits += bitsPerLetter;
      if (bits >= BITS_PER_BYTE) {
        bits -= BITS_PER_BYTE;
        bytes[length++] = buffer >> bits;
        buffer &= (1 << bits) - 1;
      }
    }
    return bits < bitsPerLetter && buffer === 0 ? bytes : undefined;
  }
}

const BASE_32 = new Alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5);
const BASE_64_URL = new Alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 6);

/** Bytes in capital letters and the digits 2 to 7, without padding. Source: RFC 4648, section 6. */
export const toBase32 = (bytes: Uint8Array): string => BASE_32.write(bytes);

/** The bytes of a string by `toBase32`; undefined for any other text. */
export const fromBase32 = (text: string): Uint8Array<ArrayBuffer> | undefined => BASE_32.read(text);

/** Bytes in the URL-safe alphabet without padding. Source: RFC 4648, section 5. */
export const toBase64Url = (bytes: Uint8Array): string => BASE_64_URL.write(bytes);

/** The bytes of a string by `toBase64Url`; undefined for any other text. */
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> | undefined => BASE_64_URL.read(text);

/** Lower-case hexadecimal, two digits a byte. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** SHA-256 of bytes in lower-case hexadecimal, 64 characters. Source: FIPS 180-4. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/**
 * JSON in a unique form: keys sorted by UTF-16 code units, no spaces, null for absent values; strings and numbers as
 * `JSON.stringify` writes them (RFC 8259; the same as RFC 8785 for such values).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** Decodes a file's bytes as text, whatever program wrote it. */

const UTF_16_LITTLE = [0xff, 0xfe];
const UTF_16_BIG = [0xfe, 0xff];

/** The characters of Windows-1252 at 0x80 to 0x9f, Latin-1's controls. Source: WHATWG Encoding, windows-1252. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const FIRST_OF_WINDOWS = 0x80;
const LATIN_CONTROL = /[\u0080-\u009f]/g;

const startsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte);

/**
 * Decodes bytes as text: UTF-16 if a byte order mark says so (a spreadsheet's "Unicode text"), UTF-8 if the bytes are
 * valid, otherwise Windows-1252, which accepts any byte. A byte order mark is removed.
 */
export function decodeBytes(bytes: Uint8Array): string {
  if (startsWith(bytes, UTF_16_LITTLE)) return new TextDecoder("utf-16le").decode(bytes);
  if (startsWith(bytes, UTF_16_BIG)) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Some runtimes decode Windows-1252 as Latin-1; the differing characters are corrected here.
    const text = new TextDecoder("windows-1252").decode(bytes);
    return text.replace(
      LATIN_CONTROL,
      (character) => WINDOWS_1252[character.charCodeAt(0) - FIRST_OF_WINDOWS] ?? character,
    );
  }
}

const NOTHING = new Uint8Array();

/** The bytes of a stream; undefined: there are more than `limit`, and the rest is unread. */
export async function readAtMost(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size > limit) {
      reader?.releaseLock();
      return undefined;
    }
    chunks.push(read.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const [place, chunk] of chunks.entries()) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
    // Release each chunk after copying it, so that a large file is not held twice in memory.
    chunks[place] = NOTHING;
  }
  return bytes;
}
