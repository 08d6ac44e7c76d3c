import { PROMOTION_MIN_PAYMENTS, type PromotionBar } from "./promotion";

/** What a payee still lacks to be whitelisted for its payments, in a sentence. Pure. */

type Settings = { promotionMinSpanDays: number; promotionMinDistinctDays: number };

const days = (count: number) => `${count} day${count === 1 ? "" : "s"}`;

/** @param paid successful payments that count */
export function describeBar(bar: PromotionBar, paid: number, settings: Settings): string {
  const sentences: Record<PromotionBar, string> = {
    already_whitelisted: "It is on the whitelist.",
    draft: "It sent its details through a link, and no person has accepted them yet.",
    disputed: "It told us that these are not its bank details. A person must decide.",
    taken_off_by_hand: "A person took it off the whitelist. A person must put it back.",
    open_hold: "A payment to it is held, or waits for a verification. Decide about that payment.",
    failed_payment: "A payment to it failed since its bank details last changed. A person must decide.",
    verification_rejected: "Its last verification was rejected. Verify it again.",
    account_closed: "Its bank says that the account is closed. Ask it for new details.",
    too_few_payments: `${paid} of ${PROMOTION_MIN_PAYMENTS} successful payments since its bank details last changed.`,
    too_short_a_span: `Its payments do not yet span ${days(settings.promotionMinSpanDays)}, which your policies ask for.`,
    too_few_days: `Its payments do not yet fall on ${days(settings.promotionMinDistinctDays)}, which your policies ask for.`,
  };
  return sentences[bar];
}
