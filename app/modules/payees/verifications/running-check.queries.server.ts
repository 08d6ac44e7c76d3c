import { bankChecks, outbox } from "@db/schema";
import { and, eq, isNull } from "drizzle-orm";
import type { WokenJob } from "~/modules/core/commands/run-command.server";
import type { ReadServices } from "~/services";

/** The bank check under way for a verification, if there is one. */
export async function findRunningCheck({ db }: ReadServices, organizationId: string, verificationId: string) {
  const [check] = await db
    .select({ id: bankChecks.id, organizationId: bankChecks.organizationId, providerUserId: bankChecks.providerUserId })
    .from(bankChecks)
    .where(
      and(
        eq(bankChecks.organizationId, organizationId),
        eq(bankChecks.verificationId, verificationId),
        isNull(bankChecks.finishedAt),
      ),
    );
  return check;
}

/** The jobs that move a check on, for the `woken` of the command that makes them due. */
export async function listCheckJobs({ db }: ReadServices, checkId: string): Promise<WokenJob[]> {
  const rows = await db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.subjectId, checkId), eq(outbox.kind, "bank_check"), eq(outbox.status, "pending")));
  return rows.map(({ id }) => ({ id, kind: "bank_check" }));
}
