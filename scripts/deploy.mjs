// Deploys an environment of wrangler.toml, or says in one list why it does not.
//
//   npm run deploy -- --env staging                    checks, builds, uploads the code with the secrets of .secrets.staging
//   npm run deploy -- --env staging --secrets FILE     another file: JSON, or NAME=VALUE lines
//   npm run deploy -- --env staging --dry-run          all but the upload; the platform is not asked
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { experimental_readRawConfig as readRawConfig } from "wrangler";
import { keysInUseSql } from "../db/seed/keys-in-use.mjs";
import { main, ROOT, say } from "./lib/console.mjs";
import { queryD1, runWrangler } from "./lib/database.mjs";
import { ENVIRONMENTS, findProblems, loadReadEnv, parseSecrets } from "./lib/deploy-checks.mjs";

const USAGE = "Usage: npm run deploy -- --env staging|production [--secrets FILE] [--dry-run]";

function readArguments() {
  const options = { env: { type: "string" }, secrets: { type: "string" }, "dry-run": { type: "boolean" } };
  const { values } = parseArgs({ options });
  if (!ENVIRONMENTS.includes(values.env)) throw new Error(USAGE);
  return {
    environment: values.env,
    file: values.secrets ?? `.secrets.${values.env}`,
    isDry: values["dry-run"] === true,
  };
}

/** What the database says. A database of libSQL is not asked: its own migration command and /healthz say where it stands. */
function askDatabase(environment, vars) {
  if (vars.DB_DRIVER === "libsql") return {};
  const [[book]] = queryD1(environment, ["SELECT count(*) AS n FROM sqlite_master WHERE name = 'd1_migrations'"]);
  if (book.n === 0) return { applied: [] };
  const [migrations] = queryD1(environment, ["SELECT name FROM d1_migrations"]);
  const applied = migrations.map(({ name }) => name);
  // Its tables are of this migration and of those before it: without them nothing can be counted.
  if (!applied.includes("0050_restores.sql")) return { applied };
  const [keysInUse] = queryD1(environment, [keysInUseSql]);
  return { applied, keysInUse };
}

const version = () =>
  spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" }).stdout?.trim() || "unknown";

await main(async () => {
  const { environment, file, isDry } = readArguments();
  const secretsFile = path.resolve(file);
  if (!existsSync(secretsFile))
    throw new Error(`there is no file ${file}: docs/operations/deploy.md says what goes in it`);
  const { rawConfig: config } = readRawConfig({ config: path.join(ROOT, "wrangler.toml") });
  const secrets = parseSecrets(readFileSync(secretsFile, "utf8"));
  const known = isDry ? {} : askDatabase(environment, { ...config.env?.[environment]?.vars, ...secrets });
  const problems = findProblems(await loadReadEnv(), { config, environment, secrets, ...known });
  if (problems.length > 0)
    throw new Error(`${environment} is not deployed:\n${problems.map((one) => `  ${one}`).join("\n")}`);
  say(
    "check",
    isDry ? "variables and secrets are whole; migrations were not asked about" : "variables, secrets, migrations",
  );
  const { ensureBuilt } = await import("./lib/build.mjs");
  await ensureBuilt({ force: true, sourceMaps: true });
  const upload = isDry ? ["--dry-run", "--outdir", ".cache/deploy"] : ["--secrets-file", secretsFile];
  // Without the endpoints of a developer's machine.
  const deployed = ["--define", 'process.env.DEPLOYED:"true"'];
  const args = [
    "deploy",
    "--env",
    environment,
    "--minify",
    ...deployed,
    "--var",
    `APP_VERSION:${version()}`,
    ...upload,
  ];
  const { status } = runWrangler(args, { shown: true });
  if (status !== 0) throw new Error("wrangler deploy failed: what was deployed before is still served");
});
