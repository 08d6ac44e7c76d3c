import type { PaymentStatus } from "~/kernel/enums";
import {
  bankAnswer,
  bsbUnusable,
  formerAccount,
  hasNoAccount,
  knownNameNewAccount,
  nameDiffers,
  sharedAccount,
  staffAccount,
  supplierUnknown,
} from "./account-rules";
import {
  aboveOwnLimit,
  firstPaymentLimit,
  justUnderLimit,
  outsideHours,
  repeatedAfterRestore,
  roundFirstAmount,
  unusualAmount,
} from "./amount-rules";
import {
  accountChanged,
  accountingAccountDiffers,
  contactAndBankChanged,
  detailsChanged,
  manyChanges,
  markedNewDetails,
  paymentCompany,
} from "./change-rules";
import { duplicatePayment } from "./duplicate-payment";
import { domainNew, domainWithoutDmarc } from "./email-domain-rules";
import type { PaymentFacts, Rule } from "./facts";
import {
  billAccountDiffers,
  billAmountDiffers,
  invoiceAccountDiffers,
  invoiceAmountDiffers,
  invoicePaidBefore,
  noInvoiceSeen,
} from "./invoice-and-bill-rules";
import {
  abnInactive,
  lookalikeDomain,
  onePerson,
  payeeDisputed,
  payeeNotTrusted,
  paymentReturned,
  verificationStale,
} from "./payee-rules";
import type { PaymentReason, PolicyRuleLevel } from "./payment-holds";

/*
 * Whether a payment is held is decided here. Recording a payment (`record-payment.server.ts`) and checking,
 * approving and clearing a payment file (`check-file.server.ts`) do the same three things: `gatherFacts` reads what
 * is known, `runRules` finds the reasons, and `ruleDecision` holds the payment if one of them has the level "hold".
 *
 * To add a rule:
 * 1. Write it in the file for its subject (account, change, payee, amount, or invoice and bill): `{ id, label,
 * version, defaultLevel, find }` (the type `Rule` in `facts.ts`). `find` looks at the facts only, and returns a
 * sentence and its evidence, or undefined.
 * 2. Add its line to `RULES`, at the position where people should read it. Policies, pages, the API and replays
 * follow that list.
 * 3. If it needs a fact that is not read yet, declare it in `facts.ts`, and read it in `gatherFacts`
 * (`payments/payment-facts/facts.server.ts`). If somebody could change the fact while a payment is recorded, check
 * it again in `factsHold`, beside it.
 * 4. Add its cases to the tables in `rules.test.ts`.
 *
 * Raise `version` whenever the rule's results change: stored decisions are compared only with the version they were
 * made with.
 */

/** Every rule, in the order in which people read the reasons. */
export const RULES: readonly Rule[] = [
  supplierUnknown,
  payeeDisputed,
  bankAnswer,
  formerAccount,
  detailsChanged,
  accountChanged,
  accountingAccountDiffers,
  invoiceAccountDiffers,
  billAccountDiffers,
  contactAndBankChanged,
  manyChanges,
  paymentCompany,
  payeeNotTrusted,
  onePerson,
  aboveOwnLimit,
  knownNameNewAccount,
  nameDiffers,
  sharedAccount,
  staffAccount,
  lookalikeDomain,
  domainNew,
  domainWithoutDmarc,
  bsbUnusable,
  paymentReturned,
  duplicatePayment,
  repeatedAfterRestore,
  invoicePaidBefore,
  invoiceAmountDiffers,
  billAmountDiffers,
  firstPaymentLimit,
  roundFirstAmount,
  unusualAmount,
  justUnderLimit,
  verificationStale,
  abnInactive,
  markedNewDetails,
  outsideHours,
  noInvoiceSeen,
];

/** The rules whose level the organisation can choose. */
export const CHOSEN_RULES: readonly Rule[] = RULES.filter(({ isFixed }) => !isFixed);

/** Rule id -> the level that the organisation chose; absent: the rule's default. */
export type RuleLevels = Readonly<Record<string, PolicyRuleLevel>>;

/**
 * Every finding, at the level that the organisation chose for its rule, or at the rule's floor. A rule that is turned
 * off reports nothing.
 */
export function runRules(facts: PaymentFacts, levels: RuleLevels, rules: readonly Rule[] = RULES): PaymentReason[] {
  const reasons: PaymentReason[] = [];
  // Without an account, the other rules have nothing to judge.
  for (const rule of hasNoAccount(facts) ? [supplierUnknown] : rules) {
    const level = rule.floor?.(facts) ?? levels[rule.id] ?? rule.defaultLevel;
    if (level === "off") continue;
    const finding = rule.find(facts);
    if (finding) reasons.push({ rule: rule.id, level, ...finding });
  }
  return reasons;
}

/** The rules' decision when a payment is recorded. */
type RuleDecision = Extract<PaymentStatus, "authorised" | "held">;

/** Authorised if no holding rule fired. A warning is shown but does not hold the payment. */
export function ruleDecision(reasons: readonly Pick<PaymentReason, "level">[]): RuleDecision {
  return reasons.some((reason) => reason.level === "hold") ? "held" : "authorised";
}

/** The rule's label; for a rule that stored reasons mention and that no longer exists, its id. */
export const ruleLabel = (id: string): string => RULES.find((rule) => rule.id === id)?.label ?? id.replaceAll("_", " ");

/** The rules whose findings require decisions line by line; `where`: only with evidence of this name. */
export const DECIDED_INDIVIDUALLY: readonly { id: string; where: string | null }[] = RULES.flatMap(
  ({ id, decidedIndividually: when }) =>
    when === undefined ? [] : [{ id, where: when === "always" ? null : when.where }],
);

/** True if a line with these reasons must be decided individually, not together with others. */
export const isDecidedIndividually = (
  reasons: readonly Pick<PaymentReason, "rule" | "level" | "evidence">[],
): boolean =>
  reasons.some(
    ({ rule: id, level, evidence }) =>
      level === "hold" &&
      DECIDED_INDIVIDUALLY.some((rule) => rule.id === id && (rule.where === null || evidence[rule.where] === true)),
  );

/** The small print under a stored reason; undefined when its sentence says everything. */
export function noteOfReason(reason: Pick<PaymentReason, "rule" | "evidence">): string | undefined {
  return RULES.find((rule) => rule.id === reason.rule)?.note?.(reason.evidence);
}
