/** Why authorised payments are held again. Pure: no database, no clock. */

/** The reason id of a payment that was authorised before its payee changed or lost its trust. */
export const DETAILS_CHANGED_SINCE = "details_changed_since";

/** What happened to the payee after the payment was authorised. */
export type HoldCause =
  | "bank_details_changed"
  | "payee_renamed"
  | "payee_disputed"
  | "verification_rejected"
  | "taken_off_whitelist"
  | "accounting_account_differs";

const SENTENCES: Record<HoldCause, (payeeName: string) => string> = {
  bank_details_changed: (payee) => `The bank details of ${payee} were changed after this payment was authorised.`,
  payee_renamed: (payee) => `The name of ${payee} was changed after this payment was authorised.`,
  payee_disputed: (payee) => `${payee} told us after this payment was authorised that these are not its bank details.`,
  verification_rejected: (payee) => `The verification of ${payee} was rejected after this payment was authorised.`,
  taken_off_whitelist: (payee) => `${payee} was taken off the whitelist after this payment was authorised.`,
  accounting_account_differs: (payee) =>
    `The bank account of ${payee} was changed in the accounting system after this payment was authorised.`,
};

/** True if a value from the audit trail is a cause. */
export const isHoldCause = (value: unknown): value is HoldCause =>
  typeof value === "string" && Object.hasOwn(SENTENCES, value);

/** The sentence a person reads beside the payment. */
export function holdSentence(cause: HoldCause, payeeName: string): string {
  return SENTENCES[cause](payeeName);
}

/** What a finding leads to: the payment waits for a decision, or the page only shows a warning. */
export type RuleLevel = "hold" | "warn";

/** The level that an organisation can choose for a rule. */
export type PolicyRuleLevel = RuleLevel | "off";

/** One rule that fired when the payment was recorded. */
export type PaymentReason = {
  rule: string;
  level: RuleLevel;
  /** A plain sentence a person reads. */
  message: string;
  /** The facts that the finding rests on; bank numbers are masked. */
  evidence: Record<string, unknown>;
};
