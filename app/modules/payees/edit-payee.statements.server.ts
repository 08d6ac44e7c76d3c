import type { Statement } from "@db/client";
import { payeeChanges, payees } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import type { DetailsOrigin, PayeeDetails } from "~/kernel/payee";
import { requestAnswers } from "~/modules/business-register/register.statements.server";
import type { CommandAudit } from "~/modules/commands/run-command.server";
import type { ToldOfChange } from "~/modules/notifications/change-notices.statements.server";
import { OFF_WHITELISTS } from "~/modules/whitelist/whitelist.statements.server";
import type { Services } from "~/services";
import { formerTrustOf } from "./former-trust.statements.server";
import type { PayeeRow } from "./payee.queries.server";
import { replaceTerms } from "./payee.statements.server";
import { type EditDecision, isBankField, maskChange } from "./payee-edit";

/** A payee as it was read, what it is to become, and what that means. */
export type Edit = { payee: PayeeRow; next: PayeeDetails; decision: EditDecision };

/** An edit, and the accounting system that its new account came from; undefined: no system has it for the payee. */
type EditWithOrigin = Edit & { origin: DetailsOrigin | undefined };

/** Digests of the new account; absent while the bank details stay. */
export type Digests = { hash: string; accountFingerprint: string };

/** The payee's new row, one row for each changed field, and the words it is found under. */
export function updatePayee(
  { db, clock, ids }: Pick<Services, "db" | "clock" | "ids">,
  { organizationId, userId }: Actor,
  { payee, next, decision, origin }: EditWithOrigin,
  digests: Digests | undefined,
): Statement[] {
  const now = clock.now();
  const bank = {
    ...digests,
    ...OFF_WHITELISTS,
    ...formerTrustOf(payee),
    bankDetailsChangedAt: now,
    bankDetailsChangedById: userId,
  };
  return [
    db
      .update(payees)
      .set({
        ...next,
        ...(decision.bankDetailsChanged ? bank : {}),
        ...(decision.contactChanged ? { contactChangedAt: now } : {}),
        ...(origin ? { accountingOrigins: [...(payee.accountingOrigins ?? []), origin] } : {}),
        version: payee.version + 1,
        updatedAt: now,
      })
      .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payee.id))),
    ...decision.changes.map(({ field, from, to }) =>
      db.insert(payeeChanges).values({
        id: ids.next(),
        organizationId,
        payeeId: payee.id,
        userId,
        field,
        oldValue: from,
        newValue: to,
        createdAt: now,
      }),
    ),
    ...replaceTerms({ db }, organizationId, payee.id, next),
    ...(next.abn === payee.abn ? [] : requestAnswers({ db, clock, ids }, [next.abn])),
  ];
}

/**
 * What the audit trail says of the edit: bank details and the rest apart, account numbers masked.
 * @param telling of changed bank details: how many contacts can be told, and what holds their message up
 */
export function auditOfEdit(
  { payee, decision, origin }: EditWithOrigin,
  telling?: ToldOfChange["telling"],
): CommandAudit[] {
  const onPayee = { entityType: "payee", entityId: payee.id } as const;
  const others = decision.changes.filter((change) => !isBankField(change));
  const entries: CommandAudit[] = [];
  if (others.length > 0) entries.push({ ...onPayee, action: "payee.edited", details: { changes: others } });
  if (!decision.bankDetailsChanged) return entries;
  const changes = decision.changes.filter(isBankField).map(maskChange);
  const cameFrom = origin && { cameFrom: origin.system, editedBy: origin.editedBy };
  entries.push({ ...onPayee, action: "payee.bank_details_changed", details: { changes, telling, ...cameFrom } });
  if (payee.whitelisted) {
    const details = { reason: "Bank details changed", whitelistGlobal: payee.whitelistGlobal };
    entries.push({ ...onPayee, action: "payee.unwhitelisted", details });
  }
  return entries;
}
