import { displayName } from "~/kernel/actor";
import { institutionOf } from "~/kernel/bsb";
import type { PaymentStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import { findRedFlags, isTrusted, payeeStatus } from "~/kernel/payee";
import { showTime } from "~/kernel/shown-time";
import { describeOrigin, type NamedOrigin, type ShownOrigin } from "~/modules/payees/details-origin";
import { payeeHeadline } from "~/modules/payees/payee-standing";
import type { Grade } from "~/modules/payees/verifications/grade";
import type { OpenVerdict } from "~/modules/payees/verifications/standing";
import { noteOfReason } from "~/modules/rules";
import { duplicatePayment } from "~/modules/rules/duplicate-payment";
import type { PaymentReason } from "~/modules/rules/payment-reason";
import { basisOf, hasOtherAccount, refuseDecision } from "./decide";
import { canEnd, DECISIONS, type Decision } from "./payment";
import type { PaymentDetail, Transition } from "./payment.server";
import { findPaymentFlags } from "./payment-flags";
import { currentReasons } from "./reasons-now";
import { stepForUnknownAccount } from "./unknown-account";

type Detail = PaymentDetail;
type Step = Pick<Transition, "id" | "toStatus" | "userName" | "createdAt" | "reason">;

type Viewing = {
  /** Of the account that the payee has now. */
  origin: NamedOrigin | null;
  /** Of the payee's open verification. */
  verdict: OpenVerdict | null;
  /** How the payee was verified. */
  grade: Grade | null;
  canWrite: boolean;
  /** Whether approving would be the person's own work. */
  isOwn: boolean;
  secondPersonRequired: boolean;
  timeZone: string;
  now: number;
  /** How much this person may approve of one payment; null: any amount. */
  approvalLimitCents: number | null;
};

/** The form that adds the account of a payment as a payee, filled in. The account itself stays out of the address. */
const addPayeePath = (paymentId: string) => withQuery(appPaths.newPayee, { payment: paymentId });

const SYSTEM = "PayeeProof";

/** What the page of one payment draws: texts come ready, instants in the organisation's time zone. */
export function toPaymentView(payment: Detail, steps: readonly Step[], viewing: Viewing) {
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
    /** In full: this is the payment's own page. */
    account: { accountName, bsb, accountNumber },
    institution: institutionOf(bsb)?.name ?? null,
    payee: payee && toPayee(payee, latest, viewing),
    /** Where the payee's account came from, and who has to approve it; null: a person here entered it. */
    origin: toOrigin(payment, viewing),
    /** What to do about an account that is no payee's. */
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
    })),
    /** The payment that this one repeats. */
    earlierPaymentId: earlierPaymentOf(payment.reasons),
    flags,
    /** Something speaks against paying it now: nothing green stands beside that. */
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
    /** What this person may do now; empty once nothing is to be done. */
    decisions: viewing.canWrite ? all.filter((decision) => refusalOf(decision) === undefined) : [],
    /** Why this person may not approve, where others or other times may. */
    approvalBar: bar === undefined || bar === "not_held" ? null : bar,
    isOwn: viewing.isOwn,
    hasOutcome: viewing.canWrite && canEnd(payment),
    /** What a decision would rest on. */
    basis: basisOf(payment),
  };
}

export type PaymentView = ReturnType<typeof toPaymentView>;
export type ShownStep = PaymentView["steps"][number];

/** The payee as it is now: what speaks against it comes before how far it is trusted. */
function toPayee(payee: NonNullable<Detail["payee"]>, latest: Detail["latest"], { verdict, grade, now }: Viewing) {
  const status = payeeStatus(payee, latest);
  const headline = payeeHeadline(status, verdict, findRedFlags(payee, status, now, latest));
  return { id: payee.id, name: payee.name, status, headline, grade: grade?.text ?? null };
}

function toOrigin(payment: Detail, { origin, secondPersonRequired, timeZone }: Viewing): ShownOrigin | null {
  const { payee, latest } = payment;
  if (!origin || !payee || hasOtherAccount(payment)) return null;
  const isApproved = isTrusted(payeeStatus(payee, latest));
  return describeOrigin(origin, { secondPersonRequired, timeZone, isApproved });
}

function earlierPaymentOf(reasons: readonly PaymentReason[]): string | null {
  const { paymentId } = reasons.find(({ rule }) => rule === duplicatePayment.id)?.evidence ?? {};
  return typeof paymentId === "string" ? paymentId : null;
}
