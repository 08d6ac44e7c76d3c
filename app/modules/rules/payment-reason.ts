/** What a rule does when it fires: the payment waits for a decision, or the page only says so. */
export type RuleLevel = "hold" | "warn";

/** How an organisation sets a rule. */
export type PolicyRuleLevel = RuleLevel | "off";

/** One rule that fired when the payment was recorded. */
export type PaymentReason = {
  rule: string;
  level: RuleLevel;
  /** A plain sentence a person reads. */
  message: string;
  /** What the rule saw; bank numbers masked. */
  evidence: Record<string, unknown>;
};
