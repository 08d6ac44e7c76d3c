import { readMigrationState } from "@db/migration-state";
import { findUnlistedKeys } from "~/modules/core/operations/keys.server";
import type { Services } from "~/services";
import { json } from "./api.server";

const RETRY_AFTER_SECONDS = 5;

/**
 * 200 while the database is one that this build can serve and every key in use is listed, 503 otherwise; the body says what is
 * wrong.
 */
export async function answerHealthCheck(services: Pick<Services, "db" | "config">): Promise<Response> {
  const { db, config } = services;
  const [{ applied, isReady, isTooNew }, unlistedKeys] = await Promise.all([
    readMigrationState(db),
    findUnlistedKeys(services),
  ]);
  const ok = isReady && unlistedKeys.length === 0;
  const body = {
    ok,
    version: config.version,
    migrations: applied ?? null,
    ...(isTooNew ? { problem: "the database is newer than this build" } : {}),
    ...(unlistedKeys.length > 0 ? { unlistedKeys } : {}),
  };
  if (ok) return json(body);
  return json(body, { status: 503, headers: { "Retry-After": String(RETRY_AFTER_SECONDS) } });
}
