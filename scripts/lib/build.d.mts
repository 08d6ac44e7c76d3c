export declare function withLock<T>(work: () => Promise<T>, file?: string): Promise<T>;
/** Builds the Worker, the browser's files and the simulators, unless nothing changed since the last time. */
export declare function ensureBuilt(options?: { force?: boolean }): Promise<void>;
/** Of everything that a build is made of. */
export declare function digestOfSources(): string;
