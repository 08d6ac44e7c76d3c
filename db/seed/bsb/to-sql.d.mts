import type { DirectoryRow } from "./parse-directory.mjs";

export declare function toSql(rows: readonly DirectoryRow[], loadedAt: number): string;
