import { formatAud } from "~/kernel/money";
import { CHOSEN_RULES } from "~/modules/rules";
import * as account from "~/modules/rules/account-rules";
import * as amount from "~/modules/rules/amount-rules";
import * as change from "~/modules/rules/change-rules";
import * as repeats from "~/modules/rules/duplicate-payment";
import * as emailDomain from "~/modules/rules/email-domain-rules";
import * as bills from "~/modules/rules/invoice-and-bill-rules";
import { INVOICE_RULES } from "~/modules/rules/invoices";
import * as business from "~/modules/rules/invoices/business-rules";
import * as document from "~/modules/rules/invoices/document-rules";
import * as sender from "~/modules/rules/invoices/sender-rules";
import * as verdict from "~/modules/rules/invoices/verdict-rules";
import * as payee from "~/modules/rules/payee-rules";
import type { PolicyRuleLevel } from "~/modules/rules/payment-holds";
import {
  DEFAULT_POLICY,
  POLICY_FIELDS,
  POLICY_NAMES,
  type PolicyField,
  type PolicyValues,
} from "~/modules/rules/policy-fields";

/** An organisation's policies: `policy-fields.ts` declares each. Pure: `policy.server.ts` reads them. */
export type Policy = PolicyValues & {
  /** Rule id -> level, only where it differs from the rule's default. */
  ruleLevels: Record<string, PolicyRuleLevel>;
};

export const LEVEL_LABELS: Readonly<Record<PolicyRuleLevel, string>> = {
  hold: "Hold the payment",
  warn: "Warn only",
  off: "Off",
};

/** The same for invoice rules. */
export const INVOICE_LEVEL_LABELS: Readonly<Record<PolicyRuleLevel, string>> = {
  hold: "Stop the invoice",
  warn: "Warn",
  off: "Note only",
};

type Change = { from: unknown; to: unknown };

/** The policies that differ, old -> new; each payment rule separately. */
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

export type PolicyView = {
  version: number;
  values: Record<string, string>;
  rules: Record<RuleSubject, LevelledRule[]>;
  /** What the organisation has changed, in the form's order. */
  different: DifferentPolicy[];
};

/** `id`: of its field in the form. `now` and `initial`: in words. */
type DifferentPolicy = { id: string; label: string; now: string; initial: string };

type LevelledRule = { id: string; label: string; defaultLevel: PolicyRuleLevel };

const toLevelled = ({ id, label, defaultLevel }: LevelledRule): LevelledRule => ({ id, label, defaultLevel });

/** What the rules look at, as the page groups them: a rule belongs to the file that it is in. */
const filesBySubject = () => ({
  payee: { ...payee, ...emailDomain },
  account,
  changes: change,
  amount: { ...amount, ...repeats },
  bills,
  verdict,
  document,
  business,
  sender,
});

export type RuleSubject = keyof ReturnType<typeof filesBySubject>;

/** A value as the form contains it: an unticked box has none. */
function inForm(name: keyof PolicyValues, value: PolicyValues[keyof PolicyValues]): [string, string][] {
  if (typeof value === "boolean") return value ? [[name, "on"]] : [];
  const isMoney = POLICY_FIELDS[name].kind === "cents";
  return [[name, isMoney ? formatAud(Number(value)).replace("$", "") : String(value)]];
}

function inWords(name: keyof PolicyValues, value: PolicyValues[keyof PolicyValues]): string {
  const field: PolicyField = POLICY_FIELDS[name];
  if (field.kind === "flag") return value ? "On" : "Off";
  if (field.kind === "cents") return formatAud(Number(value));
  return field.kind === "choice" ? (field.options[String(value)] ?? String(value)) : String(value).replace("_", " ");
}

const differentOf = (policy: Policy): DifferentPolicy[] =>
  POLICY_NAMES.filter((name) => policy[name] !== DEFAULT_POLICY[name]).map((name) => ({
    id: name,
    label: POLICY_FIELDS[name].label,
    now: inWords(name, policy[name]),
    initial: inWords(name, DEFAULT_POLICY[name]),
  }));

const differentRules = (
  rules: readonly LevelledRule[],
  { ruleLevels }: Policy,
  words: Readonly<Record<PolicyRuleLevel, string>>,
): DifferentPolicy[] =>
  rules.flatMap(({ id, label, defaultLevel }) => {
    const level = ruleLevels[id] ?? defaultLevel;
    if (level === defaultLevel) return [];
    return [{ id: `ruleLevels.${id}`, label, now: words[level], initial: words[defaultLevel] }];
  });

export function toPolicyView(policy: Policy, version: number): PolicyView {
  const all = [...CHOSEN_RULES, ...INVOICE_RULES];
  const about = (file: Record<string, unknown>) =>
    all.filter((rule) => Object.values(file).includes(rule)).map(toLevelled);
  return {
    version,
    rules: Object.fromEntries(
      Object.entries(filesBySubject()).map(([subject, file]) => [subject, about(file)]),
    ) as PolicyView["rules"],
    different: [
      ...differentOf(policy),
      ...differentRules(CHOSEN_RULES, policy, LEVEL_LABELS),
      ...differentRules(INVOICE_RULES, policy, INVOICE_LEVEL_LABELS),
    ],
    values: Object.fromEntries([
      ...POLICY_NAMES.flatMap((name) => inForm(name, policy[name])),
      ...all.map(({ id, defaultLevel }) => [`ruleLevels.${id}`, policy.ruleLevels[id] ?? defaultLevel]),
    ]),
  };
}
