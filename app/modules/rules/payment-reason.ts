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
