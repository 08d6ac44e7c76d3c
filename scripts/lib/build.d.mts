/** Builds the Worker, the browser's files and the simulators, unless nothing changed since the last time. */
export declare function ensureBuilt(options?: { force?: boolean }): Promise<void>;
