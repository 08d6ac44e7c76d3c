import { organizations } from "@db/schema";
import { and, asc, gt, isNotNull, sql } from "drizzle-orm";
import { enqueueJobs } from "~/modules/core/commands/outbox.statements.server";
import { runStatement } from "~/modules/core/commands/run-command.server";
import type { Services } from "~/services";

const CHUNK = 200;
/** The provider is asked for one customer after the other, not for all at once. */
const SPREAD_MS = 500;

/**
 * Queues a job for every customer that fetches what the provider knows, so that what a lost event would have told is known
 * by the morning. The sweep sends the jobs as they fall due; a customer whose job still waits gets no second one.
 *
 * @returns how many customers there are
 */
export async function reconcileBilling(services: Pick<Services, "db" | "clock" | "ids">): Promise<number> {
  const { db, clock, ids } = services;
  const now = clock.now();
  let walked = 0;
  for (let after = ""; ; ) {
    const rows = await db
      .select({ customerId: sql<string>`${organizations.stripeCustomerId}` })
      .from(organizations)
      .where(and(isNotNull(organizations.stripeCustomerId), gt(organizations.stripeCustomerId, after)))
      .orderBy(asc(organizations.stripeCustomerId))
      .limit(CHUNK);
    const last = rows.at(-1);
    if (!last) return walked;
    const jobs = rows.map(({ customerId }, i) => ({
      id: ids.next(),
      subjectId: customerId,
      dueAt: now + (walked + i) * SPREAD_MS,
    }));
    await runStatement(services, enqueueJobs(services, "billing_sync", jobs));
    walked += rows.length;
    after = last.customerId;
  }
}
