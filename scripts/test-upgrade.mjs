// npm run test:upgrade: the previous release, built from its commit, fills a database that this build refuses before
// the migrations and then takes over. The release also runs its tests of the first journey, the webhooks and the queues
// on the schema of this checkout. Needs the history of git; the release, its packages and its build are kept in
// .cache/upgrade.
//   npm run test:upgrade -- 100000    instead: upgrades this many payees while people, banks and files keep working
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { Log, LogLevel, Miniflare } from "miniflare";
import { experimental_readRawConfig as readRawConfig } from "wrangler";
import { signIn } from "../bench/local-app.mjs";
import { main, ROOT, say } from "./lib/console.mjs";
import { newStateDir, removeStateDir, startCopy } from "./lib/copy.mjs";
import { askDatabase, findProblems, loadEnv } from "./lib/deploy-checks.mjs";
import { localEnv, readPlace, readSecrets } from "./lib/local-env.mjs";
import { workersOf } from "./lib/runtime.mjs";
import { startTraffic } from "./lib/upgrade-traffic.mjs";

const MIGRATIONS = "db/migrations";

/** The release's own tests that run; none of them knows the new schema. */
const WORKERS = ["tests/routes/webhooks", "bank-check-faults", "core/commands/sweep", "core/commands/run-command"];
const JOURNEYS = ["tests/e2e/journey"];

const STILL_MS = 60_000;

/** Prints what it is doing, again each minute while it runs, and how long it took. */
async function step(what, work) {
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1_000);
  say("upgrade", what);
  const timer = setInterval(() => say("upgrade", `still running after ${seconds()} s: ${what}`), STILL_MS);
  const done = await work().finally(() => clearInterval(timer));
  say("upgrade", `took ${seconds()} s: ${what}`);
  return done;
}

const run = (command, args, cwd) =>
  step(
    `${path.basename(command)} ${args.join(" ").replaceAll(ROOT, ".")} in ${path.relative(ROOT, cwd) || "."}`,
    async () => {
      const [status] = await once(spawn(command, args, { cwd, stdio: "inherit" }), "exit");
      if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed in ${path.relative(ROOT, cwd) || "."}`);
    },
  );

/** The files of a commit in a folder of their own. Building them installs their packages, once. */
function checkOut({ version, commit }) {
  const folder = path.join(ROOT, ".cache/upgrade", version);
  mkdirSync(folder, { recursive: true });
  const archive = spawnSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 1024 * 1024 * 1024 });
  if (archive.status !== 0) throw new Error(`git does not know the commit ${commit} of release ${version}`);
  const unpacked = spawnSync("tar", ["-x", "-C", folder], {
    input: archive.stdout,
    stdio: ["pipe", "inherit", "inherit"],
  });
  if (unpacked.status !== 0) throw new Error(`the commit ${commit} could not be unpacked`);
  return folder;
}

/** Copies every migration that the release does not have to the folder where the release looks for its own. */
function putNewerMigrations(folder, newest) {
  const added = [];
  for (const name of readdirSync(path.join(ROOT, MIGRATIONS)).filter((each) => each.endsWith(".sql"))) {
    if (name.replace(".sql", "") <= newest) continue;
    copyFileSync(path.join(ROOT, MIGRATIONS, name), path.join(folder, MIGRATIONS, name));
    added.push(name);
  }
  return added;
}

/** Runs this build on the data that people created with the release. */
async function takeOver({ version, migration }, folder) {
  for (const each of [folder, ROOT]) await run("npm", ["run", "build"], each);
  const release = await import(path.join(folder, "scripts/lib/copy.mjs"));
  const stateDir = newStateDir();
  try {
    const before = await step(`starting ${version}`, () => release.startCopy(stateDir));
    await work(before);
    const seen = await look(before);
    await before.stop();
    if (!seen.migrations.startsWith(migration)) throw new Error(`release ${version} ran on ${seen.migrations}`);
    await step(`this build on the schema of ${version}`, () => refuse(stateDir, before.ports));
    const now = await step("starting this build", () => startCopy(stateDir, { ports: before.ports }));
    const after = await look(now);
    const [payeeId] = after.payees.split(" ");
    const payment = { payeeId, amount: 12_500, reference: "After the upgrade" };
    const { status } = (await ask(now, after.cookie, "/api/payments", payment)).payment;
    await now.stop();
    if (after.payees !== seen.payees) throw new Error(`payees before ${seen.payees}, after ${after.payees}`);
    if (after.payments !== seen.payments) throw new Error(`payments before ${seen.payments}, after ${after.payments}`);
    if (!seen.isWhole || !after.isWhole) throw new Error(`the trail: ${seen.isWhole} before, ${after.isWhole} after`);
    say(
      "upgrade",
      `this release works on the database of ${version}, with ${after.migrations}; a payment in it is ${status}`,
    );
  } finally {
    removeStateDir(stateDir);
  }
}

/** This build on a database without its migrations: what `npm run deploy` and the health check say. */
async function refuse(stateDir, { port, simulatorsPort }) {
  const place = readPlace({ STATE_DIR: stateDir, PORT: port, SIMULATORS_PORT: simulatorsPort });
  const miniflare = new Miniflare({
    host: place.host,
    port,
    cf: false,
    log: new Log(LogLevel.NONE),
    defaultPersistRoot: path.join(stateDir, "v3"),
    handleRuntimeStdio: (...streams) => {
      for (const each of streams) each.resume();
    },
    workers: workersOf({
      app: path.join(ROOT, "build/index.js"),
      reader: path.join(ROOT, "build/reader"),
      assets: path.join(ROOT, "public"),
      variables: localEnv(place, readSecrets(stateDir)),
    }),
  });
  try {
    const health = await fetch(new URL("/healthz", await miniflare.ready));
    const { problem } = await health.json();
    if (health.status !== 503 || problem !== "the database is older than this build")
      throw new Error(`the health check answered ${health.status}: ${problem}`);
    const db = await miniflare.getD1Database("DB");
    const { applied } = await askDatabase(async (sql) => (await db.prepare(sql).all()).results);
    const { rawConfig: config } = readRawConfig({ config: path.join(ROOT, "wrangler.toml") });
    const problems = findProblems(await loadEnv(), { config, environment: "staging", secrets: {}, applied });
    const missing = problems.filter((each) => /^migration .* is not applied$/.test(each));
    const newer = readdirSync(path.join(ROOT, MIGRATIONS)).filter(
      (name) => name.endsWith(".sql") && !applied.includes(name),
    );
    if (newer.length === 0 || missing.length !== newer.length)
      throw new Error(`deploying would say ${problems.join("; ")}`);
    say("upgrade", `/healthz answers 503, ${problem}; npm run deploy lists ${missing.length} migrations`);
  } finally {
    await miniflare.dispose();
  }
}

/** Journeys in each of the three phases: the release, the release on this schema, this build. */
const JOURNEYS_EACH = 8;

/**
 * People, banks and files keep working while the schema is migrated under the release, and this build then takes over.
 */
async function cross({ version, migration }, folder, payees) {
  const release = await import(path.join(folder, "scripts/lib/copy.mjs"));
  const { fill } = await import(path.join(folder, "bench/fill.mjs"));
  const stateDir = newStateDir();
  let copy;
  try {
    copy = await release.startCopy(stateDir);
    const { ports } = copy;
    await copy.stop();
    await step(`${payees} payees`, () => fill(stateDir, 0, payees));
    copy = await step(`starting ${version}`, () => release.startCopy(stateDir, { ports }));
    const traffic = await startTraffic(copy);
    await step(`${JOURNEYS_EACH} journeys`, () => traffic.more(JOURNEYS_EACH));
    putNewerMigrations(folder, migration);
    // With them the release is built anew: now, so that it is away only for as long as a start takes.
    await run("npm", ["run", "build"], folder);
    for (const start of [release.startCopy, startCopy]) {
      await copy.stop();
      const isThis = start === startCopy;
      copy = await step(isThis ? "starting this build" : `starting ${version} with the newer migrations`, () =>
        start(stateDir, { ports }),
      );
      if (isThis) traffic.readInvoices();
      await step(`${JOURNEYS_EACH} more journeys`, () => traffic.more(JOURNEYS_EACH));
    }
    const { journeys, answers, healed, invoices, emails } = await traffic.end();
    if (invoices === 0) throw new Error("no invoice was read");
    say(
      "upgrade",
      `${payees} payees from ${version}: ${journeys} journeys, each with a new sign-in, ${invoices} invoices, ${emails} emails, nothing lost or twice; ${healed} calls were asked again until they were answered; tries by status, 0 for none: ${JSON.stringify(answers)}`,
    );
  } finally {
    await copy?.stop();
    removeStateDir(stateDir);
  }
}

async function ask({ origin }, cookie, address, body) {
  const headers = { Cookie: cookie, "Content-Type": "application/json" };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(origin + address, init);
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** A few payees, each with a payment. */
async function work(copy) {
  const cookie = await signIn(copy);
  for (const name of ["Wattle Creek Electrical", "Coastal Glass Supplies", "Harbourside Timber"]) {
    const accountNumber = String(12_345_678 + name.length);
    const details = { name, accountName: name, bsb: "062-000", accountNumber, email: `${name.length}@wattle.example` };
    const { payee } = await ask(copy, cookie, "/api/payees", details);
    await ask(copy, cookie, "/api/payments", { payeeId: payee.id, amount: 7_777, reference: "Before the upgrade" });
  }
}

/** What an upgrade must not change. */
async function look(copy) {
  const cookie = await signIn(copy);
  const idsOf = (rows) => rows.map(({ id }) => id).join(" ");
  const { migrations } = await ask(copy, cookie, "/healthz");
  const { payees } = await ask(copy, cookie, "/api/payees");
  const { payments } = await ask(copy, cookie, "/api/payments");
  const { ok } = await ask(copy, cookie, "/api/audit/verify");
  return { cookie, migrations, payees: idsOf(payees), payments: idsOf(payments), isWhole: ok };
}

await main(async () => {
  const releases = JSON.parse(readFileSync(path.join(ROOT, "db/releases.json"), "utf8"));
  const [previous] = releases;
  const folder = checkOut(previous);
  // A migration from an earlier run may have changed since.
  for (const name of readdirSync(path.join(folder, MIGRATIONS)))
    if (name.endsWith(".sql") && name.replace(".sql", "") > previous.migration)
      rmSync(path.join(folder, MIGRATIONS, name));
  const payees = Number(process.argv[2] ?? 0);
  if (payees > 0) {
    for (const each of [folder, ROOT]) await run("npm", ["run", "build"], each);
    return cross(previous, folder, payees);
  }
  await takeOver(previous, folder);
  const added = putNewerMigrations(folder, previous.migration);
  say("upgrade", `release ${previous.version} with ${added.join(", ") || "no newer migration"}`);
  const vitest = path.join(folder, "node_modules/vitest/vitest.mjs");
  for (const [project, files] of [
    ["workers", WORKERS],
    ["e2e", JOURNEYS],
  ])
    await run(process.execPath, [vitest, "run", "--reporter=verbose", "--project", project, ...files], folder);
  say("upgrade", `release ${previous.version} works on this schema`);
});
