import { healthRuns } from "@db/schema";
import { sql } from "drizzle-orm";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import type { Services } from "~/services";

/**
 * Starts reading the master list anew, for the batch that changed it or asks for it. While a reading is under way nothing
 * is started.
 */
export function beginHealthRun(
  { db, clock, ids }: Pick<Services, "db" | "clock" | "ids">,
  organizationId: string,
): Required<Pick<CommandPart, "statements" | "jobs">> {
  const runId = ids.next();
  return {
    statements: [
      db.insert(healthRuns).select(
        sql`SELECT ${runId}, ${organizationId}, 'running', '', 0, 0, '{}', ${clock.now()}, NULL
          WHERE NOT EXISTS (SELECT 1 FROM ${healthRuns} WHERE ${healthRuns.organizationId} = ${organizationId}
            AND ${healthRuns.status} = 'running')`,
      ),
    ],
    jobs: [{ id: ids.next(), kind: "payee_health", organizationId, subjectId: runId }],
  };
}
