import { DAY_MS } from "~/kernel/dates";
import type { CheckOutcome, VerificationStatus } from "~/kernel/enums";
import type { VERIFICATION_STATUS_LOOKS } from "~/kernel/status-words";
import type { Institution } from "~/modules/directories/directory";
import type { Vouching } from "./evidence";
import type { FormerHolder } from "./former-accounts.server";

/** The rules of a verification's life. Pure: no database, no clock. */

/** A payee link answers for seven days. */
export const PAYEE_LINK_TTL_DAYS = 7;

/** A verified score under this shows the name-difference note (specification, section 9). */
export const NAME_DIFFERENCE_NOTE_BELOW = 90;

/** Prefilled, editable (specification, section 4). */
export const DEFAULT_REJECTION_REASON = "Manual rejection";

/** Exact vouchings of other organisations that an organisation may choose to accept as verification. */
export const VOUCHINGS_ACCEPTED = 3;

/** What was known of an account when its verification opened. Gathered without asking an outside party. */
export type Evidence = {
  institution: Institution | null;
  /** The account number's length is unusual for the institution: a warning, never an error. */
  unusualAccountLength: boolean;
  vouching: Vouching;
  /** Own payees that look like this one, and this one itself where its email domain looks like its former one. */
  lookalikes: Lookalike[];
  /** Other payees that had this account before, the last first; absent: none is known. */
  formerHolders?: KnownFormerHolder[];
  /** When the payee itself gave up this account, to which it went back; absent: it never had it before. ISO 8601. */
  ownUntil?: string;
};

/** A payee that had an account before, as it is kept: `until` in ISO 8601. */
export type KnownFormerHolder = Omit<FormerHolder, "until"> & { until: string };

export type Lookalike = {
  payeeId: string;
  name: string;
  reason: "same_name" | "similar_name" | "account_number_slip" | "email_domain" | "former_email_domain";
  /** A sentence a person reads. */
  detail: string;
};

/** Who gave a result: with the payee's consent at their bank, the bank at once (Confirmation of Payee), a whitelist, a person. */
export const RESULT_SOURCES = ["basiq", "cop", "whitelist", "global_whitelist", "manual"] as const;

/** The account as the source gave it. Kept with the verification, shown beside what was submitted. */
export type ResultData = {
  source: (typeof RESULT_SOURCES)[number];
  /** What the bank itself said, where it was asked at once; absent where it gave no answer. */
  bankVerdict?: "match" | "close_match" | "no_match" | "account_closed" | "account_not_found";
  /** The service through which the bank was asked at once. */
  answeredBy?: string;
  accountName?: string;
  bsb?: string;
  accountNumber?: string;
  /** Where the number came masked: the digits that were visible. */
  visibleDigits?: string;
  /** As the source names it; absent where it names none. */
  institution?: string;
  /** It is another one than the BSB belongs to; absent where one of the two is not known. */
  institutionDiffers?: boolean;
  ownership?: "one" | "two" | "many" | "unknown";
  /** Names of other holders of a joint account. */
  otherHolders?: string[];
  abn?: string;
  checkedAt: number;
};

/** How long an answer that the bank gave at once stands for asking again. */
const INSTANT_ANSWER_LASTS_MS = DAY_MS;

/** Whether a result is an answer that the bank gave at once in the last 24 hours. `now` in epoch milliseconds. */
export const holdsInstantAnswer = (
  resultData: Pick<ResultData, "bankVerdict" | "checkedAt"> | null,
  now: number,
): boolean => resultData?.bankVerdict !== undefined && now - resultData.checkedAt < INSTANT_ANSWER_LASTS_MS;

/** Why a verification ended without an answer about its details: they no longer mattered. */
export const CLOSING_REASONS = {
  details_edited: "details_edited",
  payee_renamed: "payee_renamed",
  payee_archived: "payee_archived",
} as const;

/** How a verification is shown: `closed` where it ended because its details were changed or its payee archived. */
export type ShownStatus = keyof typeof VERIFICATION_STATUS_LOOKS;

/** Being overtaken says nothing about the payee, so it is never shown as a failure. */
export function shownStatus({
  status,
  reasonCode,
}: {
  status: VerificationStatus;
  reasonCode: string | null;
}): ShownStatus {
  return status === "failed" && reasonCode !== null && reasonCode in CLOSING_REASONS ? "closed" : status;
}

/** Only a pending verification can be decided, checked or sent to its payee. */
export function isOpen(status: VerificationStatus): boolean {
  return status === "pending";
}

/** Shown as the provider of a result that a bank gave at once. */
export const CONFIRMATION_OF_PAYEE = "Confirmation of Payee";

/** Who gave a result of the bank data provider, as people read it. `consentProvider`: who asks with the payee's consent. */
export function providerOfResult(resultData: Pick<ResultData, "source"> | null, consentProvider: string): string {
  return resultData?.source === "cop" ? CONFIRMATION_OF_PAYEE : consentProvider;
}

/** The status that the end of a check leads to; the others stay with the reviewer. */
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

/** Whether the outcome says something about the payee. `unable` says only that we could not look. */
export function isConclusive(outcome: CheckOutcome): boolean {
  return outcome !== "unable";
}
