import { columnsOf, payees } from "@db/database";
import { and, desc, eq, sql } from "drizzle-orm";
import { formatAud } from "~/kernel/money";
import { formatCount } from "~/kernel/text";
import type { Policy } from "~/modules/accounts/organizations/policy";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { TimedServices } from "~/services-and-actor";
import {
  decidePromotion,
  type PaidPayment,
  PROMOTION_MIN_PAYMENTS,
  type PromotionBar,
  thoseThatCount,
} from "./promotion";
import { type LatestVerification, promotionFacts } from "./promotion.server";

/** What a payee still lacks to be whitelisted for its payments, as a sentence. Pure. */

type Settings = Pick<
  Policy,
  "promotionMinSpanDays" | "promotionMinDistinctDays" | "promotionMinCents" | "secondPersonRequired"
>;

/** Which payments count, if not all do. */
const whatCounts = ({ promotionMinCents, secondPersonRequired }: Settings): string =>
  [
    ...(promotionMinCents > 0 ? [` of ${formatAud(promotionMinCents)} or more`] : []),
    ...(secondPersonRequired ? [" reported by someone other than the person who recorded them"] : []),
  ].join(",");

/** @param paid successful payments that count */
export function describeBar(bar: PromotionBar, paid: number, settings: Settings): string {
  const sentences: Record<PromotionBar, string> = {
    already_whitelisted: "It is on the whitelist.",
    draft: "It sent its details through a link, and no person has accepted them yet.",
    disputed: "It told us that these are not its bank details. A person must decide.",
    taken_off_by_hand: "A person took it off the whitelist. A person must put it back.",
    open_hold: "A payment to it is held, or is waiting for a verification. That needs a decision first.",
    failed_payment: "A payment to it failed since its bank details last changed. A person must decide.",
    verification_rejected: "Its last verification was rejected. Verify it again.",
    account_closed: "Its bank says that the account is closed. Ask the payee for new details.",
    too_few_payments: `${paid} of ${PROMOTION_MIN_PAYMENTS} successful payments since its bank details last changed${whatCounts(settings)}.`,
    too_short_a_span: `Its payments do not yet span ${formatCount(settings.promotionMinSpanDays, "day")}, which your policies require.`,
    too_few_days: `Its payments do not yet fall on ${formatCount(settings.promotionMinDistinctDays, "day")}, which your policies require.`,
  };
  return sentences[bar];
}

/** At most this many payees are shown, those with the most payments first. */
const MAX_SHOWN = 100;

export type TrustedNext = Awaited<ReturnType<typeof listTrustedNext>>[number];

/** Payees that are paid but not whitelisted, and what each still lacks. A bounded number of rows each. */
export async function listTrustedNext(services: TimedServices, organizationId: string) {
  const { db } = services;
  const [policy, rows] = await Promise.all([
    findPolicy(services, organizationId),
    db
      .select({
        ...columnsOf(payees, "id", "name", "paymentCount", "whitelisted"),
        ...columnsOf(payees, "disputedAt", "draftSince", "takenOffWhitelistAt"),
        ...promotionFacts,
      })
      .from(payees)
      // Literal SQL, not bound values, so that SQLite can use its partial index.
      .where(and(eq(payees.organizationId, organizationId), sql`"whitelisted" = 0 AND "paymentCount" > 0`))
      .orderBy(desc(payees.paymentCount), desc(payees.id))
      .limit(MAX_SHOWN),
  ]);
  return rows
    .map(({ hasOpenHold, hasFailedPayment, latestVerification, successes, ...payee }) => {
      const paid = JSON.parse(successes) as PaidPayment[];
      const subject = {
        ...payee,
        hasOpenHold: hasOpenHold === 1,
        hasFailedPayment: hasFailedPayment === 1,
        latestVerification: latestVerification === null ? null : (JSON.parse(latestVerification) as LatestVerification),
        successes: paid,
      };
      const decision = decidePromotion(subject, policy);
      const { id, name, paymentCount } = payee;
      const sentence = decision.promote
        ? decision.reason
        : describeBar(decision.because, thoseThatCount(paid, policy).length, policy);
      /** `isDue`: nothing is missing, so the next cron run whitelists it. */
      return { id, name, paymentCount, isDue: decision.promote, sentence };
    })
    .sort((a, b) => Number(b.isDue) - Number(a.isDue));
}
