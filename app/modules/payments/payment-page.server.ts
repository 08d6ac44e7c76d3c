import { AppError } from "~/kernel/app-error";
import { institutionOf } from "~/kernel/bank-account";
import { DAY_MS, showTime } from "~/kernel/dates";
import type { PaymentStatus } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { CONTACT_AND_BANK_WINDOW_DAYS, findRedFlags, isTrusted, payeeStatus } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { displayName } from "~/kernel/text";
import { offerApproval } from "~/modules/accounts/identity/signed-approval.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { describeLastChange, isOfVerified, type StoredChange } from "~/modules/payees/change-story";
import { describeOrigin, type NamedOrigin, type ShownOrigin } from "~/modules/payees/details-origin";
import { findPayeeGrade, getPayee } from "~/modules/payees/payee.server";
import { listChanges } from "~/modules/payees/payee-page.server";
import { payeeHeadline } from "~/modules/payees/payee-standing";
import { findNamedOrigin, isOwnWork } from "~/modules/payees/second-person.server";
import type { Grade } from "~/modules/payees/verifications/outcomes";
import { type OpenVerdict, openVerdictOf } from "~/modules/payees/verifications/standing";
import { findVerification } from "~/modules/payees/verifications/verification.server";
import { noteOfReason } from "~/modules/rules";
import { type Actor, canWrite, type Services, type TimedServices } from "~/services-and-actor";
import { approvalLimitOf, findPaymentLimits, findSameDayCents } from "./approval-limits.server";
import { findApprovers } from "./approvers.server";
import { approvablePayment } from "./decide-payment.server";
import { findHeldPlace } from "./held-payments.server";
import {
  asksForPasskey,
  basisOf,
  canEnd,
  currentReasons,
  DECISIONS,
  type Decision,
  findPaymentFlags,
  formerPayeeOf,
  hasOtherAccount,
  isOpenPayment,
  linkOfReason,
  refuseDecision,
  stepForUnknownAccount,
} from "./payment";
import { findApproval, listTransitions, type PaymentDetail, type Transition } from "./payment.server";

export async function readPaymentPage(services: Services, actor: Actor, payment: PaymentDetail) {
  const [policy, limits, steps, approval, change, verification, grade, origin, place, sameDayCents] = await Promise.all(
    [
      findPolicy(services, actor.organizationId),
      findPaymentLimits(services, actor.organizationId),
      listTransitions(services, actor, payment.id),
      findApproval(services, actor, payment),
      findChangeBefore(services, actor, payment),
      findOpenVerification(services, actor, payment),
      payment.payee && findPayeeGrade(services, actor, payment.payee.id),
      findNamedOrigin(services, payment.payee),
      findHeldPlace(services, actor, payment.id),
      findSameDayCents(services, actor, payment),
    ],
  );
  const { timeZone, secondPersonRequired } = policy;
  const now = services.clock.now();
  const view = toPaymentView(payment, steps, {
    ...{ origin, grade, timeZone, secondPersonRequired, now },
    sameDayCents,
    isOwn: isOwnWork(approval, actor.userId),
    canWrite: canWrite(actor),
    approvalLimitCents: approvalLimitOf(limits, actor.organizationRole),
    verdict: openVerdictOf(verification, { timeZone, now }),
  });
  const bar = view.decisions.length > 0 ? view.approvalBar : null;
  const secondPerson = secondPersonRequired ? approval : null;
  const approvers = await findApprovers(services, actor, {
    bar,
    approval: secondPerson,
    limits,
    amount: view.amount + sameDayCents,
  });
  const title = `${formatAud(view.amount)} to ${view.payee?.name ?? view.account.accountName}`;
  // What this person's passkey signs to approve; null: the organisation does not ask for one.
  const signing =
    view.decisions.includes("approve") && asksForPasskey("approve", payment, policy, sameDayCents)
      ? await offerApproval(services, actor, approvablePayment(payment))
      : null;
  return { title, view, place, approvers, change, approval: signing, submissionId: services.ids.next() };
}

/** The payee's pending verification, while the payment can still be paid. */
async function findOpenVerification(services: Services, actor: Actor, { status, latest }: PaymentDetail) {
  if (latest?.status !== "pending" || !isOpenPayment(status)) return null;
  return (await findVerification(services, actor, latest.id)) ?? null;
}

type Viewing = {
  /** The origin of the payee's present account. */
  origin: NamedOrigin | null;
  verdict: OpenVerdict | null;
  /** How the payee was verified. */
  grade: Grade | null;
  canWrite: boolean;
  /** True if approving would mean approving the person's own work. */
  isOwn: boolean;
  secondPersonRequired: boolean;
  timeZone: string;
  now: number;
  /** How much this person may approve to one payee in a day; null: any amount. */
  approvalLimitCents: number | null;
  /** What else was authorised to the payee today. */
  sameDayCents?: number;
};

/** The add-payee form, filled in with the account of a payment. The address does not contain the account itself. */
const addPayeePath = (paymentId: string) => withQuery(appPaths.newPayee, { payment: paymentId });

const SYSTEM = "PayeeProof";

/** The view of one payment: texts are finished, with instants in the organisation's time zone. */
export function toPaymentView(
  payment: PaymentDetail,
  steps: readonly Pick<Transition, "id" | "toStatus" | "userName" | "createdAt" | "reason">[],
  viewing: Viewing,
) {
  const { payee, latest, accountName, bsb, accountNumber, recordedBy, status } = payment;
  const show = (ms: number) => showTime(ms, viewing);
  const recorder = recordedBy ? displayName(recordedBy) : SYSTEM;
  const refusalOf = (decision: Decision) => refuseDecision(payment, decision, viewing);
  const bar = refusalOf("approve");
  const flags = findPaymentFlags(payment, viewing.now);
  const all = Object.keys(DECISIONS) as Decision[];
  return {
    id: payment.id,
    status,
    amount: payment.amount,
    reference: payment.reference,
    description: payment.description,
    /** Unmasked, because this is the payment's own page. */
    account: { accountName, bsb, accountNumber },
    institution: institutionOf(bsb)?.name ?? null,
    payee: payee && toPayee(payee, latest, viewing),
    /** Where the payee's account was imported from, and who has to approve it; null: a member entered it. */
    origin: toOrigin(payment, viewing),
    /** What to do about an account that belongs to no payee. */
    nextStep: stepForUnknownAccount(payment, viewing.canWrite ? addPayeePath(payment.id) : null),
    verdict: viewing.verdict,
    verificationId: payment.verificationId,
    failureReason: payment.failureReason,
    processedAt: payment.processedAt === null ? null : show(payment.processedAt),
    recordedAt: show(payment.createdAt),
    recordedBy: recorder,
    reasons: currentReasons(payment).map((reason) => ({
      rule: reason.rule,
      level: reason.level,
      message: reason.message,
      note: noteOfReason(reason) ?? null,
      link: linkOfReason(reason),
    })),
    flags,
    /** There is a reason not to pay it now, so nothing on the page is green. */
    isRed: viewing.verdict?.isRed === true || flags.some((flag) => flag !== "details_changed"),
    /** `to` null: the payment was recorded. */
    steps: [
      {
        id: payment.id,
        to: null as PaymentStatus | null,
        who: recorder,
        when: show(payment.createdAt),
        note: payment.description,
      },
      ...steps.map((step) => ({
        id: step.id,
        to: step.toStatus,
        who: step.userName ?? SYSTEM,
        when: show(step.createdAt),
        note: step.reason,
      })),
    ],
    /** What this person may decide now; empty when nothing is left to decide. */
    decisions: viewing.canWrite ? all.filter((decision) => refusalOf(decision) === undefined) : [],
    /** Why this person may not approve, if someone else may, or they may later. */
    approvalBar: bar === undefined || bar === "not_held" ? null : bar,
    isOwn: viewing.isOwn,
    hasOutcome: viewing.canWrite && canEnd(payment),
    /** The state that a decision would be based on. */
    basis: basisOf(payment),
  };
}

export type PaymentView = ReturnType<typeof toPaymentView>;

export type ShownStep = PaymentView["steps"][number];

/** The payee at present: problems are shown before how far it is trusted. */
function toPayee(
  payee: NonNullable<PaymentDetail["payee"]>,
  latest: PaymentDetail["latest"],
  { verdict, grade, now }: Viewing,
) {
  const status = payeeStatus(payee, latest);
  const headline = payeeHeadline(status, verdict, findRedFlags(payee, status, now, latest));
  return { id: payee.id, name: payee.name, status, headline, grade: grade?.text ?? null };
}

function toOrigin(payment: PaymentDetail, { origin, secondPersonRequired, timeZone }: Viewing): ShownOrigin | null {
  const { payee, latest } = payment;
  if (!origin || !payee || hasOtherAccount(payment)) return null;
  const isApproved = isTrusted(payeeStatus(payee, latest));
  return describeOrigin(origin, { secondPersonRequired, timeZone, isApproved });
}

/**
 * Null once the payment has ended, or when neither the payee's bank details nor its name ever changed. For a payment to
 * a payee's former account, the question is about that payee.
 */
export async function findChangeBefore(
  services: TimedServices,
  actor: Actor,
  { payeeId: paidTo, status, reasons }: Pick<PaymentDetail, "payeeId" | "status" | "reasons">,
) {
  const payeeId = paidTo ?? formerPayeeOf(reasons);
  if (payeeId === null || !isOpenPayment(status)) return null;
  const changes = await listChanges(services, actor, payeeId);
  const story = describeLastChange(changes, { timeZone: actor.timeZone, now: services.clock.now() });
  if (!story) return null;
  const { phone } = await getPayee(services, actor, payeeId);
  const known = phoneBefore(changes, phone);
  return { story, phone: known && formatPhone(known) };
}

/** The phone number from before the change of bank details or name, which the same person cannot have changed. */
export function phoneBefore(changes: readonly StoredChange[], phone: string | null): string | null {
  const changedAt = changes.find(isOfVerified)?.createdAt;
  if (changedAt === undefined) return phone;
  const from = changedAt - CONTACT_AND_BANK_WINDOW_DAYS * DAY_MS;
  // Newest first, so the last one is the first change since then.
  const first = changes.filter(({ field, createdAt }) => field === "phone" && createdAt >= from).at(-1);
  return first ? first.oldValue : phone;
}

/** Rewords a refusal for the payment's page, whose form names the outcome's time `processedOn`. */
export function describeActing(error: AppError): AppError {
  const { processedAt, ...others } = error.fieldErrors ?? {};
  if (processedAt === undefined) return error;
  return new AppError(error.code, error.message, { fieldErrors: { ...others, processedOn: processedAt } });
}
