import { paymentFileLines, paymentFiles, rowIn } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import { decodeBytes } from "~/kernel/encodings";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { Job } from "~/modules/core/commands/job";
import { finishJob, giveWay } from "~/modules/core/commands/outbox.server";
import {
  type CommandAudit,
  endJob,
  postponeJob,
  runCommand,
  runStep,
} from "~/modules/core/commands/run-command.server";
import {
  askingJob,
  isAskedFor,
  type WantedAnswer,
  wantAnswers,
} from "~/modules/payees/verifications/account-questions.server";
import { findFileSettings } from "~/modules/payments/approval-limits.server";
import { readLineFacts } from "~/modules/payments/payment-facts/decided-facts.server";
import {
  type AskedPayment,
  type FactsServices,
  gatherFacts,
  type PaymentsOf,
} from "~/modules/payments/payment-facts/facts.server";
import { type RuleLevels, ruleDecision, runRules } from "~/modules/rules";
import { hasNoAccount } from "~/modules/rules/account-rules";
import { saveRuleSet } from "~/modules/rules/decision-record.statements.server";
import type { PaymentFacts } from "~/modules/rules/facts";
import type { PaymentReason } from "~/modules/rules/payment-holds";
import {
  type ReadServices,
  type Services,
  systemActor,
  type TimedServices,
  type WriteServices,
} from "~/services-and-actor";
import { checkPayingAccount, type FileLine, nameWidthOf, summariseLines } from "./payment-file";
import {
  addToCounts,
  findPaymentFile,
  getBytes,
  insertLines,
  linesOf,
  type Owner,
  type PaymentFileDetail,
  recount,
} from "./payment-file.server";
import { type ReadFile, readPaymentFile } from "./read-file";

/** Runs the rules for single payments on a payment file's lines, with facts about how the lines relate. */

/** A line with the facts that the rules saw and what they found. */
export type JudgedLine = FileLine & { payeeId: string | null; facts: PaymentFacts; reasons: PaymentReason[] };

/** Lines that were judged together, and the rule levels at that time. */
export type Judged = { lines: JudgedLine[]; levels: RuleLevels };

type JudgedFile = Pick<
  typeof paymentFiles.$inferSelect,
  "organizationId" | "id" | "format" | "uploadedById" | "paysFrom"
>;

/** A line to judge. `approvedById`: the person who approved it, if any. */
type AskedLine = FileLine & { approvedById?: string | null };

/** Runs every rule on some lines of a file, with the facts of this moment. @param all every line of the file */
export function judgeLines(
  services: FactsServices,
  file: JudgedFile,
  all: readonly FileLine[],
  lines: readonly AskedLine[] = all,
): Promise<Judged> {
  const inFile = summariseLines(all);
  return judge(services, file, lines, (line) => ({ ...inFile(line), newDetails: line.newDetails }));
}

/** A stored line. `facts`: what the rules saw when it was judged again; null: stored with the file's check. */
type StoredLine = Omit<FileLine, "newDetails"> & { facts: string | null };

/** Judges lines of a checked file again. How the lines relate to each other was stored with the check. */
export async function judgeStoredLines(services: FactsServices, file: JudgedFile, stored: readonly StoredLine[]) {
  const ofFile = stored.map(({ line, facts }) => ({ fileId: file.id, line, facts }));
  const seen = await readLineFacts(services, file.organizationId, ofFile);
  const factsOf = new Map(stored.map(({ line }, index) => [line, seen[index]?.readFacts()]));
  const lines = stored.map((line) => ({ ...line, newDetails: factsOf.get(line.line)?.newDetails ?? false }));
  return judge(services, file, lines, ({ line }) => {
    const { otherTitles, earlierLine, newDetails } = factsOf.get(line) ?? {};
    return { otherTitles, earlierLine, newDetails };
  });
}

async function judge(
  services: FactsServices,
  { organizationId, id: fileId, format, uploadedById }: JudgedFile,
  lines: readonly AskedLine[],
  saidByOthers: (line: FileLine) => AskedPayment["further"],
): Promise<Judged> {
  const of: PaymentsOf = { organizationId, fileId, recordedById: uploadedById, nameWidth: nameWidthOf(format) };
  const asked = lines.map((line): AskedPayment => {
    const { accountName, bsb, accountNumber, amount, reference, approvedById } = line;
    return { to: { accountName, bsb, accountNumber }, amount, reference, approvedById, further: saidByOthers(line) };
  });
  const { facts, levels } = await gatherFacts(services, of, asked);
  const judged = lines.flatMap((line, index) => {
    const seen = facts[index];
    return seen ? [{ ...line, payeeId: seen.payee?.id ?? null, facts: seen, reasons: runRules(seen, levels) }] : [];
  });
  return { lines: judged, levels };
}

/** Checks the lines of a file, with the same steps in the upload request and in the queue's job. */

/** How much of a file is checked at a time. */
export type Pace = {
  /** How many lines one batch writes. */
  linesPerStep: number;
  /** No step starts after this time, in milliseconds. */
  forMs: number;
};

/** A few megabytes of rows. */
export const LINES_PER_STEP = 5_000;

/** Judges the next lines of a file, starting after the first `from`. Writes nothing. */
export async function judgeStep(
  services: WriteServices,
  file: JudgedFile,
  { lines, from, pace }: { lines: readonly FileLine[]; from: number; pace: Pace },
) {
  const owner = { organizationId: file.organizationId, fileId: file.id };
  const next = lines.slice(from, from + pace.linesPerStep);
  const { lines: judged, levels } = await judgeLines(services, file, lines, next);
  const { ruleSetId, statement } = await saveRuleSet(services, owner.organizationId, levels);
  const checked = from + judged.length;
  const isLast = checked >= lines.length;
  const wanted = await wantAnswersAbout(services, owner.organizationId, judged);
  const set = { checkedCount: checked, ...(isLast ? { status: "open" as const } : {}) };
  return {
    /** How many lines of the file are checked after this step. */
    checked,
    isLast,
    /** What the rules found on the lines of this step. */
    found: summariseFound(judged),
    statements: [
      statement,
      ...insertLines(services, { ...owner, ruleSetId }, judged),
      addToCounts(services, owner, { lines: judged, set }),
      ...wanted,
    ],
    /** The job that asks the banks about these lines. */
    jobs: wanted.length > 0 ? [askingJob(services, owner.organizationId)] : [],
  };
}

/** The payees whose banks are to be asked because of these lines, if the organisation's policy says so. */
async function wantAnswersAbout(services: WriteServices, organizationId: string, lines: readonly JudgedLine[]) {
  if (!services.config.asksBanksAutomatically) return [];
  const { askBanks } = await findPolicy(services, organizationId);
  const wanted = lines.flatMap(({ facts }): WantedAnswer[] => {
    const { payee, account } = facts;
    // A line cannot be paid without an account, or to a BSB that no bank has.
    if (hasNoAccount(facts) || facts.bsbProblem !== null) return [];
    if (!payee) return [{ ...account, cause: "unknown_account" }];
    const cause = payee.paymentCount === 0 ? "first_payment" : "payment_run";
    const { accountName, bsb, accountNumber } = payee;
    return payee.archivedAt === undefined ? [{ accountName, bsb, accountNumber, cause }] : [];
  });
  const asked = wanted.filter(({ cause }) => isAskedFor(askBanks, cause));
  return wantAnswers(services, organizationId, asked);
}

/**
 * The audit entry for a file whose lines have all been checked: the rules that fired, and what waits for a person.
 * Alerts, reports and webhooks take their content from it.
 */
export async function checkedAudit(
  services: TimedServices,
  { organizationId, id, paysFrom }: JudgedFile,
  lineCount: number,
  { rules, heldCount, heldCents, largestHeldCents }: Found,
): Promise<CommandAudit> {
  const [{ secondPersonRequired }, settings] = await Promise.all([
    findPolicy(services, organizationId),
    findFileSettings(services, organizationId),
  ]);
  const above = (limit: number | null) => (limit !== null && largestHeldCents > limit ? limit : undefined);
  const { problems } = checkPayingAccount(paysFrom, settings.payingAccounts);
  const waiting = {
    largestHeldCents,
    ...(secondPersonRequired && { secondPersonRequired }),
    /** The approval limits that the largest held payment exceeds. */
    aboveMemberLimitCents: above(settings.memberLimitCents),
    aboveAdminLimitCents: above(settings.adminLimitCents),
  };
  const stopped = problems.length > 0 && { otherPayingAccount: problems.slice(0, MAX_SAID) };
  return {
    action: "payment_file.checked",
    entityId: id,
    details: { lineCount, rules, heldCount, heldCents, ...(heldCount > 0 && waiting), ...stopped },
    bySystem: true,
  };
}

/** At most this many differences in the paying account are named in an audit entry. */
const MAX_SAID = 3;

/** A file whose check is not finished. */
export type Rest = {
  file: JudgedFile;
  lines: readonly FileLine[];
  /** How many lines are already checked. */
  from: number;
  /** What the rules found on the checked lines. */
  found: Found;
  /** The file's job, which the caller holds. */
  job: Job;
  pace: Pace;
  /** When the caller started, in epoch milliseconds. */
  since: number;
};

/**
 * Checks the remaining lines in steps. Each step is one batch on condition that the file is where it was read, so that
 * if a step runs twice, or the caller dies, every line is still checked exactly once. If time runs out, the queue
 * continues.
 */
export async function checkInSteps(services: WriteServices, rest: Rest): Promise<void> {
  const { file, lines, job, pace } = rest;
  const owner = { organizationId: file.organizationId, fileId: file.id };
  let found = rest.found;
  for (let from = rest.from; ; from += pace.linesPerStep) {
    const isLate = isOver(services, rest);
    await giveWay();
    const step = await judgeStep(services, file, { lines, from, pace });
    found = addFound(found, step.found);
    const conditions = [checkedUpTo(services, owner, from)] as const;
    if (step.isLast) {
      await runCommand(services, systemActor(owner.organizationId, job.id), {
        conditions,
        statements: [...step.statements, endJob(services, job, "done")],
        jobs: step.jobs,
        audit: [await checkedAudit(services, file, step.checked, found)],
      });
      return;
    }
    const again = isLate ? [postponeJob(services, job, { dueAt: services.clock.now(), attempts: 0 })] : [];
    const { ok } = await runStep(services, {
      conditions,
      statements: [...step.statements, ...again],
      jobs: step.jobs,
      woken: isLate ? [job] : [],
    });
    if (!ok || isLate) return;
  }
}

/** True when the caller's time is up: it starts no further step. */
export const isOver = ({ clock }: Pick<Services, "clock">, { pace, since }: Pick<Rest, "pace" | "since">): boolean =>
  clock.now() - since >= pace.forMs;

/** The condition that the file is being checked and this many of its lines are done. */
function checkedUpTo({ db }: WriteServices, { organizationId, fileId }: Owner, count: number) {
  const found = rowIn(db, paymentFiles).where(
    and(
      eq(paymentFiles.organizationId, organizationId),
      eq(paymentFiles.id, fileId),
      eq(paymentFiles.status, "checking"),
      eq(paymentFiles.checkedCount, count),
    ),
  );
  return { name: "checked_already" as const, found };
}

/** For a queue delivery: well within the lease, and within a consumer's time limit. */
const PACE_OF_DELIVERY: Pace = { linesPerStep: LINES_PER_STEP, forMs: 15_000 };

/** Continues the check of a file, read once, in steps; where this delivery runs out of time, the next goes on. */
export async function checkPaymentFile(services: WriteServices, job: Job, pace = PACE_OF_DELIVERY): Promise<void> {
  const { organizationId, subjectId: fileId } = job;
  const file = organizationId && fileId ? await findPaymentFile(services, { organizationId }, fileId) : undefined;
  if (!organizationId || !file || file.status !== "checking") return finishJob(services, job);
  const { lines } = await readStoredFile(services, organizationId, file);
  const since = services.clock.now();
  const from = file.checkedCount;
  const found = from === 0 ? NOTHING_FOUND : await readFound(services, organizationId, file);
  await checkInSteps(services, { file: { ...file, organizationId }, lines, from, found, job, pace, since });
}

/**
 * Reads an uploaded file the way it was read on upload: with the columns chosen then and, for a list of bills, the
 * accounts of that day, whatever has changed since.
 */
export async function readStoredFile(
  services: Pick<Services, "db" | "secrets">,
  organizationId: string,
  { id, byteCount, format, columns }: PaymentFileDetail,
): Promise<ReadFile> {
  const bytes = await getBytes(services, { organizationId, ownerId: id, byteCount });
  const isOfBills = columns !== null && "accounts" in columns;
  const chosen = isOfBills ? columns.chosen : columns;
  const asThen = {
    ...(isOfBills ? { accounts: columns.accounts } : {}),
    known: chosen ? { [chosen.signature]: chosen.mapping } : {},
  };
  const reading = readPaymentFile(decodeBytes(bytes), { isPasted: format === "pasted", ...asThen });
  if (!reading.ok) throw new Error("a stored payment file can no longer be read");
  return reading.file;
}

/** After the last attempt failed: abandons the file; its page says so. */
export async function giveUpPaymentFile(services: WriteServices, job: Job, error: string): Promise<void> {
  const { organizationId, subjectId: fileId } = job;
  const file = organizationId && fileId ? await findPaymentFile(services, { organizationId }, fileId) : undefined;
  if (!organizationId || !file || file.status !== "checking") return finishJob(services, job, "failed", error);
  await runCommand(services, systemActor(organizationId, job.id), {
    conditions: [checkedUpTo(services, { organizationId, fileId: file.id }, file.checkedCount)],
    statements: [
      recount(services, { organizationId, fileId: file.id }, { status: "abandoned" }),
      endJob(services, job, "failed", error),
    ],
    audit: [{ action: "payment_file.check_failed", entityId: file.id }],
  });
}

/** How often each rule fired on the stored lines of a file, at most 20,000. */
function countFiredRules({ db }: ReadServices, { organizationId, fileId }: Owner): Promise<Required<FiredRule>[]> {
  return db.all<
    Required<FiredRule>
  >(sql`SELECT "reason"."value" ->> 'rule' AS "rule", "reason"."value" ->> 'level' AS "level",
      count(*) AS "count"
    FROM ${paymentFileLines}, json_each("payment_file_lines"."reasons") AS "reason"
    WHERE "payment_file_lines"."organizationId" = ${organizationId} AND "payment_file_lines"."fileId" = ${fileId}
    GROUP BY 1, 2`);
}

/** A summary of what the rules found on checked lines. Integer cents. */
export type Found = { rules: Required<FiredRule>[]; heldCount: number; heldCents: number; largestHeldCents: number };

const NOTHING_FOUND: Found = { rules: [], heldCount: 0, heldCents: 0, largestHeldCents: 0 };

function summariseFound(judged: readonly JudgedLine[]): Found {
  const held = judged.filter(({ reasons }) => ruleDecision(reasons) === "held").map(({ amount }) => amount);
  return {
    rules: sumRules(judged.flatMap(({ reasons }) => reasons)),
    heldCount: held.length,
    heldCents: held.reduce((sum, amount) => sum + amount, 0),
    largestHeldCents: held.reduce((largest, amount) => Math.max(largest, amount), 0),
  };
}

const addFound = (a: Found, b: Found): Found => ({
  rules: sumRules([...a.rules, ...b.rules]),
  heldCount: a.heldCount + b.heldCount,
  heldCents: a.heldCents + b.heldCents,
  largestHeldCents: Math.max(a.largestHeldCents, b.largestHeldCents),
});

/** The findings on the lines of a file that are already stored. */
async function readFound(
  services: ReadServices,
  organizationId: string,
  { id: fileId, heldCount, heldCents }: { id: string; heldCount: number; heldCents: number },
): Promise<Found> {
  const [rules, [largest]] = await Promise.all([
    countFiredRules(services, { organizationId, fileId }),
    services.db
      .select({ cents: sql<number>`coalesce(max(${paymentFileLines.amount}), 0)` })
      .from(paymentFileLines)
      .where(and(...linesOf({ organizationId, fileId }), eq(paymentFileLines.status, "held"))),
  ]);
  return { rules, heldCount, heldCents, largestHeldCents: largest?.cents ?? 0 };
}

/** `count` defaults to 1. */
type FiredRule = { rule: string; level: string; count?: number };

/** One entry for each rule and level, most frequent first. */
export function sumRules(fired: readonly FiredRule[]): Required<FiredRule>[] {
  const sums = new Map<string, Required<FiredRule>>();
  for (const { rule, level, count = 1 } of fired) {
    const sum = sums.get(`${rule}:${level}`) ?? { rule, level, count: 0 };
    sums.set(`${rule}:${level}`, { ...sum, count: sum.count + count });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count || a.rule.localeCompare(b.rule));
}
