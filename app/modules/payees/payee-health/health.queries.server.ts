import { prepared } from "@db/prepared";
import { healthRuns, payeeFindings, payees } from "@db/schema";
import { and, desc, eq, sql } from "drizzle-orm";
import type { HealthKind } from "~/kernel/enums";
import type { ReadServices } from "~/services";

type Asking = { organizationId: string };

export type HealthRun = typeof healthRuns.$inferSelect;

/** Runs that are shown, and looked through for the newest finished one. */
const SHOWN_RUNS = 12;

export async function findRun({ db }: ReadServices, { organizationId }: Asking, id: string) {
  const [row] = await db
    .select()
    .from(healthRuns)
    .where(and(eq(healthRuns.organizationId, organizationId), eq(healthRuns.id, id)));
  return row;
}

/** The newest runs, newest first. */
export const listRuns = ({ db }: ReadServices, { organizationId }: Asking): Promise<HealthRun[]> =>
  runsOf(db).all({ organizationId });

const runsOf = prepared((db) =>
  db
    .select()
    .from(healthRuns)
    .where(eq(healthRuns.organizationId, sql.placeholder("organizationId")))
    .orderBy(desc(healthRuns.id))
    .limit(SHOWN_RUNS)
    .prepare(),
);

export type FindingKey = { cents: number; payeeId: string };

/** Payees with a finding of a kind, those that were paid most first. */
export function listFindings(
  { db }: ReadServices,
  { organizationId }: Asking,
  { runId, kind, after, limit }: { runId: string; kind: HealthKind; after?: FindingKey; limit: number },
) {
  return db
    .select({
      payeeId: payeeFindings.payeeId,
      detail: payeeFindings.detail,
      paidCents: payeeFindings.paidCents,
      name: payees.name,
      accountName: payees.accountName,
      bsb: payees.bsb,
      accountNumber: payees.accountNumber,
    })
    .from(payeeFindings)
    .innerJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, payeeFindings.payeeId)))
    .where(
      and(
        eq(payeeFindings.organizationId, organizationId),
        eq(payeeFindings.runId, runId),
        eq(payeeFindings.kind, kind),
        after && sql`(${payeeFindings.paidCents}, ${payeeFindings.payeeId}) < (${after.cents}, ${after.payeeId})`,
      ),
    )
    .orderBy(desc(payeeFindings.paidCents), desc(payeeFindings.payeeId))
    .limit(limit);
}
