const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BITS_PER_LETTER = 6;
const BITS_PER_BYTE = 8;

const NO_LETTER = 64;
const LETTERS = new TextEncoder().encode(ALPHABET);
/** The value of each character code, `NO_LETTER` for what is no letter of the alphabet. */
const VALUES = new Uint8Array(256).fill(NO_LETTER);
for (const [value, letter] of LETTERS.entries()) VALUES[letter] = value;

const BYTES_PER_GROUP = 3;

/** Encodes bytes in the URL-safe alphabet without padding. Source: RFC 4648, section 5. */
export function toBase64Url(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil((bytes.length * BITS_PER_BYTE) / BITS_PER_LETTER));
  let length = 0;
  for (let at = 0; at < bytes.length; at += BYTES_PER_GROUP) {
    // Beyond the end of the bytes stand zeros, and beyond the end of the text nothing is written.
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text[length++] = LETTERS[group >> 18] ?? 0;
    text[length++] = LETTERS[(group >> 12) & 63] ?? 0;
    text[length++] = LETTERS[(group >> 6) & 63] ?? 0;
    text[length++] = LETTERS[group & 63] ?? 0;
  }
  return new TextDecoder().decode(text);
}

/**
 * Decodes what {@link toBase64Url} writes, and nothing else: no padding, no other alphabet, and no stray bits at the end,
 * so that every value has exactly one spelling.
 *
 * @returns the bytes, or undefined
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const letters = new TextEncoder().encode(text);
  const bytes = new Uint8Array(Math.floor((letters.length * BITS_PER_LETTER) / BITS_PER_BYTE));
  let buffer = 0;
  let bits = 0;
  let length = 0;
  for (let at = 0; at < letters.length; at++) {
    const value = VALUES[letters[at] ?? 0] ?? NO_LETTER;
    if (value === NO_LETTER) return undefined;
    buffer = (buffer << BITS_PER_LETTER) | value;
    bits += BITS_PER_LETTER;
    if (bits >= BITS_PER_BYTE) {
      bits -= BITS_PER_BYTE;
      bytes[length++] = buffer >> bits;
      buffer &= (1 << bits) - 1;
    }
  }
  return bits < BITS_PER_LETTER && buffer === 0 ? bytes : undefined;
}

/** Lower-case hexadecimal, two digits a byte. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
