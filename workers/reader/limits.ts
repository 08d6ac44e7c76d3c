import type { DocumentRead, DocumentToRead } from "~/ports/document-reader";

/** What one document may cost. Past a limit the answer is a reason, and no other document suffers. */

const MIB = 1024 * 1024;

export const MAX_BYTES = 10 * MIB;
export const MAX_PAGES = 50;
/** Of the painting engine, whose memory never shrinks. An isolate has 128 MiB for everything. */
export const MAX_ENGINE_BYTES = 80 * MIB;
/** An engine that has grown past this is thrown away after the document. */
export const KEPT_ENGINE_BYTES = 40 * MIB;
/** All streams of a document that are no pictures, inflated. */
export const MAX_INFLATED_BYTES = 48 * MIB;
/** One stream that is drawn or parsed, inflated. */
export const MAX_STREAM_BYTES = 12 * MIB;
/** Of one picture: more is not painted, and the page counts as not looked at. */
export const MAX_PICTURE_PIXELS = 40_000_000;
export const MAX_PICTURES = 300;
export const MAX_CHARS_OF_PAGE = 30_000;
export const MAX_CHARS = 300_000;
export const MAX_OBJECTS_OF_PAGE = 20_000;
/** Time for all of a document, with its attachments; the app waits a little longer. */
const MAX_MS = 8_000;
/** Pages that are painted; later ones are read as text only. */
export const MAX_PAINTED_PAGES = 20;
/** Pages whose pictures are looked at from near, where they name no account: each takes as long as some ordinary pages. */
export const MAX_CLOSE_PAGES = 8;
export const MAX_REVISIONS = 6;
/** A message in a message in a message. */
export const MAX_DEPTH = 3;
export const MAX_ATTACHMENTS = 10;

/** Thrown where a document goes past a limit or cannot be read; the reason is what the app hears. */
export class CannotRead extends Error {
  constructor(
    readonly reason: "encrypted" | "damaged" | "too_large" | "too_many_pages" | "too_slow" | "not_a_document",
  ) {
    super(reason);
  }
}

/** One clock for all parts of a document. */
export type Deadline = { check(): void; rest(): Promise<void> };

/** What the reader of one document is given: the clock that all its parts share, and a way to read what is inside it. */
export type Reading = {
  deadline: Deadline;
  /** Reads a document inside this one, one level deeper. */
  readInside(document: DocumentToRead): Promise<DocumentRead>;
};

export function startDeadline(milliseconds: number = MAX_MS): Deadline {
  const end = Date.now() + milliseconds;
  const check = () => {
    if (Date.now() > end) throw new CannotRead("too_slow");
  };
  return {
    check,
    /** Lets other requests in; on the platform the clock only moves then. */
    async rest() {
      await new Promise((resolve) => setTimeout(resolve, 0));
      check();
    },
  };
}
