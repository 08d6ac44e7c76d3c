// A Worker that takes the lines of a payment file in and does nothing else with them: it parses the table and inserts its
// rows, into the table, the columns and with the commits that the app has.
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
    const insert = DB.prepare(
      `INSERT INTO payment_file_lines (organizationId, fileId, line, status, accountName, bsb, accountNumber, amount,
        reference, reasons) SELECT ?, ?, value ->> 0, 'held', value ->> 1, value ->> 2, value ->> 3, value ->> 4,
        value ->> 5, '[]' FROM json_each(?)`,
    );
    for (let from = 0; from < rows.length; from += LINES_PER_BATCH) {
      const statements = [];
      for (let at = from; at < Math.min(from + LINES_PER_BATCH, rows.length); at += LINES_PER_STATEMENT) {
        const part = rows.slice(at, Math.min(at + LINES_PER_STATEMENT, from + LINES_PER_BATCH));
        const lines = part.map(([name, bsb, account, amount, reference], index) => [
          at + index + 2,
          name,
          bsb.replace("-", ""),
          account,
          Math.round(Number(amount) * 100),
          reference,
        ]);
        statements.push(insert.bind(organizationId, fileId, JSON.stringify(lines)));
      }
      await DB.batch(statements);
    }
    return new Response(String(rows.length));
  },
};
