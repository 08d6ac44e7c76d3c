import type { Institution } from "~/kernel/bank-account";
import { DAY_MS } from "~/kernel/dates";
import type { CheckOutcome, VerificationStatus } from "~/kernel/enums";
import type { VERIFICATION_STATUS_LOOKS } from "~/kernel/status-words";
import type { Vouching } from "./evidence";
import type { FormerHolder } from "./evidence.server";

/** The statuses of a verification and their rules. Pure: no database, no clock. */

/** A payee link works for seven days. */
export const PAYEE_LINK_TTL_DAYS = 7;

/** A verified score under this shows the name-difference note (specification, section 9). */
export const NAME_DIFFERENCE_NOTE_BELOW = 90;

/** The form's default, which the person can edit (specification, section 4). */
export const DEFAULT_REJECTION_REASON = "Manual rejection";

/** What was known about an account when its verification opened, without asking an outside party. */
export type Evidence = {
  institution: Institution | null;
  /** The account number's length is unusual for the institution: a warning, never an error. */
  unusualAccountLength: boolean;
  vouching: Vouching;
  /** The payees that resemble this one, and this one itself if its email domain resembles its former one. */
  lookalikes: Lookalike[];
  /** Other payees that had this account before, most recent first; absent: none is known. */
  formerHolders?: KnownFormerHolder[];
  /** When the payee itself gave up this account before going back to it; absent: it never had it before. ISO 8601. */
  ownUntil?: string;
};

/** A former holder of an account, as stored: `until` in ISO 8601. */
export type KnownFormerHolder = Omit<FormerHolder, "until"> & { until: string };

export type Lookalike = {
  payeeId: string;
  name: string;
  reason: "same_name" | "similar_name" | "account_number_slip" | "email_domain" | "former_email_domain";
  /** A sentence a person reads. */
  detail: string;
};

/** Where a result came from: the payee's consent at their bank, Confirmation of Payee, a whitelist, or a person. */
export const RESULT_SOURCES = ["basiq", "cop", "whitelist", "global_whitelist", "manual"] as const;

/** The account as the source returned it, stored with the verification and shown beside the submitted details. */
export type ResultData = {
  source: (typeof RESULT_SOURCES)[number];
  /** The bank's immediate answer; absent when it gave none. */
  bankVerdict?: "match" | "close_match" | "no_match" | "account_closed" | "account_not_found";
  /** The service that asked the bank. */
  answeredBy?: string;
  accountName?: string;
  bsb?: string;
  accountNumber?: string;
  /** The visible digits, if the number came masked. */
  visibleDigits?: string;
  /** The institution's name from the source; absent when it gave none. */
  institution?: string;
  /** The institution is not the one that the BSB belongs to; absent when either is unknown. */
  institutionDiffers?: boolean;
  ownership?: "one" | "two" | "many" | "unknown";
  /** Names of other holders of a joint account. */
  otherHolders?: string[];
  abn?: string;
  checkedAt: number;
};

/** How long a bank's immediate answer counts, so that it is not asked again. */
const INSTANT_ANSWER_LASTS_MS = DAY_MS;

/** True if a result is a bank's immediate answer from the last 24 hours. `now` in epoch milliseconds. */
export const holdsInstantAnswer = (resultData: Pick<ResultData, "bankVerdict" | "checkedAt"> | null, now: number) =>
  resultData?.bankVerdict !== undefined && now - resultData.checkedAt < INSTANT_ANSWER_LASTS_MS;

/** Why a verification ended without an answer: its details no longer mattered. */
export const CLOSING_REASONS = {
  details_edited: "details_edited",
  payee_renamed: "payee_renamed",
  payee_archived: "payee_archived",
} as const;

/** The status that pages show: `closed` when it ended because its details changed or its payee was archived. */
export type ShownStatus = keyof typeof VERIFICATION_STATUS_LOOKS;

/** Being superseded says nothing about the payee, so it is never shown as a failure. */
export function shownStatus({
  status,
  reasonCode,
}: {
  status: VerificationStatus;
  reasonCode: string | null;
}): ShownStatus {
  return status === "failed" && reasonCode !== null && reasonCode in CLOSING_REASONS ? "closed" : status;
}

/** True while the verification is pending: only then can it be decided, checked or sent to its payee. */
export function isOpen(status: VerificationStatus): boolean {
  return status === "pending";
}

/** The provider's name shown for a bank's immediate answer. */
export const CONFIRMATION_OF_PAYEE = "Confirmation of Payee";

/** The name of a result's provider, for people. `consentProvider`: asks with the payee's consent. */
export function providerOfResult(resultData: Pick<ResultData, "source"> | null, consentProvider: string): string {
  return resultData?.source === "cop" ? CONFIRMATION_OF_PAYEE : consentProvider;
}

/** The status that a check's outcome leads to; other outcomes leave the verification with the reviewer. */
export function statusAfterOutcome(outcome: CheckOutcome, reasonCode: string | null = null): VerificationStatus {
  if (reasonCode === "account_not_found") return "failed";
  switch (outcome) {
    case "account_closed":
    case "account_not_shared":
    case "consent_refused":
      return "failed";
    case "match":
    case "close_match":
    case "no_match":
    case "unable":
      return "pending";
  }
}

/** True if the outcome says something about the payee. `unable` says only that the check could not be done. */
export function isConclusive(outcome: CheckOutcome): boolean {
  return outcome !== "unable";
}
