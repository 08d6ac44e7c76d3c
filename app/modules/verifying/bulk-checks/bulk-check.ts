import { DAY_MS } from "~/kernel/dates";
import type { BulkCheckStatus, CheckOutcome, VerificationMethod, VerificationStatus } from "~/kernel/enums";
import { approvedAt, type BankDetails } from "~/kernel/payee";
import type { PayeeFilter } from "~/modules/payees/payee-list";

/** Which payees a bulk check asks, and how fast. Pure: no database, no clock. */

/** Archived payees are out of use and are not checked. */
export const BULK_FILTERS = ["all", "whitelisted", "not_whitelisted", "pending"] as const satisfies PayeeFilter[];
type BulkFilter = (typeof BULK_FILTERS)[number];

/** Whenever they were verified; never for the details they have; longer ago than the policy allows. */
export const VERIFIED_CHOICES = ["any", "never", "stale"] as const;
/** Whether or not they were paid; paid within 365 days. */
export const PAID_CHOICES = ["any", "year"] as const;

export type BulkChoice = {
  /** Their banks are asked at once (Confirmation of Payee); absent: the payees are asked to share their account. */
  ask?: "bank";
  /** These payees and no others, whatever the rest says: at most 100 that a person ticked or a program named. */
  payeeIds?: string[];
  /** Words of a search, as in the list of payees. */
  q?: string;
  filter: BulkFilter;
  verified: (typeof VERIFIED_CHOICES)[number];
  paid: (typeof PAID_CHOICES)[number];
};

type Candidate = BankDetails & {
  email: string | null;
  /** A mobile: another number takes no link. */
  mobile: string | null;
  archivedAt: number | null;
  disputedAt: number | null;
  whitelisted: boolean;
  whitelistedAt: number | null;
  lastPaymentDate: number | null;
  renamedAt: number | null;
  latest: { status: VerificationStatus; method: VerificationMethod; outcome: CheckOutcome | null } | null;
  verified: (BankDetails & { completedAt: number | null }) | null;
};

/** `under_way`: it was asked already, has a result that waits for a decision, or disputes its details. */
export type Judgement = "ask" | "no_contact" | "under_way" | "not_chosen";

const YEAR_MS = 365 * DAY_MS;
const DAYS_PER_MONTH = 30.44;

/** What a bulk check does about one payee of the list. Instants in epoch milliseconds. */
export function judgePayee(
  payee: Candidate,
  choice: BulkChoice,
  { now, reverifyAfterMonths }: { now: number; reverifyAfterMonths: number },
): Judgement {
  if (payee.archivedAt !== null) return "not_chosen";
  if (choice.paid === "year" && (payee.lastPaymentDate ?? 0) <= now - YEAR_MS) return "not_chosen";
  const trustedAt = trustedSince(payee);
  if (choice.verified === "never" && trustedAt !== null) return "not_chosen";
  const isStale = trustedAt !== null && now - trustedAt > reverifyAfterMonths * DAYS_PER_MONTH * DAY_MS;
  if (choice.verified === "stale" && !isStale) return "not_chosen";
  if (payee.disputedAt !== null || isUnderWay(payee.latest)) return "under_way";
  if (choice.ask === "bank") return "ask";
  return payee.email === null && payee.mobile === null ? "no_contact" : "ask";
}

/** As the health report counts it: the last approval of the payee as it is, or since when it is on the whitelist. */
const trustedSince = (payee: Candidate): number | null =>
  approvedAt(payee, payee.verified) ?? (payee.whitelisted ? payee.whitelistedAt : null);

/** A bank that gave no answer can be asked again. */
const isUnderWay = (latest: Candidate["latest"]): boolean =>
  latest?.status === "pending" && latest.method === "basiq" && latest.outcome !== "unable";

/** Payees asked in one step, and how long after it the next one comes: well within what the provider takes. */
export const ASKED_PER_STEP = 10;
export const STEP_EVERY_MS = 10_000;
/** This part of a day's messages is left for what people send themselves. */
const KEPT_FREE = 0.2;

type Allowance = { perDay: number; sent: number };

/** How many payees may be asked now. `onTheWay`: asked already, and their message was not sent yet. */
export function roomNow({ perDay, sent }: Allowance, onTheWay = 0): number {
  return Math.max(0, Math.floor(perDay * (1 - KEPT_FREE)) - sent - onTheWay);
}

const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = DAY_MS / MINUTE_MS;

/** How many minutes asking so many takes. Their answers come when they answer: within a week or not at all. */
export function expectedMinutes(payees: number, allowance: Allowance): number {
  if (payees <= roomNow(allowance)) return Math.ceil(((payees / ASKED_PER_STEP) * STEP_EVERY_MS) / MINUTE_MS);
  const perDay = Math.max(1, roomNow({ ...allowance, sent: 0 }));
  return (Math.ceil((payees - roomNow(allowance)) / perDay) + 1) * MINUTES_PER_DAY;
}

/** The same in words. */
export function timeInWords(payees: number, allowance: Allowance): string {
  const minutes = expectedMinutes(payees, allowance);
  if (minutes >= MINUTES_PER_DAY) return `about ${minutes / MINUTES_PER_DAY} days`;
  return minutes <= 1 ? "about a minute" : `about ${minutes} minutes`;
}

/** What a person may do with a bulk check in its status. */
export const mayStart = (status: BulkCheckStatus): boolean => status === "ready";
export const mayStop = (status: BulkCheckStatus): boolean =>
  status === "counting" || status === "ready" || status === "running";
