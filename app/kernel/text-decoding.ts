/** Bytes of a file as text, whatever program wrote it. */

const UTF_16_LITTLE = [0xff, 0xfe];
const UTF_16_BIG = [0xfe, 0xff];

const startsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte);

/**
 * Bytes as text. UTF-16 where a byte order mark says so (a spreadsheet's "Unicode text"), UTF-8 where the bytes are valid,
 * else Windows-1252, which takes any byte. A byte order mark is dropped.
 */
export function decodeBytes(bytes: Uint8Array): string {
  if (startsWith(bytes, UTF_16_LITTLE)) return new TextDecoder("utf-16le").decode(bytes);
  if (startsWith(bytes, UTF_16_BIG)) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
