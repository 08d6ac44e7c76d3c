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
/** The organisation of actions that belong to none in the audit trail: `PLATFORM_ORGANIZATION_ID` of the kernel. */
const PLATFORM = "00000000-0000-7000-8000-000000000000";
const ROWS_PER_STATEMENT = 100; // about 15 KB; D1 refuses a statement over 100 KB

/** @param {string | number | boolean | null} value */
function toLiteral(value) {
  if (value === null) return "NULL";
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(Number(value));
}

/**
 * Writes the statements that replace the contents of `bsb_directory` with these rows: each row is inserted or
 * overwritten, and rows of an earlier directory that are not in this one are deleted. The last statements record the
 * file as the one in use, with an entry in the audit trail. Running them twice changes nothing.
 *
 * @param {import("./parse-directory.mjs").DirectoryRow[]} rows
 * @param {number} loadedAt epoch milliseconds, later than that of any earlier load
 * @param {{ id: string, fileName: string }} upload a new id (UUID version 7) and the file's name, for the trail
 * @returns {string} one statement after the other, each ended by a semicolon and a line end
 */
export function toSql(rows, loadedAt, upload) {
  const statements = [];
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    const values = rows.slice(at, at + ROWS_PER_STATEMENT).map((row) => {
      const stored = { ...row, loadedAt };
      return `(${COLUMNS.map((column) => toLiteral(stored[column])).join(", ")})`;
    });
    statements.push(`INSERT OR REPLACE INTO bsb_directory (${COLUMNS.join(", ")}) VALUES\n${values.join(",\n")};\n`);
  }
  statements.push(
    `DELETE FROM bsb_directory WHERE loadedAt < ${loadedAt};\n`,
    ...toTrail(rows.length, loadedAt, upload),
  );
  return statements.join("");
}

function toTrail(rowCount, loadedAt, { id, fileName }) {
  const values = (...given) => given.map(toLiteral).join(", ");
  const details = JSON.stringify({ fileName, rowCount });
  const entry = values(id, PLATFORM, "bsb_directory.loaded", "bsb_directory", id, details, loadedAt);
  return [
    `INSERT OR IGNORE INTO bsb_uploads (id, fileName, rowCount, uploadedAt, loadedAt) VALUES (${values(id, fileName, rowCount, loadedAt, loadedAt)});\n`,
    `INSERT INTO audit_logs (id, organizationId, action, entityType, entityId, details, createdAt)
SELECT ${entry} WHERE NOT EXISTS (SELECT 1 FROM audit_logs WHERE id = ${toLiteral(id)});\n`,
  ];
}
