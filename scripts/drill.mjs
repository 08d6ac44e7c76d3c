// npm run drill: a restore to the moment of a backup, on temporary copies of the app. It measures how much was lost and
// how long it took until the app worked again, and fails if something was authorised twice.
//
//   npm run drill                 D1 on this machine
//   npm run drill -- --libsql     the same, restored into a libSQL server that is started for it
import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";
import { main, ROOT, say } from "./lib/console.mjs";
import { freePort, newStateDir, removeStateDir, startCopy } from "./lib/copy.mjs";
import { startSqld } from "./lib/libsql-server.mjs";

const BEATS_APART_MS = 35_000;
const REPORT_WITHIN_MS = 300_000;
const onLibsql = process.argv.includes("--libsql");
const env = { BACKUP_KEY: randomBytes(32).toString("base64url") };

function run(script, args, given) {
  const startedAt = Date.now();
  const { status, stderr, stdout } = spawnSync(process.execPath, [path.join(ROOT, "scripts", script), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env, ...given },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${script} failed\n${stdout}${stderr}`);
  return Date.now() - startedAt;
}

/** A signed-in person, simulated by a script. */
async function signIn(origin, email, password) {
  const headers = { "Content-Type": "application/json", Origin: origin };
  const response = await fetch(`${origin}/api/login`, {
    method: "POST",
    headers,
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`signing in answered ${response.status}: ${await response.text()}`);
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  return {
    post: (at, body) =>
      fetch(`${origin}${at}`, {
        method: "POST",
        headers: { ...headers, Cookie: cookie, "Idempotency-Key": randomUUID() },
        body: JSON.stringify(body),
      }),
    submit: (at, fields) =>
      fetch(`${origin}${at}`, {
        method: "POST",
        headers: { Cookie: cookie, Origin: origin },
        body: new URLSearchParams(fields),
        redirect: "manual",
      }),
    page: async (at) => (await fetch(`${origin}${at}`, { headers: { Cookie: cookie } })).text(),
  };
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function makeFixtures(origin, password) {
  const response = await fetch(`${origin}/__local/fixtures`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ password }),
  });
  if (!response.ok) throw new Error(`fixtures answered ${response.status}`);
  return response.json();
}

const PAYMENT = { accountName: "Drill Supplies", bsb: "062000", accountNumber: "55512345", amount: 777_700 };
const aPayment = () => ({ ...PAYMENT, reference: `DRILL-${randomUUID().slice(0, 8)}` });

/** Keeps working until the copy is stopped. @returns when the backup was taken, and how long it took */
async function live(stateDir, file, password) {
  const copy = await startCopy(stateDir);
  try {
    await makeFixtures(copy.origin, password);
    await wait(BEATS_APART_MS);
    const takenAt = Date.now();
    const backupMs = run("backup.mjs", ["--out", file], { STATE_DIR: stateDir });
    const admin = await signIn(copy.origin, "admin@alpha.example", password);
    const response = await admin.post("/api/payments", aPayment());
    if (response.status !== 201)
      throw new Error(`the payment was answered ${response.status}: ${await response.text()}`);
    await wait(BEATS_APART_MS);
    return { takenAt, backupMs };
  } finally {
    await copy.stop();
  }
}

/** The second copy's own files: its secrets, and the outside notes, which a restore does not change. */
function keepOutside(from, to) {
  mkdirSync(path.join(to, "v3"), { recursive: true });
  cpSync(path.join(from, "secrets.json"), path.join(to, "secrets.json"));
  cpSync(path.join(from, "v3/kv"), path.join(to, "v3/kv"), { recursive: true });
}

async function goOn(copy, password) {
  const admin = await signIn(copy.origin, "admin@alpha.example", password);
  const refused = await admin.post("/api/payments", aPayment());
  const { code } = await refused.json();
  if (refused.status !== 503 || code !== "ON_HOLD") throw new Error(`not on hold: ${refused.status} ${code}`);
  const operator = await signIn(copy.origin, "super@payeeproof.example", password);
  const since = Date.now();
  let restoreId;
  while (!restoreId) {
    if (Date.now() - since > REPORT_WITHIN_MS) throw new Error("the report is not complete in time");
    await wait(2_000);
    const html = await operator.page("/admin/restores");
    restoreId = /Release the hold/.test(html) && /name="restoreId" value="([^"]+)"/.exec(html)?.[1];
    if (restoreId && !html.includes("$7,777.00")) throw new Error("the report does not name the lost payment");
  }
  const reportMs = Date.now() - since;
  const released = await operator.submit("/admin/restores", { restoreId, read: "on" });
  if (released.status !== 302 && released.status !== 303) throw new Error(`the release answered ${released.status}`);
  const again = await admin.post("/api/payments", aPayment());
  const body = JSON.stringify(await again.json());
  if (again.status !== 201 || !body.includes("repeated_after_restore"))
    throw new Error(`the repeated payment was not held: ${again.status} ${body}`);
  return reportMs;
}

await main(async () => {
  const [before, after] = [newStateDir(), newStateDir()];
  const password = "Drill-only-7-passes";
  const file = path.join(before, "drill.backup");
  let server;
  try {
    const { takenAt, backupMs } = await live(before, file, password);
    const stoppedAt = Date.now();
    keepOutside(before, after);
    const target = { STATE_DIR: after };
    if (onLibsql) {
      server = await startSqld({ folder: path.join(after, "libsql"), port: await freePort() });
      Object.assign(target, { DB_DRIVER: "libsql", LIBSQL_URL: server.url });
    }
    const restoreMs = run("restore.mjs", [file, ...(onLibsql ? ["--libsql", server.url] : [])], target);
    const startedAt = Date.now();
    const copy = await startCopy(after, { env: target });
    const startMs = Date.now() - startedAt;
    try {
      const reportMs = await goOn(copy, password);
      const engine = onLibsql ? "libSQL" : "D1";
      const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
      say(
        "drill",
        `restored into ${engine}: on hold at once, the lost payment is in the report and is held when repeated`,
      );
      say(
        "drill",
        `RPO, from the backup to the loss: ${seconds(stoppedAt - takenAt)}; the backup took ${seconds(backupMs)}`,
      );
      say(
        "drill",
        `RTO: ${seconds(Date.now() - stoppedAt)} (restore ${seconds(restoreMs)}, start ${seconds(startMs)}, until the report was complete ${seconds(reportMs)}; reading it not counted)`,
      );
    } finally {
      await copy.stop();
    }
  } finally {
    if (server) process.kill(-server.child.pid, "SIGTERM");
    for (const folder of [before, after]) removeStateDir(folder);
  }
});
