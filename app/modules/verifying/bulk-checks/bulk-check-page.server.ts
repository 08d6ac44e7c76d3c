import { showTime, type Zone } from "~/kernel/dates";
import type { BulkCheckStatus } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { displayName, formatCount } from "~/kernel/text";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import {
  findMissingConfirmation,
  findSendingAllowance,
} from "~/modules/messages/notifications/outside-messages.queries.server";
import { FILTER_LABELS, type PayeeFilter } from "~/modules/payees/payee-list";
import { bankWord } from "~/modules/payees/verifications/account-questions.server";
import { describeOutcome, gradeFactsOf, gradeOf, inSentence } from "~/modules/payees/verifications/outcomes";
import { type Obstacle, obstacleWords } from "~/modules/verifying/bank-checks/ask-automatically.server";
import { type Actor, canWrite, type Services, type TimedServices } from "~/services-and-actor";
import { BULK_FILTERS, type BulkChoice, mayStart, mayStop, timeInWords } from "./bulk-check";
import {
  type AskedPayee,
  type BulkCheckRow,
  countBanksWaiting,
  findNotAsked,
  getBulkCheck,
  listAsked,
  listBanksAsked,
  listBulkChecks,
  readChoice,
} from "./bulk-check.server";

/** The organisation's newest bulk checks, and the form that counts the payees for another. */
export async function readBulkChecksPage(
  services: TimedServices & Pick<Services, "instantBankData">,
  actor: Actor,
  params: URLSearchParams,
) {
  const { q = "", filter: status, verified, paid } = readChoice(params);
  const [rows, missing] = await Promise.all([
    listBulkChecks(services, actor),
    canWrite(actor) ? findMissingConfirmation(services, actor) : null,
  ]);
  return {
    rows: await Promise.all(
      rows.map(async ({ check, asker }) => ({
        ...(await toView(services, actor, check)),
        askedBy: displayName(asker),
      })),
    ),
    missing,
    canChange: canWrite(actor),
    options: CHOICE_OPTIONS,
    /** Services for Confirmation of Payee are configured. */
    hasBanks: services.instantBankData !== undefined,
    values: { q, status, verified, paid },
  };
}

/** Reads the page of one bulk check. @throws AppError 404 */
export async function readBulkCheckPage(services: TimedServices, actor: Actor, id: string, after: number | undefined) {
  const row = await getBulkCheck(services, actor, id);
  const [check, missing, asked, notAsked, banks] = await Promise.all([
    toView(services, actor, row),
    canWrite(actor) && mayStart(row.status) ? findMissingConfirmation(services, actor) : null,
    listAsked(services, actor, { bulkCheckId: id, after }),
    findNotAsked(services, row),
    row.choice.ask ? readBanks(services, actor, row, after) : undefined,
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    check: { ...check, mayStart: check.mayStart && missing === null },
    /** What must be confirmed before it can start; null: nothing. */
    missing,
    /** The result for each payee whose bank is asked; absent: the payees themselves are asked. */
    banks: banks?.rows,
    asked: asked.rows.map((one) => ({
      position: one.position,
      name: one.payeeName,
      href: appPaths.verification(one.verificationId),
      word: wordOf(one),
      sentAt: one.notificationSentAt === null ? null : showTime(one.notificationSentAt, zone),
    })),
    notAsked: notAsked.map(({ payeeId, name, judgement }) => ({
      ...{ payeeId, name },
      href: appPaths.payee(payeeId),
      word: judgement === "ask" ? TO_ASK[row.status] : NOT_ASKED[judgement],
    })),
    firstHref: after === undefined ? undefined : `${appPaths.bulkCheck(id)}#asked`,
    nextHref: nextHrefOf(id, (banks ?? asked).next),
  };
}

const nextHrefOf = (id: string, next: number | undefined) =>
  next === undefined ? undefined : `${appPaths.bulkCheck(id)}?after=${next}#asked`;

/** What banks said about the payees of a check, or why they were not asked. */
async function readBanks(services: TimedServices, actor: Actor, { id: bulkCheckId }: BulkCheckRow, after?: number) {
  const [{ rows, next }, { bankBudgetCents }] = await Promise.all([
    listBanksAsked(services, actor, { bulkCheckId, after }),
    findPolicy(services, actor.organizationId),
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const shown = rows.map(({ position, payeeId, name, question }) => {
    const said = bankWord(question);
    const why = question?.ended === "not_asked" ? whyNot(question.problem, formatAud(bankBudgetCents)) : null;
    return {
      ...{ position, name, href: appPaths.payee(payeeId) },
      word: why ?? said?.word ?? "Not asked: the payee was edited in the meantime",
      at: said?.at ? showTime(said.at, zone) : null,
      isAgainst: why === null && said?.isAgainst === true,
    };
  });
  return { rows: shown, next };
}

const whyNot = (problem: string | null, budget: string): string =>
  problem === null || problem === "stopped"
    ? "Not asked: the check was stopped"
    : obstacleWords(problem as Obstacle, budget);

async function toView(services: TimedServices, actor: Actor, row: BulkCheckRow) {
  const { id, status, payeeCount, askedCount, problem } = row;
  const { timeZone, organizationId } = actor;
  const zone = { timeZone, now: services.clock.now() };
  // The waiting count matters only for a running check.
  const waiting = row.choice.ask && status === "running" ? await countBanksWaiting(services, row) : 0;
  const allowance = status === "ready" ? await findSendingAllowance(services, organizationId) : { perDay: 0, sent: 0 };
  const canChange = canWrite(actor);
  return {
    ...{ id, status, payeeCount, askedCount, problem },
    choice: choiceWords(row.choice),
    statusWord: STATUS_WORDS[status],
    at: showTime(row.startedAt ?? row.createdAt, zone),
    /** Sentences about the counts and what happens next. */
    sentences: row.choice.ask ? bankSentences(row, waiting, zone) : sentencesOf(row, allowance, zone),
    /** How many of those asked have an answer. */
    doneCount: askedCount - waiting,
    asksBanks: row.choice.ask === "bank",
    mayStart: canChange && mayStart(status) && payeeCount > 0,
    mayStop: canChange && mayStop(status) && (status !== "ready" || payeeCount > 0),
  };
}

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

const CHOICE_OPTIONS = {
  verified: toOptions(["never", "stale", "any"], VERIFIED_LABELS),
  paid: toOptions(["any", "year"], PAID_LABELS),
  status: toOptions(BULK_FILTERS, FILTER_LABELS),
};

/** "Never verified, paid in the last year". */
function choiceWords({ ask, ...choice }: BulkChoice): string {
  const who = chosenPayeesWords(choice);
  return ask ? `Banks of: ${who.charAt(0).toLowerCase()}${who.slice(1)}` : who;
}

function chosenPayeesWords({ q, filter, verified, paid, payeeIds }: Omit<BulkChoice, "ask">): string {
  if (payeeIds) return payeeIds.length === 1 ? "1 chosen payee" : `${payeeIds.length} chosen payees`;
  const parts = [
    verified === "any" ? "" : VERIFIED_LABELS[verified],
    paid === "any" ? "" : PAID_LABELS[paid],
    filter === "all" ? "" : FILTER_LABELS[filter],
    q ? `Found by “${q}”` : "",
  ].filter(Boolean);
  const [first = "All payees", ...rest] = parts;
  return [first, ...rest.map((part) => part.charAt(0).toLowerCase() + part.slice(1))].join(", ");
}

/** A bulk check of the payees in a list; undefined for lists that are not checked: disputed and archived payees. */
export function bulkChoiceHref({ q, filter }: { q?: string; filter: PayeeFilter }): string | undefined {
  if (!BULK_FILTERS.some((each) => each === filter)) return undefined;
  const status = filter === "all" ? undefined : filter;
  return withQuery(appPaths.bulkChecks, { q, status, verified: q ? "any" : undefined });
}

const STATUS_WORDS: Readonly<Record<BulkCheckStatus, string>> = {
  counting: "Counting",
  ready: "Not started",
  running: "Running",
  finished: "Finished",
  stopped: "Stopped",
};

type Allowance = { perDay: number; sent: number };

function sentencesOf(row: BulkCheckRow, allowance: Allowance, zone: Zone): string[] {
  const { status, payeeCount, askedCount, waitsUntil } = row;
  switch (status) {
    case "counting":
      return [`${formatCount(payeeCount, "payee")} so far. Nobody is asked before you start.`];
    case "ready":
      return payeeCount === 0 ? ["No payee can be asked.", ...leftOut(row)] : plan(row, allowance);
    case "running":
      return [
        `${formatCount(askedCount)} of about ${formatCount(payeeCount, "payee")} asked.`,
        waitsUntil === null
          ? "This page updates automatically; you can close it and come back."
          : `Today’s messages to people outside your organisation are used up, except for a few that you can send yourselves. It continues ${showTime(waitsUntil, zone).exact}.`,
      ];
    case "finished":
      return [
        `${formatCount(askedCount, "payee")} asked. Each answer appears under Payee Verification.`,
        ...leftOut(row),
      ];
    case "stopped":
      return [`${formatCount(askedCount, "payee")} asked. Those that were asked can still answer.`];
  }
}

/** A bank answers in about a second, so about this many are asked in a minute. */
const BANKS_A_MINUTE = 100;

/** The sentences for a check that asks banks. */
function bankSentences(row: BulkCheckRow, waiting: number, zone: { timeZone: string; now: number }): string[] {
  const { status, payeeCount, askedCount, waitsUntil, centsPerCheck } = row;
  const done = Math.max(0, askedCount - waiting);
  const left = underWay(row);
  switch (status) {
    case "counting":
      return [`${formatCount(payeeCount, "payee")} so far. No bank is asked before you start.`];
    case "ready":
      return payeeCount === 0
        ? ["No bank can be asked.", ...left]
        : [
            `The banks of ${formatCount(payeeCount, "payee")} would be asked whether the name belongs to the account. The payees get no message.`,
            centsPerCheck === 0
              ? "The service that asks the banks charges nothing for it."
              : `At most ${formatAud(payeeCount * centsPerCheck)}: ${formatAud(centsPerCheck)} for each answer, out of your budget for questions to banks. A question that a bank answered in the last 24 hours is not asked again.`,
            `It takes about ${formatCount(Math.max(1, Math.ceil(payeeCount / BANKS_A_MINUTE)), "minute")}.`,
            ...left,
          ];
    case "running":
      return [
        `${formatCount(done)} of about ${formatCount(payeeCount, "payee")} done.`,
        waitsUntil === null
          ? "This page updates automatically; you can close it and come back."
          : `Today’s questions are used up. It continues ${showTime(waitsUntil, zone).exact}.`,
      ];
    case "finished":
      return [
        `${formatCount(askedCount, "payee")} done. Anything that counts against a payee appears under Payee Verification.`,
        ...left,
      ];
    case "stopped":
      return [`${formatCount(askedCount, "payee")} chosen before it stopped. What each bank said is below.`];
  }
}

function plan(row: BulkCheckRow, allowance: Allowance): string[] {
  const { payeeCount, centsPerCheck } = row;
  const cost =
    centsPerCheck === 0
      ? "The bank data provider charges nothing for it."
      : `If every payee answers, the bank data provider charges ${formatAud(payeeCount * centsPerCheck)}: ${formatAud(centsPerCheck)} for each payee whose bank was asked.`;
  return [
    `${formatCount(payeeCount, "payee")} would be sent a link: they confirm their details and share the account from their own bank.`,
    cost,
    `Asking them takes ${timeInWords(payeeCount, allowance)}. Your organisation may send ${formatCount(allowance.perDay, "message")} a day to people outside it. A link works for seven days.`,
    ...leftOut(row),
  ];
}

const underWay = ({ underWayCount }: BulkCheckRow): string[] =>
  underWayCount > 0
    ? [`${formatCount(underWayCount, "payee")} left out: already asked, or waiting for a decision.`]
    : [];

const leftOut = (row: BulkCheckRow): string[] => [
  ...(row.noContactCount > 0
    ? [`${formatCount(row.noContactCount, "payee")} cannot be asked: no email address and no mobile number.`]
    : []),
  ...underWay(row),
];

/** The word for a payee that is to be asked, by the status of the bulk check. */
const TO_ASK: Readonly<Record<BulkCheckStatus, string>> = {
  counting: "Being counted",
  ready: "Will be asked",
  running: "Waiting for its turn",
  finished: "Skipped: it was changed just before it would have been asked",
  stopped: "Not asked: the check was stopped",
};

const NOT_ASKED = {
  no_contact: "Cannot be asked: no email address and no mobile number",
  under_way: "Left out: already asked, or waiting for a decision",
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
