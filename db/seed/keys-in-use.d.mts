type Column = readonly [table: string, column: string];

export declare const ENVELOPES: readonly Column[];
export declare const FINGERPRINTS: readonly Column[];
export declare const NOTED: string;
export declare const keysInUseSql: string;
export declare function forgetDigestSql(key: string): string;
