import { payees, payeeTerms, payeeWordParts } from "@db/schema";
import { type SQL, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";
import { beginningsOf, endOfPrefix, partsAskedFor } from "./search-terms";

/** How lists look for words. A list is read by a rare word's payees, or walked in its order for so long and no further. */

/** A word that fewer terms have is looked up first; a more common one is looked for along the list. */
const RARE_TERMS = 200;
/** A text that may be in the middle of more words than this is looked for along the list. */
const MAX_WORDS_LOOKED_AT = 300;
/** How far along a list one page looks for common words. What lies beyond is behind "next". */
export const MAX_WALK = 500;

type Asking = { organizationId: string };
/** Terms from `from`, included, to `to`, not included. */
type Range = { from: string; to: string };
/** A word of a search that few payees have, and the terms they have it by. */
export type RareWord = { word: string; ranges: readonly Range[] };

const rangeFrom = (from: string): Range => ({ from, to: endOfPrefix(from) });
/** One term alone: no term has a character below the blank. */
const rangeOfTerm = (term: string): Range => ({ from: term, to: `${term} ` });

/** What the terms of a word begin with. */
export const rangesOf = (word: string): Range[] => beginningsOf(word).map(rangeFrom);

/** The payees that have one of these terms, as a subquery of ids; bounded only if they are few. */
export const payeesWithTerms = ({ organizationId }: Asking, ranges: readonly Range[]): SQL =>
  sql`SELECT "found"."payeeId" FROM json_each(${JSON.stringify(ranges)}) AS "range" CROSS JOIN ${payeeTerms} AS "found"
    WHERE "found"."organizationId" = ${organizationId}
    AND "found"."term" >= "range"."value" ->> 'from' AND "found"."term" < "range"."value" ->> 'to'`;

/** Whether a payee has every one of these words: one row, whatever the words. Undefined for no words. */
export function payeeHasWords({ organizationId }: Asking, payeeId: SQL, words: readonly string[]): SQL | undefined {
  if (words.length === 0) return undefined;
  return sql`EXISTS (SELECT 1 FROM ${payees} AS "described" WHERE "described"."organizationId" = ${organizationId}
    AND "described"."id" = ${payeeId} AND ${sql.join(words.map(hasWord), sql` AND `)})`;
}

/** Terms as JSON: each begins after a quotation mark, which no term and no word has. Those of an email domain come last. */
function hasWord(word: string): SQL {
  const begins = beginningsOf(word).map((from) => sql`instr("described"."terms", ${`"${from}`}) > 0`);
  if (partsAskedFor(word).length === 0) return sql`(${sql.join(begins, sql` OR `)})`;
  return sql`instr(substr("described"."terms", 1, instr("described"."terms" || '"@', '"@')), ${word}) > 0`;
}

/** The word that the fewest terms have, if they are few. */
export async function findRareWord(
  services: ReadServices,
  { organizationId }: Asking,
  words: readonly string[],
): Promise<RareWord | undefined> {
  const asked = await findRanges(services, { organizationId }, words);
  if (asked.length === 0) return undefined;
  const counts = await services.db.all<{ at: number; terms: number }>(
    sql`SELECT "asked"."key" AS at, (SELECT count(*) FROM (
          SELECT 1 FROM json_each("asked"."value", '$.ranges') AS "range" CROSS JOIN ${payeeTerms} AS "found"
          WHERE "found"."organizationId" = ${organizationId}
          AND "found"."term" >= "range"."value" ->> 'from' AND "found"."term" < "range"."value" ->> 'to'
          LIMIT ${RARE_TERMS}) AS walk) AS terms
        FROM json_each(${JSON.stringify(asked)}) AS "asked"`,
  );
  const [rarest] = counts.sort((a, b) => a.terms - b.terms);
  return rarest && rarest.terms < RARE_TERMS ? asked[rarest.at] : undefined;
}

/** Each word with the terms that have it, at their beginning or inside. Words that too many may have inside are left out. */
async function findRanges({ db }: ReadServices, { organizationId }: Asking, words: readonly string[]) {
  const asked = words.flatMap((word, at) => partsAskedFor(word).map((part) => ({ at, ...rangeFrom(part) })));
  const looked =
    asked.length === 0
      ? []
      : await db.all<{ at: number; words: string }>(
          sql`SELECT "asked"."value" ->> 'at' AS at, (SELECT json_group_array("word") FROM (
                SELECT "word" FROM ${payeeWordParts} WHERE "organizationId" = ${organizationId}
                AND "part" >= "asked"."value" ->> 'from' AND "part" < "asked"."value" ->> 'to'
                LIMIT ${MAX_WORDS_LOOKED_AT}) AS walk) AS words
              FROM json_each(${JSON.stringify(asked)}) AS "asked"`,
        );
  const inside = looked.map(({ at, words: found }) => ({ at, found: JSON.parse(found) as string[] }));
  return words.flatMap((word, at): RareWord[] => {
    const found = inside.filter((each) => each.at === at).map((each) => each.found);
    if (found.some((each) => each.length === MAX_WORDS_LOOKED_AT)) return [];
    const having = new Set(found.flat().filter((each) => each.includes(word)));
    return [{ word, ranges: [...rangesOf(word), ...[...having].map(rangeOfTerm)] }];
  });
}
