import { spawnSync } from "node:child_process";
import path from "node:path";
import { createClient } from "@libsql/client";
import { ROOT } from "./console.mjs";

const WRANGLER = path.join(ROOT, "node_modules/wrangler/bin/wrangler.js");

/** Runs wrangler. @returns its exit code and everything it printed */
export function runWrangler(args, { shown = false } = {}) {
  const stdio = shown ? "inherit" : "pipe";
  const { status, stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...args], {
    cwd: ROOT,
    encoding: "utf8",
    stdio,
  });
  return { status, stdout: stdout ?? "", stderr: stderr ?? "" };
}

/** Where `npm run build -- --production` leaves what `npm run deploy` uploads. */
export const PRODUCTION = path.join(ROOT, "build/production");

/** Options for bundling the deployed Worker, without the endpoints for developers. */
export const DEPLOYED = ["--minify", "--define", 'process.env.DEPLOYED:"true"'];

/** The commit that is built. Without git, it comes from the shell's APP_VERSION. */
export const readVersion = () =>
  process.env.APP_VERSION ||
  spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" }).stdout?.trim() ||
  "unknown";

/** A libSQL database by its address. Of several tokens the first is current. */
export const openLibsql = (url, { tokens = process.env.LIBSQL_AUTH_TOKEN, ...more } = {}) =>
  createClient({ url, authToken: tokens?.split(",")[0].trim(), ...more });

export const ENVIRONMENTS = ["staging", "production"];

/** Wrangler's options for the D1 database of an environment. */
export function remoteOf(env) {
  if (!ENVIRONMENTS.includes(env)) throw new Error(`there is no environment ${env}: ${ENVIRONMENTS.join(" or ")}`);
  return ["--remote", "--env", env];
}

/**
 * Runs statements in the D1 database of an environment, in one call.
 * @param {string[]} statements without semicolons at their ends
 * @returns {any[][]} the rows of each
 */
export function queryD1(env, statements) {
  const args = ["d1", "execute", "DB", ...remoteOf(env), "--json", "--yes", "--command", statements.join(";\n")];
  const { status, stdout, stderr } = runWrangler(args);
  if (status !== 0) throw new Error(`wrangler d1 execute failed\n${stdout}${stderr}`);
  return JSON.parse(stdout).map(({ results }) => results);
}
