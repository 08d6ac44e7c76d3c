import { formatAud } from "~/kernel/money";
import { CHOSEN_RULES } from "~/modules/rules";
import { INVOICE_RULES } from "~/modules/rules/invoices";
import type { PolicyRuleLevel } from "~/modules/rules/payment-reason";
import { POLICY_FIELDS, POLICY_NAMES, type PolicyValues } from "~/modules/rules/policy-fields";

/** What an organisation has decided for itself: `policy-fields.ts` declares each. Pure: `policy.server.ts` reads it. */
export type Policy = PolicyValues & {
  /** Rule id -> level, only where it differs from the rule's own default. */
  ruleLevels: Record<string, PolicyRuleLevel>;
};

/** What holds until an organisation decides otherwise; the database's defaults are the same. */
export const DEFAULT_POLICY: Policy = {
  ...(Object.fromEntries(POLICY_NAMES.map((name) => [name, POLICY_FIELDS[name].initial])) as PolicyValues),
  ruleLevels: {},
};

/** What the page of policies says about the level of a rule. */
export const LEVEL_LABELS: Readonly<Record<PolicyRuleLevel, string>> = {
  hold: "Hold the payment",
  warn: "Warn only",
  off: "Off",
};

/** The same of what is found on an invoice. */
export const INVOICE_LEVEL_LABELS: Readonly<Record<PolicyRuleLevel, string>> = {
  hold: "Stop the invoice",
  warn: "Warn",
  off: "Note only",
};

type Change = { from: unknown; to: unknown };

/** The policies that differ, old -> new; each payment rule on its own. */
export function changedPolicies(before: Policy, after: Policy): Record<string, Change> {
  const { ruleLevels: levelsBefore, ...restBefore } = before;
  const { ruleLevels: levelsAfter, ...restAfter } = after;
  return { ...changes(restBefore, restAfter), ...changes(levelsBefore, levelsAfter) };
}

function changes(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, Change> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const different = names.filter((name) => before[name] !== after[name]);
  return Object.fromEntries(
    different.map((name) => [name, { from: before[name] ?? "default", to: after[name] ?? "default" }]),
  );
}

/** The policies as their form shows them. */
export type PolicyView = {
  version: number;
  values: Record<string, string>;
  rules: LevelledRule[];
  /** What is looked for on invoices. */
  invoiceRules: LevelledRule[];
};

type LevelledRule = { id: string; label: string; defaultLevel: PolicyRuleLevel };

const toLevelled = ({ id, label, defaultLevel }: LevelledRule): LevelledRule => ({ id, label, defaultLevel });

/** As the form holds a value: a box that is not ticked holds nothing. */
function inForm(name: keyof PolicyValues, value: PolicyValues[keyof PolicyValues]): [string, string][] {
  if (typeof value === "boolean") return value ? [[name, "on"]] : [];
  const isMoney = POLICY_FIELDS[name].kind === "cents";
  return [[name, isMoney ? formatAud(Number(value)).replace("$", "") : String(value)]];
}

export function toPolicyView(policy: Policy, version: number): PolicyView {
  const rules = CHOSEN_RULES.map(toLevelled);
  const invoiceRules = INVOICE_RULES.map(toLevelled);
  return {
    version,
    rules,
    invoiceRules,
    values: Object.fromEntries([
      ...POLICY_NAMES.flatMap((name) => inForm(name, policy[name])),
      ...[...rules, ...invoiceRules].map(({ id, defaultLevel }) => [
        `ruleLevels.${id}`,
        policy.ruleLevels[id] ?? defaultLevel,
      ]),
    ]),
  };
}
