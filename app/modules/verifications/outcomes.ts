import type { CheckOutcome } from "~/kernel/enums";

/** Why a check ended as it did, beyond its outcome. Stored as `reasonCode`; the sentences are what people read. */

type Reason = {
  /** What happened and what to do next, for the organisation that asked. */
  sentence: string;
  /** Whether the same check can end differently when it is started again. */
  canRetry: boolean;
};

export const REASONS = {
  compared_with_identity: {
    sentence:
      "The bank gave no holder name with the account, so the name was compared with that of the person or organisation who signed in and owns it.",
    canRetry: false,
  },
  account_closed: {
    sentence: "The bank says that this account is closed. Ask the payee for current details.",
    canRetry: false,
  },
  account_not_shared: {
    sentence:
      "The payee signed in to their bank, but this account was not among the accounts they shared. They may have another bank or have left it out: ask them.",
    canRetry: true,
  },
  account_number_slip: {
    sentence:
      "This account was not among those shared, but one of them differs by a single slip of the keyboard. Ask the payee to read the account number to you.",
    canRetry: false,
  },
  bsb_differs: {
    sentence:
      "An account with this number was shared, but under another BSB. Ask the payee which branch the account is held at.",
    canRetry: false,
  },
  not_owned: {
    sentence:
      "The person who signed in can see this account, but the bank does not count them among its owners. Ask the owner of the account to confirm instead.",
    canRetry: true,
  },
  consent_refused: {
    sentence: "The payee chose not to share their bank details, so nothing could be compared.",
    canRetry: true,
  },
  consent_withdrawn: {
    sentence: "The payee withdrew their consent at the bank before the details could be compared.",
    canRetry: true,
  },
  name_withheld: {
    sentence: "The bank confirmed the account but gave no name for it. Compare the name by other means.",
    canRetry: false,
  },
  number_masked: {
    sentence: "The bank shows only part of the account number, so we cannot be sure that it is this account.",
    canRetry: false,
  },
  link_expired: {
    sentence: "The payee did not answer before the link expired. Start again to send a new one.",
    canRetry: true,
  },
  provider_timeout: {
    sentence: "The payee was at their bank, but the bank did not finish answering. Try again later.",
    canRetry: true,
  },
  provider_unavailable: {
    sentence: "The bank data provider or the payee's bank could not be reached. Try again later.",
    canRetry: true,
  },
  job_failed: {
    sentence: "A fault on our side kept us from finishing the check. Try again.",
    canRetry: true,
  },
  payee_unreachable: {
    sentence: "The payee has neither an email address nor a mobile number any more. Add one and start again.",
    canRetry: true,
  },
  payee_disputed: {
    sentence: "The payee said that these are not their details, so the bank was not asked.",
    canRetry: false,
  },
} as const satisfies Record<string, Reason>;

export type ReasonCode = keyof typeof REASONS;

/** The outcomes that carry no reason of their own, in a sentence. */
const OUTCOMES: Record<CheckOutcome, string> = {
  match: "The bank holds this account under the name you were given.",
  close_match: "The bank holds this account under a similar name. Someone should look before it is approved.",
  no_match: "The bank holds this account under a different name.",
  account_closed: REASONS.account_closed.sentence,
  account_not_shared: REASONS.account_not_shared.sentence,
  consent_refused: REASONS.consent_refused.sentence,
  unable: "We could not get an answer from the bank. This says nothing about the payee, good or bad.",
};

const isReasonCode = (code: string): code is ReasonCode => Object.hasOwn(REASONS, code);

/**
 * How a check ended, in a sentence or two for the organisation that asked.
 * A reason that explains a comparison follows its outcome; any other reason stands for itself.
 */
export function explainOutcome(outcome: CheckOutcome, reasonCode: string | null): string {
  if (reasonCode === null || !isReasonCode(reasonCode)) return OUTCOMES[outcome];
  const { sentence } = REASONS[reasonCode];
  return reasonCode === "compared_with_identity" ? `${OUTCOMES[outcome]} ${sentence}` : sentence;
}

/** The sentence of a reason code; undefined for one that is not of a bank check (a superseded verification, say). */
export function reasonSentence(reasonCode: string | null): string | undefined {
  return reasonCode !== null && isReasonCode(reasonCode) ? REASONS[reasonCode].sentence : undefined;
}

/** Whether starting the same check again may end differently. An unknown reason never rules it out. */
export function canRetry(reasonCode: string | null): boolean {
  return reasonCode === null || !isReasonCode(reasonCode) || REASONS[reasonCode].canRetry;
}
