const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BITS_PER_LETTER = 5;
const BITS_PER_BYTE = 8;

/** Encodes bytes in capital letters and the digits 2 to 7, without padding. Source: RFC 4648, section 6. */
export function toBase32(bytes: Uint8Array): string {
  let text = "";
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << BITS_PER_BYTE) | byte;
    bits += BITS_PER_BYTE;
    while (bits >= BITS_PER_LETTER) {
      bits -= BITS_PER_LETTER;
      text += ALPHABET[(buffer >> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(buffer << (BITS_PER_LETTER - bits)) & 31] : text;
}

/** Decodes what {@link toBase32} writes. @returns the bytes, or undefined for any other text */
export function fromBase32(text: string): Uint8Array<ArrayBuffer> | undefined {
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
