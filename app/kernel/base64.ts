const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BITS_PER_LETTER = 6;
const BITS_PER_BYTE = 8;

/** Encodes bytes in the URL-safe alphabet without padding. Source: RFC 4648, section 5. */
export function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << BITS_PER_BYTE) | byte;
    bits += BITS_PER_BYTE;
    while (bits >= BITS_PER_LETTER) {
      bits -= BITS_PER_LETTER;
      text += ALPHABET[(buffer >> bits) & 63];
    }
    buffer &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(buffer << (BITS_PER_LETTER - bits)) & 63] : text;
}

/**
 * Decodes what {@link toBase64Url} writes, and nothing else: no padding, no other alphabet, and no stray bits at the end,
 * so that every value has exactly one spelling.
 *
 * @returns the bytes, or undefined
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * BITS_PER_LETTER) / BITS_PER_BYTE));
  let buffer = 0;
  let bits = 0;
  let length = 0;
  for (const letter of text) {
    const value = ALPHABET.indexOf(letter);
    if (value < 0) return undefined;
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
