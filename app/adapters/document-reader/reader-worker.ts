import type { DocumentRead, DocumentReader, DocumentToRead } from "~/ports/document-reader";
import type { Log } from "~/services";

/** The Worker that reads documents, as a service binding offers it. */
export type ReaderBinding = { read(document: DocumentToRead): Promise<DocumentRead> };

const DOWN: DocumentRead = { status: "unreadable", reason: "reader_down" };

/**
 * Asks the Worker that reads. A call that ends without an answer (the Worker ran out of time or memory, or is not there) is
 * the answer "reader_down": it says nothing about the document.
 */
export function createDocumentReader(binding: ReaderBinding | undefined, log: Log): DocumentReader {
  return {
    async read(document) {
      if (!binding) return DOWN;
      try {
        return await binding.read(document);
      } catch (error) {
        log.warn("reader.down", { error: String(error) });
        return DOWN;
      }
    },
  };
}
