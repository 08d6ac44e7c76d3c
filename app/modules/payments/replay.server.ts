import { columnsOf, decisionRecords, paymentFileLines, paymentRecords, ruleSets } from "@db/database";
import { and, asc, eq, gt, gte, lte } from "drizzle-orm";
import { formatAud } from "~/kernel/money";
import { ruleLabel } from "~/modules/rules";
import { type Replay, type RuleSet, replayDecision } from "~/modules/rules/decision-record.statements.server";
import type { PaymentFacts } from "~/modules/rules/facts";
import type { PaymentReason } from "~/modules/rules/payment-holds";
import { readFacts, UnreadableFacts } from "~/modules/rules/stored-facts";
import type { Asking, ReadServices } from "~/services-and-actor";
import { getPayment } from "./payment.server";
import { readLineFacts } from "./payment-facts/decided-facts.server";
import { getPaymentFile, linesOf, type Owner } from "./payment-files/payment-file.server";

/** Runs stored decisions again, on the stored facts and at the stored levels. Changes nothing. */

type Stored = { readFacts: () => PaymentFacts; ruleSet: RuleSet; reasons: PaymentReason[] };

/** Repeats the decision; undefined when its facts cannot be read. */
function replayStored({ readFacts, ruleSet, reasons }: Stored): Replay | undefined {
  try {
    return replayDecision({ facts: readFacts(), ruleSet, reasons });
  } catch (error) {
    if (error instanceof UnreadableFacts) return undefined;
    throw error;
  }
}

/**
 * Runs the stored decision of a payment again. `isKept` false: the payment was recorded before facts were stored with
 * decisions. `different`: rules that find something else on the same facts, which only happens if a record or a rule is
 * broken. `changedRules`: rules whose version was raised since; their stored result stands and is not compared.
 * `unreadableCount` is 1 when the facts were stored but cannot be read, so nothing can be compared.
 */
export async function replayPayment(services: ReadServices, asking: Asking, paymentId: string) {
  const kept = (await findOwnRecord(services, asking, paymentId)) ?? (await findAsLine(services, asking, paymentId));
  const replay = kept && replayStored(kept);
  return {
    isKept: kept !== undefined,
    different: replay?.different ?? [],
    changedRules: replay?.changed ?? [],
    unreadableCount: kept && !replay ? 1 : 0,
  };
}

export async function readPaymentReplayPage(services: ReadServices, asking: Asking, id: string) {
  const payment = await getPayment(services, asking, id);
  const { different, changedRules, ...replay } = await replayPayment(services, asking, id);
  return {
    ...replay,
    id,
    name: `${formatAud(payment.amount)} to ${payment.payee?.name ?? payment.accountName}`,
    different: different.map(ruleLabel),
    changedRules: changedRules.map(ruleLabel),
  };
}

async function findOwnRecord({ db }: ReadServices, { organizationId }: Asking, paymentId: string) {
  const [row] = await db
    .select({
      facts: decisionRecords.facts,
      reasons: paymentRecords.reasons,
      ruleSet: { versions: ruleSets.versions, levels: ruleSets.levels },
    })
    .from(decisionRecords)
    .innerJoin(
      paymentRecords,
      and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, decisionRecords.paymentId)),
    )
    .innerJoin(ruleSets, and(eq(ruleSets.organizationId, organizationId), eq(ruleSets.id, decisionRecords.ruleSetId)))
    .where(and(eq(decisionRecords.organizationId, organizationId), eq(decisionRecords.paymentId, paymentId)));
  return row && { ...row, readFacts: () => readFacts(row.facts) };
}

/** The payment came from a cleared file, so it was decided as one of the file's lines. */
async function findAsLine(services: ReadServices, { organizationId }: Asking, paymentId: string) {
  const [row] = await services.db
    .select({ fileId: paymentFileLines.fileId, line: paymentFileLines.line })
    .from(paymentFileLines)
    .where(and(eq(paymentFileLines.organizationId, organizationId), eq(paymentFileLines.paymentId, paymentId)));
  if (!row) return undefined;
  const { fileId, line } = row;
  const [decision] = await listLineDecisions(services, { organizationId, fileId }, { firstLine: line, lastLine: line });
  return decision;
}

/** How many lines are read at once: a few hundred KB with their facts. */
const LINES_PER_READ = 500;
/** At most this many differing lines are named. */
const MAX_NAMED = 50;

/** Replays every line of a file; `different` names the first lines that differ. */
export async function replayFile(services: ReadServices, owner: Owner) {
  const different: { line: number; rules: string[] }[] = [];
  const counts = { lines: 0, differentCount: 0, unreadableCount: 0 };
  const changed = new Set<string>();
  for (let after = 0; ; ) {
    const range = await findNextLines(services, owner, after);
    if (!range) return { ...counts, different, changedRules: [...changed] };
    const decisions = await listLineDecisions(services, owner, range);
    for (const decision of decisions) {
      const replay = replayStored(decision);
      if (!replay) counts.unreadableCount++;
      for (const rule of replay?.changed ?? []) changed.add(rule);
      if (!replay || replay.isSame) continue;
      counts.differentCount++;
      if (different.length < MAX_NAMED) different.push({ line: decision.line, rules: replay.different });
    }
    counts.lines += decisions.length;
    after = range.lastLine;
  }
}

export async function readFileReplayPage(services: ReadServices, { organizationId }: Asking, fileId: string) {
  const { id, name } = await getPaymentFile(services, { organizationId }, fileId);
  const { different, changedRules, ...replay } = await replayFile(services, { organizationId, fileId });
  return {
    ...{ id, name, ...replay },
    different: different.map(({ line, rules }) => ({ line, labels: rules.map(ruleLabel) })),
    changedRules: changedRules.map(ruleLabel),
  };
}

/** The range of the next lines of a file; undefined after the last. */
async function findNextLines({ db }: ReadServices, owner: Owner, after: number) {
  const lines = await db
    .select({ line: paymentFileLines.line })
    .from(paymentFileLines)
    .where(and(...linesOf(owner), gt(paymentFileLines.line, after)))
    .orderBy(asc(paymentFileLines.line))
    .limit(LINES_PER_READ);
  const [first, last] = [lines[0], lines.at(-1)];
  return first && last && { firstLine: first.line, lastLine: last.line };
}

/**
 * The decisions about the lines of a file within a range (inclusive), in order: from the check of the file, or from the
 * last time the line was judged again.
 *
 * @throws Error when the facts of a line are missing
 */
export async function listLineDecisions(
  services: ReadServices,
  owner: Owner,
  { firstLine, lastLine }: { firstLine: number; lastLine: number },
): Promise<(Stored & { line: number })[]> {
  const { organizationId } = owner;
  const lines = await services.db
    .select({
      ...columnsOf(paymentFileLines, "fileId", "line", "reasons", "facts"),
      ruleSet: { versions: ruleSets.versions, levels: ruleSets.levels },
    })
    .from(paymentFileLines)
    .leftJoin(ruleSets, and(eq(ruleSets.organizationId, organizationId), eq(ruleSets.id, paymentFileLines.ruleSetId)))
    .where(and(...linesOf(owner), gte(paymentFileLines.line, firstLine), lte(paymentFileLines.line, lastLine)))
    .orderBy(asc(paymentFileLines.line));
  const seen = await readLineFacts(services, organizationId, lines);
  return lines.map(({ line, reasons, ruleSet }, index) => {
    const { readFacts, ruleSetOfCheck = ruleSet } = seen[index] ?? {};
    if (!readFacts || !ruleSetOfCheck) throw new Error(`the rules of line ${line} are missing`);
    return { line, readFacts, ruleSet: ruleSetOfCheck, reasons };
  });
}
