import { accountQuestions, type Statement } from "@db/database";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { DAY_MS, formatDate } from "~/kernel/dates";
import {
  type AccountQuestionCause,
  type AccountQuestionEnd,
  ASK_BANKS,
  type AskBanks,
  type CheckOutcome,
} from "~/kernel/enums";
import type { BankDetails } from "~/kernel/payee";
import type { NewJob } from "~/modules/core/commands/run-command.server";
import type { InstantAnswer, QuestionPurpose } from "~/ports/instant-bank-data";
import type { ReadServices, Services, TimedServices } from "~/services-and-actor";
import { describeOutcome } from "./outcomes";
import { isConclusive, type ResultData } from "./verification";

/** Questions to banks about an account under a name: a row for each pair, with the waiting one and the last answer. */

export type AccountQuestion = typeof accountQuestions.$inferSelect;

/** The policy that enables each cause; null: somebody chose the payees, whatever the policy. */
const FROM: Readonly<Record<AccountQuestionCause, AskBanks | null>> = {
  unknown_account: "added_or_changed",
  supplier_changed: "added_or_changed",
  asked_again: "added_or_changed",
  first_payment: "first_payment",
  payment_run: "every_run",
  bulk_check: null,
};

/** True if an organisation with this policy asks banks for this cause: each policy level includes the lower ones. */
export function isAskedFor(policy: AskBanks, cause: AccountQuestionCause): boolean {
  const from = FROM[cause];
  return from === null || ASK_BANKS.indexOf(policy) >= ASK_BANKS.indexOf(from);
}

const FOR_PAYMENTS: readonly AccountQuestionCause[] = ["unknown_account", "first_payment", "payment_run"];

export const purposeOf = (cause: AccountQuestionCause | null): QuestionPurpose =>
  cause !== null && FOR_PAYMENTS.includes(cause) ? "PYMT" : "VADR";

export const isOfAccount = (organizationId: string, { bsb, accountNumber, accountName }: BankDetails) =>
  and(
    eq(accountQuestions.organizationId, organizationId),
    eq(accountQuestions.bsb, bsb),
    eq(accountQuestions.accountNumber, accountNumber),
    eq(accountQuestions.accountName, accountName),
  );

/** How long an answer counts, so that the bank is not asked again. */
const LASTS_MS = DAY_MS;

/**
 * Queues a question about each of these accounts: one for each account and name that has no answer from the last 24
 * hours and no waiting question. A question that waits only because a year is over gets the new cause, so that it no
 * longer comes last.
 */
export function wantAnswers({ db, clock }: TimedServices, organizationId: string, wanted: readonly WantedAnswer[]) {
  const now = clock.now();
  const rows = wanted.map(({ bsb, accountNumber, accountName, cause }) => [bsb, accountNumber, accountName, cause]);
  return inParts(rows, ROWS_PER_STATEMENT).map((part) =>
    db
      .insert(accountQuestions)
      .select(
        sql`SELECT ${organizationId}, "row"."value" ->> 0, "row"."value" ->> 1, "row"."value" ->> 2, "row"."value" ->> 3, ${now},
          NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM json_each(${JSON.stringify(part)}) AS "row" WHERE true`,
      )
      .onConflictDoUpdate({
        target: KEY,
        set: {
          cause: sql`excluded."cause"`,
          wantedAt: now,
          askedAt: null,
          endedAt: null,
          ended: null,
          problem: null,
        },
        setWhere: sql`CASE WHEN ${accountQuestions.endedAt} IS NULL
          THEN ${accountQuestions.askedAt} IS NULL AND ${accountQuestions.cause} = 'asked_again' AND excluded."cause" <> 'asked_again'
          ELSE coalesce(${accountQuestions.answeredAt}, 0) <= ${now - LASTS_MS} END`,
      }),
  );
}

export type WantedAnswer = BankDetails & { cause: AccountQuestionCause };

/** The job that asks banks an organisation's waiting questions. */
export const askingJob = ({ ids }: Pick<Services, "ids">, organizationId: string): NewJob => ({
  id: ids.next(),
  kind: "bank_questions",
  organizationId,
  subjectId: null,
});

const KEY = [
  accountQuestions.organizationId,
  accountQuestions.bsb,
  accountQuestions.accountNumber,
  accountQuestions.accountName,
];
const ROWS_PER_STATEMENT = 5_000;

type Answered = {
  outcome: CheckOutcome;
  reasonCode: string | null;
  resultData: ResultData | null;
  /** The verification that stores it. */
  verificationId: string | null;
};

/** Stores a bank's answer, whoever asked. If the bank had no answer, the earlier answer stays. */
export function keepAnswer(
  { db, clock }: TimedServices,
  organizationId: string,
  { bsb, accountNumber, accountName }: BankDetails,
  { outcome, reasonCode, resultData, verificationId }: Answered,
): Statement {
  const now = clock.now();
  const said = isConclusive(outcome);
  const ending = {
    endedAt: now,
    ended: said ? ("answered" as const) : ("unable" as const),
    problem: said ? null : reasonCode,
  };
  const answer = said ? { answeredAt: now, outcome, reasonCode, resultData, verificationId } : {};
  return db
    .insert(accountQuestions)
    .values({ organizationId, bsb, accountNumber, accountName, wantedAt: now, askedAt: now, ...ending, ...answer })
    .onConflictDoUpdate({ target: KEY, set: { askedAt: now, ...ending, ...answer } });
}

/** Ends a waiting question without a new answer. */
export const endQuestion = (
  { db, clock }: TimedServices,
  organizationId: string,
  account: BankDetails,
  { ended, problem = null }: { ended: AccountQuestionEnd; problem?: string | null },
): Statement =>
  db
    .update(accountQuestions)
    .set({ endedAt: clock.now(), ended, problem })
    .where(and(isOfAccount(organizationId, account), isNull(accountQuestions.endedAt)));

export async function findQuestion({ db }: ReadServices, organizationId: string, account: BankDetails) {
  const [row] = await db.select().from(accountQuestions).where(isOfAccount(organizationId, account));
  return row;
}

/** An immediate answer from a bank, and the verification that stores it. */
export type EarlierAnswer = {
  verificationId: string | null;
  checkedAt: number;
  answeredBy?: string;
  answer: InstantAnswer;
};

/** A recent answer from the bank about the same account and name, which is used instead of asking again. */
export async function findEarlierAnswer(
  { db, clock }: TimedServices,
  organizationId: string,
  account: BankDetails,
): Promise<EarlierAnswer | undefined> {
  const [row] = await db
    .select({ resultData: accountQuestions.resultData, verificationId: accountQuestions.verificationId })
    .from(accountQuestions)
    .where(and(isOfAccount(organizationId, account), gt(accountQuestions.answeredAt, clock.now() - LASTS_MS)));
  const answer = row && storedInstantAnswer(row.resultData);
  if (!answer || !row.resultData) return undefined;
  const { checkedAt, answeredBy } = row.resultData;
  return { verificationId: row.verificationId, checkedAt, answeredBy, answer };
}

/** The bank's immediate answer from a stored result; undefined for any other result. */
export function storedInstantAnswer(resultData: ResultData | null): InstantAnswer | undefined {
  if (resultData?.source !== "cop" || resultData.bankVerdict === undefined) return undefined;
  return { verdict: resultData.bankVerdict, name: resultData.accountName ?? null };
}

const nameKey = ({ bsb, accountNumber, accountName }: BankDetails) => JSON.stringify([bsb, accountNumber, accountName]);

/** The questions about each of these accounts under its name, for one page of them. */
export async function listQuestions(
  { db }: ReadServices,
  organizationId: string,
  accounts: readonly BankDetails[],
): Promise<(account: BankDetails) => AccountQuestion | undefined> {
  if (accounts.length === 0) return () => undefined;
  const asked = JSON.stringify(accounts.map((account) => JSON.parse(nameKey(account))));
  const named = sql`(${accountQuestions.bsb}, ${accountQuestions.accountNumber}, ${accountQuestions.accountName}) IN
    (SELECT "value" ->> 0, "value" ->> 1, "value" ->> 2 FROM json_each(${asked}))`;
  const rows = await db
    .select()
    .from(accountQuestions)
    .where(and(eq(accountQuestions.organizationId, organizationId), named));
  const found = new Map(rows.map((row) => [nameKey(row), row]));
  return (account) => found.get(nameKey(account));
}

type AnsweredQuestion = Pick<
  AccountQuestion,
  "askedAt" | "endedAt" | "ended" | "problem" | "answeredAt" | "outcome" | "reasonCode"
>;

/** What a list says about an account's bank: its last answer, or why there is none; null: nothing is known. */
export function bankWord(
  question: AnsweredQuestion | null | undefined,
): { word: string; at: number | null; isAgainst: boolean } | null {
  if (!question) return null;
  const { askedAt, endedAt, ended, answeredAt, outcome, reasonCode } = question;
  if (answeredAt !== null && outcome !== null) {
    const isAgainst = outcome !== "match" && outcome !== "close_match";
    return { word: describeOutcome(outcome, reasonCode).title, at: answeredAt, isAgainst };
  }
  // A limit, a budget or an unconfirmed email address can keep a question waiting.
  const waiting = askedAt === null ? "The bank has not been asked yet" : "The bank is being asked";
  if (endedAt === null) return { word: waiting, at: null, isAgainst: false };
  const word =
    ended === "unable"
      ? "The bank could not answer"
      : ended === "answer_lost"
        ? "The bank's answer was lost"
        : "The bank was not asked";
  return { word, at: endedAt, isAgainst: false };
}

/** The same on one line: "Name confirmed by the bank, 26 Nov 2026". */
export function tellBank(question: AnsweredQuestion | null | undefined, { timeZone }: { timeZone: string }) {
  const said = bankWord(question);
  return said && (said.at === null ? said.word : `${said.word}, ${formatDate(said.at, timeZone)}`);
}
