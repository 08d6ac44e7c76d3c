import type { DirectoryRow } from "./parse-directory.mjs";

export declare function toSql(
  rows: readonly DirectoryRow[],
  loadedAt: number,
  upload: { id: string; fileName: string },
): string;
