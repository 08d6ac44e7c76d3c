type Given = { app: string; reader: string; assets: string; variables: Readonly<Record<string, string>> };

export declare function workersOf(given: Given): { bindings?: Record<string, string> }[];
/** The top level of wrangler.toml. */
export declare const config: unknown;
/** @returns stops watching */
export declare function watchAnswers(ask: () => Promise<unknown>, onStill: () => void): () => void;
