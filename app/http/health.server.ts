import { readMigrationState } from "@db/migration-state";
import type { Services } from "~/services";
import { json } from "./api.server";

const RETRY_AFTER_SECONDS = 5;

/** 200 once the database has every migration that this build needs, 503 until then; the body says which it has. */
export async function answerHealthCheck({ db, config }: Pick<Services, "db" | "config">): Promise<Response> {
  const { applied, isReady } = await readMigrationState(db);
  const body = { ok: isReady, version: config.version, migrations: applied ?? null };
  if (isReady) return json(body);
  return json(body, { status: 503, headers: { "Retry-After": String(RETRY_AFTER_SECONDS) } });
}
