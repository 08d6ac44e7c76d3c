import { accountQuestions, columnsOf, payees, rowIn } from "@db/database";
import { and, asc, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import type { CheckOutcome } from "~/kernel/enums";
import type { BankDetails } from "~/kernel/payee";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { runCommand, runStatement, runStep } from "~/modules/core/commands/run-command.server";
import { openPrepared, prepareVerification } from "~/modules/payees/open-verification.server";
import { findPendingVerification, getPayee, payeeIsUnchanged } from "~/modules/payees/payee.server";
import {
  type AccountQuestion,
  endQuestion,
  findQuestion,
  isAskedFor,
  isOfAccount,
  keepAnswer,
  purposeOf,
  wantAnswers,
} from "~/modules/payees/verifications/account-questions.server";
import { isOpen } from "~/modules/payees/verifications/verification";
import { findVerification } from "~/modules/payees/verifications/verification.server";
import type { NewPayment } from "~/modules/payments/payment";
import { type ReadServices, systemActor } from "~/services-and-actor";
import { findObstacle } from "./ask-automatically.server";
import { recordResult } from "./bank-check.server";
import {
  type AskServices,
  checkedEntry,
  type Found,
  findResult,
  LOST_AFTER_MS,
  oneAtATime,
  recordAnswer,
} from "./instant-check.server";
import type { CountedQuestions } from "./question-limits.server";

/**
 * Asks banks about accounts, whether or not they belong to payees (`account_questions`). A bank is asked at most once
 * for each waiting question, even if two processes try or one crashes: the row is marked before the bank is asked.
 */

/** `busy`: another process is asking at this moment; `limited`: no more questions may be sent for now. */
export type Asked = "answered" | "busy" | "limited";

class AskedMeanwhile extends Error {}

/** Asks the bank a waiting question about an account, and writes the consequences of the answer. */
export async function askAccount(services: AskServices, question: AccountQuestion, counted?: CountedQuestions) {
  const { organizationId, cause } = question;
  if (question.askedAt !== null) {
    await runStatement(services, endQuestion(services, organizationId, question, { ended: "answer_lost" }));
    return "answered";
  }
  try {
    const asked = await oneAtATime(services, question, async (): Promise<Asked> => {
      await openForChosen(services, question);
      const asking = { purpose: purposeOf(cause), beforeAsking: () => markAsked(services, question), counted };
      const found = await findResult(services, organizationId, question, asking);
      if (found.result.reasonCode === "provider_busy") {
        // The bank was not asked, so the question keeps waiting.
        const mine = isOfAccount(organizationId, question);
        await runStatement(services, services.db.update(accountQuestions).set({ askedAt: null }).where(mine));
        return "limited";
      }
      await write(services, question, found);
      return "answered";
    });
    return asked ?? "busy";
  } catch (error) {
    if (error instanceof AskedMeanwhile) return "busy";
    if (!(error instanceof AppError)) throw error;
    return "limited";
  }
}

/** Marks the question before the bank is asked. @throws AskedMeanwhile if another process marked it first */
async function markAsked(services: AskServices, question: AccountQuestion): Promise<void> {
  const { db, clock } = services;
  const mine = isOfAccount(question.organizationId, question);
  const still = and(mine, isNull(accountQuestions.askedAt), isNull(accountQuestions.endedAt));
  const { ok } = await runStep(services, {
    conditions: [{ name: "asked_meanwhile", found: rowIn(db, accountQuestions).where(still) }],
    statements: [db.update(accountQuestions).set({ askedAt: clock.now() }).where(mine)],
  });
  if (!ok) throw new AskedMeanwhile();
}

/** The active payee with exactly this account and name. */
async function findPayeeOf({ db }: ReadServices, question: AccountQuestion) {
  const { organizationId, bsb, accountNumber, accountName } = question;
  const [row] = await db
    .select({ id: payees.id, whitelisted: payees.whitelisted })
    .from(payees)
    .where(
      and(
        eq(payees.organizationId, organizationId),
        eq(payees.bsb, bsb),
        eq(payees.accountNumber, accountNumber),
        eq(payees.accountName, accountName),
        isNull(payees.archivedAt),
      ),
    );
  return row;
}

/** Opens a verification to hold the answer, for a chosen payee that is not trusted. */
async function openForChosen(services: AskServices, question: AccountQuestion): Promise<void> {
  const { organizationId, cause } = question;
  if (cause !== "bulk_check") return;
  const found = await findPayeeOf(services, question);
  if (!found || found.whitelisted) return;
  if ((await findPendingVerification(services, { organizationId }, found.id)) !== undefined) return;
  const payee = await getPayee(services, { organizationId }, found.id);
  const opening = { payeeId: payee.id, details: payee, cause: "bulk_check" } as const;
  const prepared = await prepareVerification(services, { organizationId }, opening);
  const actor = systemActor(organizationId, services.ids.next());
  const opened = openPrepared(services, actor, prepared);
  await runCommand(services, actor, {
    conditions: [payeeIsUnchanged(services, organizationId, payee)],
    uniques: { verification_pending: "verifications" },
    parts: [opened],
  });
}

/** True if the outcome differs from a confirmation; a bank that could not answer does not count. */
const differs = (outcome: CheckOutcome): boolean => outcome !== "match" && outcome !== "unable";

/**
 * Stores the bank's answer: in the pending verification; in a new one if the answer contradicts a payee; otherwise only
 * with the account. An unfavourable answer raises an alert; trust, payments and details stay as they are until a person
 * decides.
 */
async function write(services: AskServices, question: AccountQuestion, found: Found): Promise<void> {
  const { organizationId } = question;
  const payee = await findPayeeOf(services, question);
  if (payee && (await writeForPayee(services, question, { payeeId: payee.id, found }))) return;
  const actor = systemActor(organizationId, services.ids.next());
  const { outcome, reasonCode } = found.result;
  await runCommand(services, actor, {
    statements: [settle(services, question, found, null)],
    audit: [
      {
        action: "organization.bank_asked",
        entityId: organizationId,
        details: {
          accountName: question.accountName,
          ...{ outcome, reasonCode, purpose: found.purpose },
          ...(found.lookUpId && { lookUpId: found.lookUpId }),
          ...(found.answeredBy && { answeredBy: found.answeredBy }),
        },
      },
    ],
  });
}

/** A new answer is stored; a reused one already is. */
const settle = (services: AskServices, question: AccountQuestion, found: Found, verificationId: string | null) =>
  found.earlier
    ? endQuestion(services, question.organizationId, question, { ended: "answered" })
    : keepAnswer(services, question.organizationId, question, { ...found.result, verificationId });

/** @returns false if the payee or its verification changed at this moment, so the answer is about outdated details */
async function writeForPayee(
  services: AskServices,
  question: AccountQuestion,
  { payeeId, found }: { payeeId: string; found: Found },
): Promise<boolean> {
  const { organizationId, cause } = question;
  const actor = systemActor(organizationId, services.ids.next());
  const pendingId = await findPendingVerification(services, { organizationId }, payeeId);
  const waiting = pendingId === undefined ? undefined : await findVerification(services, { organizationId }, pendingId);
  // If the payee was edited at this moment, the pending verification is about other details.
  if (waiting && !isAbout(question, waiting)) return false;
  if (waiting && isOpen(waiting.status) && waiting.disputedByPayeeAt === null && hasNoAnswer(waiting.outcome)) {
    const settles = found.earlier ? [settle(services, question, found, null)] : [];
    try {
      await recordAnswer(services, actor, waiting, { found, cause: cause ?? undefined, settles });
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }
  const payee = await getPayee(services, { organizationId }, payeeId);
  if (!isAbout(question, payee)) return false;
  // Fails if the payee was edited at this moment, or a person opened a verification.
  const conditions = [payeeIsUnchanged(services, organizationId, payee)];
  const { outcome, reasonCode } = found.result;
  if (waiting || !differs(outcome)) {
    const { lookUpId = null, answeredBy } = found;
    const details = { outcome, reasonCode, lookUpId, purpose: found.purpose, ...(answeredBy && { answeredBy }) };
    const { ok } = await runCommand(services, actor, {
      conditions,
      statements: [settle(services, question, found, null)],
      audit: [{ action: "payee.confirmed_again", entityId: payeeId, details }],
    });
    return ok;
  }
  const opening = { payeeId, details: payee, cause: "asked_again" } as const;
  const prepared = await prepareVerification(services, { organizationId }, opening);
  const { verificationId } = prepared;
  const costCents = found.charged ? services.config.instantCheckCostCents : 0;
  const opened = openPrepared(services, actor, prepared);
  const { ok } = await runCommand(services, actor, {
    conditions,
    uniques: { verification_pending: "verifications" },
    statements: [
      ...opened.statements,
      recordResult(services, { organizationId, verificationId }, { outcome: null }, { ...found, costCents }),
      settle(services, question, found, verificationId),
    ],
    audit: [...(opened.audit ?? []), checkedEntry(verificationId, found, { cause: cause ?? undefined })],
  });
  return ok;
}

const hasNoAnswer = (outcome: CheckOutcome | null): boolean => outcome === null || outcome === "unable";

const isAbout = (question: BankDetails, payee: BankDetails): boolean =>
  question.bsb === payee.bsb &&
  question.accountNumber === payee.accountNumber &&
  question.accountName === payee.accountName;

/**
 * The oldest questions first, without those being asked at this moment. Nobody waits for those that are asked again
 * after a year, so they come last.
 */
export async function listDueAccounts({ db, clock }: AskServices, organizationId: string, limit: number) {
  const list = (isOfTurn: SQL, most: number) =>
    db
      .select()
      .from(accountQuestions)
      .where(
        and(
          eq(accountQuestions.organizationId, organizationId),
          isNull(accountQuestions.endedAt),
          sql`coalesce(${accountQuestions.askedAt}, 0) <= ${clock.now() - LOST_AFTER_MS}`,
          isOfTurn,
        ),
      )
      .orderBy(asc(accountQuestions.wantedAt))
      .limit(most);
  const first = await list(ne(accountQuestions.cause, "asked_again"), limit);
  if (first.length === limit) return first;
  return [...first, ...(await list(eq(accountQuestions.cause, "asked_again"), limit - first.length))];
}

/**
 * Asks the bank about an account before it is paid, if the policy requires it for a first payment or for every payment,
 * so that the rules see the answer. An obstacle to asking does not stop the payment from being recorded.
 */
export async function askBeforePayment(
  services: AskServices,
  { organizationId }: { organizationId: string },
  payment: NewPayment,
): Promise<void> {
  if (!services.config.asksBanksAutomatically) return;
  try {
    const [{ askBanks }, wanted] = await Promise.all([
      findPolicy(services, organizationId),
      findWanted(services, organizationId, payment),
    ]);
    if (!wanted || !isAskedFor(askBanks, wanted.cause)) return;
    for (const statement of wantAnswers(services, organizationId, [wanted])) await runStatement(services, statement);
    const question = await findQuestion(services, organizationId, wanted);
    if (!question || question.endedAt !== null || (await findObstacle(services, organizationId)) !== undefined) return;
    const asked = question.askedAt === null ? await askAccount(services, question) : "busy";
    if (asked === "busy") await waitForAnswer(services, organizationId, wanted);
  } catch (error) {
    services.log.warn("bank_question.postponed", { organizationId, error: String(error) });
  }
}

/** How long the second request of a double submit waits for the first one's answer: longer than the provider. */
const WAITS_MS = 9_000;
const LOOKS_EVERY_MS = 250;

async function waitForAnswer(services: AskServices, organizationId: string, account: BankDetails): Promise<void> {
  for (let waited = 0; waited < WAITS_MS; waited += LOOKS_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
    if ((await findQuestion(services, organizationId, account))?.endedAt !== null) return;
  }
}

/** The account to be paid, and why its bank is asked; undefined for a payee that is not the organisation's. */
async function findWanted({ db }: ReadServices, organizationId: string, { to }: NewPayment) {
  const which =
    "payeeId" in to
      ? eq(payees.id, to.payeeId)
      : and(eq(payees.bsb, to.bsb), eq(payees.accountNumber, to.accountNumber));
  const [payee] = await db
    .select(columnsOf(payees, "bsb", "accountNumber", "accountName", "paymentCount"))
    .from(payees)
    .where(and(eq(payees.organizationId, organizationId), which));
  if (!payee) return "payeeId" in to ? undefined : { ...to, cause: "unknown_account" as const };
  const { paymentCount, ...account } = payee;
  return { ...account, cause: paymentCount === 0 ? ("first_payment" as const) : ("payment_run" as const) };
}
