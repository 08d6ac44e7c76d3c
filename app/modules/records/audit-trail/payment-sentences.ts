import { systemName } from "~/kernel/accounting-system";
import type { FileFormat } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import type { AuditAction } from "~/modules/core/audit/audit";
import { ruleLabel } from "~/modules/rules";
import type { HoldCause } from "~/modules/rules/payment-holds";
import { after, counted, type Details, joined, listOf, numberOf, sayAccount, textOf, wordsFor } from "./details";

import type { Say } from "./people-sentences";

/** Entries about payments and payment files. Pure. */

const HELD_BECAUSE: Readonly<Record<HoldCause, string>> = {
  bank_details_changed: "the bank details of the payee were changed",
  payee_renamed: "the payee was given another name",
  payee_disputed: "the payee said that these are not their details",
  verification_rejected: "the verification of the payee was rejected",
  taken_off_whitelist: "the payee was taken off the whitelist",
  accounting_account_differs: "the accounting system has another bank account for the payee",
};

const FORMATS: Readonly<Record<FileFormat, string>> = {
  aba: "an ABA file",
  csv: "a table",
  pasted: "pasted rows",
};

const because = (details: Details): string => after(": ", textOf(details.reason));

const firstOf = ({ firstFromAccounting: from }: Details): Details =>
  typeof from === "object" && from !== null ? (from as Details) : {};

/** That the payee's account came from an accounting system, and is paid for the first time. */
const first = (details: Details): string => {
  const { system } = firstOf(details);
  return textOf(system) && `, the first to an account that came from ${systemName(system)}`;
};

const firstOfFile = (details: Details): string => {
  const count = numberOf(firstOf(details).count);
  return count > 0 ? `, the first payments to ${counted(count, "account")} from the accounting system` : "";
};

const reference = (details: Details): string => after(", reference ", textOf(details.reference));

/** The titles of the rules that fired, as the payment's page says them. */
function sayRules(reasons: unknown): string {
  const rules = listOf(reasons).map((reason) =>
    typeof reason === "object" && reason !== null && "rule" in reason ? textOf(reason.rule) : textOf(reason),
  );
  return joined([...new Set(rules.filter(Boolean))].map((rule) => `"${ruleLabel(rule)}"`));
}

const LEVELS = ["hold", "warn"] as const;

/** `; held by "A first payment above the limit"; warned by "..."` of the rules that fired. */
function sayFired(reasons: unknown): string {
  const said = LEVELS.map((level) => {
    const fired = listOf(reasons).filter((reason) => (reason as Details | null)?.level === level);
    return after(level === "hold" ? ", held by " : ", warned by ", sayRules(fired));
  });
  return said.join("");
}

const money = (cents: unknown): string => formatAud(Math.trunc(numberOf(cents)));

const fileOf = ({ details, thing }: { details: Details; thing: string }): string => textOf(details.name) || thing;

function sayLines({ lines, count, cents, rule, reason }: Details): string {
  const numbers = listOf(lines).map(lineNumber).filter(Boolean);
  const shown = numbers.length > 0 && numbers.length <= 10 ? ` (${joined(numbers)})` : "";
  const total = cents === undefined ? "" : ` of ${money(cents)}`;
  const forRule = textOf(rule) ? `, held by "${ruleLabel(textOf(rule))}"` : "";
  return `${counted(count, "line")}${shown}${total}${forRule}${after(": ", textOf(reason))}`;
}

const lineNumber = (line: unknown): string => {
  if (typeof line === "number") return String(line);
  return typeof line === "object" && line !== null && "line" in line ? String(line.line) : "";
};

export const PAYMENT_SENTENCES = {
  "payment.recorded": ({ who, thing, details }) => {
    const account = sayAccount(details);
    return `${who} recorded ${thing}${after(", account ", account)}${reference(details)}${sayFired(details.reasons)}${first(details)}`;
  },
  "payment.approved": ({ who, thing, details }) => {
    const own = details.selfApproval === true ? " (their own work)" : "";
    return `${who} approved ${thing}${own}${first(details)}${after(", held by ", sayRules(details.rules))}${because(details)}`;
  },
  "payment.rejected": ({ who, thing, details }) => `${who} rejected ${thing}${because(details)}`,
  "payment.verification_requested": ({ who, thing, details }) =>
    `${who} asked for more verification before ${thing} is paid${because(details)}`,
  "payment.returned_to_held": ({ thing, details }) =>
    details.cause === undefined
      ? `${thing} is held again: the verification asked for has ended`
      : `${thing} is held again: ${wordsFor(HELD_BECAUSE, details.cause)}`,
  "payment.succeeded": ({ who, thing, details }) =>
    `${who} marked ${thing} successful${textOf(details.system) ? `: ${systemName(details.system)} has reconciled it` : ""}`,
  "payment.accounting_deleted": ({ thing, details }) =>
    `${systemName(details.system)} has deleted the payment by which ${thing} was marked successful`,
  "payment.failed": ({ who, thing, details }) => `${who} marked ${thing} failed${because(details)}`,
  "payment_file.uploaded": (told) =>
    `${told.who} uploaded ${fileOf(told)}, ${wordsFor(FORMATS, told.details.format)} of ${counted(told.details.lineCount, "line")}, ${money(told.details.totalCents)}`,
  "payment_file.checked": ({ thing, details }) =>
    `Every line of ${thing} was checked: ${counted(details.lineCount, "line")}`,
  "payment_file.check_failed": ({ thing }) => `The file ${thing} could not be checked`,
  "payment_file.lines_approved": ({ who, thing, details }) =>
    `${who} approved held lines of ${thing}: ${sayLines(details)}`,
  "payment_file.lines_rejected": ({ who, thing, details }) => `${who} rejected lines of ${thing}: ${sayLines(details)}`,
  "payment_file.lines_held_again": ({ thing, details }) => `Lines of ${thing} are held again: ${sayLines(details)}`,
  "payment_file.lines_judged_again": ({ thing, details }) =>
    `Something new is known of held lines of ${thing}: ${sayLines(details)}`,
  "payment_file.cleared": ({ who, thing, details }) =>
    `${who} cleared ${thing} for the bank: ${counted(details.lineCount, "line")}, ${money(details.totalCents)}${firstOfFile(details)}`,
  "payment_file.downloaded": ({ who, thing }) => `${who} downloaded the cleared file of ${thing}`,
  "payment_file.original_downloaded": ({ who, thing }) => `${who} downloaded ${thing} as it was uploaded`,
  "payment_file.outcomes_recorded": ({ who, thing, details }) =>
    `${who} recorded what the bank did with ${thing}: ${numberOf(details.successful)} paid, ${numberOf(details.failed)} failed`,
  "payment_file.abandoned": ({ who, thing }) => `${who} gave up ${thing}`,
} as const satisfies Partial<Record<AuditAction, Say>>;
