import { paymentFileLines, ruleSets } from "@db/schema";
import { and, asc, eq, gte, lte, sql } from "drizzle-orm";
import type { PaymentFacts } from "~/modules/rules/facts";
import type { PaymentReason } from "~/modules/rules/payment-reason";
import type { RuleSet } from "~/modules/rules/rule-set";
import { readFacts, readFactsOfLines } from "~/modules/rules/stored-facts";
import type { ReadServices } from "~/services";

/** The decision about a line of a payment file: what the rules saw, the rules, and what they found. */
export type LineDecision = { line: number; facts: PaymentFacts; ruleSet: RuleSet; reasons: PaymentReason[] };

/**
 * The decisions about the lines of a file between two lines, both included, in their order: as the check of the file made
 * them, or as a line was judged again later.
 *
 * @throws Error when what the rules saw of a line is missing
 */
export async function listLineDecisions(
  services: ReadServices,
  { organizationId, fileId }: { organizationId: string; fileId: string },
  { firstLine, lastLine }: { firstLine: number; lastLine: number },
): Promise<LineDecision[]> {
  const lines = await services.db
    .select({
      fileId: paymentFileLines.fileId,
      line: paymentFileLines.line,
      reasons: paymentFileLines.reasons,
      facts: paymentFileLines.facts,
      ruleSet: { versions: ruleSets.versions, levels: ruleSets.levels },
    })
    .from(paymentFileLines)
    .leftJoin(ruleSets, and(eq(ruleSets.organizationId, organizationId), eq(ruleSets.id, paymentFileLines.ruleSetId)))
    .where(
      and(
        eq(paymentFileLines.organizationId, organizationId),
        eq(paymentFileLines.fileId, fileId),
        gte(paymentFileLines.line, firstLine),
        lte(paymentFileLines.line, lastLine),
      ),
    )
    .orderBy(asc(paymentFileLines.line));
  const seen = await readLineFacts(services, organizationId, lines);
  return lines.map(({ line, reasons, ruleSet }, index) => {
    const { facts, ruleSetOfCheck = ruleSet } = seen[index] ?? {};
    if (!facts || !ruleSetOfCheck) throw new Error(`the rules of line ${line} are missing`);
    return { line, facts, ruleSet: ruleSetOfCheck, reasons };
  });
}

/** A line as it is stored. `facts` is null where the check of its file left what the rules saw. */
export type StoredLine = { fileId: string; line: number; facts: string | null };

/**
 * What the rules saw of each of these lines. `ruleSetOfCheck` is absent for a line that was judged again: it has its own.
 *
 * @throws Error when it is missing for a line
 */
export async function readLineFacts(
  services: ReadServices,
  organizationId: string,
  lines: readonly StoredLine[],
): Promise<{ facts: PaymentFacts; ruleSetOfCheck?: RuleSet }[]> {
  const parts = await listParts(services, organizationId, lines);
  return lines.map((line) => {
    if (line.facts !== null) return { facts: readFacts(line.facts) };
    const part = parts.get(line.fileId)?.find(({ factsOf }) => factsOf.has(line.line));
    const facts = part?.factsOf.get(line.line);
    if (!part || !facts) throw new Error(`what the rules saw of line ${line.line} is missing`);
    return { facts, ruleSetOfCheck: part.ruleSet };
  });
}

type Part = { ruleSet: RuleSet; factsOf: Map<number, PaymentFacts> };

/** What the checks left for these lines, by file. */
async function listParts({ db }: ReadServices, organizationId: string, lines: readonly StoredLine[]) {
  const ranges = new Map<string, [fileId: string, first: number, last: number]>();
  for (const { fileId, line, facts } of lines) {
    if (facts !== null) continue;
    const [, first, last] = ranges.get(fileId) ?? [fileId, line, line];
    ranges.set(fileId, [fileId, Math.min(first, line), Math.max(last, line)]);
  }
  const rows = await db.all<
    Record<"fileId" | "facts" | "versions" | "levels", string>
  >(sql`SELECT "part"."fileId", "part"."facts",
      "rules"."versions", "rules"."levels"
    FROM json_each(${JSON.stringify([...ranges.values()])}) AS "asked" CROSS JOIN "payment_file_facts" AS "part"
    CROSS JOIN "rule_sets" AS "rules"
    WHERE "part"."organizationId" = ${organizationId} AND "part"."fileId" = "asked"."value" ->> 0
      AND "part"."firstLine" <= "asked"."value" ->> 2 AND "part"."lastLine" >= "asked"."value" ->> 1
      AND "rules"."organizationId" = ${organizationId} AND "rules"."id" = "part"."ruleSetId"`);
  const parts = new Map<string, Part[]>();
  for (const { fileId, facts, versions, levels } of rows) {
    const ruleSet = { versions: JSON.parse(versions), levels: JSON.parse(levels) } as RuleSet;
    const part = { ruleSet, factsOf: readFactsOfLines(facts) };
    parts.set(fileId, [...(parts.get(fileId) ?? []), part]);
  }
  return parts;
}
