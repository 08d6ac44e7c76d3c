import { displayName } from "~/kernel/actor";
import { institutionOf } from "~/kernel/bsb";
import type { PaymentStatus, VerificationStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import { type BankDetails, findRedFlags, isTrusted, type PayeeStatus, payeeStatus } from "~/kernel/payee";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import { describeOrigin, type NamedOrigin, type ShownOrigin } from "~/modules/payees/details-origin";
import { type PayeeHeadline, payeeHeadline } from "~/modules/payees/payee-standing";
import type { Grade } from "~/modules/payees/verifications/grade";
import type { OpenVerdict } from "~/modules/payees/verifications/standing";
import { noteOfReason } from "~/modules/rules";
import { duplicatePayment } from "~/modules/rules/duplicate-payment";
import type { PaymentReason } from "~/modules/rules/payment-reason";
import { basisOf, type DecisionRefusal, hasOtherAccount, refuseDecision } from "./decide";
import { canEnd, DECISIONS, type Decision } from "./payment";
import type { PaymentStep, PaymentSummary } from "./payment.json";
import { findPaymentFlags, type PaymentFlag } from "./payment-flags";
import { currentReasons } from "./reasons-now";
import { type NextStep, stepForUnknownAccount } from "./unknown-account";

/** What the page of one payment draws: texts come ready, instants in the organisation's time zone. */
export type PaymentView = {
  id: string;
  status: PaymentStatus;
  amount: number;
  reference: string | null;
  description: string | null;
  /** In full: this is the payment's own page. */
  account: BankDetails;
  institution: string | null;
  /** `grade`: how it was verified; null: it is not trusted. */
  payee: { id: string; name: string; status: PayeeStatus; headline: PayeeHeadline; grade: string | null } | null;
  /** What to do about an account that is no payee's. */
  nextStep: NextStep | null;
  /** Where the payee's account came from, and who has to approve it; null: a person here entered it. */
  origin: ShownOrigin | null;
  /** Of the payee's verification that waits for a decision; null: none does, or the payment is over. */
  verdict: OpenVerdict | null;
  verificationId: string | null;
  failureReason: string | null;
  processedAt: ShownTime | null;
  recordedAt: ShownTime;
  recordedBy: string;
  reasons: { rule: string; level: PaymentReason["level"]; message: string; note: string | null }[];
  /** The payment that this one repeats. */
  earlierPaymentId: string | null;
  flags: PaymentFlag[];
  /** Something speaks against paying it now: nothing green stands beside that. */
  isRed: boolean;
  steps: ShownStep[];
  /** What this person may do now; empty once nothing is to be done. */
  decisions: Decision[];
  /** Why this person may not approve, where others or other times may. */
  approvalBar: Exclude<DecisionRefusal, "not_held"> | null;
  isOwn: boolean;
  hasOutcome: boolean;
  /** What a decision would rest on. */
  basis: string;
};

/** `to` null: the payment was recorded. */
export type ShownStep = { id: string; to: PaymentStatus | null; who: string; when: ShownTime; note: string | null };

type Detail = PaymentSummary & {
  version: number;
  reasons: PaymentReason[];
  recordedBy: { firstName: string; lastName: string; email: string } | null;
  payee:
    | (BankDetails & {
        id: string;
        name: string;
        version: number;
        whitelisted: boolean;
        disputedAt: number | null;
        bankDetailsChangedAt: number | null;
        renamedAt: number | null;
        takenOffWhitelistAt: number | null;
        contactChangedAt: number | null;
      })
    | null;
  latest: (BankDetails & { id: string; status: VerificationStatus; createdAt: number; formerHolders: number }) | null;
  lastStep: Pick<PaymentStep, "fromStatus" | "toStatus" | "reason" | "createdAt"> | null;
};

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

export function toPaymentView(payment: Detail, steps: readonly PaymentStep[], viewing: Viewing): PaymentView {
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
    account: { accountName, bsb, accountNumber },
    institution: institutionOf(bsb)?.name ?? null,
    payee: payee && toPayee(payee, latest, viewing),
    origin: toOrigin(payment, viewing),
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
    earlierPaymentId: earlierPaymentOf(payment.reasons),
    flags,
    isRed: viewing.verdict?.isRed === true || flags.some((flag) => flag !== "details_changed"),
    steps: [
      { id: payment.id, to: null, who: recorder, when: show(payment.createdAt), note: payment.description },
      ...steps.map((step) => ({
        id: step.id,
        to: step.toStatus,
        who: step.userName ?? SYSTEM,
        when: show(step.createdAt),
        note: step.reason,
      })),
    ],
    decisions: viewing.canWrite ? all.filter((decision) => refusalOf(decision) === undefined) : [],
    approvalBar: bar === undefined || bar === "not_held" ? null : bar,
    isOwn: viewing.isOwn,
    hasOutcome: viewing.canWrite && canEnd(payment),
    basis: basisOf(payment),
  };
}

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
