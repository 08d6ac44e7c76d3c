import { payees, payeeTerms } from "@db/schema";
import { type SQL, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";
import { endOfPrefix } from "./search-terms";

/** How lists look for words. A list is read by a rare word's payees, or walked in its order for so long and no further. */

/** A word that begins fewer terms than this is looked up first; a more common one is looked for along the list. */
const RARE_TERMS = 200;
/** How far along a list one page looks for common words. What lies beyond is behind "next". */
export const MAX_WALK = 500;

type Asking = { organizationId: string };

const beginsWith = (word: string) => sql`${payeeTerms.term} >= ${word} AND ${payeeTerms.term} < ${endOfPrefix(word)}`;

/** The payees that have a term beginning with this word, as a subquery of ids; bounded only if the word is rare. */
export const payeesWithWord = ({ organizationId }: Asking, word: string): SQL =>
  sql`SELECT ${payeeTerms.payeeId} FROM ${payeeTerms}
    WHERE ${payeeTerms.organizationId} = ${organizationId} AND ${beginsWith(word)}`;

/** Whether a payee has every one of these words: one row, whatever the words. Undefined for no words. */
export function payeeHasWords({ organizationId }: Asking, payeeId: SQL, words: readonly string[]): SQL | undefined {
  if (words.length === 0) return undefined;
  // Its terms as JSON: each begins after a quotation mark, which no term and no word has.
  const have = words.map((word) => sql`instr("described"."terms", ${`"${word}`}) > 0`);
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
  const ranges = words.map((word) => ({ word, to: endOfPrefix(word) }));
  const counts = await db.all<{ word: string; terms: number }>(
    sql`SELECT json_each.value ->> 'word' AS word, (SELECT count(*) FROM (
          SELECT 1 FROM ${payeeTerms} WHERE ${payeeTerms.organizationId} = ${organizationId}
          AND ${payeeTerms.term} >= json_each.value ->> 'word' AND ${payeeTerms.term} < json_each.value ->> 'to'
          LIMIT ${RARE_TERMS}) AS walk) AS terms
        FROM json_each(${JSON.stringify(ranges)})`,
  );
  const [rarest] = counts.sort((a, b) => a.terms - b.terms);
  return rarest && rarest.terms < RARE_TERMS ? String(rarest.word) : undefined;
}
