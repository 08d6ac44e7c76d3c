import { sameAccountNumber } from "~/kernel/account-number";
import { DAY_MS, HOUR_MS, parseDay, toIso } from "~/kernel/dates";
import type { PaymentStatus, VerificationStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { type BankDetails, findRedFlags, payeeStatus, type RedFlag } from "~/kernel/payee";
import { paymentTold } from "~/kernel/payment-sentences";
import { payeeNotTrusted } from "~/modules/rules/payee-rules";
import { DETAILS_CHANGED_SINCE } from "~/modules/rules/payment-holds";
import type { PaymentReason } from "~/modules/rules/payment-reason";
import type { PaymentDetail } from "./payment.server";

/*
 * The life of a payment record: where it may go, who may decide it, how it ends, and what is to be known of it now. Pure: no
 * database, no clock. Instants in epoch milliseconds.
 */

/** Lengths of what people type, in characters. A direct entry file carries the first 18 of a reference. */
export const MAX_REFERENCE_LENGTH = 140;

export const MAX_DESCRIPTION_LENGTH = 500;

export const MAX_REASON_LENGTH = 500;

/** A payment that somebody wants to record, checked and normalised. */
export type NewPayment = {
  to: { payeeId: string } | BankDetails;
  /** Integer cents, Australian dollars. */
  amount: number;
  reference: string;
  description: string | null;
};

/** What the rules decide when a payment is recorded. */
type RuleDecision = Extract<PaymentStatus, "authorised" | "held">;

/** No holding rule fired: authorised. A warning shows and does not hold. */
export function ruleDecision(reasons: readonly Pick<PaymentReason, "level">[]): RuleDecision {
  return reasons.some((reason) => reason.level === "hold") ? "held" : "authorised";
}

/**
 * Where a payment may go from where it is. An authorised payment is held again when its payee gets other bank details,
 * disputes them, is rejected or is taken off the whitelist before the bank has ended it.
 */
const NEXT: Record<PaymentStatus, readonly PaymentStatus[]> = {
  held: ["authorised", "rejected", "verification_requested"],
  verification_requested: ["held"],
  authorised: ["successful", "failed", "held"],
  successful: [],
  failed: [],
  rejected: [],
};

/** Whether a payment may move from one status to another. */
export function canMove(from: PaymentStatus, to: PaymentStatus): boolean {
  return NEXT[from].includes(to);
}

type Step = { fromStatus: PaymentStatus; toStatus: PaymentStatus };

/** True if the payment was authorised once and is held again because of what happened to its payee since. */
export function isHeldAgain({ status, lastStep }: { status: PaymentStatus; lastStep: Step | null }): boolean {
  return status === "held" && lastStep?.toStatus === "held" && lastStep.fromStatus === "authorised";
}

/**
 * Whether the bank may have ended the payment. One that is held again may have been in a file at the bank already: its
 * outcome is recorded as it was, or the status would claim something false.
 */
export function canEnd(payment: { status: PaymentStatus; lastStep: Step | null }): boolean {
  return payment.status === "authorised" || isHeldAgain(payment);
}

/** Whether the money may still leave: what happens to the payee meanwhile matters. */
export function isOpenPayment(status: PaymentStatus): boolean {
  return NEXT[status].length > 0;
}

/** What a person decides about a held payment, and where it leads. */
export const DECISIONS = {
  approve: "authorised",
  reject: "rejected",
  request_verification: "verification_requested",
} as const;

export type Decision = keyof typeof DECISIONS;

/** How the bank ended a payment. */
export const OUTCOMES = ["successful", "failed"] as const;

export type PaymentOutcome = (typeof OUTCOMES)[number];

type Account = { bsb: string; accountNumber: string };

/** What the rules look at, as the database has it now. */
export type DecisionCase = Account & {
  status: PaymentStatus;
  /** Integer cents. */
  amount: number;
  /** Null: the account is not a payee of the organisation. */
  payee: Account | null;
};

type DecisionRefusal = "not_held" | "above_limit" | "second_person_required" | "payee_required" | "account_changed";

/** True if the payee has been given another account since the payment was recorded. A corrected name moves no money. */
export function hasOtherAccount({ payee, bsb, accountNumber }: Account & { payee: Account | null }): boolean {
  return payee !== null && (payee.bsb !== bsb || !sameAccountNumber(payee.accountNumber, accountNumber));
}

/**
 * Whether this person may decide so now; undefined when they may. Rejecting is always open: it pays nobody. An account
 * that the payee no longer has is neither approved nor verified: the verification would be about the new one.
 *
 * @param person.isOwn whether they would approve their own work (`isOwnWork`)
 * @param person.approvalLimitCents how much their role may approve to one payee in a day; null: any amount
 * @param person.sameDayCents what else was authorised to this payee today: a large payment is not passed in small parts
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
): DecisionRefusal | undefined {
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

type Basis = {
  version: number;
  payee: { version: number; disputedAt: number | null } | null;
  latest: { id: string; status: string } | null;
};

/** What a decision rests on, as text: the payment, and how its payee stands. */
export function basisOf({ version, payee, latest }: Basis): string {
  return [version, payee?.version, payee?.disputedAt, latest?.id, latest?.status].map(String).join(":");
}

/** A clock of another party, or a day given without a time, may be ahead of ours by this much. */
const AHEAD_MS = 24 * HOUR_MS;

/**
 * A calendar day as people give it, `2026-11-20`, as noon in UTC: the same day everywhere in Australia, from Perth to
 * Lord Howe Island in daylight saving time.
 *
 * @returns undefined for text that is no day of the calendar
 */
export function noonOf(text: string): number | undefined {
  const day = parseDay(text);
  return day === undefined ? undefined : Date.parse(`${day}T12:00:00Z`);
}

/** Why a payment cannot have been processed then, in a sentence; undefined when it can. */
export function processedAtProblem(processedAt: number, recordedAt: number, now: number): string | undefined {
  if (processedAt > now + AHEAD_MS) return "A payment cannot have been processed in the future";
  if (processedAt < recordedAt - DAY_MS) return "A payment cannot have been processed before it was recorded";
  return undefined;
}

/** A day given without a time may end after now: it counts as now. */
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

/** The reason that already says what the flag would. */
const SAID_BY: Partial<Record<PaymentFlag, string>> = {
  disputed: "payee_disputed",
  details_changed: "details_changed",
  former_account: "former_account",
  renamed: "details_changed",
  contact_and_bank_changed: "contact_and_bank_changed",
};

/**
 * What has come up about the payee, as it is at this moment. Nothing once the money has gone or will not go; nothing that
 * the payment's own reasons already say while it is held for them.
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
 * Why the payment stands where it does: what the rules found when it was recorded, which is never rewritten, and what
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

export type NextStep = { label: string; href: string };

type Reasons = readonly Pick<PaymentReason, "rule" | "evidence">[];

/** The payee of which the account of these reasons was before its bank details changed; null: of none. */
export function formerPayeeOf(reasons: Reasons): string | null {
  const { formerPayeeId } = reasons.find(({ rule }) => rule === payeeNotTrusted.id)?.evidence ?? {};
  return typeof formerPayeeId === "string" ? formerPayeeId : null;
}

/**
 * The payee of which the account was before its bank details changed; else a filled form that adds the account as a payee.
 *
 * @param addHref the form's address; null: the person may not add payees
 * @returns null when the account is a payee's, or when the payment is not held
 */
export function stepForUnknownAccount(
  { status, payeeId, reasons }: { status: PaymentStatus; payeeId: string | null; reasons: Reasons },
  addHref: string | null,
): NextStep | null {
  if (status !== "held" || payeeId !== null) return null;
  const formerPayeeId = formerPayeeOf(reasons);
  if (formerPayeeId !== null) {
    return { label: "See how the payee's account changed", href: appPaths.payee(formerPayeeId) };
  }
  return addHref === null ? null : { label: "Add as payee and verify", href: addHref };
}

/** What a person can do on the page of a payment. */
export type PaymentIntent = Decision | PaymentOutcome;

/** What the next page says after it was done. */
export function successOf(intent: PaymentIntent) {
  return paymentTold(intent === "successful" || intent === "failed" ? intent : DECISIONS[intent]);
}
