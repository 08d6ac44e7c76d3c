// Rows that D1 reads for the main paths, in an organisation of 1,000 payees and in one of 200,000: they must be the same.
import path from "node:path";
import { Miniflare } from "miniflare";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { row } from "./lib.mjs";
import { startApp } from "./local-app.mjs";

const SIZES = [1_000, 200_000];
const CHUNK = 20_000;
const DATABASE_ID = "00000000-0000-0000-0000-000000000001";

/** Payees with a pending verification each, written straight into the stopped app's database. */
async function fill(stateDir, from, to) {
  const miniflare = new Miniflare({
    modules: true,
    script: "export default {}",
    cf: false,
    defaultPersistRoot: path.join(stateDir, "v3"),
    d1Databases: { DB: DATABASE_ID },
  });
  const db = await miniflare.getD1Database("DB");
  const { organizationId } = await db
    .prepare("SELECT organizationId FROM users WHERE email = 'alex@harbour.example'")
    .first();
  for (let first = from; first < to; first += CHUNK) {
    const last = Math.min(first + CHUNK, to) - 1;
    const numbers = `WITH RECURSIVE n(i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`;
    const id = (mark) => `printf('0%d000000-0000-7000-8000-%012d', ${mark}, i)`;
    const name = "printf('Bench Supplies %06d Pty Ltd', i)";
    const account = "printf('%09d', 300000000 + i)";
    const run = (text) => db.prepare(text).bind(organizationId).run();
    await run(`INSERT INTO payees (id, organizationId, name, accountName, bsb, accountNumber, hash, accountFingerprint, createdAt, updatedAt)
      ${numbers} SELECT ${id(1)}, ?1, ${name}, ${name}, '062000', ${account}, 'b:' || i, 'b:' || i, 1, 1 FROM n`);
    await run(`INSERT INTO verifications (id, organizationId, payeeId, method, accountName, bsb, accountNumber, createdAt)
      ${numbers} SELECT ${id(2)}, ?1, ${id(1)}, 'manual', ${name}, '062000', ${account}, 1 FROM n`);
    for (const term of ["'bench'", "'supplies'", "printf('%06d', i)", account]) {
      await run(
        `INSERT INTO payee_terms (organizationId, term, payeeId) ${numbers} SELECT ?1, ${term}, ${id(1)} FROM n`,
      );
    }
  }
  await miniflare.dispose();
}

const PATHS = [
  { name: "payment check", method: "POST", path: "/api/payments" },
  { name: "pending list", path: "/verifications/pending" },
  { name: "payees, a search", path: "/payees?q=bench+000777" },
  { name: "dashboard", path: "/dashboard" },
];

async function measure(app) {
  const meter = async () => (await fetch(`${app.origin}/__local/meter`)).json();
  const headers = { Cookie: app.cookie, "Content-Type": "application/json" };
  const payeeId = "01000000-0000-7000-8000-000000000500";
  const figures = {};
  for (const { name, method = "GET", path: address } of PATHS) {
    const body =
      method === "POST" ? JSON.stringify({ payeeId, amount: 12_500, reference: `B-${Math.random()}` }) : undefined;
    await meter();
    const response = await fetch(app.origin + address, { method, headers, body });
    if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
    await response.text();
    figures[name] = await meter();
  }
  return figures;
}

const stateDir = newStateDir();
await (await startApp(stateDir)).stop();
const results = [];
let from = 0;
for (const size of SIZES) {
  await fill(stateDir, from, size);
  from = size;
  const app = await startApp(stateDir, { D1_METER: "1" });
  results.push(await measure(app));
  await app.stop();
}
removeStateDir(stateDir);
const [small, large] = results;
for (const { name } of PATHS) {
  const [a, b] = [small[name], large[name]];
  const statements = `${b.statements} statements`;
  row(
    `rows read, ${name}`,
    `${a.rowsRead} / ${b.rowsRead}`,
    `at 1,000 / 200,000 payees: ${(b.rowsRead / a.rowsRead).toFixed(2)} x; ${statements}`,
  );
}
