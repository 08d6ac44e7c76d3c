import { DAY_MS } from "~/kernel/dates";
import type { BulkCheckStatus, CheckOutcome, VerificationMethod, VerificationStatus } from "~/kernel/enums";
import { approvedAt, type BankDetails } from "~/kernel/payee";
import type { PayeeFilter } from "~/modules/payees/payee-list";

/** Which payees a bulk check asks, and how fast. Pure: no database, no clock. */

/** Archived payees are not checked. */
export const BULK_FILTERS = ["all", "whitelisted", "not_whitelisted", "pending"] as const satisfies PayeeFilter[];
type BulkFilter = (typeof BULK_FILTERS)[number];

/** `any`: whenever verified; `never`: never with the present details; `stale`: longer ago than the policy allows. */
export const VERIFIED_CHOICES = ["any", "never", "stale"] as const;
/** `any`: paid or not; `year`: paid within 365 days. */
export const PAID_CHOICES = ["any", "year"] as const;

export type BulkChoice = {
  /** Asks their banks by Confirmation of Payee; absent: the payees are asked to share their account. */
  ask?: "bank";
  /** Only these payees, whatever the other choices say: at most 100, ticked by a person or named in an API call. */
  payeeIds?: string[];
  /** Search words, as in the payee list. */
  q?: string;
  filter: BulkFilter;
  verified: (typeof VERIFIED_CHOICES)[number];
  paid: (typeof PAID_CHOICES)[number];
};

type Candidate = BankDetails & {
  email: string | null;
  /** A mobile; other numbers cannot receive a link. */
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

/** `under_way`: it was already asked, has a result that waits for a decision, or disputes its details. */
export type Judgement = "ask" | "no_contact" | "under_way" | "not_chosen";

const YEAR_MS = 365 * DAY_MS;
const DAYS_PER_MONTH = 30.44;

/** What a bulk check does about one payee. Instants in epoch milliseconds. */
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

/** As in the health report: the last approval of the present details, or when the payee was whitelisted. */
const trustedSince = (payee: Candidate): number | null =>
  approvedAt(payee, payee.verified) ?? (payee.whitelisted ? payee.whitelistedAt : null);

/** A bank that gave no answer can be asked again. */
const isUnderWay = (latest: Candidate["latest"]): boolean =>
  latest?.status === "pending" && latest.method === "basiq" && latest.outcome !== "unable";

/** How many payees one step asks, and the time until the next step: well within the provider's limits. */
export const ASKED_PER_STEP = 10;
export const STEP_EVERY_MS = 10_000;
/** This fraction of a day's messages is reserved for people's own messages. */
const KEPT_FREE = 0.2;

type Allowance = { perDay: number; sent: number };

/** How many payees may be asked now. `onTheWay`: payees that were asked but whose message has not been sent. */
export function roomNow({ perDay, sent }: Allowance, onTheWay = 0): number {
  return Math.max(0, Math.floor(perDay * (1 - KEPT_FREE)) - sent - onTheWay);
}

const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = DAY_MS / MINUTE_MS;

/** How many minutes it takes to send this many requests. Payees answer within a week or not at all. */
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

/** The actions that each status allows. */
export const mayStart = (status: BulkCheckStatus): boolean => status === "ready";
export const mayStop = (status: BulkCheckStatus): boolean =>
  status === "counting" || status === "ready" || status === "running";
