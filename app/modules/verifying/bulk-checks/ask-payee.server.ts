import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { bulkCheckPayees } from "@db/schema";
import type { NewJob } from "~/modules/core/commands/outbox.statements.server";
import type { CommandAudit, CommandPart } from "~/modules/core/commands/run-command.server";
import { openPrepared, prepareVerification } from "~/modules/payees/open-verification.server";
import { findPendingVerification, getPayee } from "~/modules/payees/payee.queries.server";
import { payeeIsUnchanged } from "~/modules/payees/payee.statements.server";
import type { ListedPayee } from "~/modules/payees/payee-list.server";
import { findVerification, verificationIsPending } from "~/modules/payees/verifications/verification.server";
import { startCheck } from "~/modules/verifying/bank-checks/start-check.server";
import type { NotifyServices } from "~/services";
import type { BulkCheckRow } from "./bulk-check.server";

export type AskablePayee = Pick<ListedPayee, "id" | "version" | "latest">;

/** Everything that asking one payee writes. */
type Asking = {
  conditions: readonly Condition<"payee_changed" | "already_decided">[];
  uniques: { verification_pending: string; started_already: string };
  statements: readonly Statement[];
  parts: readonly CommandPart[];
  audit: readonly CommandAudit[];
  jobs: readonly NewJob[];
};

/**
 * Starts the bank check of one payee: of its pending verification, or of one that opens for it. The payee's link follows
 * from the check's own job. Undefined when a person has started one meanwhile, or the payee has answered.
 */
export async function askPart(
  services: NotifyServices,
  bulkCheck: BulkCheckRow,
  payee: AskablePayee,
): Promise<Asking | undefined> {
  const { db, ids } = services;
  const { organizationId, requestedById: userId, id: bulkCheckId, askedCount } = bulkCheck;
  const opened = await openOrFind(services, { organizationId, userId }, payee);
  if (!opened) return undefined;
  const { verification, part } = opened;
  const checkId = ids.next();
  const row = { organizationId, bulkCheckId, position: askedCount + 1, verificationId: verification.id };
  return {
    conditions: [
      payeeIsUnchanged(services, organizationId, payee),
      ...(part ? [] : [verificationIsPending(services, organizationId, verification.id)]),
    ],
    uniques: { verification_pending: "verifications", started_already: "bank_checks" },
    // A verification comes first: the check belongs to it.
    statements: [
      ...(part?.statements ?? []),
      ...startCheck(services, { organizationId, userId: null, verification, checkId }),
      db.insert(bulkCheckPayees).values(row),
    ],
    parts: part?.audit ? [{ statements: [], audit: part.audit }] : [],
    audit: [{ action: "verification.bank_check_started", entityType: "verification", entityId: verification.id }],
    jobs: [{ id: ids.next(), kind: "bank_check", organizationId, subjectId: checkId }],
  };
}

type Acting = { organizationId: string; userId: string };

async function openOrFind(services: NotifyServices, acting: Acting, { id: payeeId }: AskablePayee) {
  const pendingId = await findPendingVerification(services, acting, payeeId);
  if (pendingId !== undefined) {
    const verification = await findVerification(services, acting, pendingId);
    if (!verification || verification.runningCheck || verification.disputedByPayeeAt !== null) return undefined;
    const { id, outcome } = verification;
    return outcome === null || outcome === "unable" ? { verification: { id, outcome }, part: undefined } : undefined;
  }
  const details = await getPayee(services, acting, payeeId);
  const prepared = await prepareVerification(services, acting, { payeeId, details, cause: "bulk_check" });
  const part = openPrepared(services, acting, prepared);
  return { verification: { id: prepared.verificationId, outcome: null }, part };
}
