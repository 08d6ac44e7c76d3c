import { payees, payeeTerms } from "@db/schema";
import { type SQL, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";
import { beginningsOf, endOfPrefix } from "./search-terms";

/** How lists look for words. A list is read by a rare word's payees, or walked in its order for so long and no further. */

/** A word that begins fewer terms than this is looked up first; a more common one is looked for along the list. */
const RARE_TERMS = 200;
/** How far along a list one page looks for common words. What lies beyond is behind "next". */
export const MAX_WALK = 500;

type Asking = { organizationId: string };

/** What the terms of a word begin with, each as a range: `from` included, `to` not. */
const rangesOf = (word: string) => beginningsOf(word).map((from) => ({ from, to: endOfPrefix(from) }));

/** The payees that have a term beginning with this word, as a subquery of ids; bounded only if the word is rare. */
export const payeesWithWord = ({ organizationId }: Asking, word: string): SQL =>
  sql`SELECT "found"."payeeId" FROM json_each(${JSON.stringify(rangesOf(word))}) AS "range" CROSS JOIN ${payeeTerms} AS "found"
    WHERE "found"."organizationId" = ${organizationId}
    AND "found"."term" >= "range"."value" ->> 'from' AND "found"."term" < "range"."value" ->> 'to'`;

/** Whether a payee has every one of these words: one row, whatever the words. Undefined for no words. */
export function payeeHasWords({ organizationId }: Asking, payeeId: SQL, words: readonly string[]): SQL | undefined {
  if (words.length === 0) return undefined;
  // Its terms as JSON: each begins after a quotation mark, which no term and no word has.
  const begins = (from: string) => sql`instr("described"."terms", ${`"${from}`}) > 0`;
  const have = words.map((word) => sql`(${sql.join(beginningsOf(word).map(begins), sql` OR `)})`);
  return sql`EXISTS (SELECT 1 FROM ${payees} AS "described" WHERE "described"."organizationId" = ${organizationId}
    AND "described"."id" = ${payeeId} AND ${sql.join(have, sql` AND `)})`;
}

/** The word that the fewest terms begin with, if they are few. */
export async function findRareWord(
  { db }: ReadServices,
  { organizationId }: Asking,
  words: readonly string[],
): Promise<string | undefined> {
  if (words.length === 0) return undefined;
  const asked = words.map((word) => ({ word, ranges: rangesOf(word) }));
  const counts = await db.all<{ word: string; terms: number }>(
    sql`SELECT "asked"."value" ->> 'word' AS word, (SELECT count(*) FROM (
          SELECT 1 FROM json_each("asked"."value", '$.ranges') AS "range" CROSS JOIN ${payeeTerms} AS "found"
          WHERE "found"."organizationId" = ${organizationId}
          AND "found"."term" >= "range"."value" ->> 'from' AND "found"."term" < "range"."value" ->> 'to'
          LIMIT ${RARE_TERMS}) AS walk) AS terms
        FROM json_each(${JSON.stringify(asked)}) AS "asked"`,
  );
  const [rarest] = counts.sort((a, b) => a.terms - b.terms);
  return rarest && rarest.terms < RARE_TERMS ? String(rarest.word) : undefined;
}
