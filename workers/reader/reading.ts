import type { DocumentRead, DocumentToRead } from "~/ports/document-reader";
import type { Deadline } from "./limits";

/** What the reader of one document is given: the clock that all its parts share, and a way to read what is inside it. */
export type Reading = {
  deadline: Deadline;
  /** Reads a document inside this one, one level deeper. */
  readInside(document: DocumentToRead): Promise<DocumentRead>;
};
