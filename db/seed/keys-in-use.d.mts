type Column = readonly [table: string, column: string];

export declare const ENVELOPES: readonly Column[];
export declare const FINGERPRINTS: readonly Column[];
export declare const keysInUseSql: string;
