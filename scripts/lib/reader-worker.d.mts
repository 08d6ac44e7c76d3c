import type { WorkerOptions } from "miniflare";

export declare const READER: string;
/** The reader of documents as a second Worker of Miniflare. */
export declare function readerWorker(folder: string): WorkerOptions & { name: string };
