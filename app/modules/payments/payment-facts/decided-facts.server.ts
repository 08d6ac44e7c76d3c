import { sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import type { RuleSet } from "~/modules/rules/decision-record.statements.server";
import type { PaymentFacts } from "~/modules/rules/facts";
import { readFacts, readFactsOfLines, UnreadableFacts } from "~/modules/rules/stored-facts";
import type { ReadServices, TimedServices } from "~/services-and-actor";

/** The stored facts of decided payments. */

const DAYS = 90;
/** How many payments of each kind (single payments, and lines of files) are read, newest first. */
const MAX_PAYMENTS = 1_500;

/** The stored facts of payments decided in the last 90 days, newest first. `isPartial`: some are missing. */
export async function listDecidedFacts(services: TimedServices, organizationId: string) {
  const { db, clock } = services;
  const since = clock.now() - DAYS * DAY_MS;
  const [single, lines] = await Promise.all([
    db.all<{ facts: string }>(sql`SELECT "record"."facts" FROM "payment_records" AS "payment"
      CROSS JOIN "decision_records" AS "record"
      WHERE "payment"."organizationId" = ${organizationId} AND "payment"."createdAt" > ${since}
        AND "record"."organizationId" = ${organizationId} AND "record"."paymentId" = "payment"."id"
      ORDER BY "payment"."createdAt" DESC, "payment"."id" DESC LIMIT ${MAX_PAYMENTS}`),
    db.all<StoredLine>(sql`SELECT "line"."fileId", "line"."line", "line"."facts"
      FROM "payment_files" AS "file" CROSS JOIN "payment_file_lines" AS "line"
      WHERE "file"."organizationId" = ${organizationId} AND "file"."createdAt" > ${since} AND "file"."status" <> 'abandoned'
        AND "line"."organizationId" = ${organizationId} AND "line"."fileId" = "file"."id"
      ORDER BY "file"."id" DESC, "line"."line" LIMIT ${MAX_PAYMENTS}`),
  ]);
  const ofLines = await readLineFacts(services, organizationId, lines);
  const readers = [
    ...single.map(
      ({ facts }) =>
        () =>
          readFacts(facts),
    ),
    ...ofLines.map(({ readFacts }) => readFacts),
  ];
  const facts = readers.flatMap(readOrLeaveOut);
  const isMore = single.length === MAX_PAYMENTS || lines.length === MAX_PAYMENTS;
  return { facts, isPartial: isMore || facts.length < readers.length };
}

function readOrLeaveOut(read: () => PaymentFacts): PaymentFacts[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof UnreadableFacts) return [];
    throw error;
  }
}

/** A line as it is stored. `facts` is null when they were stored with the check of its file. */
type StoredLine = { fileId: string; line: number; facts: string | null };

/**
 * For each line, a function that reads its facts and throws `UnreadableFacts` if they are damaged. `ruleSetOfCheck` is
 * absent for a line that was judged again, which has its own rule set.
 *
 * @throws Error when the facts of a line are missing
 */
export async function readLineFacts(services: ReadServices, organizationId: string, lines: readonly StoredLine[]) {
  const parts = await listParts(services, organizationId, lines);
  return lines.map(({ fileId, line, facts }) => {
    if (facts !== null) return { readFacts: () => readFacts(facts) };
    const part = parts.find((each) => each.fileId === fileId && each.firstLine <= line && line <= each.lastLine);
    if (!part) throw new Error(`what the rules saw of line ${line} is missing`);
    return { readFacts: () => readLine(part.readAll(), line), ruleSetOfCheck: part.ruleSet };
  });
}

function readLine(ofLines: ReturnType<typeof readFactsOfLines>, line: number): PaymentFacts {
  const read = ofLines.get(line);
  if (!read) throw new UnreadableFacts(`what the rules saw of line ${line} is missing`);
  return read();
}

/** The facts that the checks stored for these lines, in parts: each part covers a range of lines. */
async function listParts({ db }: ReadServices, organizationId: string, lines: readonly StoredLine[]) {
  const ranges = new Map<string, [fileId: string, first: number, last: number]>();
  for (const { fileId, line, facts } of lines) {
    if (facts !== null) continue;
    const [, first, last] = ranges.get(fileId) ?? [fileId, line, line];
    ranges.set(fileId, [fileId, Math.min(first, line), Math.max(last, line)]);
  }
  type Row = Record<"fileId" | "facts" | "versions" | "levels", string> & Record<"firstLine" | "lastLine", number>;
  const rows = await db.all<Row>(sql`SELECT "part"."fileId", "part"."firstLine", "part"."lastLine", "part"."facts",
      "rules"."versions", "rules"."levels"
    FROM json_each(${JSON.stringify([...ranges.values()])}) AS "asked" CROSS JOIN "payment_file_facts" AS "part"
    CROSS JOIN "rule_sets" AS "rules"
    WHERE "part"."organizationId" = ${organizationId} AND "part"."fileId" = "asked"."value" ->> 0
      AND "part"."firstLine" <= "asked"."value" ->> 2 AND "part"."lastLine" >= "asked"."value" ->> 1
      AND "rules"."organizationId" = ${organizationId} AND "rules"."id" = "part"."ruleSetId"`);
  return rows.map(({ facts, versions, levels, ...range }) => {
    let read: ReturnType<typeof readFactsOfLines> | undefined;
    const ruleSet = { versions: JSON.parse(versions), levels: JSON.parse(levels) } as RuleSet;
    return {
      ...range,
      ruleSet,
      readAll() {
        read ??= readFactsOfLines(facts);
        return read;
      },
    };
  });
}
