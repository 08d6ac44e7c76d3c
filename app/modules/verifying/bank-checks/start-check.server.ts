import type { Statement } from "@db/client";
import { bankChecks, verifications } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { CheckOutcome } from "~/kernel/enums";
import type { Services } from "~/services";

type Start = {
  organizationId: string;
  /** Who is told of its result first; null: nobody in particular. */
  userId: string | null;
  verification: { id: string; outcome: CheckOutcome | null };
  checkId: string;
};

/** A bank check of a pending verification, for the batch that also queues its job. An answer that said nothing goes. */
export function startCheck(
  { db, clock }: Pick<Services, "db" | "clock">,
  { organizationId, userId, verification, checkId }: Start,
): Statement[] {
  const { id: verificationId, outcome } = verification;
  const noResult = { outcome: null, reasonCode: null, resultData: null, verifiedName: null };
  return [
    db.insert(bankChecks).values({
      id: checkId,
      organizationId,
      verificationId,
      startedById: userId,
      step: "starting",
      startedAt: clock.now(),
    }),
    db
      .update(verifications)
      .set({ method: "basiq", ...(outcome === "unable" ? noResult : {}) })
      .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId))),
  ];
}
