import { formatDateTime, localTime, toIso } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import type { FurtherFacts, Rule } from "./facts";

/**
 * Holds a payment that may have been made already, during a period that a database restore erased: a payment of the
 * same amount to the same account was recorded then, and that is all we still know about it.
 */
export const repeatedAfterRestore: Rule = {
  id: "repeated_after_restore",
  label: "The same account and amount, in time that was lost by restoring our database",
  version: 2,
  defaultLevel: "hold",
  /** No organisation would choose to pay twice because we lost data. */
  isFixed: true,
  floor: ({ lostPayment }) => (lostPayment ? "hold" : undefined),
  find({ lostPayment, account, amount, timeZone }) {
    if (!lostPayment) return undefined;
    return {
      message: `A payment of ${formatAud(amount)} to this account was recorded on ${formatDateTime(lostPayment.recordedAt, timeZone)}. We lost that record by restoring our database, so this may be the same payment: check whether ${account.accountName} was paid already.`,
      evidence: { paymentId: lostPayment.id, recordedAt: toIso(lostPayment.recordedAt), amount },
    };
  },
};

const sumOf = (amount: number, { sameDayCents, sameFileCents }: FurtherFacts["ownLimit"]): number =>
  amount + sameDayCents + sameFileCents;

/** The other payments that count towards the limit, in words; empty when this payment exceeds it alone. */
function withOthers(amount: number, { limitCents, sameDayCents, sameFileCents }: FurtherFacts["ownLimit"]): string {
  if (amount > limitCents) return "";
  const others = [
    ...(sameDayCents > 0 ? [`${formatAud(sameDayCents)} that was authorised today`] : []),
    ...(sameFileCents > 0 ? [`${formatAud(sameFileCents)} on other lines of this file`] : []),
  ];
  return `, with ${others.join(" and ")}`;
}

function describeResponsiblePeople(by: FurtherFacts["ownLimit"]["by"], name: string): string {
  if (by === "approval") return "The person who approved this payment";
  if (by === "rule") return `A rule put ${name} on the whitelist. The person who recorded this payment`;
  if (by === "trust") return `The people who approved ${name} and recorded this payment`;
  return `${name} is on the whitelist for its payments. The people who approved those and recorded this one`;
}

/**
 * Holds a payment above the limits of everybody who is responsible for it. Payments to a trusted payee are authorised
 * without a decision, so without this rule a person could approve the payee to get round their own payment limit.
 */
export const aboveOwnLimit: Rule = {
  id: "above_own_limit",
  label: "More than the people involved may approve",
  version: 2,
  defaultLevel: "hold",
  /** The approval limits decide; setting a rule's level cannot bypass them. */
  isFixed: true,
  floor: ({ ownLimit }) => (ownLimit ? "hold" : undefined),
  find({ payee, account, amount, ownLimit }) {
    if (!ownLimit || sumOf(amount, ownLimit) <= ownLimit.limitCents) return undefined;
    const name = payee?.name ?? account.accountName;
    const { limitCents, by } = ownLimit;
    return {
      message: `${describeResponsiblePeople(by, name)} may approve up to ${formatAud(limitCents)} to one payee in a day, and this is ${formatAud(amount)}${withOthers(amount, ownLimit)}. A person with a higher limit has to approve it.`,
      evidence: { payeeId: payee?.id ?? null, amount, ...ownLimit },
    };
  },
};

/** Holds a large payment to a payee that has never been paid: no earlier payment has shown that the account works. */
export const firstPaymentLimit: Rule = {
  id: "first_payment_limit",
  label: "A first payment above the limit",
  version: 1,
  defaultLevel: "hold",
  find({ payee, amount, firstPaymentLimitCents }) {
    if (!payee || payee.paymentCount > 0 || amount <= firstPaymentLimitCents) return undefined;
    return {
      message: `No payment to ${payee.name} has been successful yet, and this one is above your limit of ${formatAud(firstPaymentLimitCents)} for a first payment.`,
      evidence: { payeeId: payee.id, amount, firstPaymentLimitCents },
    };
  },
};

/** Whole thousands of dollars, in cents. */
const ROUND_CENTS = 100_000;

/** Warns when the first payment to a payee is a round amount: invoices rarely come to whole thousands. */
export const roundFirstAmount: Rule = {
  id: "round_first_amount",
  label: "A first payment of a round amount",
  version: 1,
  defaultLevel: "warn",
  find({ payee, amount }) {
    if (!payee || payee.paymentCount > 0 || amount % ROUND_CENTS !== 0) return undefined;
    return {
      message: `No payment to ${payee.name} has been successful yet, and ${formatAud(amount)} is a round amount.`,
      evidence: { payeeId: payee.id, amount },
    };
  },
};

/** How many of the payee's latest successful payments an amount is compared with. */
export const RECENT_PAYMENTS = 10;
/** An amount more than this many times the largest of them is unusual. */
const UNUSUAL_FACTOR = 3;

/** Warns of an amount far above what the payee usually receives. */
export const unusualAmount: Rule = {
  id: "unusual_amount",
  label: "Far more than the payee usually gets",
  version: 1,
  defaultLevel: "warn",
  find({ payee, amount }) {
    const largest = payee?.largestRecentAmount ?? null;
    if (!payee || largest === null || amount <= largest * UNUSUAL_FACTOR) return undefined;
    return {
      message: `This amount is more than ${UNUSUAL_FACTOR} times the largest of the last successful payments to ${payee.name}, which was ${formatAud(largest)}.`,
      evidence: { payeeId: payee.id, amount, largestRecentAmount: largest },
    };
  },
};

/** An amount within this fraction below the limit may have been chosen to avoid it. */
const NEARLY = 0.05;

/** Warns of an amount just below what one person may approve. */
export const justUnderLimit: Rule = {
  id: "just_under_limit",
  label: "An amount just under an approval limit",
  version: 2,
  defaultLevel: "warn",
  find({ amount, approvalLimitCents: limit }) {
    if (!limit || amount > limit || amount < limit * (1 - NEARLY)) return undefined;
    return {
      message: `The amount is ${amount === limit ? "exactly" : "just under"} your approval limit of ${formatAud(limit)}.`,
      evidence: { amount, approvalLimitCents: limit },
    };
  },
};

/** Warns of a payment entered outside the organisation's working hours. */
export const outsideHours: Rule = {
  id: "outside_hours",
  label: "Entered outside your working hours",
  version: 1,
  defaultLevel: "warn",
  find({ now, timeZone, workingHours }) {
    if (!workingHours) return undefined;
    const { minute, isWeekend } = localTime(now, timeZone);
    const { opensAtMinute, closesAtMinute, worksWeekends } = workingHours;
    const isOpen = minute >= opensAtMinute && minute < closesAtMinute && (worksWeekends || !isWeekend);
    if (isOpen) return undefined;
    const at = formatDateTime(now, timeZone);
    return { message: `This payment was entered on ${at}, outside your working hours.`, evidence: { at } };
  },
};
