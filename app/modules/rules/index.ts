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
import type { PaymentReason, PolicyRuleLevel } from "./payment-reason";

/*
 * Whether a payment is held is decided here. Recording a payment (`record-payment.server.ts`) and checking, approving and
 * clearing a payment file (`check-file.server.ts`) do the same three things: `gatherFacts` reads what is known, `runRules`
 * finds the reasons, and `ruleDecision` holds the payment if one of them has the level "hold".
 *
 * To add a rule:
 * 1. Write it in the file of what it looks at (account, change, payee, amount, invoice and bill):
 *    `{ id, label, version, defaultLevel, find }` (the type `Rule` in `facts.ts`). `find` looks at the facts only, and
 *    returns a sentence and its evidence, or undefined.
 * 2. Add its line to `RULES`, where people should read it. Policies, pages, the API and replays take it from there.
 * 3. If it needs a fact that is not read yet, declare it in `facts.ts`, and read it in `gatherFacts`
 *    (`payments/payment-facts/facts.server.ts`). If somebody could change the fact while a payment is recorded, prove it
 *    again in `facts-hold.server.ts`.
 * 4. Add its cases to the tables in `rules.test.ts`.
 *
 * Raise `version` whenever the rule finds something else than before: stored decisions are compared with their own version.
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

/** The rules of which an organisation chooses the level. */
export const CHOSEN_RULES: readonly Rule[] = RULES.filter(({ isFixed }) => !isFixed);

/** Rule id -> what the organisation made of it; absent: the rule's own default. */
export type RuleLevels = Readonly<Record<string, PolicyRuleLevel>>;

/** Every reason the rules find, each at the organisation's level for it or its floor. A rule turned off says nothing. */
export function runRules(facts: PaymentFacts, levels: RuleLevels, rules: readonly Rule[] = RULES): PaymentReason[] {
  const reasons: PaymentReason[] = [];
  // Without an account there is nothing that another rule could look at.
  for (const rule of hasNoAccount(facts) ? [supplierUnknown] : rules) {
    const level = rule.floor?.(facts) ?? levels[rule.id] ?? rule.defaultLevel;
    if (level === "off") continue;
    const finding = rule.find(facts);
    if (finding) reasons.push({ rule: rule.id, level, ...finding });
  }
  return reasons;
}

/** A rule in a line; one that stored reasons name and that is gone by now, by its id. */
export const ruleLabel = (id: string): string => RULES.find((rule) => rule.id === id)?.label ?? id.replaceAll("_", " ");

/** The rules for which a line of a file is decided by itself; `where`: only where their evidence has true under this name. */
export const SINGLY: readonly { id: string; where: string | null }[] = RULES.flatMap(({ id, decidedSingly: singly }) =>
  singly === undefined ? [] : [{ id, where: singly === "always" ? null : singly.where }],
);

/** Whether a line of a file with these reasons is decided on its own, with its own reason: never together with others. */
export const isDecidedSingly = (reasons: readonly Pick<PaymentReason, "rule" | "level" | "evidence">[]): boolean =>
  reasons.some(
    ({ rule: id, level, evidence }) =>
      level === "hold" &&
      SINGLY.some((rule) => rule.id === id && (rule.where === null || evidence[rule.where] === true)),
  );

/** What a stored reason rests on, in a line; undefined when its sentence says it all. */
export function noteOfReason(reason: Pick<PaymentReason, "rule" | "evidence">): string | undefined {
  return RULES.find((rule) => rule.id === reason.rule)?.note?.(reason.evidence);
}
