import { once } from "node:events";
import path from "node:path";
import { createClient } from "@libsql/client";
import { Miniflare } from "miniflare";
import { freePort } from "../scripts/lib/copy.mjs";
import { startSqld } from "../scripts/lib/libsql-server.mjs";

const CHUNK = 20_000;
const FIRST_ACCOUNT = 100_000_000;
const ACCOUNT_STEP = 104_729;
const ACCOUNTS = 899_999_963;
/** When the first payee was added; each further payee was added a second later. */
const FIRST_ADDED = Date.UTC(2026, 0, 5);
export const DATABASE_ID = "00000000-0000-0000-0000-000000000001";

/** The database file of a stopped copy, to be written directly: D1's, or with DB_DRIVER=libsql the server's. */
export async function withDatabase(stateDir, work) {
  if (process.env.DB_DRIVER === "libsql") return withServer(path.join(stateDir, "libsql"), work);
  const miniflare = new Miniflare({
    modules: true,
    script: "export default {}",
    cf: false,
    defaultPersistRoot: path.join(stateDir, "v3"),
    d1Databases: { DB: DATABASE_ID },
  });
  try {
    return await work(await miniflare.getD1Database("DB"));
  } finally {
    await miniflare.dispose();
  }
}

async function withServer(folder, work) {
  const { child, url } = await startSqld({ folder, port: await freePort() });
  const client = createClient({ url });
  const prepare = (sql, args = []) => ({
    bind: (...values) => prepare(sql, values),
    run: () => client.execute({ sql, args }),
    first: async () => (await client.execute({ sql, args })).rows[0],
  });
  try {
    return await work({ prepare: (sql) => prepare(sql) });
  } finally {
    client.close();
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}

/** The id of the payee or verification with this number. */
export const payeeId = (number) => `01000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
export const verificationId = (number) => `02000000-0000-7000-8000-${String(number).padStart(12, "0")}`;

/** The account number of the payee with this number, at BSB 062-000. Scattered: see `fill`. */
export const accountOf = (number) => FIRST_ACCOUNT + ((number * ACCOUNT_STEP) % ACCOUNTS);

/** Payees with a pending verification each, in the demo's organisation. One in ten looks as if it were paid often. */
export function fill(stateDir, from, to) {
  return withDatabase(stateDir, async (db) => {
    const { organizationId } = await db
      .prepare("SELECT organizationId FROM users WHERE email = 'alex@harbour.example'")
      .first();
    for (let first = from; first < to; first += CHUNK) {
      const last = Math.min(first + CHUNK, to) - 1;
      const numbers = `WITH RECURSIVE n(i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`;
      const id = (mark) => `printf('0%d000000-0000-7000-8000-%012d', ${mark}, i)`;
      const name = "printf('Bench Supplies %06d Pty Ltd', i)";
      // Scattered, because numbers one typing slip apart are look-alikes, and consecutive numbers would have more of
      // them the more payees there are.
      const account = `printf('%09d', ${FIRST_ACCOUNT} + (i * ${ACCOUNT_STEP}) % ${ACCOUNTS})`;
      // Reversed, as `accountTerms` stores it: nine digits without a leading zero.
      const digits = Array.from({ length: 9 }, (_, at) => `substr(${account}, ${9 - at}, 1)`);
      const backwards = `'<' || ${digits.join(" || ")}`;
      const added = `${FIRST_ADDED} + i * 1000`;
      const run = (text) => db.prepare(text).bind(organizationId).run();
      await run(`INSERT INTO payees (id, organizationId, name, accountName, bsb, accountNumber, hash, accountFingerprint, terms, paymentCount, createdAt, updatedAt)
        ${numbers} SELECT ${id(1)}, ?1, ${name}, ${name}, '062000', ${account}, 'b:' || i, 'b:' || i, json_array('bench', 'supplies', printf('%06d', i), ${account}, ${backwards}), iif(i % 10, 0, 5), ${added}, ${added} FROM n`);
      await run(`INSERT INTO verifications (id, organizationId, payeeId, method, accountName, bsb, accountNumber, createdAt)
        ${numbers} SELECT ${id(2)}, ?1, ${id(1)}, 'manual', ${name}, '062000', ${account}, ${added} FROM n`);
      for (const term of ["'bench'", "'supplies'", "printf('%06d', i)", account, backwards]) {
        await run(
          `INSERT INTO payee_terms (organizationId, term, payeeId) ${numbers} SELECT ?1, ${term}, ${id(1)} FROM n`,
        );
      }
    }
    await addWords(db, organizationId, ["bench", "supplies"]);
    // Nothing waits for promotion: these rows represent payees that were added long ago.
    await db.prepare("DELETE FROM promotion_due").run();
  });
}

const LETTERS = 26;
const WORD_LENGTH = 9;

/** The middles of words, as adding a payee keeps them. */
export const addWords = (db, organizationId, words) =>
  db
    .prepare(
      `INSERT INTO payee_word_parts (organizationId, part, word)
      WITH RECURSIVE cut(n) AS (SELECT 2 UNION ALL SELECT n + 2 FROM cut WHERE n < 38)
      SELECT ?1, substr(value, n + 1), value FROM json_each(?2) CROSS JOIN cut WHERE n + 2 <= length(value)
      ON CONFLICT DO NOTHING`,
    )
    .bind(organizationId, JSON.stringify(words))
    .run();

/** A word of a name that is similar to no other: letters computed from its number. */
export function wordOf(number) {
  let [word, rest] = ["", (number * ACCOUNT_STEP) % ACCOUNTS];
  while (word.length < WORD_LENGTH) {
    word += String.fromCharCode("a".charCodeAt(0) + (rest % LETTERS));
    rest = Math.floor(rest / LETTERS) + number * (word.length + 1);
  }
  return word;
}

/** The earlier start was stopped in the middle, and the leases that it held would delay a schedule for a minute. */
export const endLeases = (stateDir) => withDatabase(stateDir, (db) => db.prepare("DELETE FROM leases").run());
