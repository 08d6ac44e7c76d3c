import { env } from "cloudflare:workers";

const { DB } = env as unknown as { DB: D1Database };

/**
 * Clears what earlier tests left: pending alerts, jobs and outages. All tests share one database, so a test that reads
 * the trail, sweeps, polls or reads notices must start with its own data.
 */
export async function leaveWhatOthersLeft(): Promise<void> {
  const never = Number.MAX_SAFE_INTEGER;
  await DB.batch([
    DB.prepare(
      "INSERT OR REPLACE INTO trail_cursors (name, position) SELECT 'alerts', coalesce(max(position), 0) FROM audit_logs",
    ),
    DB.prepare("UPDATE incidents SET endedAt = startedAt WHERE endedAt IS NULL"),
    DB.prepare("UPDATE outbox SET dueAt = ?1 WHERE status = 'pending' AND dueAt < ?1").bind(never),
    DB.prepare("UPDATE organization_integrations SET nextPollAt = ?1 WHERE nextPollAt < ?1").bind(never),
  ]);
}
