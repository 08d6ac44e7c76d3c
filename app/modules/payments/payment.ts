import { sameAccountNumber } from "~/kernel/bank-account";
import { DAY_MS, HOUR_MS, parseDay, toIso } from "~/kernel/dates";
import type { PaymentStatus, VerificationStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { type Account, type BankDetails, findRedFlags, payeeStatus, type RedFlag } from "~/kernel/payee";
import { paymentMessage } from "~/kernel/payment-sentences";
import type { Policy } from "~/modules/accounts/organizations/policy";
import { duplicatePayment } from "~/modules/rules/duplicate-payment";
import { payeeNotTrusted } from "~/modules/rules/payee-rules";
import { DETAILS_CHANGED_SINCE, type PaymentReason } from "~/modules/rules/payment-holds";
import type { PaymentDetail } from "./payment.server";

/*
 * The statuses of a payment: which may follow which, who may decide, how it ends, and which warnings apply now.
 * Pure: no database, no clock. Instants in epoch milliseconds.
 */

/** Maximum lengths of typed text, in characters. A direct entry file holds the first 18 of a reference. */
export const MAX_REFERENCE_LENGTH = 140;

export const MAX_DESCRIPTION_LENGTH = 500;

export const MAX_REASON_LENGTH = 500;

/** A link to what the reason is about: the invoice, or the payment that this one repeats; null: it names neither. */
export function linkOfReason({ rule, evidence: { invoiceId, paymentId } }: PaymentReason) {
  if (typeof invoiceId === "string") return { to: appPaths.supplierInvoice(invoiceId), label: "View the invoice" };
  return rule === duplicatePayment.id && typeof paymentId === "string"
    ? { to: appPaths.payment(paymentId), label: "View the earlier payment" }
    : null;
}

/** A new payment, validated and normalised. */
export type NewPayment = {
  to: { payeeId: string } | BankDetails;
  /** Integer cents, Australian dollars. */
  amount: number;
  reference: string;
  description: string | null;
};

/**
 * Which statuses may follow each. An authorised payment is held again when its payee's bank details change, or the
 * payee disputes them, is rejected or is taken off the whitelist, before the bank has ended the payment.
 */
const NEXT: Record<PaymentStatus, readonly PaymentStatus[]> = {
  held: ["authorised", "rejected", "verification_requested"],
  verification_requested: ["held"],
  authorised: ["successful", "failed", "held"],
  successful: [],
  failed: [],
  rejected: [],
};

/** True if a payment may move from one status to the other. */
export function canMove(from: PaymentStatus, to: PaymentStatus): boolean {
  return NEXT[from].includes(to);
}

type Step = { fromStatus: PaymentStatus; toStatus: PaymentStatus };

/** True if the payment was authorised and is held again because of a change to its payee. */
export function isHeldAgain({ status, lastStep }: { status: PaymentStatus; lastStep: Step | null }): boolean {
  return status === "held" && lastStep?.toStatus === "held" && lastStep.fromStatus === "authorised";
}

/**
 * True if the bank may have ended the payment. A payment that is held again may have reached the bank before that: its
 * actual outcome can be recorded, because otherwise the status would be wrong.
 */
export function canEnd(payment: { status: PaymentStatus; lastStep: Step | null }): boolean {
  return payment.status === "authorised" || isHeldAgain(payment);
}

/** True while the money may still leave, so that changes to the payee matter. */
export function isOpenPayment(status: PaymentStatus): boolean {
  return NEXT[status].length > 0;
}

/** The decisions about a held payment, and the status each leads to. */
export const DECISIONS = {
  approve: "authorised",
  reject: "rejected",
  request_verification: "verification_requested",
} as const;

export type Decision = keyof typeof DECISIONS;

/** How the bank ended a payment. */
export const OUTCOMES = ["successful", "failed"] as const;

export type PaymentOutcome = (typeof OUTCOMES)[number];

/** What the check of a decision needs, as it is in the database now. */
export type DecisionCase = Account & {
  status: PaymentStatus;
  /** Integer cents. */
  amount: number;
  /** Null: the account is not a payee of the organisation. */
  payee: Account | null;
};

/** True if the payee's account has changed since the payment was recorded. A corrected name alone does not count. */
export function hasOtherAccount({ payee, bsb, accountNumber }: Account & { payee: Account | null }): boolean {
  return payee !== null && (payee.bsb !== bsb || !sameAccountNumber(payee.accountNumber, accountNumber));
}

/**
 * Why this person may not make this decision now; undefined when they may. Rejecting is always allowed, because it pays
 * nobody. An account that the payee no longer has can neither be approved nor verified, because the verification would
 * be about the new account.
 *
 * @param person.isOwn whether they would approve their own work (`isOwnWork`)
 * @param person.approvalLimitCents how much their role may approve to one payee in a day; null: any amount
 * @param person.sameDayCents what else was authorised to this payee today, so that splitting a payment does not get
 * round the limit
 */
export function refuseDecision(
  subject: DecisionCase,
  decision: Decision,
  person: {
    isOwn: boolean;
    secondPersonRequired: boolean;
    approvalLimitCents: number | null;
    sameDayCents?: number;
  },
): ("not_held" | "above_limit" | "second_person_required" | "payee_required" | "account_changed") | undefined {
  if (!canMove(subject.status, DECISIONS[decision])) return "not_held";
  if (decision === "reject") return undefined;
  if (decision === "request_verification" && subject.payee === null) return "payee_required";
  const limit = person.approvalLimitCents;
  if (decision === "approve" && limit !== null && subject.amount + (person.sameDayCents ?? 0) > limit) {
    return "above_limit";
  }
  if (decision === "approve" && person.secondPersonRequired && person.isOwn) return "second_person_required";
  return hasOtherAccount(subject) ? "account_changed" : undefined;
}

/** True if the decision must be signed with a passkey. A payee's payments of a day add up, as for approval limits. */
export const asksForPasskey = (
  decision: Decision,
  { amount }: { amount: number },
  { passkeyForApprovals, passkeyAboveCents }: Pick<Policy, "passkeyForApprovals" | "passkeyAboveCents">,
  sameDayCents: number,
): boolean => decision === "approve" && passkeyForApprovals && amount + sameDayCents > passkeyAboveCents;

type Basis = {
  version: number;
  payee: { version: number; disputedAt: number | null } | null;
  latest: { id: string; status: string } | null;
};

/** The state that a decision is based on, as a string: the payment, and the standing of its payee. */
export function basisOf({ version, payee, latest }: Basis): string {
  return [version, payee?.version, payee?.disputedAt, latest?.id, latest?.status].map(String).join(":");
}

/** Another party's clock, or a day given without a time, may be ahead of ours by this much. */
const AHEAD_MS = 24 * HOUR_MS;

/**
 * A typed calendar day, `2026-11-20`, as noon in UTC: the same day everywhere in Australia, from Perth to Lord Howe
 * Island in daylight saving time.
 *
 * @returns undefined for text that is not a calendar day
 */
export function noonOf(text: string): number | undefined {
  const day = parseDay(text);
  return day === undefined ? undefined : Date.parse(`${day}T12:00:00Z`);
}

/** Why a payment cannot have been processed at this time, as a sentence; undefined when it can. */
export function processedAtProblem(processedAt: number, recordedAt: number, now: number): string | undefined {
  if (processedAt > now + AHEAD_MS) return "A payment cannot have been processed in the future";
  if (processedAt < recordedAt - DAY_MS) return "A payment cannot have been processed before it was recorded";
  return undefined;
}

/** A day given without a time may end after now: it then counts as now. */
export function latestProcessedAt(processedAt: number, now: number): number {
  return Math.min(processedAt, now);
}

export type PaymentFlag = RedFlag | "account_changed";

type Payee = BankDetails & {
  whitelisted: boolean;
  disputedAt: number | null;
  bankDetailsChangedAt: number | null;
  renamedAt: number | null;
  takenOffWhitelistAt: number | null;
  contactChangedAt: number | null;
};

type Subject = BankDetails & {
  status: PaymentStatus;
  reasons: readonly Pick<PaymentReason, "rule">[];
  payee: Payee | null;
  latest: (BankDetails & { status: VerificationStatus; createdAt: number; formerHolders: number }) | null;
};

/** The reason that already says the same as the flag. */
const SAID_BY: Partial<Record<PaymentFlag, string>> = {
  disputed: "payee_disputed",
  details_changed: "details_changed",
  former_account: "former_account",
  renamed: "details_changed",
  contact_and_bank_changed: "contact_and_bank_changed",
};

/**
 * The payee's present problems. Empty once the payment has ended; leaves out what the payment's own reasons already say
 * while it is held for them.
 *
 * @param now epoch milliseconds
 */
export function findPaymentFlags(payment: Subject, now: number): PaymentFlag[] {
  const { payee, latest, status, reasons } = payment;
  if (!payee || !isOpenPayment(status)) return [];
  const flags: PaymentFlag[] = hasOtherAccount(payment) ? ["account_changed"] : [];
  for (const flag of findRedFlags(payee, payeeStatus(payee, latest), now, latest)) {
    const isSaid = status !== "authorised" && reasons.some(({ rule }) => rule === SAID_BY[flag]);
    if (!isSaid) flags.push(flag);
  }
  return flags;
}

/**
 * Why the payment has its status: what the rules found when it was recorded, which is never rewritten, and what
 * happened to its payee after it was authorised.
 */
export function currentReasons(payment: Pick<PaymentDetail, "status" | "reasons" | "lastStep">): PaymentReason[] {
  const { reasons, lastStep } = payment;
  if (!lastStep || !isHeldAgain(payment)) return reasons;
  const since: PaymentReason = {
    rule: DETAILS_CHANGED_SINCE,
    level: "hold",
    message: lastStep.reason ?? "Something happened to the payee after this payment was authorised.",
    evidence: { heldAgainAt: toIso(lastStep.createdAt) },
  };
  return [since, ...reasons];
}

type Reasons = readonly Pick<PaymentReason, "rule" | "evidence">[];

/** The payee that had the account in these reasons until its bank details changed; null: none. */
export function formerPayeeOf(reasons: Reasons): string | null {
  const { formerPayeeId } = reasons.find(({ rule }) => rule === payeeNotTrusted.id)?.evidence ?? {};
  return typeof formerPayeeId === "string" ? formerPayeeId : null;
}

/**
 * The payee that had the account until its bank details changed; otherwise the link to a filled form that adds the
 * account as a payee.
 *
 * @param addHref the form's address; null: the person may not add payees
 * @returns null when the account is a payee's, or when the payment is not held
 */
export function stepForUnknownAccount(
  { status, payeeId, reasons }: { status: PaymentStatus; payeeId: string | null; reasons: Reasons },
  addHref: string | null,
): { label: string; href: string } | null {
  if (status !== "held" || payeeId !== null) return null;
  const formerPayeeId = formerPayeeOf(reasons);
  if (formerPayeeId !== null) {
    return { label: "See how the payee's account changed", href: appPaths.payee(formerPayeeId) };
  }
  return addHref === null ? null : { label: "Add as payee and verify", href: addHref };
}

/** The actions on the page of a payment. */
export type PaymentIntent = Decision | PaymentOutcome;

/** The message on the next page. Only what was or may be paid is green. */
export function successOf(intent: PaymentIntent) {
  const status = intent === "successful" || intent === "failed" ? intent : DECISIONS[intent];
  const tone = status === "authorised" || status === "successful" ? ("success" as const) : ("info" as const);
  return { tone, ...paymentMessage(status) };
}
