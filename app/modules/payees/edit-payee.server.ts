import type { Statement } from "@db/client";
import { payeeChanges, payees } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { DetailsOrigin, PayeeDetails } from "~/kernel/payee";
import type { AuditAction } from "~/modules/core/audit/audit";
import { atOneInstant } from "~/modules/core/commands/one-instant";
import { type CommandAudit, runCommand } from "~/modules/core/commands/run-command.server";
import { requestAnswers } from "~/modules/directories/register.server";
import type { ToldOfChange } from "~/modules/messages/notifications/change-notices.statements.server";
import { lookalikeOfItself } from "~/modules/payees/verifications/evidence";
import { listFormerEmails } from "~/modules/payees/verifications/former-emails.server";
import { addLookalikes } from "~/modules/payees/verifications/verification.server";
import { OFF_WHITELISTS } from "~/modules/payees/whitelist/whitelist.server";
import type { NotifyServices, Services } from "~/services";
import { type Edit, prepareChangeNotices } from "./change-notices.server";
import { requireFreeAccount } from "./duplicate-payee.server";
import { endTrust } from "./end-trust.server";
import { formerTrustOf } from "./former-trust.server";
import { findPendingVerification, getPayee, type PayeeRow } from "./payee.queries.server";
import { accountIsFree, payeeIsUnchanged, pendingVerificationIs, replaceTerms } from "./payee.statements.server";
import { decideEdit, type EditDecision, type FieldChange, isBankField, maskChange } from "./payee-edit";
import { findOriginThere } from "./second-person.server";

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

export type EditInput = {
  payeeId: string;
  /** Absent fields stay as they are. */
  patch: Partial<PayeeDetails>;
  /** What the editor saw; an edit made from an older version is refused. Absent: whatever is there now. */
  version?: number;
};

/** A verification may be decided, or one opened, at the very moment of an edit: the edit is then made anew. */
const TRIES = 3;

/**
 * Edits a payee. A change of BSB, account number or account name, or another payee name, takes the payee off both
 * whitelists, ends the pending verification, opens a new one and holds its authorised payments again. New bank details are
 * told to everyone who was a contact of the payee lately, a change of email or phone to the contacts it had before. Nobody
 * is told by the edit itself: `listNoticesOfPayee` says who was.
 * Works whatever the subscription. No change at all writes nothing.
 *
 * @throws AppError 404; 409 EDIT_CONFLICT when another person edited it meanwhile, DUPLICATE_PAYEE with `payeeId`
 */
export async function editPayee(services: NotifyServices, actor: Actor, input: EditInput): Promise<EditDecision> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const payee = await getPayee(services, actor, input.payeeId);
    if (input.version !== undefined && input.version !== payee.version) throw editConflict();
    const next = nextDetails(payee, input.patch);
    const decision = decideEdit(payee, next);
    if (decision.changes.length === 0) return decision;
    if (decision.accountChanged) await requireFreeAccount(services, actor.organizationId, next, payee.id);
    if (await write(atOneInstant(services), actor, { payee, next, decision })) return decision;
  }
  throw editConflict();
}

/**
 * @param services at one instant: the verification of the change is known by being no older than the change
 * @returns false when something changed since the payee was read
 */
async function write(services: NotifyServices, actor: Actor, edit: Edit): Promise<boolean> {
  const { organizationId } = actor;
  const { payee, next, decision } = edit;
  const pendingId = await findPendingVerification(services, actor, payee.id);
  const ended = decision.endsTrust ? await endTrust(services, actor, edit, pendingId) : undefined;
  const told = await prepareChangeNotices(
    services,
    actor,
    edit,
    decision.bankDetailsChanged ? (ended?.verificationId ?? null) : null,
  );
  const origin = decision.accountChanged ? await findOriginThere(services, actor, payee.id, next) : undefined;
  const seen = ended || pendingId === undefined ? [] : await lookAtNewEmail(services, actor, edit, pendingId);
  const { ok } = await runCommand(services, actor, {
    conditions: [
      payeeIsUnchanged(services, organizationId, payee),
      ...(decision.accountChanged ? [accountIsFree(organizationId, next, payee.id)] : []),
      ...(ended ? [pendingVerificationIs(services, organizationId, payee.id, pendingId)] : []),
      ...(told?.conditions ?? []),
    ],
    uniques: { account_taken: "payees", verification_pending: "verifications" },
    statements: [...updatePayee(services, actor, { ...edit, origin }, ended?.digests), ...seen],
    audit: auditOfEdit({ ...edit, origin }, told?.telling),
    parts: [...(ended?.parts ?? []), ...(told?.parts ?? [])],
    answer: undefined,
  });
  return ok;
}

/** A verification that waits learns of a new email domain that looks like the former one. */
async function lookAtNewEmail(
  services: Pick<Services, "db">,
  { organizationId }: Actor,
  { payee, next }: Edit,
  verificationId: string,
): Promise<Statement[]> {
  if (next.email === payee.email) return [];
  const formerEmailsOf = await listFormerEmails(services, organizationId, [payee.id]);
  const itself = { payeeId: payee.id, formerEmails: formerEmailsOf(payee.id) };
  return addLookalikes(services, organizationId, { verificationId, lookalikes: lookalikeOfItself(next, itself) });
}

function nextDetails(payee: PayeeRow, patch: Partial<PayeeDetails>): PayeeDetails {
  const { name, accountName, bsb, accountNumber, abn, email, phone, address } = payee;
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return { name, accountName, bsb, accountNumber, abn, email, phone, address, ...given };
}

export function editConflict(extra?: Record<string, unknown>): AppError {
  return new AppError(
    "EDIT_CONFLICT",
    409,
    "Someone changed this payee since you opened it. Look at what it says now, then save again if you still want to.",
    { extra },
  );
}
