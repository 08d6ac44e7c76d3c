import type { Box } from "~/ports/document-reader";
import { findAnnounced } from "../facts/kinds";
import { isOfAccount, isUnsureNumber, looksLikeAccount, mayHoldAccount, wordsIn } from "../facts/pictured";
import { linesOfText } from "../layout/lines";
import { MANY_CHARACTERS, type PictureRead, READABLE } from "./read-characters";

/** Which pictures of a document show an account, or may show one. */

/** Stands for what was too much to look at. */
export const NOT_LOOKED_AT: PictureRead = { rows: [], characters: Number.POSITIVE_INFINITY, known: 0, sure: 0 };

/** A painted part of a page that is not text, with what was read in each of its bands. */
export type LookedAt = {
  box: Box;
  bands: PictureRead[][];
  /** Set for a single picture that was examined completely: a digest of its bytes and of what was read there. */
  picture?: string;
};

/** False if a part was not examined, which may show anything, whatever it showed on another invoice. */
export const isLookedAt = ({ bands }: Pick<LookedAt, "bands">): boolean => !bands.flat().includes(NOT_LOOKED_AT);

export const hasBarCode = ({ bands }: Pick<LookedAt, "bands">): boolean => bands.flat().some(({ hasBars }) => hasBars);

/**
 * The pictures that seem to show an account besides those that are known in words, and those that may do so because
 * they could not be read.
 */
export function judgePictures(
  pictures: readonly LookedAt[],
  known: Parameters<typeof looksLikeAccount>[1],
): { accounts: Pick<LookedAt, "box" | "picture">[]; unread: LookedAt[] } {
  const accounts = pictures.filter(({ bands }) => bands.flat().some((read) => looksLikeAccount(read, known)));
  const apart = { rows: pictures.flatMap(({ bands }) => loneNumbers(bands)) };
  const [first] = pictures;
  if (accounts.length === 0 && first && looksLikeAccount(apart, known))
    return { accounts: [{ box: first.box }], unread: [] };
  return {
    accounts,
    unread: pictures.filter(
      (one) =>
        !accounts.includes(one) &&
        (one.bands.some(isUnreadable) || one.bands.flat().some((read) => mayHoldAccount(read, known))),
    ),
  };
}

/** The words of pictures that announce other bank details or speak against those beside them. */
export const findPicturedWords = (pictures: readonly LookedAt[]) =>
  pictures.flatMap(({ bands, box }) => {
    const rows = bands.flatMap((reads) => bestOf(reads).rows);
    return findAnnounced(linesOfText(wordsIn({ rows }))).map((finding) => ({ ...finding, box }));
  });

/** Rows that hold only numbers and their labels: the parts of an account may stand in several pictures. */
function loneNumbers(bands: readonly PictureRead[][]): string[] {
  const best = bands.flatMap((reads) => {
    const read = bestOf(reads);
    return read.hasBars ? [] : read.rows;
  });
  return best.filter(isOfAccount);
}

const bestOf = (reads: readonly PictureRead[]): PictureRead =>
  reads.reduce((most, read) => (read.known > most.known ? read : most), NO_CHARACTERS);

/** Much of the writing was not recognised, so that it may hold a number that a person can read. */
export function isUnreadable(reads: readonly PictureRead[]): boolean {
  if (reads.includes(NOT_LOOKED_AT)) return true;
  const best = bestOf(reads);
  return (
    best.characters >= MANY_CHARACTERS &&
    best.characters < MOST_CHARACTERS &&
    best.known > best.characters * LIKE_WRITING &&
    best.known < best.characters * (best.rows.some(isUnsureNumber) ? NEARLY_ALL : READABLE)
  );
}
const NO_CHARACTERS: PictureRead = { rows: [], characters: 0, known: 0, sure: 0 };

/** Photographs and patterns have many specks, and some look like a row. */
const MOST_CHARACTERS = 200;

const NEARLY_ALL = 0.9;
/** With less than this, as in the squares of a QR code, it is unlikely to be writing. */
const LIKE_WRITING = 0.35;
