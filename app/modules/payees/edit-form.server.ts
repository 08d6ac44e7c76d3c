import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { PayeeDetails } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { listMemberEmails } from "~/modules/members/members.queries.server";
import type { Services } from "~/services";
import { findRecentContacts } from "./change-notices.server";
import { requireFreeAccount } from "./duplicate-payee.server";
import { editPayee } from "./edit-payee.commands.server";
import { findPendingVerification, getPayee, type PayeeRow } from "./payee.queries.server";
import { versionSchema } from "./payee.schema.server";
import type { Confirmation, EditAnswer, PayeeFormAnswer } from "./payee.view";
import { detailsOf, showChange } from "./payee.view.server";
import { decideEdit, type EditDecision } from "./payee-edit";
import { parsePayeeForm, refusedForm, typedValues } from "./payee-form.server";
import { contactsSince } from "./recent-contacts";

type Editing = Pick<Services, "db" | "clock" | "ids" | "secrets" | "queues" | "config">;

/** What a post of the edit page leads to: an edit that was made, or an answer to draw. */
export type EditOutcome = { done: EditDecision } | { answer: EditAnswer; status: number };

/**
 * A post of the edit form. A change of bank details is first shown with everything that follows from it, and made when
 * it is posted again with `intent` confirm; other changes are made at once.
 *
 * @throws AppError 404
 */
export async function submitEdit(
  services: Editing,
  actor: Actor,
  payeeId: string,
  form: FormData,
): Promise<EditOutcome> {
  const payee = await getPayee(services, actor, payeeId);
  const { version = null } = versionSchema.safeParse({ version: form.get("version") }).data ?? {};
  const back = (answer: PayeeFormAnswer, status: number, more: Partial<EditAnswer> = {}): EditOutcome => ({
    answer: { ...answer, version, conflict: null, confirm: null, ...more },
    status,
  });
  const typed = { values: typedValues(form), errors: {}, formErrors: [], duplicate: null, needsSubscription: false };
  if (form.get("intent") === "back") return back(typed, 200);
  const parsed = parsePayeeForm(form);
  if ("answer" in parsed) return back(parsed.answer, 400);

  const decision = decideEdit(detailsOf(payee), parsed.details);
  if (version !== payee.version) {
    return back(typed, 409, { version: payee.version, conflict: decision.changes.map(showChange) });
  }
  try {
    if (decision.bankDetailsChanged && form.get("intent") !== "confirm") {
      if (decision.accountChanged) await requireFreeAccount(services, actor.organizationId, parsed.details, payeeId);
      return back(typed, 200, { confirm: await foresee(services, actor, payee, decision) });
    }
    return { done: await editPayee(services, actor, { payeeId, patch: parsed.details, version }) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "EDIT_CONFLICT")
      return againstWhatIsThere(services, actor, payeeId, parsed.details, back, typed);
    return back(refusedForm(form, error), error.status);
  }
}

/** Somebody was faster, between our look and our write: what they left is shown beside what was typed. */
async function againstWhatIsThere(
  services: Editing,
  actor: Actor,
  payeeId: string,
  details: PayeeDetails,
  back: (answer: PayeeFormAnswer, status: number, more: Partial<EditAnswer>) => EditOutcome,
  typed: PayeeFormAnswer,
): Promise<EditOutcome> {
  const now = await getPayee(services, actor, payeeId);
  const { changes } = decideEdit(detailsOf(now), details);
  return back(typed, 409, { version: now.version, conflict: changes.map(showChange) });
}

async function foresee(
  services: Editing,
  actor: Actor,
  payee: PayeeRow,
  decision: EditDecision,
): Promise<Confirmation> {
  const now = services.clock.now();
  const [others, pendingId, { emails, mobiles }] = await Promise.all([
    listMemberEmails(services, actor.organizationId, { except: actor.userId, canWrite: true }),
    findPendingVerification(services, actor, payee.id),
    findRecentContacts(services, actor, payee, now),
  ]);
  return {
    changes: decision.changes.map(showChange),
    isWhitelisted: payee.whitelisted,
    hasPendingVerification: pendingId !== undefined,
    othersTold: others.length,
    payeeTold: { emails, mobiles: mobiles.map(formatPhone) },
    isContactChangedToo: decision.contactChanged || (payee.contactChangedAt ?? 0) >= contactsSince(now),
  };
}
