export declare class CsvError extends Error {
  constructor(line: number, reason: string);
  readonly line: number;
}

export declare function parseCsv(text: string): { line: number; fields: string[] }[];
