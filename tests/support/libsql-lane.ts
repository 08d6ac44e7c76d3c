import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "@libsql/client";
import type { TestProject } from "vitest/node";
import { freePort } from "../../scripts/lib/copy.mjs";
import { findSqld, startSqld } from "../../scripts/lib/libsql-server.mjs";
import { applyMigrations, asMigrated } from "../../scripts/lib/migrate.mjs";

declare module "vitest" {
  interface ProvidedContext {
    libsqlUrl: string;
  }
}

/**
 * Files of the workers lane that run on a libSQL server as well: the one write path, payments with everything that decides
 * about them, trust that is earned, imports and the trail.
 */
export const ON_LIBSQL = findSqld()
  ? [
      "app/modules/core/commands/run-command",
      "app/modules/payees/edit-payee",
      "app/modules/payees/imports/run-import",
      "app/modules/payees/whitelist/promotion",
      "app/modules/payments/decide-payment",
      "app/modules/payments/payment-files/clear-file",
      "app/modules/payments/record-payment",
      "app/modules/verifying/review/review.commands",
    ].map((name) => `${name}.workers.test.ts`)
  : [];

/** One server with an empty database for these files. */
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
