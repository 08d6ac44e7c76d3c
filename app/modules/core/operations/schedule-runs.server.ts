import type { Statement } from "@db/client";
import { scheduleRuns } from "@db/schema";
import { sql } from "drizzle-orm";
import { runStatement } from "~/modules/core/commands/run-command.server";
import type { Services } from "~/services";
import { SCHEDULE_PERIODS } from "./problems";

type Noting = Pick<Services, "db" | "clock">;

/** Writes down that a schedule ran. @param error what of it failed; undefined: all went well */
export async function noteRun(services: Noting, cron: string, error: string | undefined): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const found =
    error === undefined
      ? { lastSucceededAt: now, failingSince: null }
      : { lastFailedAt: now, failingSince: sql`coalesce(${scheduleRuns.failingSince}, ${now})`, lastError: error };
  const first = error === undefined ? found : { lastFailedAt: now, failingSince: now, lastError: error };
  await runStatement(
    services,
    db
      .insert(scheduleRuns)
      .values({ cron, since: now, ...(first as object) })
      .onConflictDoUpdate({ target: scheduleRuns.cron, set: found }),
  );
}

/** From now on each schedule is expected to run: one that never does is missed too. */
export function expectSchedules({ db, clock }: Noting): Statement {
  const crons = JSON.stringify(Object.keys(SCHEDULE_PERIODS));
  return db.insert(scheduleRuns).select(
    sql`SELECT value, ${clock.now()}, NULL, NULL, NULL, NULL FROM json_each(${crons})
        WHERE NOT EXISTS (SELECT 1 FROM ${scheduleRuns} AS known WHERE known."cron" = value)`,
  );
}
