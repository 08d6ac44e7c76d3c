import Papa from "papaparse";

/** The text is not CSV. The message names the line. */
export class CsvError extends Error {
  /** @param {number} line @param {string} reason */
  constructor(line, reason) {
    super(`line ${line}: ${reason}`);
    this.name = "CsvError";
    this.line = line;
  }
}

const REASONS = { MissingQuotes: "a quoted field is not closed", InvalidQuotes: "text follows a closing quote" };

/**
 * Reads comma-separated values. Any line end will do, and becomes a line feed within a quoted field; empty lines are left
 * out; a byte order mark is dropped.
 *
 * Source: RFC 4180.
 *
 * @param {string} text
 * @returns {{ line: number, fields: string[] }[]} each record with the number of the line it starts on, from 1
 * @throws {CsvError} for a quote that is not closed, or that text follows
 */
export function parseCsv(text) {
  const source = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const records = [];
  let start = 0;
  let line = 1;
  Papa.parse(source, {
    delimiter: ",",
    newline: "\n",
    step({ data: fields, errors: [fault], meta: { cursor } }) {
      if (fault) throw new CsvError(line, REASONS[fault.code] ?? fault.message);
      if (fields.length > 1 || fields[0] !== "") records.push({ line, fields });
      line += source.slice(start, cursor).split("\n").length - 1;
      start = cursor;
    },
  });
  return records;
}
