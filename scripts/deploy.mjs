// Deploys an environment of wrangler.toml, or lists every reason why it cannot.
//
//   npm run deploy -- --env staging                    checks, builds, uploads the code with the secrets of .secrets.staging
//   npm run deploy -- --env staging --secrets FILE     another file: JSON, or NAME=VALUE lines
//   npm run deploy -- --env staging --dry-run          everything except the upload; calls nothing on the platform
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { experimental_readRawConfig as readRawConfig } from "wrangler";
import { main, ROOT, say } from "./lib/console.mjs";
import { DEPLOYED, ENVIRONMENTS, queryD1, readVersion, runWrangler } from "./lib/database.mjs";
import { askDatabase, findProblems, loadEnv, parseSecrets } from "./lib/deploy-checks.mjs";

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

/** A libSQL database is not checked, because only the Worker may be able to reach it. /healthz reports its state. */
const known = (environment, vars) =>
  vars.DB_DRIVER === "libsql" ? {} : askDatabase(async (sql) => queryD1(environment, [sql])[0]);

await main(async () => {
  const { environment, file, isDry } = readArguments();
  const secretsFile = path.resolve(file);
  if (!existsSync(secretsFile))
    throw new Error(`there is no file ${file}: docs/operations/deploy.md says what goes in it`);
  const { rawConfig: config } = readRawConfig({ config: path.join(ROOT, "wrangler.toml") });
  const secrets = parseSecrets(readFileSync(secretsFile, "utf8"));
  const said = isDry ? {} : await known(environment, { ...config.env?.[environment]?.vars, ...secrets });
  const env = await loadEnv();
  const unknown = Object.keys(secrets).filter((name) => !(name in env.variables.shape));
  if (unknown.length > 0) say("check", `${file} has what this build does not know: ${unknown.join(", ")}`);
  const problems = findProblems(env, { config, environment, secrets, ...said });
  if (problems.length > 0)
    throw new Error(`${environment} is not deployed:\n${problems.map((one) => `  ${one}`).join("\n")}`);
  say(
    "check",
    isDry ? "variables and secrets are complete; migrations were not checked" : "variables, secrets, migrations",
  );
  const { ensureBuilt } = await import("./lib/build.mjs");
  await ensureBuilt({ force: true, sourceMaps: true });
  const upload = isDry ? ["--dry-run", "--outdir", ".cache/deploy"] : ["--secrets-file", secretsFile];
  // The reader first, because the app is bound to it; it has no secrets.
  const reader = ["deploy", "--config", "workers/reader/wrangler.toml", "--env", environment, "--minify"];
  const readerUpload = isDry ? ["--dry-run", "--outdir", ".cache/deploy-reader"] : [];
  if (runWrangler([...reader, ...readerUpload], { shown: true }).status !== 0)
    throw new Error("wrangler deploy of the reader failed: what was deployed before is still served");
  const args = ["deploy", "--env", environment, ...DEPLOYED, "--var", `APP_VERSION:${readVersion()}`, ...upload];
  const { status } = runWrangler(args, { shown: true });
  if (status !== 0) throw new Error("wrangler deploy failed: what was deployed before is still served");
});
