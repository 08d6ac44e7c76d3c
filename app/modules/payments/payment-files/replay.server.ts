import { paymentFileLines } from "@db/schema";
import { and, asc, eq, gt } from "drizzle-orm";
import { listLineDecisions } from "~/modules/payments/payment-facts/line-facts.server";
import { replayDecision } from "~/modules/rules/rule-set";
import type { ReadServices } from "~/services";

/** Lines read at once: with their facts a few hundred KB. */
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

type Owner = { organizationId: string; fileId: string };

/** Runs the stored decisions of a file again: the facts that were seen, with the levels of then. */
export async function replayFile(services: ReadServices, owner: Owner): Promise<ReplayResult> {
  const result: ReplayResult = { lines: 0, different: [], differentCount: 0, changedRules: [] };
  const changed = new Set<string>();
  for (let after = 0; ; ) {
    const range = await findNextLines(services, owner, after);
    if (!range) return { ...result, changedRules: [...changed] };
    const decisions = await listLineDecisions(services, owner, range);
    for (const decision of decisions) {
      const replay = replayDecision(decision);
      for (const rule of replay.changed) changed.add(rule);
      if (!replay.isSame) result.differentCount++;
      if (!replay.isSame && result.different.length < MAX_NAMED) {
        result.different.push({ line: decision.line, rules: replay.different });
      }
    }
    result.lines += decisions.length;
    after = range.lastLine;
  }
}

/** The next lines of a file as a range; undefined after the last. */
async function findNextLines({ db }: ReadServices, { organizationId, fileId }: Owner, after: number) {
  const lines = await db
    .select({ line: paymentFileLines.line })
    .from(paymentFileLines)
    .where(
      and(
        eq(paymentFileLines.organizationId, organizationId),
        eq(paymentFileLines.fileId, fileId),
        gt(paymentFileLines.line, after),
      ),
    )
    .orderBy(asc(paymentFileLines.line))
    .limit(LINES_PER_READ);
  const [first, last] = [lines[0], lines.at(-1)];
  return first && last && { firstLine: first.line, lastLine: last.line };
}
