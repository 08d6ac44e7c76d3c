import { readMigrationState } from "@db/migration-state";
import type { Services } from "~/services";
import { findUnlistedKeys } from "./keys.server";

/** Whether this build can serve the database, and lists every key in use; where not, the rest says why. */
export async function checkHealth(services: Pick<Services, "db" | "config">) {
  const { db, config } = services;
  const [{ applied, isReady, isTooNew }, unlistedKeys] = await Promise.all([
    readMigrationState(db),
    findUnlistedKeys(services),
  ]);
  return {
    ok: isReady && unlistedKeys.length === 0,
    version: config.version,
    migrations: applied ?? null,
    ...(isTooNew ? { problem: "the database is newer than this build" } : {}),
    ...(unlistedKeys.length > 0 ? { unlistedKeys } : {}),
  };
}
