import type { ApprovalEvidence } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import type { Policy } from "~/modules/accounts/organizations/policy";
import type { PaymentLimits } from "~/modules/payments/payment-facts/payment-limits.server";
import { RULES, ruleLabel } from "./index";
import { INVOICE_RULES } from "./invoices";
import type { PolicyRuleLevel } from "./payment-reason";

/**
 * A change of what an organisation decided for itself: what it is called, and whether it makes fraud easier. Pure.
 *
 * A change is known by its field: the name of a policy or of an approval limit, the id of a rule, or "domain:" and an email
 * domain whose people come in without approval.
 */
type Change = { from: unknown; to: unknown };
export type Changes = Readonly<Record<string, Change>>;

export const DOMAIN_FIELD = "domain:";

/** In the order of their strictness. */
const LEVELS: readonly PolicyRuleLevel[] = ["off", "warn", "hold"];
const EVIDENCE: readonly ApprovalEvidence[] = ["flagged", "always_reason", "check_or_call_back"];

type Weakens = (from: unknown, to: unknown) => boolean;

const switchedOff: Weakens = (_from, to) => to === false;
const switchedOn: Weakens = (_from, to) => to === true;
const raised: Weakens = (from, to) => Number(to) > Number(from);
const lowered: Weakens = (from, to) => Number(to) < Number(from);
const neither: Weakens = () => false;
/** Null: any amount. */
const limitRaised: Weakens = (from, to) => from !== null && (to === null || Number(to) > Number(from));

const hoursWidened: Weakens = (from, to) => {
  const [before, after] = [from, to] as PaymentLimits["workingHours"][];
  if (!before) return false;
  if (!after) return true;
  const isLonger = after.opensAtMinute < before.opensAtMinute || after.closesAtMinute > before.closesAtMinute;
  return isLonger || (after.worksWeekends && !before.worksWeekends);
};

/** Every policy says here when another value of it is a weaker one: a new one is a type error until it does. */
const WEAKENS: Readonly<Record<Exclude<keyof Policy, "ruleLevels"> | keyof PaymentLimits, Weakens>> = {
  secondPersonRequired: switchedOff,
  autoApproveExact: switchedOn,
  acceptVouching: switchedOn,
  twoStepRequired: switchedOff,
  reverifyAfterMonths: raised,
  firstPaymentLimitCents: raised,
  promotionMinSpanDays: lowered,
  promotionMinDistinctDays: lowered,
  promotionMinCents: lowered,
  approvalEvidence: (from, to) => EVIDENCE.indexOf(to as ApprovalEvidence) < EVIDENCE.indexOf(from as ApprovalEvidence),
  weakeningDelayHours: lowered,
  timeZone: neither,
  memberLimitCents: limitRaised,
  adminLimitCents: limitRaised,
  workingHours: hoursWidened,
};

const levelOf = (rule: string, value: unknown): PolicyRuleLevel =>
  LEVELS.find((level) => level === value) ??
  [...RULES, ...INVOICE_RULES].find(({ id }) => id === rule)?.defaultLevel ??
  "hold";

const labelOf = (rule: string): string => INVOICE_RULES.find(({ id }) => id === rule)?.label ?? ruleLabel(rule);

/** True if the organisation is easier to defraud after the change: it waits, and other people may cancel it. */
export function weakens(field: string, { from, to }: Change): boolean {
  if (field.startsWith(DOMAIN_FIELD)) return from !== to && switchedOn(from, to);
  if (Object.hasOwn(WEAKENS, field)) return from !== to && WEAKENS[field as keyof typeof WEAKENS](from, to);
  return LEVELS.indexOf(levelOf(field, to)) < LEVELS.indexOf(levelOf(field, from));
}

const NAMES: Readonly<Record<keyof typeof WEAKENS, string>> = {
  secondPersonRequired: "a second person approves",
  autoApproveExact: "exact bank results are approved automatically",
  acceptVouching: "the word of other organisations counts as verification",
  twoStepRequired: "people who approve must use two-step sign-in",
  reverifyAfterMonths: "months until a verification is too old",
  firstPaymentLimitCents: "the limit for a first payment",
  promotionMinSpanDays: "days between the payments that whitelist a payee",
  promotionMinDistinctDays: "different days of the payments that whitelist a payee",
  promotionMinCents: "the least amount of a payment that whitelists a payee",
  approvalEvidence: "what an approval must say",
  weakeningDelayHours: "hours that a weaker policy waits",
  timeZone: "the time zone",
  memberLimitCents: "what a member may approve",
  adminLimitCents: "what an administrator may approve",
  workingHours: "working hours",
};

const EVIDENCE_WORDS: Readonly<Record<ApprovalEvidence, string>> = {
  flagged: "a reason where something speaks against it",
  always_reason: "always a reason",
  check_or_call_back: "always a check or a call-back",
};

const LEVEL_WORDS: Readonly<Record<string, string>> = { default: "the rule's own level" };

const wordsOf = (table: Readonly<Record<string, string>>, value: unknown): string =>
  table[String(value)] ?? String(value).replaceAll("_", " ");

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

function hoursWords(value: unknown): string {
  if (typeof value !== "object" || value === null) return "none";
  const { opensAtMinute, closesAtMinute, worksWeekends } = value as NonNullable<PaymentLimits["workingHours"]>;
  return `${clock(opensAtMinute)} to ${clock(closesAtMinute)}${worksWeekends ? " every day" : ", Monday to Friday"}`;
}

function valueWords(field: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (field === "workingHours") return hoursWords(value);
  if (field.endsWith("LimitCents") && value === null) return "any amount";
  if (field.endsWith("Cents")) return formatAud(typeof value === "number" ? value : 0);
  return typeof value === "number" ? String(value) : wordsOf(EVIDENCE_WORDS, value);
}

/** "a second person approves from on to off": one change, as sentences go on with it. */
export function sayChange(field: string, { from, to }: Change): string {
  if (field.startsWith(DOMAIN_FIELD)) {
    const domain = field.slice(DOMAIN_FIELD.length);
    return `people with an address at ${domain} ${to === true ? "come in without approval" : "wait for approval"}`;
  }
  if (!Object.hasOwn(NAMES, field)) {
    return `the rule "${labelOf(field)}" from ${wordsOf(LEVEL_WORDS, from)} to ${wordsOf(LEVEL_WORDS, to)}`;
  }
  return `${NAMES[field as keyof typeof NAMES]} from ${valueWords(field, from)} to ${valueWords(field, to)}`;
}

const LIST = new Intl.ListFormat("en-AU", { type: "conjunction" });

const isChange = (value: unknown): value is Change => typeof value === "object" && value !== null && "to" in value;

/** All of them in one phrase, of what an audit entry keeps; empty where it keeps none. */
export const sayChanges = (changes: Readonly<Record<string, unknown>>): string =>
  LIST.format(
    Object.entries(changes).flatMap(([field, change]) => (isChange(change) ? [sayChange(field, change)] : [])),
  );
