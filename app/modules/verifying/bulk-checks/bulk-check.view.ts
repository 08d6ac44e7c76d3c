import type { BulkCheckStatus } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import { FILTER_LABELS, type PayeeFilter } from "~/modules/payees/payee-list";
import { gradeFactsOf, gradeOf, inSentence } from "~/modules/payees/verifications/grade";
import { describeOutcome } from "~/modules/payees/verifications/outcomes";
import {
  type AskedPayee,
  BULK_FILTERS,
  type BulkCheck,
  type BulkChoice,
  mayStart,
  mayStop,
  type NotAsked,
  timeInWords,
} from "./bulk-check";

/** What the pages of bulk checks draw. Texts come ready. */

const VERIFIED_LABELS: Readonly<Record<BulkChoice["verified"], string>> = {
  never: "Never verified",
  stale: "Verified long ago",
  any: "Verified or not",
};
const PAID_LABELS: Readonly<Record<BulkChoice["paid"], string>> = {
  year: "Paid in the last year",
  any: "Paid or not",
};

const toOptions = <Value extends string>(values: readonly Value[], labels: Readonly<Record<Value, string>>) =>
  values.map((value) => ({ value, label: labels[value] }));

/** The choices of the form. */
export const CHOICE_OPTIONS = {
  verified: toOptions(["never", "stale", "any"], VERIFIED_LABELS),
  paid: toOptions(["any", "year"], PAID_LABELS),
  status: toOptions(BULK_FILTERS, FILTER_LABELS),
};

/** "Never verified, paid in the last year". */
export function sayChoice({ q, filter, verified, paid, payeeIds }: BulkChoice): string {
  if (payeeIds) return payeeIds.length === 1 ? "1 chosen payee" : `${payeeIds.length} chosen payees`;
  const parts = [
    verified === "any" ? "" : VERIFIED_LABELS[verified],
    paid === "any" ? "" : PAID_LABELS[paid],
    filter === "all" ? "" : FILTER_LABELS[filter],
    q ? `found by “${q}”` : "",
  ].filter(Boolean);
  const [first = "All payees", ...rest] = parts;
  return [first, ...rest.map((part) => part.charAt(0).toLowerCase() + part.slice(1))].join(", ");
}

/** The bulk check of the payees that a list shows; undefined for those that are not checked: disputed and archived ones. */
export function bulkChoiceHref({ q, filter }: { q?: string; filter: PayeeFilter }): string | undefined {
  if (!BULK_FILTERS.some((each) => each === filter)) return undefined;
  const status = filter === "all" ? undefined : filter;
  return withQuery(appPaths.bulkChecks, { q, status, verified: q ? "any" : undefined });
}

type Zone = { timeZone: string; now: number };

const counted = (count: number, noun = "payee") => `${count.toLocaleString("en-AU")} ${noun}${count === 1 ? "" : "s"}`;

export const STATUS_WORDS: Readonly<Record<BulkCheckStatus, string>> = {
  counting: "Counting",
  ready: "Not started",
  running: "Running",
  finished: "Every payee was asked",
  stopped: "Stopped",
};

export type BulkCheckView = {
  id: string;
  choice: string;
  status: BulkCheckStatus;
  statusWord: string;
  askedBy: string;
  at: ShownTime;
  payeeCount: number;
  askedCount: number;
  /** What was counted and what follows, in sentences. */
  sentences: string[];
  problem: string | null;
  mayStart: boolean;
  mayStop: boolean;
};

type Allowance = { perDay: number; sent: number };

export function toBulkCheckView(
  row: BulkCheck,
  { askedBy, zone, allowance, canChange }: { askedBy: string; zone: Zone; allowance: Allowance; canChange: boolean },
): BulkCheckView {
  const { id, status, payeeCount, askedCount, problem } = row;
  return {
    ...{ id, status, payeeCount, askedCount, problem, askedBy },
    choice: sayChoice(row.choice),
    statusWord: STATUS_WORDS[status],
    at: showTime(row.startedAt ?? row.createdAt, zone),
    sentences: sentencesOf(row, allowance, zone),
    mayStart: canChange && mayStart(status) && payeeCount > 0,
    mayStop: canChange && mayStop(status) && (status !== "ready" || payeeCount > 0),
  };
}

function sentencesOf(row: BulkCheck, allowance: Allowance, zone: Zone): string[] {
  const { status, payeeCount, askedCount, waitsUntil } = row;
  switch (status) {
    case "counting":
      return [`${counted(payeeCount)} so far. Nobody is asked before you start.`];
    case "ready":
      return payeeCount === 0 ? ["No payee can be asked.", ...leftOut(row)] : plan(row, allowance);
    case "running":
      return [
        `${askedCount.toLocaleString("en-AU")} of about ${counted(payeeCount)} asked.`,
        waitsUntil === null
          ? "This page shows the next ones by itself; you can close it and come back."
          : `Today’s messages to people outside your organisation are used up, but for a few that you can send yourselves. It goes on ${showTime(waitsUntil, zone).exact}.`,
      ];
    case "finished":
      return [`${counted(askedCount)} asked. Each answer is in the review desk as a verification.`, ...leftOut(row)];
    case "stopped":
      return [`${counted(askedCount)} asked. Those that were asked can still answer.`];
  }
}

function plan(row: BulkCheck, allowance: Allowance): string[] {
  const { payeeCount, centsPerCheck } = row;
  const cost =
    centsPerCheck === 0
      ? "The bank data provider charges nothing for it."
      : `If every payee answers, the bank data provider charges ${formatAud(payeeCount * centsPerCheck)}: ${formatAud(centsPerCheck)} for each payee whose bank was asked.`;
  return [
    `${counted(payeeCount)} would be sent a link: they confirm their details and share the account from their own bank.`,
    cost,
    `Asking them takes ${timeInWords(payeeCount, allowance)}. Your organisation may send ${counted(allowance.perDay, "message")} a day to people outside it. A link works for seven days.`,
    ...leftOut(row),
  ];
}

const leftOut = ({ noContactCount, underWayCount }: BulkCheck): string[] => [
  ...(noContactCount > 0 ? [`${counted(noContactCount)} cannot be asked: no email address and no mobile number.`] : []),
  ...(underWayCount > 0 ? [`${counted(underWayCount)} left out: asked already, or waiting for a decision.`] : []),
];

export type AskedRow = { position: number; name: string; href: string; word: string; sentAt: ShownTime | null };

export function toAskedRow(asked: AskedPayee, zone: Zone): AskedRow {
  const { position, payeeName: name, verificationId, notificationSentAt } = asked;
  return {
    ...{ position, name },
    href: appPaths.verification(verificationId),
    word: wordOf(asked),
    sentAt: notificationSentAt === null ? null : showTime(notificationSentAt, zone),
  };
}

export type NotAskedRow = { payeeId: string; name: string; href: string; word: string };

export const toNotAskedRow = (status: BulkCheckStatus, { payeeId, name, judgement }: NotAsked): NotAskedRow => ({
  ...{ payeeId, name },
  href: appPaths.payee(payeeId),
  word: judgement === "ask" ? TO_ASK[status] : NOT_ASKED[judgement],
});

/** A payee that could be asked, by how far its bulk check is. */
const TO_ASK: Readonly<Record<BulkCheckStatus, string>> = {
  counting: "Being counted",
  ready: "Will be asked",
  running: "Waits for its turn",
  finished: "Passed over: it was changed at the moment it was to be asked",
  stopped: "Not asked: the check was stopped",
};

const NOT_ASKED = {
  no_contact: "Cannot be asked: no email address and no mobile number",
  under_way: "Left out: asked already, or waiting for a decision",
  not_chosen: "Left out: archived",
} as const;

const DECIDED = { verified: "Verified", rejected: "Rejected", failed: "Failed" } as const;

function wordOf(asked: AskedPayee): string {
  const { status, outcome, reasonCode, notificationSentAt, verifiedByPayee, redWord } = asked;
  const grade = gradeOf(gradeFactsOf(asked));
  if (status !== "pending") return grade ? `${DECIDED[status]}: ${inSentence(grade)}` : DECIDED[status];
  if (outcome !== null) return redWord ?? describeOutcome(outcome, reasonCode).title;
  if (notificationSentAt === null) return "About to be sent";
  return verifiedByPayee ? "Confirmed by the payee, the bank has not answered" : "Waiting for the payee";
}
