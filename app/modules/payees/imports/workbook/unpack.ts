import { Unzip, UnzipInflate } from "fflate";

/** Unpacks parts of a ZIP archive bit by bit, so that no archive can fill the memory or keep the processor busy. Pure. */

/** The archive cannot be read; the message is for the person who brought it. */
export class UnreadableWorkbook extends Error {}

/** Thrown by a part's reader that has seen enough: the rest is left packed. */
export class EnoughRead extends Error {}

/** How much parts may unpack to, alone or together. */
export type Allowance = { readonly bytes: number; used: number };

export const allow = (bytes: number): Allowance => ({ bytes, used: 0 });

/** Takes what one part unpacks to, piece by piece. */
export type PartReader = { allowance: Allowance; read: (piece: Uint8Array) => void; end: () => void };

export const DAMAGED =
  "This workbook is damaged and cannot be read. Open it in your spreadsheet program, save it again, and upload that file.";

/** A packed byte becomes at most about a thousand: what one piece unpacks to stays at 4 MiB. */
const PIECE_BYTES = 4 * 1024;
const MAX_PARTS = 1_000;
const MEBIBYTE = 1024 * 1024;

/**
 * Goes through an archive and unpacks the parts for which there is a reader. Sizes that the archive claims are not
 * believed: what comes out is counted.
 * @returns the names of all parts
 * @throws UnreadableWorkbook for an archive that is damaged or becomes too large
 */
export function unpackParts(bytes: Uint8Array, readerOf: (name: string) => PartReader | undefined): Set<string> {
  const names = new Set<string>();
  const unzip = new Unzip((file) => {
    if (names.has(file.name)) throw new UnreadableWorkbook(DAMAGED);
    if (names.size === MAX_PARTS) {
      throw new UnreadableWorkbook(`This workbook has more than ${MAX_PARTS} parts inside. Save it as “CSV UTF-8”.`);
    }
    names.add(file.name);
    const reader = readerOf(file.name);
    if (!reader) return;
    file.ondata = countBytes(reader);
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      unzip.push(bytes.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= bytes.length);
    }
  } catch (error) {
    if (error instanceof EnoughRead) return names;
    // The library's own errors say what is wrong with the bytes, in words for a programmer.
    throw error instanceof UnreadableWorkbook ? error : new UnreadableWorkbook(DAMAGED);
  }
  return names;
}

function countBytes(reader: PartReader) {
  const { allowance } = reader;
  return (error: Error | null, piece: Uint8Array | null, isLast: boolean) => {
    if (error) throw error;
    allowance.used += piece?.length ?? 0;
    if (allowance.used > allowance.bytes) {
      const limit = `${allowance.bytes / MEBIBYTE} MB`;
      throw new UnreadableWorkbook(
        `This workbook unpacks to more than ${limit} and is not read further. Save the sheet as “CSV UTF-8” and upload that file.`,
      );
    }
    if (piece) reader.read(piece);
    if (isLast) reader.end();
  };
}
