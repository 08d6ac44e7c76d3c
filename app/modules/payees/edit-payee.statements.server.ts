import type { Statement } from "@db/client";
import { payeeChanges, payees } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import type { DetailsOrigin } from "~/kernel/payee";
import type { AuditAction } from "~/modules/core/audit/audit";
import type { CommandAudit } from "~/modules/core/commands/run-command.server";
import { requestAnswers } from "~/modules/directories/register.statements.server";
import type { ToldOfChange } from "~/modules/messages/notifications/change-notices.statements.server";
import { OFF_WHITELISTS } from "~/modules/payees/whitelist/whitelist.statements.server";
import type { Services } from "~/services";
import type { Edit } from "./change-notices.server";
import { formerTrustOf } from "./former-trust.statements.server";
import { replaceTerms } from "./payee.statements.server";
import { type FieldChange, isBankField, maskChange } from "./payee-edit";

/** An edit, and the accounting system that its new account came from; undefined: no system has it for the payee. */
type EditWithOrigin = Edit & { origin: DetailsOrigin | undefined };

/** Digests of the account as it is now; absent while what was verified stays. */
export type Digests = { hash: string; accountFingerprint: string };

/** The payee's new row, one row for each changed field, and the words it is found under. */
export function updatePayee(
  { db, clock, ids }: Pick<Services, "db" | "clock" | "ids">,
  { organizationId, userId }: Actor,
  { payee, next, decision, origin }: EditWithOrigin,
  digests: Digests | undefined,
): Statement[] {
  const now = clock.now();
  const { bankDetailsChanged, renamed, endsTrust, contactChanged } = decision;
  return [
    db
      .update(payees)
      .set({
        ...next,
        ...(endsTrust ? { ...digests, ...OFF_WHITELISTS, ...formerTrustOf(payee) } : {}),
        ...(bankDetailsChanged ? { bankDetailsChangedAt: now, bankDetailsChangedById: userId } : {}),
        ...(renamed ? { renamedAt: now } : {}),
        ...(contactChanged ? { contactChangedAt: now } : {}),
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
 * What the audit trail says of the edit: bank details, another name and the rest apart, account numbers masked.
 * @param telling of changed bank details: how many contacts can be told, and what holds their message up
 */
export function auditOfEdit(
  { payee, decision, origin }: EditWithOrigin,
  telling?: ToldOfChange["telling"],
): CommandAudit[] {
  const onPayee = { entityType: "payee", entityId: payee.id } as const;
  const { changes, bankDetailsChanged, renamed, endsTrust } = decision;
  const isName = ({ field }: FieldChange) => renamed && field === "name";
  const entry = (action: AuditAction, ofIt: readonly FieldChange[], more = {}): CommandAudit[] =>
    ofIt.length === 0 ? [] : [{ ...onPayee, action, details: { changes: ofIt.map(maskChange), ...more } }];
  const cameFrom = origin && { cameFrom: origin.system, editedBy: origin.editedBy };
  const reason = `${renamed ? (bankDetailsChanged ? "Name and bank details" : "Name") : "Bank details"} changed`;
  const details = { reason, whitelistGlobal: payee.whitelistGlobal };
  return [
    ...entry(
      "payee.edited",
      changes.filter((change) => !isBankField(change) && !isName(change)),
    ),
    ...entry("payee.bank_details_changed", changes.filter(isBankField), { telling, ...cameFrom }),
    ...entry("payee.renamed", changes.filter(isName)),
    ...(endsTrust && payee.whitelisted ? [{ ...onPayee, action: "payee.unwhitelisted" as const, details }] : []),
  ];
}
