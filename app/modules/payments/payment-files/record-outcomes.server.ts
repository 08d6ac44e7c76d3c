import {
  type Condition,
  columnsOf,
  jsonRows,
  payees,
  paymentFileLines,
  paymentRecords,
  paymentTransitions,
  type Statement,
} from "@db/database";
import { and, asc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { inParts } from "~/kernel/all-in-order";
import { AppError, invalidInput } from "~/kernel/app-error";
import { accountKey, parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import { decodeBytes } from "~/kernel/encodings";
import type { PaymentStatus } from "~/kernel/enums";
import { collectProblems, type FileProblem, nameLines } from "~/kernel/file-problem";
import { plainWords } from "~/kernel/plain-issues";
import { capital, cleanText } from "~/kernel/text";
import { type IdempotentRequest, runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import { hasOtherAccount, latestProcessedAt, MAX_REASON_LENGTH, processedAtProblem } from "~/modules/payments/payment";
import { dayProcessed, timeProcessed } from "~/modules/payments/payment-fields.server";
import { queueRemittances } from "~/modules/payments/remittances.server";
import { referenceKey } from "~/modules/rules/duplicate-payment";
import type { Actor, ReadServices, Services, WriteServices } from "~/services-and-actor";
import { DETAIL, fieldOf, RECORD_WIDTH } from "./aba";
import { MAX_LINES } from "./payment-file";
import { fileChanged, getPaymentFile, linesOf, type Owner, unreadableFile } from "./payment-file.server";

/**
 * A payment in a bank's file of returned direct entry payments: type 2 records, laid out like type 1, in which column
 * 18 says why the payment came back. Source: Australian Payments Network, Bulk Electronic Clearing System procedures,
 * returned items.
 */
type ReturnedPayment = {
  /** Line of the return file, from 1. */
  line: number;
  bsb: string;
  accountNumber: string;
  /** Integer cents. */
  amount: number;
  title: string;
  reference: string;
  /** Why the bank returned it, as a sentence. */
  reason: string;
};

const REASONS: Readonly<Record<string, string>> = {
  "1": "The BSB does not exist",
  "2": "The payment was stopped",
  "3": "The account is closed",
  "4": "The account holder has died",
  "5": "The account does not exist, or its number is wrong",
  "6": "The receiver's bank asks to be contacted",
  "7": "The payment was deleted",
  "8": "The direct entry user id is wrong",
  "9": "The payment is technically invalid",
};

/** Reads the returned payments of a file. Its header and totals are not needed to know which payments came back. */
function readReturns(text: string): { ok: true; returned: ReturnedPayment[] } | { ok: false; problems: FileProblem[] } {
  const problems = collectProblems();
  const returned: ReturnedPayment[] = [];
  for (const [index, row] of text.split(/\r\n|\n|\r/).entries()) {
    const line = index + 1;
    if (!row.startsWith("2")) continue;
    const record = row.padEnd(RECORD_WIDTH);
    const bsb = parseBsb(fieldOf(record, DETAIL.bsb));
    const accountNumber = parseAccountNumber(fieldOf(record, DETAIL.account));
    const amount = Number(fieldOf(record, DETAIL.amount));
    const reason = REASONS[fieldOf(record, DETAIL.indicator)];
    if (!bsb || !accountNumber || !Number.isSafeInteger(amount) || amount <= 0) {
      problems.error(line, "the account or the amount of the returned payment cannot be read.");
    } else if (!reason) {
      problems.error(
        line,
        `the return code in column 18 is “${fieldOf(record, DETAIL.indicator)}”. It must be 1 to 9.`,
      );
    } else {
      const title = fieldOf(record, DETAIL.title).trim();
      const reference = fieldOf(record, DETAIL.reference).trim();
      returned.push({ line, bsb, accountNumber, amount, title, reference, reason });
    }
  }
  if (returned.length === 0 && !problems.hasErrors()) {
    problems.error(null, "The file has no returned payment (type 2) records.");
  }
  return problems.hasErrors() ? { ok: false, problems: problems.list() } : { ok: true, returned };
}

type LineOutcome = { status: "successful" | "failed"; reason: string | null };

/** Every payment gets one outcome, except the lines in `except`, which get the other. */
type BulkOutcome = { status: "successful" | "failed"; except: readonly number[]; reason: string | null };

type OutcomesInput = {
  fileId: string;
  /** An outcome for every payment of the file that has none yet, or the returns from a bank. */
  outcome: BulkOutcome | { returned: readonly ReturnedPayment[] };
  /** When the bank processed them, epoch milliseconds; null: now. */
  processedAt: number | null;
  idempotencyKey?: string;
};

const MAX_LINE = 10_000_000;

const reason = z
  .string()
  .nullish()
  .transform((text) => (text ? cleanText(text) || null : null))
  .refine((text) => (text ?? "").length <= MAX_REASON_LENGTH, `Keep the reason to ${MAX_REASON_LENGTH} characters`);

const status = z.enum(["successful", "failed"], { error: "The outcome must be successful or failed" });

/** The API body: one outcome for every payment, and the other for the lines in `except`. */
export const outcomesSchema = z.object({
  status,
  except: z
    .array(z.number().int().min(1).max(MAX_LINE))
    .max(MAX_LINES)
    .default([])
    .meta({ description: "Lines of the uploaded file with the other outcome." }),
  reason,
  processedAt: timeProcessed,
});

const INVALID_LINES = "Enter line numbers, such as 3, 17-19";

const formSchema = z.object({
  except: z
    .string()
    .optional()
    .transform((text, context) => {
      const lines = parseLineList(text ?? "");
      if (lines) return lines;
      context.addIssue({ code: "custom", message: INVALID_LINES });
      return z.NEVER;
    }),
  reason,
  processedOn: dayProcessed("Enter the day on which the bank processed the payments"),
});

const RANGE = /^(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?$/;

/** Parses `3, 17-19` into line numbers; undefined if the text is invalid. */
export function parseLineList(text: string): number[] | undefined {
  const lines = new Set<number>();
  for (const part of text.split(/[,;\n]+/).filter((each) => each.trim() !== "")) {
    const found = RANGE.exec(part.trim());
    const from = Number(found?.[1]);
    const to = Number(found?.[2] ?? found?.[1]);
    if (!found || to < from || to - from > MAX_LINES) return undefined;
    for (let line = from; line <= to; line++) lines.add(line);
  }
  return [...lines];
}

type Outcome = Pick<OutcomesInput, "outcome" | "processedAt">;

/** Parses the page's form "All successful but these". @throws AppError 400 */
export function parseOutcomes(form: FormData): Outcome {
  const posted = formSchema.safeParse(Object.fromEntries(form), { error: plainWords });
  if (!posted.success) throw invalidInput(z.flattenError(posted.error).fieldErrors);
  const { except, reason: why, processedOn } = posted.data;
  return { outcome: { status: "successful", except, reason: why }, processedAt: processedOn };
}

/** Parses a bank's return file. @throws AppError 400 INVALID_FILE with the lines */
export function parseReturns(bytes: Uint8Array): Outcome {
  const reading = readReturns(decodeBytes(bytes));
  if (!reading.ok) throw unreadableFile(reading.problems);
  return { outcome: { returned: reading.returned }, processedAt: null };
}

/** Reads the page that asks for the outcomes. @throws AppError 404 */
export async function readOutcomesPage(services: Pick<Services, "db" | "ids">, actor: Actor, fileId: string) {
  const { id, name, clearedCount, settledCount } = await getPaymentFile(services, actor, fileId);
  return { id, name, waiting: clearedCount - settledCount, submissionId: services.ids.next() };
}

/** A payment may get its outcome in another way at the same moment; the payments are then read again. */
const TRIES = 3;

/**
 * Records what the bank did with the cleared payments of a file: all of them with exceptions, or those in a return
 * file. The payees' `paymentCount` and `lastPaymentDate` change in the same batch, so each payment is counted exactly
 * once.
 *
 * @throws AppError 404; 400 for an impossible date, a failure without a reason, or an exception that is not a cleared
 * payment; 409 NOTHING_TO_SETTLE, FILE_CHANGED, IDEMPOTENCY_CONFLICT
 */
export async function recordFileOutcomes(services: WriteServices, actor: Actor, input: OutcomesInput) {
  const { idempotencyKey: key, ...asked } = input;
  requireReason(input.outcome);
  return runOnce(services, actor, { operation: "payment file outcomes", key, input: asked }, async (request) => {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const written = await tryToSettle(services, actor, input, request);
      if (written) return written;
    }
    throw fileChanged();
  });
}

export type Outcomes = Awaited<ReturnType<typeof recordFileOutcomes>>;

/** @throws AppError 400 */
function requireReason(outcome: OutcomesInput["outcome"]): void {
  if ("returned" in outcome || outcome.reason) return;
  if (outcome.status === "failed" || outcome.except.length > 0) throw invalidInput({ reason: ["Say why they failed"] });
}

/** @returns undefined when a payment changed between reading and writing */
async function tryToSettle(
  services: WriteServices,
  actor: Actor,
  { fileId, outcome, processedAt: given }: OutcomesInput,
  request: IdempotentRequest | undefined,
) {
  const { organizationId } = actor;
  await getPaymentFile(services, actor, fileId);
  const payments = await listClearedPayments(services, { organizationId, fileId });
  requireKnownExceptions(payments, outcome);
  const waiting = payments.filter(({ status }) => status === "authorised");
  const { byLine, unmatched } = decide(waiting, outcome);
  const endings = waiting.flatMap((payment): Ending[] => {
    const own = byLine.get(payment.line);
    return own ? [{ ...payment, ...own }] : [];
  });
  if (endings.length === 0)
    throw new AppError("NOTHING_TO_SETTLE", "No cleared payment of this file is waiting for an outcome.");
  const processedAt = readProcessedAt(given, waiting, services.clock.now());
  const failed = endings.filter(({ status }) => status === "failed").length;
  const left = payments.flatMap(({ line, status }) => (status === "held" ? [line] : []));
  const paid = endings.flatMap(({ id, status, countsFor }) => (status === "successful" && countsFor ? [id] : []));
  const answer = {
    settled: endings.length - failed,
    failed,
    /** Lines whose payment is held again: it gets no outcome until somebody decides or records one. */
    left,
    /** Lines of the bank's return file that match no payment of this file. */
    unmatched,
  };
  const result = await runCommand(services, actor, {
    conditions: paymentsAreUnchanged(organizationId, endings),
    statements: endPayments(services, actor, { endings, processedAt }),
    parts: [await queueRemittances(services, organizationId, paid)],
    audit: [
      {
        action: "payment_file.outcomes_recorded",
        entityId: fileId,
        details: { successful: answer.settled, failed, processedAt },
      },
    ],
    request,
    answer,
  });
  return result.ok ? result.answer : undefined;
}

/** The payments recorded by clearing a file, each with its line. */
async function listClearedPayments({ db }: ReadServices, { organizationId, fileId }: Owner) {
  const rows = await db
    .select({
      line: paymentFileLines.line,
      ...columnsOf(paymentRecords, "id", "status", "version", "amount", "reference"),
      ...columnsOf(paymentRecords, "accountName", "bsb", "accountNumber", "createdAt", "payeeId"),
      payee: { bsb: payees.bsb, accountNumber: payees.accountNumber },
    })
    .from(paymentFileLines)
    .innerJoin(
      paymentRecords,
      and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, paymentFileLines.paymentId)),
    )
    .leftJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, paymentRecords.payeeId)))
    .where(and(...linesOf({ organizationId, fileId })))
    .orderBy(asc(paymentFileLines.line));
  // A payment to an account that the payee no longer has does not count for the payee.
  return rows.map((row) => ({ ...row, countsFor: hasOtherAccount(row) ? null : row.payeeId }));
}

type ClearedPayment = Awaited<ReturnType<typeof listClearedPayments>>[number];

/** @throws AppError 400 */
function requireKnownExceptions(payments: readonly ClearedPayment[], outcome: OutcomesInput["outcome"]): void {
  const problem = "returned" in outcome ? undefined : exceptionsProblem(payments, outcome);
  if (problem) throw invalidInput({ except: [problem] }, problem);
}

/**
 * What is wrong with the lines named as exceptions, as a sentence; undefined when they are valid. With a wrong number,
 * a failed payment would be recorded as successful.
 */
function exceptionsProblem(
  payments: readonly { line: number; status: PaymentStatus }[],
  { status, except }: Pick<BulkOutcome, "status" | "except">,
): string | undefined {
  const statusOf = new Map(payments.map((payment) => [payment.line, payment.status]));
  const absent = except.filter((line) => !statusOf.has(line));
  if (absent.length > 0) {
    const are = absent.length === 1 ? "is" : "are";
    return `${capital(nameLines(absent))} ${are} not among the payments that were cleared. Count lines as in the file that you uploaded.`;
  }
  const ended = except.filter((line) => statusOf.get(line) === status);
  if (ended.length === 0) return undefined;
  return `${capital(nameLines(ended))} already ${ended.length === 1 ? "has" : "have"} the outcome “${status}”.`;
}

function decide(waiting: readonly ClearedPayment[], outcome: OutcomesInput["outcome"]) {
  if (!("returned" in outcome)) {
    const byLine: Map<number, LineOutcome> = outcomesOf(
      waiting.map(({ line }) => line),
      outcome,
    );
    return { byLine, unmatched: [] };
  }
  const { failed, unmatched } = matchReturns(waiting, outcome.returned);
  return { byLine: failed, unmatched: unmatched.map(({ line }) => line) };
}

function outcomesOf(lines: readonly number[], { status, except, reason }: BulkOutcome): Map<number, LineOutcome> {
  const others = new Set(except);
  return new Map(
    lines.map((line) => {
      const own = others.has(line) === (status === "failed") ? "successful" : "failed";
      return [line, { status: own, reason: own === "failed" ? reason : null }];
    }),
  );
}

type Payment = { line: number; bsb: string; accountNumber: string; amount: number; reference: string | null };

const keyOf = (payment: Omit<Payment, "line">) =>
  `${accountKey(payment)} ${payment.amount} ${referenceKey(payment.reference ?? "")}`;

/**
 * Matches each return to one payment with the same account, amount and reference.
 * @returns the failures by line, and the returns that match no payment of the file
 */
function matchReturns(payments: readonly Payment[], returned: readonly ReturnedPayment[]) {
  const waiting = new Map<string, number[]>();
  for (const payment of payments) {
    const key = keyOf(payment);
    waiting.set(key, [...(waiting.get(key) ?? []), payment.line]);
  }
  const failed = new Map<number, LineOutcome>();
  const unmatched = returned.filter((each) => {
    const line = waiting.get(keyOf(each))?.shift();
    if (line !== undefined) failed.set(line, { status: "failed", reason: each.reason });
    return line === undefined;
  });
  return { failed, unmatched };
}

/** @throws AppError 400 when the payments cannot have been processed at this time */
function readProcessedAt(given: number | null, payments: readonly { createdAt: number }[], now: number): number {
  if (given === null) return now;
  const latest = Math.max(...payments.map(({ createdAt }) => createdAt));
  const problem = processedAtProblem(given, latest, now);
  if (problem) throw invalidInput({ processedOn: [problem] }, problem);
  return latestProcessedAt(given, now);
}

/** How many payments one statement takes: about 1 MB. */
const ROWS_PER_STATEMENT = 5_000;

type Ending = Pick<ClearedPayment, "id" | "version" | "countsFor"> & LineOutcome;

/** The condition that every payment is still authorised and as it was read: neither ended nor held again. */
function paymentsAreUnchanged(organizationId: string, endings: readonly Ending[]): Condition<"payments_changed">[] {
  return inParts(endings, ROWS_PER_STATEMENT).map((part) => {
    const seen = JSON.stringify(part.map(({ id, version }) => [id, version]));
    return {
      name: "payments_changed",
      found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM json_each(${seen}) AS "seen"
        LEFT JOIN "payment_records" AS "now" ON "now"."organizationId" = ${organizationId}
          AND "now"."id" = "seen"."value" ->> 0
        WHERE "now"."status" IS NOT 'authorised' OR "now"."version" IS NOT "seen"."value" ->> 1)`,
    };
  });
}

/** Statements that end many payments: one step each, the new status, and the counts of their payees. */
function endPayments(
  services: Pick<Services, "db" | "clock" | "ids">,
  { organizationId, userId }: { organizationId: string; userId: string },
  { endings, processedAt }: { endings: readonly Ending[]; processedAt: number },
): Statement[] {
  const { db, clock, ids } = services;
  const now = clock.now();
  return [
    ...inParts(endings, ROWS_PER_STATEMENT).flatMap((part) => {
      const ended = jsonRows(part.map(({ id, version, status, reason }) => [ids.next(), id, version, status, reason]));
      return [
        db.insert(paymentTransitions).select(sql`SELECT "given"."value" ->> 0, ${organizationId}, "given"."value" ->> 1,
          "given"."value" ->> 2, 'authorised', "given"."value" ->> 3, "given"."value" ->> 4, ${userId}, ${now}
          FROM ${ended}`),
        db
          .update(paymentRecords)
          .set({
            status: sql`"given"."value" ->> 3`,
            failureReason: sql`"given"."value" ->> 4`,
            version: sql`${paymentRecords.version} + 1`,
            processedAt,
            updatedAt: now,
          })
          .from(ended)
          .where(
            and(eq(paymentRecords.organizationId, organizationId), sql`${paymentRecords.id} = "given"."value" ->> 1`),
          ),
      ];
    }),
    ...countSuccesses(services, organizationId, { endings, processedAt }),
  ];
}

function countSuccesses(
  { db }: ReadServices,
  organizationId: string,
  { endings, processedAt }: { endings: readonly Ending[]; processedAt: number },
): Statement[] {
  const counts = new Map<string, number>();
  for (const { countsFor, status } of endings) {
    if (countsFor !== null && status === "successful") counts.set(countsFor, (counts.get(countsFor) ?? 0) + 1);
  }
  return inParts([...counts], ROWS_PER_STATEMENT).map((part) =>
    db
      .update(payees)
      .set({
        paymentCount: sql`${payees.paymentCount} + ("given"."value" ->> 1)`,
        lastPaymentDate: sql`max(coalesce(${payees.lastPaymentDate}, 0), ${processedAt})`,
      })
      .from(jsonRows(part))
      .where(and(eq(payees.organizationId, organizationId), sql`${payees.id} = "given"."value" ->> 0`)),
  );
}
