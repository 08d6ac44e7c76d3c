import { formatAud } from "~/kernel/money";
import type { PaymentLimits } from "~/modules/payments/approval-limits.server";
import { RULES, ruleLabel } from "./index";
import { INVOICE_RULES } from "./invoices";
import type { PolicyRuleLevel } from "./payment-holds";
import { isWeaker, policyField } from "./policy-fields";

/**
 * Describes a change of an organisation's policies, and decides whether it makes fraud easier. Pure.
 *
 * A change is identified by its field: the name of a policy or of an approval limit, the id of a rule, or "domain:"
 * with an email domain whose people join without approval.
 */
type Change = { from: unknown; to: unknown };
export type Changes = Readonly<Record<string, Change>>;

export const DOMAIN_FIELD = "domain:";

/** From least to most strict. */
const LEVELS: readonly PolicyRuleLevel[] = ["off", "warn", "hold"];

type LimitField = { said: string; isWeaker: (from: unknown, to: unknown) => boolean };

/** Null means any amount. */
const limitRaised = (from: unknown, to: unknown) => from !== null && (to === null || Number(to) > Number(from));

function hoursWidened(from: unknown, to: unknown): boolean {
  const [before, after] = [from, to] as PaymentLimits["workingHours"][];
  if (!before) return false;
  if (!after) return true;
  const isLonger = after.opensAtMinute < before.opensAtMinute || after.closesAtMinute > before.closesAtMinute;
  return isLonger || (after.worksWeekends && !before.worksWeekends);
}

/** The approval limits, which are not part of the policies: the compiler demands an entry for each new one. */
const LIMIT_FIELDS: Readonly<Record<keyof PaymentLimits, LimitField>> = {
  memberLimitCents: { said: "what a member may approve", isWeaker: limitRaised },
  adminLimitCents: { said: "what an administrator may approve", isWeaker: limitRaised },
  workingHours: { said: "working hours", isWeaker: hoursWidened },
};

/** True for an approval limit, false for a policy, a rule or a domain. */
export const isLimit = (field: string): boolean => Object.hasOwn(LIMIT_FIELDS, field);

const limitField = (name: string): LimitField | undefined =>
  isLimit(name) ? LIMIT_FIELDS[name as keyof PaymentLimits] : undefined;

const levelOf = (rule: string, value: unknown): PolicyRuleLevel =>
  LEVELS.find((level) => level === value) ??
  [...RULES, ...INVOICE_RULES].find(({ id }) => id === rule)?.defaultLevel ??
  "hold";

const labelOf = (rule: string): string => INVOICE_RULES.find(({ id }) => id === rule)?.label ?? ruleLabel(rule);

/** True if the change makes fraud against the organisation easier: it is delayed, so that others can cancel it. */
export function weakensPolicy(field: string, { from, to }: Change): boolean {
  if (field.startsWith(DOMAIN_FIELD)) return from !== to && to === true;
  const policy = policyField(field);
  if (policy) return isWeaker(policy, from, to);
  const limit = limitField(field);
  if (limit) return limit.isWeaker(from, to);
  return LEVELS.indexOf(levelOf(field, to)) < LEVELS.indexOf(levelOf(field, from));
}

const LEVEL_WORDS: Readonly<Record<string, string>> = { default: "the rule's own level" };

const wordsOf = (table: Readonly<Record<string, string>>, value: unknown): string =>
  table[String(value)] ?? String(value).replaceAll("_", " ");

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

function hoursWords(value: unknown): string {
  const hours = value as PaymentLimits["workingHours"];
  if (!hours) return "none";
  const { opensAtMinute, closesAtMinute, worksWeekends } = hours;
  return `${clock(opensAtMinute)} to ${clock(closesAtMinute)}${worksWeekends ? " every day" : ", Monday to Friday"}`;
}

function valueWords(field: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (field === "workingHours") return hoursWords(value);
  if (value === null) return "any amount";
  if (typeof value === "number") return field.endsWith("Cents") ? formatAud(value) : String(value);
  const policy = policyField(field);
  return wordsOf(policy?.kind === "choice" ? policy.saidAs : {}, value);
}

/** One change, worded for the middle of a sentence: the policy "a second person approves" from on to off. */
export function policyChangeWords(field: string, { from, to }: Change): string {
  if (field.startsWith(DOMAIN_FIELD)) {
    const domain = field.slice(DOMAIN_FIELD.length);
    return `people with an address at ${domain} ${to === true ? "join without approval" : "wait for approval"}`;
  }
  const name = policyField(field)?.said ?? limitField(field)?.said;
  if (!name) {
    return `the rule "${labelOf(field)}" from ${wordsOf(LEVEL_WORDS, from)} to ${wordsOf(LEVEL_WORDS, to)}`;
  }
  const subject = typeof to === "boolean" ? `the policy "${name}"` : name;
  return `${subject} from ${valueWords(field, from)} to ${valueWords(field, to)}`;
}

const LIST = new Intl.ListFormat("en-AU", { type: "conjunction" });

const isChange = (value: unknown): value is Change => typeof value === "object" && value !== null && "to" in value;

/** All changes of an audit entry in one phrase; empty when it has none. */
export const policyChangesWords = (changes: Readonly<Record<string, unknown>>): string =>
  LIST.format(
    Object.entries(changes).flatMap(([field, change]) => (isChange(change) ? [policyChangeWords(field, change)] : [])),
  );
