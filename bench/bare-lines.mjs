// A Worker that stores the lines of a payment file and does nothing else: it parses the table and inserts its rows,
// with the same table, columns and commits as the app. In bulk: 500 lines of JSON a statement, the fastest way we
// found. At /singly: one prepared statement a line, as a batch of D1 is usually written.
import Papa from "papaparse";

const LINES_PER_BATCH = 4_000;
const LINES_PER_STATEMENT = 500;

export default {
  async fetch(request, { DB }) {
    const { organizationId } = await DB.prepare(
      "SELECT organizationId FROM users WHERE email = 'alex@harbour.example'",
    ).first();
    const rows = Papa.parse(await request.text()).data.slice(1);
    const fileId = crypto.randomUUID();
    await DB.prepare(
      `INSERT INTO payment_files (id, organizationId, name, format, status, sha256, paymentsDigest, byteCount, problems,
        lineCount, totalCents, createdAt, updatedAt) VALUES (?, ?, 'bare', 'csv', 'open', ?, ?, 1, '[]', ?, 1, 1, 1)`,
    )
      .bind(fileId, organizationId, fileId, fileId, rows.length)
      .run();
    const isSingly = new URL(request.url).pathname === "/singly";
    const insert = isSingly ? singly(DB, organizationId, fileId) : inBulk(DB, organizationId, fileId);
    for (let from = 0; from < rows.length; from += LINES_PER_BATCH) {
      const lines = rows.slice(from, from + LINES_PER_BATCH).map((row, index) => toLine(row, from + index + 2));
      await DB.batch(insert(lines));
    }
    return new Response(String(rows.length));
  },
};

const toLine = ([name, bsb, account, amount, reference], line) => [
  line,
  name,
  bsb.replace("-", ""),
  account,
  Math.round(Number(amount) * 100),
  reference,
];

const COLUMNS = "organizationId, fileId, line, accountName, bsb, accountNumber, amount, reference, status, reasons";

function inBulk(db, organizationId, fileId) {
  const insert = db.prepare(
    `INSERT INTO payment_file_lines (${COLUMNS}) SELECT ?, ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3,
      value ->> 4, value ->> 5, 'held', '[]' FROM json_each(?)`,
  );
  return (lines) =>
    Array.from({ length: Math.ceil(lines.length / LINES_PER_STATEMENT) }, (_, part) => {
      const some = lines.slice(part * LINES_PER_STATEMENT, (part + 1) * LINES_PER_STATEMENT);
      return insert.bind(organizationId, fileId, JSON.stringify(some));
    });
}

function singly(db, organizationId, fileId) {
  const insert = db.prepare(
    `INSERT INTO payment_file_lines (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'held', '[]')`,
  );
  return (lines) => lines.map((line) => insert.bind(organizationId, fileId, ...line));
}
