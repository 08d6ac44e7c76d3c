const COLUMNS = [
  "bsb",
  "mnemonic",
  "name",
  "street",
  "suburb",
  "state",
  "postcode",
  "paper",
  "electronic",
  "highValue",
  "status",
  "successorBsb",
  "loadedAt",
];
const ROWS_PER_STATEMENT = 100; // about 15 KB; D1 refuses a statement over 100 KB

/** @param {string | number | boolean | null} value */
function toLiteral(value) {
  if (value === null) return "NULL";
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(Number(value));
}

/**
 * Writes the statements that replace the table `bsb_directory` by these rows: each row is inserted or overwritten, and
 * what an earlier directory held and this one does not is deleted last. Running them twice changes nothing.
 *
 * @param {import("./parse-directory.mjs").DirectoryRow[]} rows
 * @param {number} loadedAt epoch milliseconds, later than that of any earlier load
 * @returns {string} one statement after the other, each ended by a semicolon and a line end
 */
export function toSql(rows, loadedAt) {
  const statements = [];
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    const values = rows.slice(at, at + ROWS_PER_STATEMENT).map((row) => {
      const stored = { ...row, loadedAt };
      return `(${COLUMNS.map((column) => toLiteral(stored[column])).join(", ")})`;
    });
    statements.push(`INSERT OR REPLACE INTO bsb_directory (${COLUMNS.join(", ")}) VALUES\n${values.join(",\n")};\n`);
  }
  return `${statements.join("")}DELETE FROM bsb_directory WHERE loadedAt < ${loadedAt};\n`;
}
