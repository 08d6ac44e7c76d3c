const ROWS_PER_STATEMENT = 500;

/** The columns that an insert sets: the database computes the generated ones. */
async function writtenColumns(db, table) {
  const { results } = await db.prepare("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0").bind(table).all();
  return results.map(({ name }) => name);
}

/** Inserts rows, table by table, in as few statements as possible. @returns milliseconds */
export async function insertRows(db, tables) {
  const started = performance.now();
  for (const [table, rows] of Object.entries(tables)) {
    const columns = await writtenColumns(db, table);
    const insert = db.prepare(
      `INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join()})
        SELECT ${columns.map((name) => `value ->> '${name}'`).join()} FROM json_each(?)`,
    );
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
      await insert.bind(JSON.stringify(rows.slice(at, at + ROWS_PER_STATEMENT))).run();
    }
  }
  return performance.now() - started;
}

/** The rows that were written for payees with such a name (LIKE), as rows of another organisation under other ids. */
export async function readPayeesAsOther(db, name, organizationId) {
  const other = (id) => `f${id.slice(1)}`;
  const read = async (text) => (await db.prepare(text).bind(name).all()).results;
  const mine = "IN (SELECT id FROM payees WHERE name LIKE ?1)";
  const toOther = (row) => ({ ...row, organizationId, ...(row.payeeId && { payeeId: other(row.payeeId) }) });
  const withId = (row) => ({ ...toOther(row), id: other(row.id) });
  const parts =
    "SELECT * FROM payee_word_parts WHERE organizationId = (SELECT organizationId FROM payees WHERE name LIKE ?1 LIMIT 1)";
  return {
    payee_word_parts: (await read(parts)).map(toOther),
    payees: (await read("SELECT * FROM payees WHERE name LIKE ?1")).map(withId),
    verifications: (await read(`SELECT * FROM verifications WHERE payeeId ${mine}`)).map(withId),
    payee_terms: (await read(`SELECT * FROM payee_terms WHERE payeeId ${mine}`)).map(toOther),
    accounting_contacts: (await read(`SELECT * FROM accounting_contacts WHERE payeeId ${mine}`)).map(toOther),
  };
}
