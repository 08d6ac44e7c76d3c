import { type ConnectableSystem, systemName } from "~/kernel/accounting-system";
import { formatBsb } from "~/kernel/bank-account";
import type { FileFormat, PaymentStatus } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import type { BankDetails } from "~/kernel/payee";
import {
  type AuditedActions,
  accountWords,
  after,
  counted,
  type Facts,
  joined,
  listOf,
  numberOf,
  type StoredDetails,
  textOf,
  type Unknown,
  wordsFor,
} from "~/modules/core/audit/details";
import type { PayingAccount } from "~/modules/payments/payment-files/payment-file";
import { ruleLabel } from "~/modules/rules";
import type { HoldCause, RuleLevel } from "~/modules/rules/payment-holds";
import type { PayerDetails, PaymentLimits } from "./approval-limits.server";
import type { CameFrom } from "./payment-facts/payees.server";
import type { LeftLine } from "./payment-files/payment-file";

const HELD_BECAUSE: Readonly<Record<HoldCause, string>> = {
  bank_details_changed: "the bank details of the payee were changed",
  payee_renamed: "the payee was renamed",
  payee_disputed: "the payee said that these are not their details",
  verification_rejected: "the verification of the payee was rejected",
  taken_off_whitelist: "the payee was taken off the whitelist",
  accounting_account_differs: "the accounting system has a different bank account for the payee",
};

const FORMATS: Readonly<Record<FileFormat, string>> = {
  aba: "an ABA file",
  csv: "a table",
  pasted: "pasted rows",
};

const because = (details: Unknown<"reason">): string => after(": ", textOf(details.reason));

/** Says that the payee's account was imported from an accounting system and is paid for the first time. */
const first = ({ firstFromAccounting: from }: StoredDetails<{ firstFromAccounting: CameFrom }>): string => {
  const system = textOf(from?.system);
  return system && `, the first to an account that came from ${systemName(system)}`;
};

const firstOfFile = ({ firstFromAccounting: first }: StoredDetails<{ firstFromAccounting: FirstOfFile }>): string => {
  const count = numberOf(first?.count);
  return count > 0 ? `, the first payments to ${counted(count, "account")} from the accounting system` : "";
};

const reference = (details: Unknown<"reference">): string => after(", reference ", textOf(details.reference));

/** The labels of the rules that fired, as the payment's page shows them. */
function rulesWords(reasons: unknown): string {
  const rules = listOf(reasons).map((reason) =>
    typeof reason === "object" && reason !== null && "rule" in reason ? textOf(reason.rule) : textOf(reason),
  );
  return joined([...new Set(rules.filter(Boolean))].map((rule) => `"${ruleLabel(rule)}"`));
}

const LEVELS = ["hold", "warn"] as const;

/** `; held by "A first payment above the limit"; warned by "..."`, for the rules that fired. */
function firedWords(reasons: unknown): string {
  const said = LEVELS.map((level) => {
    const fired = listOf(reasons).filter((reason) => (reason as Unknown<"level"> | null)?.level === level);
    return after(level === "hold" ? ", held by " : ", warned by ", rulesWords(fired));
  });
  return said.join("");
}

const money = (cents: unknown): string => formatAud(Math.trunc(numberOf(cents)));

const fileOf = ({ details, subject }: { details: Unknown<"name">; subject: string }): string =>
  textOf(details.name) || subject;

function linesWords({ lines, count, cents, rule, reason }: Unknown<"lines" | "count" | "cents" | "rule" | "reason">) {
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

function settingsWords({
  payer,
  memberLimitCents,
  adminLimitCents,
  workingHours,
  sendsRemittances,
  payingAccounts,
  withdrawnAccount,
}: StoredDetails<Settings>): string {
  if (payingAccounts) return `: files may pay from ${payingAccounts.map(payingAccountWords).join(", ")}`;
  if (withdrawnAccount) return `: files may no longer pay from ${payingAccountWords(withdrawnAccount)}`;
  if (sendsRemittances !== undefined) return `: remittance emails to payees are ${sendsRemittances ? "on" : "off"}`;
  if (payer) return `: ${textOf(payer.userName)}, ${formatBsb(textOf(payer.bsb))} ${textOf(payer.accountNumber)}, pays`;
  const limit = (cents: unknown) => (typeof cents === "number" ? formatAud(cents) : "any amount");
  return `: members approve ${limit(memberLimitCents)}, administrators ${limit(adminLimitCents)}${workingHoursWords(workingHours)}`;
}

const payingAccountWords = ({ bank, bsb, accountNumber }: StoredDetails<PayingAccount>): string =>
  `${formatBsb(textOf(bsb))} ${textOf(accountNumber)} (${textOf(bank)})`;

function workingHoursWords(hours: StoredDetails<Settings>["workingHours"]): string {
  if (!hours) return ", no working hours";
  const { opensAtMinute, closesAtMinute, worksWeekends } = hours;
  const days = worksWeekends === true ? "every day" : "Monday to Friday";
  return `, working hours ${clock(opensAtMinute)} to ${clock(closesAtMinute)}, ${days}`;
}

const clock = (minute: unknown): string => {
  const [hours, minutes] = [Math.floor(numberOf(minute) / 60), numberOf(minute) % 60];
  return `${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
};

/** The statuses before and after, and the reason. */
type Moved = { from: PaymentStatus; to: PaymentStatus; reason: string | null };

type DecidedLines = LinesOf<number>;
/** The approved lines that are the approver's own work. */
type OwnLines = { selfApproval?: boolean; ownCount?: number; ownCents?: number };
type LeftLines = LinesOf<LeftLine>;
type LinesOf<Line> = { lines: readonly Line[]; count: number; cents?: number; reason?: string | null; rule?: string };

/** The results of checking a whole file, and what waits for a person. Integer cents. */
type Checked = {
  lineCount: number;
  rules: readonly { rule: string; level: string; count: number }[];
  heldCount: number;
  heldCents: number;
  largestHeldCents?: number;
  secondPersonRequired?: boolean;
  aboveMemberLimitCents?: number;
  aboveAdminLimitCents?: number;
  /** How the paying account in the file differs from the declared ones. */
  otherPayingAccount?: readonly string[];
};

/** Account numbers are masked. */
type Settings =
  | { sendsRemittances: boolean }
  | { payer: PayerDetails }
  | PaymentLimits
  | { fileId: string; payingAccounts: readonly PayingAccount[] }
  | { withdrawnAccount: PayingAccount };

type FirstOfFile = {
  count: number;
  cents: number;
  payees: readonly ({ id: string; name: string; cents: number } & CameFrom)[];
};

export const paymentActions = {
  "payment.recorded": {
    label: "Recorded the payment",
    sentence: ({
      who,
      subject,
      details,
    }: Facts<
      BankDetails & {
        payeeId: string | null;
        amount: number;
        reference: string;
        decision: "authorised" | "held";
        reasons: readonly { rule: string; level: RuleLevel }[];
        firstFromAccounting?: CameFrom;
      }
    >) => {
      const account = accountWords(details);
      return `${who} recorded ${subject}${after(", account ", account)}${reference(details)}${firedWords(details.reasons)}${first(details)}`;
    },
  },
  "payment.approved": {
    label: "Approved the held payment",
    sentence: ({
      who,
      subject,
      details,
    }: Facts<Moved & { rules: readonly string[]; selfApproval?: boolean; firstFromAccounting?: CameFrom }>) => {
      const own = details.selfApproval === true ? " (their own work)" : "";
      return `${who} approved ${subject}${own}${first(details)}${after(", held by ", rulesWords(details.rules))}${because(details)}`;
    },
  },
  "payment.rejected": {
    label: "Rejected the held payment",
    sentence: ({ who, subject, details }: Facts<Moved>) => `${who} rejected ${subject}${because(details)}`,
  },
  "payment.verification_requested": {
    label: "Asked for more verification",
    sentence: ({ who, subject, details }: Facts<Moved & { verificationId?: string }>) =>
      `${who} asked for more verification before ${subject} is paid${because(details)}`,
  },
  "payment.returned_to_held": {
    label: "The payment is held again",
    sentence: ({ subject, details }: Facts<{ verificationId: string } | { reason: string; cause: HoldCause }>) =>
      details.cause === undefined
        ? `${subject} is held again: the verification asked for has ended`
        : `${subject} is held again: ${wordsFor(HELD_BECAUSE, details.cause)}`,
  },
  "payment.succeeded": {
    label: "Marked the payment successful",
    sentence: ({
      who,
      subject,
      details,
    }: Facts<Moved & { processedAt: number; system?: ConnectableSystem; accountingPaymentId?: string }>) =>
      `${who} marked ${subject} successful${textOf(details.system) ? `: ${systemName(details.system)} has reconciled it` : ""}`,
  },
  "payment.accounting_deleted": {
    label: "A payment that was counted as successful was deleted in the accounting system",
    sentence: ({ subject, details }: Facts<{ system: string; amount: number; billNumber: string | null }>) =>
      `${systemName(details.system)} has deleted the payment by which ${subject} was marked successful`,
  },
  "payment.failed": {
    label: "Marked the payment failed",
    sentence: ({ who, subject, details }: Facts<Moved & { processedAt: number }>) =>
      `${who} marked ${subject} failed${because(details)}`,
  },
  "payment_file.uploaded": {
    label: "Uploaded a payment file",
    sentence: (
      facts: Facts<{ name: string; format: FileFormat; sha256: string; lineCount: number; totalCents: number }>,
    ) =>
      `${facts.who} uploaded ${fileOf(facts)}, ${wordsFor(FORMATS, facts.details.format)} of ${counted(facts.details.lineCount, "line")}, ${money(facts.details.totalCents)}`,
  },
  "payment_file.checked": {
    label: "Every line of the payment file was checked",
    sentence: ({ subject, details }: Facts<Checked>) =>
      `Every line of ${subject} was checked: ${counted(details.lineCount, "line")}${numberOf(details.heldCount) > 0 ? `, ${numberOf(details.heldCount)} held, ${money(details.heldCents)}` : ""}`,
  },
  "payment_file.check_failed": {
    label: "The payment file could not be checked",
    sentence: ({ subject }: Facts) => `The file ${subject} could not be checked`,
  },
  "payment_file.lines_approved": {
    label: "Approved held lines of a payment file",
    sentence: ({ who, subject, details }: Facts<DecidedLines & OwnLines>) =>
      `${who} approved held lines of ${subject}${details.selfApproval === true ? ` (${counted(details.ownCount, "line")} of their own work)` : ""}: ${linesWords(details)}`,
  },
  "payment_file.lines_rejected": {
    label: "Rejected lines of a payment file",
    sentence: ({ who, subject, details }: Facts<DecidedLines>) =>
      `${who} rejected lines of ${subject}: ${linesWords(details)}`,
  },
  "payment_file.lines_held_again": {
    label: "Lines of a payment file are held again",
    sentence: ({ subject, details }: Facts<LeftLines & { cents: number }>) =>
      `Lines of ${subject} are held again: ${linesWords(details)}`,
  },
  "payment_file.lines_judged_again": {
    label: "New information about held lines of a payment file",
    sentence: ({ subject, details }: Facts<LeftLines>) =>
      `There is new information about held lines of ${subject}: ${linesWords(details)}`,
  },
  "payment_file.cleared": {
    label: "Cleared the payment file for the bank",
    sentence: ({
      who,
      subject,
      details,
    }: Facts<{
      clearingId: string;
      sha256: string;
      lineCount: number;
      totalCents: number;
      firstFromAccounting?: FirstOfFile;
    }>) =>
      `${who} cleared ${subject} for the bank: ${counted(details.lineCount, "line")}, ${money(details.totalCents)}${firstOfFile(details)}`,
  },
  "payment_file.downloaded": {
    label: "Downloaded the cleared payment file",
    sentence: ({ who, subject }: Facts<{ clearingId: string; sha256: string }>) =>
      `${who} downloaded the cleared file of ${subject}`,
  },
  "payment_file.original_downloaded": {
    label: "Downloaded the uploaded payment file",
    sentence: ({ who, subject }: Facts<{ sha256: string }>) => `${who} downloaded ${subject} as it was uploaded`,
  },
  "payment_file.outcomes_recorded": {
    label: "Recorded what the bank did with a payment file",
    sentence: ({ who, subject, details }: Facts<{ successful: number; failed: number; processedAt: number }>) =>
      `${who} recorded what the bank did with ${subject}: ${numberOf(details.successful)} paid, ${numberOf(details.failed)} failed`,
  },
  "payment_file.abandoned": {
    label: "Abandoned a payment file",
    sentence: ({ who, subject }: Facts) => `${who} abandoned ${subject}`,
  },
  "payment_file.settings_changed": {
    label: "Changed the settings for payment files",
    sentence: ({ who, details }: Facts<Settings>) =>
      `${who} changed the settings for payment files${settingsWords(details)}`,
  },
} satisfies AuditedActions;
