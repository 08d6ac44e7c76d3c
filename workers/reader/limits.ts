import type { DocumentRead, DocumentToRead } from "~/ports/document-reader";
import type { PicturesRead } from "./pdf/read-pdf";

/** Limits for one document. A document that exceeds one is answered with a reason and does not affect others. */

const MIB = 1024 * 1024;

export const MAX_BYTES = 10 * MIB;
export const MAX_PAGES = 50;
/** Memory of the PDF engine, which never shrinks. An isolate has 128 MiB in total. */
export const MAX_ENGINE_BYTES = 80 * MIB;
/** An engine above this size is discarded after the document. */
export const KEPT_ENGINE_BYTES = 40 * MIB;
/** All streams of a document except images, after inflating. */
export const MAX_INFLATED_BYTES = 48 * MIB;
/** One stream that is drawn or parsed, after inflating. */
export const MAX_STREAM_BYTES = 12 * MIB;
/** One image. A larger one is not painted, and the page counts as not checked. */
export const MAX_PICTURE_PIXELS = 40_000_000;
export const MAX_PICTURES = 300;
/**
 * How many pixels of a document's pictures are searched for writing, with the cost of painting them. The rest counts as
 * not read.
 */
export const MAX_CLOSE_PIXELS = 20_000_000;
export const MAX_CHARS_OF_PAGE = 30_000;
export const MAX_CHARS = 300_000;
export const MAX_OBJECTS_OF_PAGE = 20_000;
/** Labels of accounts times numbers, in one page or text. Each pair is compared, and nothing can stop that halfway. */
export const MAX_PAIRS = 250_000;
/** BSBs without a label, in one page or text: each is compared with each account number, and the lines around it are read. */
export const MAX_UNLABELLED = 400;
/**
 * Time for a whole document, attachments included. The app waits this long, and as long again for the document before
 * it.
 */
export const MAX_MS = 8_000;
/**
 * This many pages are always painted. Later ones are painted while half of the time is left; after that only their text
 * is read.
 */
export const MAX_PAINTED_PAGES = 20;
/**
 * Pages without an account whose images are examined at a high resolution, which takes as long as several ordinary
 * pages.
 */
export const MAX_CLOSE_PAGES = 8;
export const MAX_REVISIONS = 6;
/** Levels of documents inside documents. */
export const MAX_DEPTH = 3;
export const MAX_ATTACHMENTS = 10;

/** Thrown if a document exceeds a limit or cannot be read; the app receives the reason. */
export class CannotRead extends Error {
  constructor(
    readonly reason: "encrypted" | "damaged" | "too_large" | "too_many_pages" | "too_slow" | "not_a_document",
  ) {
    super(reason);
  }
}

/** One clock for all parts of a document. */
export type Deadline = { check(): void; rest(): Promise<void>; isHalfOver(): boolean };

/** The context of reading one document: the clock that its parts share, and a function to read documents inside it. */
export type Reading = {
  deadline: Deadline;
  /** Reads a document inside this one, one level deeper. */
  readInside(document: DocumentToRead): Promise<DocumentRead>;
  /** Looks for writing and for codes in a PDF whose pages are pictures. */
  lookAtPictures(pdf: Uint8Array): Promise<PicturesRead>;
};

export function startDeadline(milliseconds: number = MAX_MS): Deadline {
  const end = Date.now() + milliseconds;
  const check = () => {
    if (Date.now() > end) throw new CannotRead("too_slow");
  };
  return {
    check,
    /** True once half of the time is gone: from then on, optional work is left out. */
    isHalfOver: () => Date.now() > end - milliseconds / 2,
    /** Lets other requests run; on the platform the clock only advances then. */
    async rest() {
      await new Promise((resolve) => setTimeout(resolve, 0));
      check();
    },
  };
}
