import { paymentFileLines, ruleSets } from "@db/schema";
import { and, asc, eq, gt } from "drizzle-orm";
import { replayDecision } from "~/modules/payment-rules/rule-set";
import { readFacts } from "~/modules/payment-rules/stored-facts";
import type { ReadServices } from "~/services";

/** Lines read at once: their facts are about 2 KB each. */
const LINES_PER_READ = 500;
/** Lines named where the answer differs. */
const MAX_NAMED = 50;

export type ReplayResult = {
  lines: number;
  /** Lines for which the rules found another answer on the same facts. None, unless a record or a rule is broken. */
  different: { line: number; rules: string[] }[];
  differentCount: number;
  /** Rules whose version was raised since: what they found then stands, and is not compared. */
  changedRules: string[];
};

/** Runs the stored decisions of a file again: the facts that were seen, with the levels of then. */
export async function replayFile(
  { db }: ReadServices,
  { organizationId, fileId }: { organizationId: string; fileId: string },
): Promise<ReplayResult> {
  const result: ReplayResult = { lines: 0, different: [], differentCount: 0, changedRules: [] };
  const changed = new Set<string>();
  for (let after = 0; ; ) {
    const rows = await db
      .select({
        line: paymentFileLines.line,
        facts: paymentFileLines.facts,
        reasons: paymentFileLines.reasons,
        versions: ruleSets.versions,
        levels: ruleSets.levels,
      })
      .from(paymentFileLines)
      .innerJoin(
        ruleSets,
        and(eq(ruleSets.organizationId, organizationId), eq(ruleSets.id, paymentFileLines.ruleSetId)),
      )
      .where(
        and(
          eq(paymentFileLines.organizationId, organizationId),
          eq(paymentFileLines.fileId, fileId),
          gt(paymentFileLines.line, after),
        ),
      )
      .orderBy(asc(paymentFileLines.line))
      .limit(LINES_PER_READ);
    for (const { line, facts, reasons, versions, levels } of rows) {
      const replay = replayDecision({ facts: readFacts(facts), ruleSet: { versions, levels }, reasons });
      for (const rule of replay.changed) changed.add(rule);
      if (!replay.isSame) result.differentCount++;
      if (!replay.isSame && result.different.length < MAX_NAMED) {
        result.different.push({ line, rules: replay.different });
      }
    }
    result.lines += rows.length;
    const last = rows.at(-1);
    if (!last || rows.length < LINES_PER_READ) return { ...result, changedRules: [...changed] };
    after = last.line;
  }
}
