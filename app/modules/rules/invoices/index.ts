import type { RuleLevels } from "~/modules/rules";
import type { PolicyRuleLevel } from "~/modules/rules/payment-holds";
import { abnNotActive, abnOfAnother, gstNotRegistered, supplierNameDiffers } from "./business-rules";
import {
  accountRefused,
  announcesDetails,
  documentAltered,
  documentKind,
  documentOdd,
  newWayToPay,
  otherSoftware,
  seenBefore,
  unusualTotal,
} from "./document-rules";
import type { InvoiceFacts, InvoiceRule } from "./facts";
import {
  authenticationFailed,
  replyToElsewhere,
  senderDomainNew,
  senderDomainWithoutDmarc,
  senderLookalike,
  senderNew,
  senderShownAsAnother,
} from "./sender-rules";
import {
  anotherPayeesAccount,
  couldNotBeRead,
  doubtfulAccount,
  foreignAccount,
  noAccount,
  otherAccount,
  payeeNotVerified,
  payeeWhitelistedOnly,
  severalAccounts,
  unknownPayee,
  unreadAccount,
} from "./verdict-rules";

/*
 * Decides what is found on an invoice, as `rules/index.ts` does for payments: facts in, findings out. To add a
 * rule, write it in the file for its subject, add it to the list, and add its cases to the tables in
 * `invoice-rules.test.ts`. Raise a rule's version when its results change.
 */

/** Every rule, in the order in which people read the findings. */
export const INVOICE_RULES: readonly InvoiceRule[] = [
  otherAccount,
  anotherPayeesAccount,
  documentAltered,
  accountRefused,
  unreadAccount,
  senderLookalike,
  abnOfAnother,
  severalAccounts,
  foreignAccount,
  couldNotBeRead,
  doubtfulAccount,
  payeeNotVerified,
  payeeWhitelistedOnly,
  unknownPayee,
  supplierNameDiffers,
  newWayToPay,
  announcesDetails,
  authenticationFailed,
  senderShownAsAnother,
  replyToElsewhere,
  senderDomainNew,
  abnNotActive,
  gstNotRegistered,
  seenBefore,
  unusualTotal,
  documentOdd,
  noAccount,
  documentKind,
  senderNew,
  senderDomainWithoutDmarc,
  otherSoftware,
];

export const FINDING_LEVELS = ["stop", "warn", "note"] as const;
export type FindingLevel = (typeof FINDING_LEVELS)[number];

const LEVELS: Readonly<Record<PolicyRuleLevel, FindingLevel>> = { hold: "stop", warn: "warn", off: "note" };

/** A finding on an invoice, at the level that the organisation chose for its rule. */
export type Finding = {
  code: string;
  level: FindingLevel;
  message: string;
  page?: number;
  evidence?: Record<string, unknown>;
};

/** Every finding, most serious first. A rule that is set to "off" still reports its findings, as notes. */
export function runInvoiceRules(facts: InvoiceFacts, levels: RuleLevels): Finding[] {
  const found = INVOICE_RULES.flatMap(({ id, defaultLevel, find }): Finding[] => {
    const finding = find(facts);
    return finding ? [{ code: id, level: LEVELS[levels[id] ?? defaultLevel], ...finding }] : [];
  });
  return FINDING_LEVELS.flatMap((level) => found.filter((finding) => finding.level === level));
}

/** The rules that found nothing, as the page lists them. */
export const silentRules = (findings: readonly Pick<Finding, "code">[]): string[] =>
  INVOICE_RULES.filter(({ id }) => !findings.some(({ code }) => code === id)).map(({ label }) => label);

/** The rules as they stood when an invoice was judged. */
export type InvoiceRuleSet = { versions: Record<string, number>; levels: RuleLevels };

export const currentInvoiceRules = (levels: RuleLevels): InvoiceRuleSet => ({
  versions: Object.fromEntries(INVOICE_RULES.map(({ id, version }) => [id, version])),
  levels: Object.fromEntries(INVOICE_RULES.flatMap(({ id }) => (levels[id] ? [[id, levels[id]]] : []))),
});

/**
 * Runs the rules again on the facts and at the levels that were stored. `different`: rules that now find something
 * else, which only happens if a record or a rule is broken. `changed`: rules whose version has been raised since; they
 * are not compared.
 */
export function replayInvoice(
  facts: InvoiceFacts,
  { versions, levels }: InvoiceRuleSet,
  findings: readonly Finding[],
): { different: string[]; changed: string[] } {
  const again = runInvoiceRules(facts, levels);
  const textOf = (list: readonly Finding[], id: string) => JSON.stringify(list.find(({ code }) => code === id) ?? null);
  const isChanged = ({ id, version }: InvoiceRule) => versions[id] !== version;
  return {
    different: INVOICE_RULES.filter(
      (rule) => !isChanged(rule) && textOf(again, rule.id) !== textOf(findings, rule.id),
    ).map(({ label }) => label),
    changed: INVOICE_RULES.filter((rule) => versions[rule.id] !== undefined && isChanged(rule)).map(
      ({ label }) => label,
    ),
  };
}
