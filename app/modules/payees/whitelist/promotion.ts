import { DAY_MS, formatDate } from "~/kernel/dates";
import type { CheckOutcome, VerificationStatus } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import type { Policy } from "~/modules/accounts/organizations/policy";

/** When a payee has earned its place on the whitelist by successful payments. Pure: no database, no clock. */

/** How many successful payments promotion requires (specification, section 9). */
export const PROMOTION_MIN_PAYMENTS = 3;

/** How many of the newest successful payments are read and stored as evidence; the reason names only the last few. */
export const PROMOTION_MAX_PAYMENTS = 100;

export type PaidPayment = {
  id: string;
  reference: string | null;
  /** Integer cents, Australian dollars. */
  amount: number;
  /** Epoch milliseconds. */
  processedAt: number;
  /** The person who recorded the payment also reported its success, and nobody else did. */
  isOwnReport?: boolean;
};

/** The payee's standing. Payments count since its bank details changed, or a person took it off the whitelist. */
export type PromotionCase = {
  whitelisted: boolean;
  disputedAt: number | null;
  /** Whoever opened a link submitted the details, and no person has accepted them yet. */
  draftSince: number | null;
  /** A person took it off the whitelist, and nobody has decided about it since. */
  takenOffWhitelistAt: number | null;
  /** A payment to it is held, or waits for a verification. */
  hasOpenHold: boolean;
  hasFailedPayment: boolean;
  latestVerification: { status: VerificationStatus; outcome: CheckOutcome | null } | null;
  successes: readonly PaidPayment[];
};

type Settings = Pick<
  Policy,
  "promotionMinSpanDays" | "promotionMinDistinctDays" | "promotionMinCents" | "secondPersonRequired" | "timeZone"
>;

/** Payments that count: not below the minimum and, where a second person is required, not on one's word alone. */
export const thoseThatCount = (
  successes: readonly PaidPayment[],
  settings: Pick<Settings, "promotionMinCents" | "secondPersonRequired">,
) =>
  successes.filter(
    ({ amount, isOwnReport }) =>
      amount >= settings.promotionMinCents && !(settings.secondPersonRequired && isOwnReport === true),
  );

export type PromotionBar =
  | "already_whitelisted"
  | "disputed"
  | "draft"
  | "taken_off_by_hand"
  | "open_hold"
  | "failed_payment"
  | "verification_rejected"
  | "account_closed"
  | "too_few_payments"
  | "too_short_a_span"
  | "too_few_days";

export type PromotionDecision =
  | { promote: true; reason: string; payments: readonly PaidPayment[] }
  | { promote: false; because: PromotionBar };

const no = (because: PromotionBar): PromotionDecision => ({ promote: false, because });

/**
 * Decides whether a payee is whitelisted for its payments. A pending verification neither helps nor hinders, and stays
 * open: the person who requested it still gets its result, and rejecting it ends the trust again.
 *
 * Distinct days are calendar days in the organisation's time zone; the span runs from the first to the last payment.
 */
export function decidePromotion(subject: PromotionCase, settings: Settings): PromotionDecision {
  const { latestVerification: latest } = subject;
  if (subject.whitelisted) return no("already_whitelisted");
  if (subject.disputedAt !== null) return no("disputed");
  if (subject.draftSince !== null) return no("draft");
  if (subject.takenOffWhitelistAt !== null) return no("taken_off_by_hand");
  if (subject.hasOpenHold) return no("open_hold");
  if (subject.hasFailedPayment) return no("failed_payment");
  if (latest?.status === "rejected") return no("verification_rejected");
  if (latest?.status === "failed" && latest.outcome === "account_closed") return no("account_closed");
  const payments = thoseThatCount(subject.successes, settings).sort((a, b) => a.processedAt - b.processedAt);
  const [first] = payments;
  const last = payments.at(-1);
  if (payments.length < PROMOTION_MIN_PAYMENTS || !first || !last) return no("too_few_payments");
  const { promotionMinSpanDays, promotionMinDistinctDays, timeZone } = settings;
  if (last.processedAt - first.processedAt < promotionMinSpanDays * DAY_MS) return no("too_short_a_span");
  const days = new Set(payments.map((payment) => formatDate(payment.processedAt, timeZone)));
  if (days.size < promotionMinDistinctDays) return no("too_few_days");
  return { promote: true, reason: reasonFor(payments, timeZone), payments };
}

/** "3 successful payments since the bank details last changed: INV-1 ($120.00, 3 Nov 2026); ...": the last few. */
function reasonFor(payments: readonly PaidPayment[], timeZone: string): string {
  const named = payments
    .slice(-PROMOTION_MIN_PAYMENTS)
    .map(
      ({ reference, amount, processedAt, id }) =>
        `${reference ?? id} (${formatAud(amount)}, ${formatDate(processedAt, timeZone)})`,
    );
  const which = payments.length > named.length ? ", the last of them" : "";
  return `${payments.length} successful payments since the bank details last changed${which}: ${named.join("; ")}`;
}
