import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "@libsql/client";
import type { TestProject } from "vitest/node";
import { freePort } from "../../scripts/lib/copy.mjs";
import { startSqld } from "../../scripts/lib/libsql-server.mjs";
import { applyMigrations, asMigrated } from "../../scripts/lib/migrate.mjs";

declare module "vitest" {
  interface ProvidedContext {
    libsqlUrl: string;
  }
}

/** Files of the workers lane that run on a libSQL server as well: the one write path, and what decides about payments. */
export const ON_LIBSQL: readonly string[] = [
  "app/modules/core/commands/run-command.workers.test.ts",
  "app/modules/payments/decide-payment.workers.test.ts",
  "app/modules/payments/record-payment.workers.test.ts",
];

/** The first journey and a pay run over HTTP, with the app killed in the middle of each: on a server of their own. */
export const JOURNEYS_ON_LIBSQL: readonly string[] = ["tests/e2e/black-box.test.ts"];

/** One server with an empty database for the files of the workers lane. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-sqld-"));
  const { child, url } = await startSqld({ folder, port: await freePort() });
  const client = createClient({ url });
  await applyMigrations(asMigrated(client));
  // Looked at just now, whatever the clock of a test says.
  await client.execute(`UPDATE database_state SET beatAt = ${Number.MAX_SAFE_INTEGER}`);
  client.close();
  project.provide("libsqlUrl", url);
  return () => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
}
