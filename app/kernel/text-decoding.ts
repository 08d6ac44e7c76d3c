/** Decodes a file's bytes as text, whatever program wrote it. */

const UTF_16_LITTLE = [0xff, 0xfe];
const UTF_16_BIG = [0xfe, 0xff];

/**
 * The characters of Windows-1252 at 0x80 to 0x9f, where Latin-1 has control characters. Source: WHATWG Encoding, index
 * windows-1252.
 */
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
