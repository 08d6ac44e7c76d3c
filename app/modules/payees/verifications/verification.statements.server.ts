import type { Statement } from "@db/client";
import { insertRows } from "@db/insert-rows";
import type { Condition } from "@db/precondition";
import { decisions, payees, verifications } from "@db/schema";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { VerificationMethod } from "~/kernel/enums";
import type { ReadServices, Services } from "~/services";
import { abandonBankCheck } from "./running-check.statements.server";
import type { Evidence, Lookalike } from "./verification";

type Acting = { userId: string | null; organizationId: string };

type Submitted = {
  id: string;
  payeeId: string;
  accountName: string;
  bsb: string;
  accountNumber: string;
  method?: VerificationMethod;
  evidence: Evidence;
  /** A change of the payee's bank details opens it. */
  isOfChange?: boolean;
};

/** Opens pending verifications of payees' details, for the batch that adds or edits the payees. */
export function openVerifications(
  { db, clock }: Pick<Services, "db" | "clock">,
  { organizationId, userId }: Acting,
  submitted: readonly Submitted[],
): Statement[] {
  const opened = { organizationId, requestedById: userId, status: "pending", createdAt: clock.now() } as const;
  const rows = submitted.map((one) => ({ method: "manual" as const, ...one, ...opened }));
  return insertRows(db, verifications, rows);
}

/** The verification has not been decided. */
export const verificationIsPending = (
  services: ReadServices,
  organizationId: string,
  id: string,
): Condition<"already_decided"> => ({
  name: "already_decided",
  found: findWhere(services, { organizationId, id }, eq(verifications.status, "pending")),
});

/** The payee has not said that these are not their details. */
export const verificationIsUndisputed = (
  services: ReadServices,
  organizationId: string,
  id: string,
): Condition<"disputed"> => ({
  name: "disputed",
  found: findWhere(services, { organizationId, id }, isNull(verifications.disputedByPayeeAt)),
});

const findWhere = ({ db }: ReadServices, { organizationId, id }: { organizationId: string; id: string }, holds: SQL) =>
  db
    .select({ one: sql`1` })
    .from(verifications)
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, id), holds));

/** What became known of a verification's payee while it waits; nothing happens to one that was decided meanwhile. */
export function addLookalikes(
  { db }: ReadServices,
  organizationId: string,
  { verificationId, lookalikes }: { verificationId: string; lookalikes: readonly Lookalike[] },
): Statement[] {
  return lookalikes.map((lookalike) =>
    db
      .update(verifications)
      .set({
        evidence: sql`json_insert(${verifications.evidence}, '$.lookalikes[#]', json(${JSON.stringify(lookalike)}))`,
      })
      .where(
        and(
          eq(verifications.organizationId, organizationId),
          eq(verifications.id, verificationId),
          eq(verifications.status, "pending"),
        ),
      ),
  );
}

type Ending = {
  /** Id of the decision: a unique row, so that a repeated batch can tell that it was ours. */
  decisionId: string;
  verificationId: string;
  status: "verified" | "rejected" | "failed";
  reason?: string;
  /** Machine form of the reason, kept with the verification where there was no check outcome. */
  reasonCode?: string;
};

/**
 * Ends a pending verification, for a person or a rule: the decision (unique per verification), its status, and any bank check
 * still running. The command requires `verificationIsPending`; its payee link stops answering with the status.
 */
export function endVerification(services: Pick<Services, "db" | "clock">, acting: Acting, ending: Ending): Statement[] {
  const { db, clock } = services;
  const now = clock.now();
  const { organizationId } = acting;
  const { decisionId, verificationId, status, reason, reasonCode } = ending;
  return [
    db.insert(decisions).values({
      id: decisionId,
      organizationId,
      verificationId,
      status,
      decidedById: acting.userId,
      reason: reason ?? null,
      createdAt: now,
    }),
    db
      .update(verifications)
      .set({
        status,
        approved: status === "verified",
        approvedAt: status === "verified" ? now : null,
        rejectedReason: status === "rejected" ? (reason ?? null) : null,
        ...(reasonCode ? { reasonCode } : {}),
        completedAt: now,
      })
      .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId))),
    ...abandonBankCheck(services, { organizationId, verificationId }),
  ];
}

/** A decision answers the payee's dispute; approving does this by whitelisting. */
export function settleDispute(services: ReadServices, acting: Acting, payeeId: string): Statement {
  return services.db
    .update(payees)
    .set({ disputedAt: null })
    .where(and(eq(payees.organizationId, acting.organizationId), eq(payees.id, payeeId)));
}
