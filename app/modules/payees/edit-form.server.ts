import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { PayeeDetails } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { listMemberEmails } from "~/modules/accounts/members/members.server";
import { listNoticesOfPayee } from "~/modules/messages/notifications/change-notices.queries.server";
import { contactSentence } from "~/modules/messages/notifications/notice-rules";
import type { NotifyServices, ReadServices, Services } from "~/services";
import { findTold } from "./change-notices.server";
import { requireFreeAccount } from "./duplicate-payee.server";
import { editConflict, editPayee } from "./edit-payee.server";
import { findPendingVerification, getPayee, type PayeeRow } from "./payee.queries.server";
import { detailsOf, showChange } from "./payee.server";
import type { Confirmation } from "./payee.view";
import { decideEdit, describeSlip, type EditDecision } from "./payee-edit";
import { listFormerNumbers } from "./payee-page.server";
import { contactsSince } from "./recent-contacts";

export type EditPost = {
  details: PayeeDetails;
  /** What the editor saw. */
  version: number;
  /** The editor has seen what follows from a change of bank details or name. */
  isConfirmed: boolean;
};

/**
 * A post of the edit form. A change of bank details, or another name, is first shown with everything that follows from it, and made when
 * it is posted again as confirmed; other changes are made at once.
 *
 * @throws AppError 404; 409 DUPLICATE_PAYEE, EDIT_CONFLICT with `version` and `conflict`: what differs from what is there now
 */
export async function submitEdit(
  services: NotifyServices,
  actor: Actor,
  payeeId: string,
  { details, version, isConfirmed }: EditPost,
): Promise<{ done: EditDecision; contacts: string } | { confirm: Confirmation }> {
  const payee = await getPayee(services, actor, payeeId);
  const decision = decideEdit(detailsOf(payee), details);
  if (version !== payee.version) throw conflictWith(payee, details);
  if (decision.endsTrust && !isConfirmed) {
    if (decision.accountChanged) await requireFreeAccount(services, actor.organizationId, details, payeeId);
    return { confirm: await foresee(services, actor, payee, decision) };
  }
  try {
    const done = await editPayee(services, actor, { payeeId, patch: details, version });
    return { done, contacts: await sayContactsOf(services, actor, payeeId, done) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "EDIT_CONFLICT") throw error;
    throw conflictWith(await getPayee(services, actor, payeeId), details);
  }
}

/** Whether the former contact was told of an edit: never before the provider has taken the message. Empty: nothing to tell. */
export async function sayContactsOf(
  services: ReadServices & Pick<Services, "clock">,
  actor: Actor,
  payeeId: string,
  { bankDetailsChanged, contactChanged }: EditDecision,
): Promise<string> {
  if (!bankDetailsChanged && !contactChanged) return "";
  return contactSentence(await listNoticesOfPayee(services, actor, payeeId), services.clock.now());
}

/** Another edit came first: what it left is shown beside what was typed. */
function conflictWith(now: PayeeRow, details: PayeeDetails): AppError {
  const conflict = decideEdit(detailsOf(now), details).changes.map(showChange);
  return editConflict({ version: now.version, conflict });
}

async function foresee(
  services: NotifyServices,
  actor: Actor,
  payee: PayeeRow,
  decision: EditDecision,
): Promise<Confirmation> {
  const now = services.clock.now();
  const [others, pendingId, { emails, mobiles }, formerNumbers] = await Promise.all([
    listMemberEmails(services, actor.organizationId, { except: actor.userId, canWrite: true }),
    findPendingVerification(services, actor, payee.id),
    findTold(services, actor, { payee, decision, now }),
    listFormerNumbers(services, actor, payee.id),
  ]);
  const { bankDetailsChanged, renamed } = decision;
  const typed = decision.changes.find(({ field }) => field === "accountNumber")?.to ?? null;
  return {
    changes: decision.changes.map(showChange),
    of: !renamed ? "bank details" : bankDetailsChanged ? "name and bank details" : "name",
    isWhitelisted: payee.whitelisted,
    hasPendingVerification: pendingId !== undefined,
    possibleTypo: typed === null ? null : describeSlip(typed, [payee.accountNumber, ...formerNumbers]),
    othersTold: others.length,
    payeeTold: { emails, mobiles: mobiles.map(formatPhone) },
    isContactChangedToo:
      bankDetailsChanged && (decision.contactChanged || (payee.contactChangedAt ?? 0) >= contactsSince(now)),
  };
}
