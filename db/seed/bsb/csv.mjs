/** A text that is no CSV. The message names the line. */
export class CsvError extends Error {
  /** @param {number} line @param {string} reason */
  constructor(line, reason) {
    super(`line ${line}: ${reason}`);
    this.name = "CsvError";
    this.line = line;
  }
}

const LINE_END = /\r\n|\n|\r/g;
const BARE_FIELD = /[^,\r\n]*/y;
const QUOTED_FIELD = /"((?:[^"]|"")*)"/y;

/**
 * Reads comma-separated values. Any line end will do; empty lines are left out; a byte order mark is dropped.
 *
 * Source: RFC 4180.
 *
 * @param {string} text
 * @returns {{ line: number, fields: string[] }[]} each record with the number of the line it starts on, from 1
 * @throws {CsvError} for a quote that is not closed, or that stands within a field
 */
export function parseCsv(text) {
  const source = text.replace(/^\ufeff/, "");
  const records = [];
  let at = 0;
  let line = 1;

  const readField = () => {
    const isQuoted = source[at] === '"';
    const pattern = isQuoted ? QUOTED_FIELD : BARE_FIELD;
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (!found) throw new CsvError(line, "a quoted field is not closed");
    at += found[0].length;
    if (!isQuoted && found[0].includes('"')) throw new CsvError(line, "a quote stands within an unquoted field");
    if (isQuoted && at < source.length && !",\r\n".includes(source.charAt(at))) {
      throw new CsvError(line, "text follows a closing quote");
    }
    return isQuoted ? found[1].replaceAll('""', '"') : found[0];
  };

  while (at < source.length) {
    const start = at;
    const fields = [readField()];
    while (source[at] === ",") {
      at++;
      fields.push(readField());
    }
    if (at > start) records.push({ line, fields });
    line += source.slice(start, at).match(LINE_END)?.length ?? 0;
    if (at < source.length) {
      at += source.startsWith("\r\n", at) ? 2 : 1;
      line++;
    }
  }
  return records;
}
