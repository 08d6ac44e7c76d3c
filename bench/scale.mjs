// Rows that the database reads for the main paths, in an organisation of 1,000 payees and in a large one: they must be the same.
//
//   npm run bench scale                  the large one has 200,000 payees, on D1
//   npm run bench scale 1000000 libsql   a million, on a libSQL server: ten minutes
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { accountOf, addWords, endLeases, fill, payeeId, verificationId, withDatabase, wordOf } from "./fill.mjs";
import { row } from "./lib.mjs";
import { fetchAgain, startApp } from "./local-app.mjs";

const SMALL = 1_000;
const [payees = 200_000, driver = "d1"] = process.argv.slice(2);
const LARGE = Number(payees);
if (driver === "libsql") process.env.DB_DRIVER = driver;
const MOST = 1.3;
const TIMES = 3;
/** The work that follows a response (queues, alerts) is over once the database has been idle for this long. */
const QUIET_MS = 250;

const newPayment = () => ({ payeeId: payeeId(500), amount: 12_500, reference: `B-${Math.random()}` });
const newPayee = () => ({
  name: "Bench Supplies of Wattle Creek Pty Ltd",
  accountName: "Bench Supplies of Wattle Creek Pty Ltd",
  bsb: "062-000",
  accountNumber: String(100_000_000 + Math.floor(Math.random() * 1e8)),
  email: `accounts@${crypto.randomUUID()}.example`,
});

const HOURLY = `/__scheduled?cron=${encodeURIComponent("7 * * * *")}`;

const REPORTS = [
  "verifications",
  "bank-answers",
  "time-to-verify",
  "scores",
  "money",
  "rules",
  "whitelist",
  "people",
  "call-backs",
];

/** The counts of a year's work, which reports read: the larger the organisation, the larger the figures. */
const COUNTED = {
  decided: "verified",
  outcome: "match",
  time: "hour",
  score: "exact",
  payments: "held",
  rules: "duplicate_payment:hold",
  whitelist: "added",
  decider: "rule:verification_verified",
  calls: "proof",
};

const fillReports = (stateDir, size) =>
  withDatabase(stateDir, async (db) => {
    for (const [metric, key] of Object.entries(COUNTED)) {
      await db
        .prepare(
          `INSERT INTO report_days (organizationId, metric, day, key, count, sum)
          WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 364)
          SELECT organizationId, ?1, date('2026-01-01', i || ' days'), ?2, ?3, ?3 FROM n, users WHERE email = 'alex@harbour.example'`,
        )
        .bind(metric, key, size)
        .run();
    }
  });

/** A health report that found that none of the new payees was verified. */
const fillHealth = (stateDir, size) =>
  withDatabase(stateDir, async (db) => {
    const { organizationId } = await db
      .prepare("SELECT organizationId FROM users WHERE email = 'alex@harbour.example'")
      .first();
    const runId = verificationId(0).replace(/^02/, "03");
    const totals = JSON.stringify({ never_verified: { count: size, cents: 0 } });
    await db
      .prepare(
        `INSERT INTO health_runs (id, organizationId, status, payeeCount, pointsSum, totals, startedAt, finishedAt)
        VALUES (?1, ?2, 'finished', ?3, ?4, ?5, 2, 3)`,
      )
      .bind(runId, organizationId, size, size * 60, totals)
      .run();
    for (let from = 0; from < size; from += FINDINGS_AT_ONCE) {
      await db
        .prepare(
          `INSERT INTO payee_findings (organizationId, runId, kind, payeeId, detail, paidCents)
          SELECT organizationId, ?1, 'never_verified', id, '', 0 FROM payees
          WHERE organizationId = ?2 AND id >= ?3 AND id < ?4`,
        )
        .bind(runId, organizationId, payeeId(from), payeeId(Math.min(from + FINDINGS_AT_ONCE, size)))
        .run();
    }
  });

const FINDINGS_AT_ONCE = 50_000;
const RARE_WORD = "quandongberry";
const RARE_PAYEE = 777;
const WORDS_AT_ONCE = 5_000;

/** Half as many different words in names as there are payees, and one word that a single payee has. */
const fillWords = (stateDir, size) =>
  withDatabase(stateDir, async (db) => {
    const { organizationId } = await db
      .prepare("SELECT organizationId FROM users WHERE email = 'alex@harbour.example'")
      .first();
    const words = Array.from({ length: size / 2 }, (_, number) => wordOf(number));
    for (let at = 0; at < words.length; at += WORDS_AT_ONCE) {
      await addWords(db, organizationId, words.slice(at, at + WORDS_AT_ONCE));
    }
    await addWords(db, organizationId, [RARE_WORD]);
    await db
      .prepare("INSERT INTO payee_terms (organizationId, term, payeeId) VALUES (?1, ?2, ?3)")
      .bind(organizationId, RARE_WORD, payeeId(RARE_PAYEE))
      .run();
    await db
      .prepare("UPDATE payees SET terms = json_insert(terms, '$[#]', ?1) WHERE organizationId = ?2 AND id = ?3")
      .bind(RARE_WORD, organizationId, payeeId(RARE_PAYEE))
      .run();
  });

/** Each row of the list of payees has a checkbox. */
const ROW_MARK = 'name="payeeId"';

const PATHS = [
  { name: "payment check", path: "/api/payments", body: newPayment },
  { name: "a payee added", path: "/api/payees", body: newPayee },
  { name: "pending list", path: "/verifications/pending" },
  { name: "pending list, a search for common words", path: "/verifications/pending?q=bench+supplies" },
  { name: "payees, a search for one of them", path: `/payees?q=bench+${accountOf(777)}` },
  { name: "payees, a search for the middle of a word", path: "/payees?q=dongber" },
  { name: "payees, a search for the end of a number", path: `/payees?q=${String(accountOf(777)).slice(-7)}` },
  // The larger the organisation, the more payees share an end: what each of them costs is compared.
  {
    name: "payees, the last four digits of a number, per payee found",
    path: `/payees?q=${String(accountOf(777)).slice(-4)}`,
    isPerPayee: true,
  },
  { name: "payees, the list", path: "/payees" },
  { name: "payees, the list of a filter", path: "/payees?status=not_whitelisted" },
  { name: "health report", path: "/payees/health?kind=never_verified" },
  { name: "payees, a search for common words", path: "/payees?q=bench+supplies" },
  { name: "all verifications", path: "/verifications" },
  { name: "all verifications, a filter that none fits", path: "/verifications?outcome=match" },
  ...REPORTS.map((id) => ({ name: `the report ${id}`, path: `/api/reports/${id}?from=2026-01-01&to=2026-12-31` })),
  { name: "a verification", path: `/verifications/${verificationId(500)}` },
  { name: "payments", path: "/payments" },
  { name: "dashboard", path: "/dashboard" },
  // The hourly check of payees' email domains continues where it stopped, 2,000 at a time, so a small organisation's is
  // already complete.
  { name: "the hourly schedule, with nothing changed", path: HOURLY, atMost: 2_500 },
];

async function measure(app) {
  const meter = async () => (await fetchAgain(`${app.origin}/__local/meter`)).json();
  /**
   * Everything since the last reading, including the work that follows a response: when that work ends is a matter of
   * chance.
   */
  const meterWhenQuiet = async () => {
    const sum = { statements: 0, rowsRead: 0, rowsWritten: 0 };
    for (let isQuiet = false; !isQuiet; ) {
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      const more = await meter();
      for (const name of Object.keys(sum)) sum[name] += more[name];
      isQuiet = more.statements === 0;
    }
    return sum;
  };
  const headers = { Cookie: app.cookie, "Content-Type": "application/json" };
  const figures = {};
  for (const { name, path: address, body: make, isPerPayee } of PATHS) {
    const method = make ? "POST" : "GET";
    const ask = async () => {
      const response = await fetchAgain(app.origin + address, {
        method,
        headers,
        body: make && JSON.stringify(make()),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${address} answered ${response.status}: ${text}`);
      return text;
    };
    // Once without measuring: the first action of its kind has less to compare with, and the first run of a schedule
    // has more to do.
    const shown = (await ask()).split(ROW_MARK).length - 1;
    const taken = [];
    for (let time = 0; time < TIMES; time++) {
      await meterWhenQuiet();
      await ask();
      taken.push(await meterWhenQuiet());
    }
    // The smallest count: a schedule may run at the same time, and its rows are counted too.
    const [least] = taken.sort((a, b) => a.rowsRead - b.rowsRead);
    figures[name] = isPerPayee ? { ...least, rowsRead: Math.round(least.rowsRead / shown) } : least;
  }
  return figures;
}

const results = [];
for (const size of [SMALL, LARGE]) {
  const stateDir = newStateDir();
  await (await startApp(stateDir)).stop();
  await fill(stateDir, 0, size);
  await fillReports(stateDir, size);
  await fillWords(stateDir, size);
  await fillHealth(stateDir, size);
  await endLeases(stateDir);
  const app = await startApp(stateDir, { D1_METER: "1" });
  results.push(await measure(app));
  await app.stop();
  removeStateDir(stateDir);
}
const [small, large] = results;
let isBounded = true;
for (const { name, atMost = 0 } of PATHS) {
  const [a, b] = [small[name], large[name]];
  const statements = `${b.statements} statements, ${b.rowsWritten} rows written`;
  const ratio = b.rowsRead / a.rowsRead;
  const isSame = ratio <= MOST || b.rowsRead <= atMost;
  isBounded &&= isSame;
  const mark = isSame ? "" : `  MORE THAN ${MOST} x`;
  row(
    `rows read, ${name}`,
    `${a.rowsRead} / ${b.rowsRead}`,
    `at ${SMALL} / ${LARGE} payees: ${ratio.toFixed(2)} x; ${statements}${mark}`,
  );
}
if (!isBounded) process.exitCode = 1;
