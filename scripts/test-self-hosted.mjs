// npm run test:self-hosted: what docs/operations/self-hosting.md says, without systemd: secrets, a libSQL server, the
// built Worker, an SMTP server, a person's first day, a super admin, a crash while emails are under way, a stop, a
// backup, its restore and the release of the hold.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { generateTOTP } from "@epic-web/totp";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { buildForProduction } from "./lib/build.mjs";
import { main, ROOT, say } from "./lib/console.mjs";
import { freePort } from "./lib/copy.mjs";
import { openLibsql, PRODUCTION } from "./lib/database.mjs";
import { parseSecrets } from "./lib/deploy-checks.mjs";
import { startSqld } from "./lib/libsql-server.mjs";

const ORIGIN = "https://app.payeeproof.example";
const PASSWORD = "Correct-horse-9";
const PAT = "pat@wattle.example";
const WITHIN_MS = 180_000;
const PEOPLE = 8;

/** Well-formed secrets of outside parties, which are not called here. */
const THEIRS = {
  BASIQ_API_KEY: "dGVzdA==",
  BASIQ_WEBHOOK_SECRET: "whsec_dGVzdC1iYXNpcS13ZWJob29r",
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_PUBLISHABLE_KEY: "pk_test_1",
  STRIPE_WEBHOOK_SECRETS: "whsec_1",
  STRIPE_PRICE_ID: "price_1",
  STRIPE_TAX_RATE_ID: "txr_1",
};

const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-self-hosted-"));
const file = (name) => path.join(folder, name);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(ask, what) {
  const since = Date.now();
  for (;;) {
    const found = await ask();
    if (found) return found;
    if (Date.now() - since > WITHIN_MS) throw new Error(`waited in vain for ${what}`);
    await wait(200);
  }
}

/** Runs a command from the documentation with the file of secrets. */
function command(script, ...args) {
  const files = ["secrets", "backup"].map((name) => `--env-file=${file(name)}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...files, `scripts/${script}.mjs`, ...args], {
    cwd: ROOT,
    encoding: "utf8",
  });
  assert.equal(status, 0, `${script}: ${stdout}${stderr}`);
  return stdout;
}

/** An SMTP server that accepts each email after a delay and keeps it. */
async function startMailbox() {
  const mailbox = { messages: [], delayMs: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    async onData(stream, _session, done) {
      const message = await PostalMime.parse(await buffer(stream));
      await wait(mailbox.delayMs);
      mailbox.messages.push(message);
      done();
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const textTo = (email) => mailbox.messages.find(({ to }) => to?.[0]?.address === email)?.text;
  return Object.assign(mailbox, { port: server.server.address().port, textTo, close: () => server.close() });
}

const lines = [];

/** Starts the app as its unit does. Its group is its own, so that a crash takes the runtime with it. */
function serve(port, settings) {
  const env = { PATH: process.env.PATH, NODE_ENV: "production", PORT: String(port), ...settings };
  const child = spawn(process.execPath, ["scripts/serve.mjs"], {
    cwd: ROOT,
    env: { ...env, STATE_DIR: file("state"), SECRETS_FILE: file("secrets") },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    lines.push(text);
    said += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  const ended = once(child, "close").then(([code]) => ({ code, said }));
  return {
    ended,
    isServing: () => said.includes('"event":"serving"'),
    signal: (name, all) => process.kill(all ? -child.pid : child.pid, name),
  };
}

async function startServing(port, settings) {
  const app = serve(port, settings);
  await Promise.race([
    until(app.isServing, "the app"),
    app.ended.then(({ said }) => Promise.reject(new Error(`the app ended: ${said}`))),
  ]);
  return app;
}

/**
 * What a visitor sends, as the proxy hands it on: behind whatever the visitor wrote, the address that the proxy saw.
 */
function visitor(port, address) {
  const cookies = new Map();
  return async (method, at, body, more = {}) => {
    const request = http.request({
      port,
      host: "127.0.0.1",
      method,
      path: at,
      agent: false,
      headers: {
        Host: "app.payeeproof.example",
        "X-Forwarded-For": `198.51.100.1, ${address}`,
        "Content-Type": typeof body === "string" ? "application/x-www-form-urlencoded" : "application/json",
        Origin: ORIGIN,
        Cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
        ...more,
      },
    });
    request.end(typeof body === "object" ? JSON.stringify(body) : body);
    const [response] = await once(request, "response");
    const text = (await buffer(response)).toString();
    for (const cookie of response.headers["set-cookie"] ?? []) {
      assert.match(cookie, /; Secure/i, cookie);
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
      cookies.set(name, value);
    }
    const isJson = response.headers["content-type"]?.includes("json");
    return { status: response.statusCode, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  };
}

async function refusesWhatIsMissing(port, settings) {
  const { code, said } = await serve(port, settings).ended;
  assert.equal(code, 78, said);
  for (const name of [...Object.keys(THEIRS), "MAIL_TRANSPORT"]) assert.match(said, new RegExp(`^  ${name}: `, "m"));
  for (const name of readdirSync(path.join(ROOT, "db/migrations")).filter((each) => each.endsWith(".sql")))
    assert.match(said, new RegExp(`^  migration ${name} is not applied$`, "m"));
  say("refused", `what is missing, in one list: ${said.trim().split("\n").length - 1} lines`);
}

/** A person's first day, from another address than the one they claim. */
async function firstDay(port, mailbox) {
  const ask = visitor(port, "203.0.113.7");
  const lies = { "CF-Connecting-IP": "192.0.2.66", "MF-CF-Blob": '{"city":"Nowhere"}', "X-Forwarded-Proto": "http" };
  const about = { email: PAT, firstName: "Pat", password: PASSWORD, newOrganization: { name: "Wattle Creek" } };
  const registered = await ask("POST", "/api/register", about, lies);
  assert.equal(registered.status, 201, JSON.stringify(registered.body));
  const text = await until(() => mailbox.textTo(PAT), "the email");
  const link = new URL(/https:\/\/\S*\/confirm-email\/\S+/.exec(text)[0]);
  assert.equal(link.origin, ORIGIN);
  assert.equal((await ask("POST", link.pathname, "intent=confirm")).status, 303);
  const details = { accountName: "Coastal Glass Supplies", bsb: "062-000", accountNumber: "12345678" };
  const added = await ask("POST", "/api/payees", {
    name: "Coastal Glass Supplies",
    email: "a@coastal.example",
    ...details,
  });
  assert.equal(added.status, 201, JSON.stringify(added.body));
  const approval = { approved: true, reason: "Called them on the number in the contract" };
  const reviewed = await ask("POST", `/api/verifications/${added.body.verification.id}/review`, approval);
  assert.equal(reviewed.status, 200, JSON.stringify(reviewed.body));
  const paid = await ask("POST", "/api/payments", { payeeId: added.body.payee.id, amount: 12_500, reference: "INV-1" });
  assert.equal(paid.body.decision, "authorised", JSON.stringify(paid.body));
  for (const at of ["/__local/seed", "/__scheduled", "/cdn-cgi/handler/scheduled", "/x/../cdn-cgi/handler/email"])
    assert.equal((await ask("POST", at, {})).status, 404, at);
  assert.equal((await ask("GET", "/auth")).headers["strict-transport-security"] !== undefined, true);
  say("first day", "registered, confirmed by an email over SMTP, added a payee, approved it, recorded a payment");
  return { ask, payeeId: added.body.payee.id };
}

const codeOf = async (secret) => (await generateTOTP({ secret, algorithm: "SHA-1" })).otp;

/** @returns the secret of Pat's codes */
async function becomeSuperAdmin(ask, url) {
  const form = (fields) => ask("POST", "/profile/two-step", new URLSearchParams(fields).toString());
  await form({ intent: "begin", currentPassword: PASSWORD });
  const { body } = await ask("GET", "/profile/two-step");
  const secret = />((?:[A-Z2-7]{4} ?)+)<\/p>/.exec(body)[1].replaceAll(" ", "");
  const enabled = await form({ intent: "enable", currentPassword: PASSWORD, code: await codeOf(secret) });
  assert.equal(enabled.status, 303, enabled.body);
  say("super admin", command("admin-grant", PAT, "--libsql", url).trim());
  return secret;
}

async function onlyTheProxyIsBelieved(url) {
  const client = openLibsql(url, { tokens: parseSecrets(readFileSync(file("secrets"), "utf8")).LIBSQL_AUTH_TOKEN });
  const { rows } = await client.execute("SELECT DISTINCT ipAddress, place FROM sessions");
  client.close();
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ ipAddress: "203.0.113.7", place: null }],
  );
  say("addresses", "the one that the proxy saw, whatever the visitor claimed");
}

/** Kills everything while emails are being sent; after a restart every email arrives. */
async function crash(app, port, settings, mailbox) {
  const people = Array.from({ length: PEOPLE }, (_, n) => `p${n}@banksia${n}.example`);
  mailbox.delayMs = 1_500;
  for (const [n, email] of people.entries()) {
    const about = { email, firstName: "Kim", password: PASSWORD, newOrganization: { name: `Banksia ${n}` } };
    const { status, body } = await visitor(port, `203.0.113.${20 + n}`)("POST", "/api/register", about);
    assert.equal(status, 201, JSON.stringify(body));
  }
  const arrived = () => people.filter((email) => mailbox.textTo(email));
  app.signal("SIGKILL", true);
  await app.ended;
  await wait(mailbox.delayMs);
  const before = arrived().length;
  assert.ok(before < PEOPLE, "everything had arrived before the crash");
  mailbox.delayMs = 0;
  const startedAt = Date.now();
  const again = await startServing(port, settings);
  await until(() => arrived().length === PEOPLE, "the emails after the crash");
  const ids = people.map((email) =>
    mailbox.messages.filter(({ to }) => to[0].address === email).map(({ messageId }) => messageId),
  );
  for (const own of ids) assert.equal(new Set(own).size, 1, `another Message-ID for the same email: ${own}`);
  const twice = ids.filter((own) => own.length > 1).length;
  say(
    "crash",
    `${before} of ${PEOPLE} had arrived, all ${(Date.now() - startedAt) / 1000} s after the start; ${twice} twice, alike`,
  );
  return again;
}

/** Open requests are answered; new ones are refused. */
async function stop(app, port) {
  const request = http.request({ port, host: "127.0.0.1", method: "POST", path: "/api/login", agent: false });
  request.setHeader("Content-Type", "application/json");
  const answered = once(request, "response");
  request.write('{"email":"nobody@wattle.example",');
  await wait(500);
  app.signal("SIGTERM");
  await until(
    () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        () => false,
        () => true,
      ),
    "the closed port",
  );
  request.end('"password":"Wrong-password-1"}');
  assert.equal((await answered)[0].statusCode, 401);
  assert.equal((await app.ended).code, 0);
  say("stop", "a request that was under way was answered, and the app ended with 0");
}

async function backUpAndRestore(url) {
  assert.match(command("keys", "--libsql", url), /ENCRYPTION_KEYS {2}k[0-9a-f]{8} {2}/);
  command("backup", "--libsql", url, "--out", file("night.backup"));
  const other = await startSqld({ folder: file("other"), port: await freePort(), keyFile: file("database.pem") });
  command("restore", file("night.backup"), "--libsql", other.url);
  say("backup", "and restored into another libSQL server");
  return other;
}

/** The app on a restored database changes nothing until the super admin has read what was lost. */
async function releaseTheHold(port, { secret, payeeId }) {
  const startedAt = Date.now();
  const ask = visitor(port, "203.0.113.7");
  const login = { email: PAT, password: PASSWORD };
  // A code works once, and the one of this half minute may be the one that turned two-step sign-in on.
  await until(async () => {
    const signedIn = await ask("POST", "/api/login", { ...login, totp: await codeOf(secret) });
    if (signedIn.status !== 200) await wait(5_000);
    return signedIn.status === 200;
  }, "the next code");
  const pay = () => ask("POST", "/api/payments", { payeeId, amount: 12_500, reference: "INV-2" });
  const refused = await pay();
  assert.deepEqual([refused.status, refused.body.code, refused.headers["retry-after"]], [503, "ON_HOLD", "300"]);
  const restoreId = await until(async () => {
    const { body } = await ask("GET", "/admin/restores");
    return /Release the hold/.test(body) && /name="restoreId" value="([^"]+)"/.exec(body)?.[1];
  }, "the report");
  const released = await ask("POST", "/admin/restores", new URLSearchParams({ restoreId, read: "on" }).toString());
  assert.equal(released.status, 303, released.body);
  assert.equal((await pay()).body.decision, "authorised");
  say("hold", `refused a payment, was released and accepted it, after ${(Date.now() - startedAt) / 1000} s`);
}

await main(async () => {
  if (!existsSync(path.join(PRODUCTION, "version"))) await buildForProduction();
  mkdirSync(file("state"));
  const made = spawnSync(process.execPath, ["scripts/new-secrets.mjs", folder], { cwd: ROOT, encoding: "utf8" });
  assert.equal(made.status, 0, made.stderr);
  const mailbox = await startMailbox();
  const sqld = await startSqld({ folder: file("data"), port: await freePort(), keyFile: file("database.pem") });
  let app;
  let other;
  try {
    const port = await freePort();
    const settings = {
      ...parseSecrets(readFileSync(path.join(ROOT, "deploy/settings"), "utf8")),
      LIBSQL_URL: sqld.url,
    };
    delete settings.BREACHED_PASSWORDS_URL;
    await refusesWhatIsMissing(port, settings);
    const secrets = Object.entries({ ...THEIRS, SMTP_URL: `smtp://127.0.0.1:${mailbox.port}` });
    const filledIn = secrets.reduce(
      (text, [name, value]) => text.replace(`${name}=\n`, `${name}=${value}\n`),
      readFileSync(file("secrets"), "utf8"),
    );
    writeFileSync(file("secrets"), filledIn);
    command("db-migrate", "--libsql", sqld.url);
    app = await startServing(port, settings);
    const { ask, payeeId } = await firstDay(port, mailbox);
    await onlyTheProxyIsBelieved(sqld.url);
    const secret = await becomeSuperAdmin(ask, sqld.url);
    app = await crash(app, port, settings, mailbox);
    await stop(app, port);
    app = undefined;
    other = await backUpAndRestore(sqld.url);
    app = await startServing(port, { ...settings, LIBSQL_URL: other.url });
    await releaseTheHold(port, { secret, payeeId });
    app.signal("SIGTERM");
    await app.ended;
    app = undefined;
    for (const line of lines.join("").trim().split("\n")) JSON.parse(line);
    say("log", `${lines.join("").trim().split("\n").length} lines, JSON each`);
  } finally {
    app?.signal("SIGKILL", true);
    for (const { child } of [sqld, other].filter(Boolean)) process.kill(-child.pid, "SIGTERM");
    mailbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
