import type { Statement } from "@db/client";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { PayeeDetails } from "~/kernel/payee";
import { atOneInstant } from "~/modules/core/commands/one-instant";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { lookalikeOfItself } from "~/modules/payees/verifications/evidence";
import { listFormerEmails } from "~/modules/payees/verifications/former-emails.queries.server";
import { addLookalikes } from "~/modules/payees/verifications/verification.statements.server";
import type { NotifyServices, Services } from "~/services";
import { type Edit, prepareChangeNotices } from "./change-notices.server";
import { requireFreeAccount } from "./duplicate-payee.server";
import { auditOfEdit, updatePayee } from "./edit-payee.statements.server";
import { endTrust } from "./end-trust.statements.server";
import { findPendingVerification, getPayee, type PayeeRow } from "./payee.queries.server";
import { accountIsFree, payeeIsUnchanged, pendingVerificationIs } from "./payee.statements.server";
import { decideEdit, type EditDecision } from "./payee-edit";
import { findOriginThere } from "./second-person.queries.server";

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
