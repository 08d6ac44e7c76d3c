import { payees, payeeTerms, payeeWordParts } from "@db/database";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Asking, ReadServices } from "~/services-and-actor";
import { beginningsOf, endOfPrefix, mayBeLegalForm, partsAskedFor } from "./payee-keys";

/** How lists search for words: either through the payees of a rare word, or by walking the list up to a limit. */

/** A word that fewer terms match is looked up first; a more common one is searched for by walking the list. */
const RARE_TERMS = 200;
/** As many numbers: among a million payees about a hundred share an account's last four digits, far apart. */
const RARE_NUMBERS = 500;
const NUMBER = /^\d+$/;
/** A text that may be inside more words than this is searched for by walking the list. */
const MAX_WORDS_LOOKED_AT = 300;
/** A common word is read through its terms if it has at most this many. */
const MAX_LED_TERMS = 8;
/** The most steps from term to term. A word with more terms is not read through them. */
const MAX_STEPS = 40;
/** How far one page walks a list for common words. "Next" continues after that. */
export const MAX_WALK = 500;

/** Terms from `from` (inclusive) to `to` (exclusive). */
type Range = { from: string; to: string };
/** A search word that few payees have, and the ranges of its terms. */
export type RareWord = { word: string; ranges: readonly Range[] };

const rangeFrom = (from: string): Range => ({ from, to: endOfPrefix(from) });
/** The range of a single term: no term has a character below the blank. */
const rangeOfTerm = (term: string): Range => ({ from: term, to: `${term} ` });

/** The ranges of a word's terms. */
export const rangesOf = (word: string): Range[] => beginningsOf(word).map(rangeFrom);

/** A subquery with the ids of payees that have one of these terms; its size is bounded only if they are few. */
export const payeesWithTerms = ({ organizationId }: Asking, ranges: readonly Range[]): SQL =>
  sql`SELECT "found"."payeeId" FROM json_each(${JSON.stringify(ranges)}) AS "range" CROSS JOIN ${payeeTerms} AS "found"
    WHERE "found"."organizationId" = ${organizationId}
    AND "found"."term" >= "range"."value" ->> 'from' AND "found"."term" < "range"."value" ->> 'to'`;

/** Whether a payee has every one of these words: reads one row, whatever the words. Undefined for no words. */
export function payeeHasWords({ organizationId }: Asking, payeeId: SQL, words: readonly string[]): SQL | undefined {
  if (words.length === 0) return undefined;
  return sql`EXISTS (SELECT 1 FROM ${payees} AS "described" WHERE "described"."organizationId" = ${organizationId}
    AND "described"."id" = ${payeeId} AND ${sql.join(words.map(hasWord), sql` AND `)})`;
}

/**
 * Looks for the word in the payee's terms as JSON: each term begins after a quotation mark, which no term and no word
 * contains. Terms of email domains come last.
 */
function hasWord(word: string): SQL {
  const begins = beginningsOf(word).map((from) => sql`instr("described"."terms", ${`"${from}`}) > 0`);
  if (partsAskedFor(word).length === 0) return sql`(${sql.join(begins, sql` OR `)})`;
  return sql`instr(substr("described"."terms", 1, instr("described"."terms" || '"@', '"@')), ${word}) > 0`;
}

/** The word with the fewest matching terms, if there are few of them. */
export async function findRareWord(services: ReadServices, actor: Asking, words: readonly string[]) {
  return findRare(services, actor, await findRanges(services, actor, words));
}

/**
 * How to find the payees with these words: through a rare word; or through the terms of a common one, if these are few,
 * reading its payees in id order. Neither: the list must be walked.
 */
export async function findLead(services: ReadServices, actor: Asking, words: readonly string[]): Promise<Lead> {
  const asked = await findRanges(services, actor, words);
  const rare = await findRare(services, actor, asked);
  return rare ? { rare } : { terms: await findFewTerms(services, actor, asked) };
}

export type Lead = { rare?: RareWord; terms?: string[] };

/**
 * The payees with one of these terms as `key` and `payeeId`, in id order, each once. The terms are merged, so that with
 * a limit right after it, no more of each is read than needed.
 */
export const payeesInOrder = (
  { organizationId }: Asking,
  terms: readonly string[],
  { beyond, order }: { beyond: SQL | undefined; order: SQL },
): SQL => {
  const where = (term: string) => and(eq(payeeTerms.organizationId, organizationId), eq(payeeTerms.term, term), beyond);
  const each = terms.map(
    (term) => sql`SELECT ${payeeTerms.payeeId} AS "key", ${payeeTerms.payeeId} FROM ${payeeTerms} WHERE ${where(term)}`,
  );
  return sql`${sql.join(each, sql` UNION `)} ORDER BY ${order}`;
};

/** The distinct terms of the word that has the fewest; undefined when every word has many. */
async function findFewTerms({ db }: ReadServices, { organizationId }: Asking, asked: readonly RareWord[]) {
  if (asked.length === 0) return undefined;
  const next = (from: SQL, to: SQL) =>
    sql`(SELECT min("found"."term") FROM ${payeeTerms} AS "found" WHERE "found"."organizationId" = ${organizationId}
      AND ${from} AND "found"."term" < ${to})`;
  const to = sql`"range"."value" ->> 'to'`;
  const rows = await db.all<{ at: number; terms: string }>(
    sql`SELECT "asked"."key" AS at, (SELECT json_group_array("term") FROM (
          WITH RECURSIVE "walk"("term", "to") AS (
            SELECT ${next(sql`"found"."term" >= "range"."value" ->> 'from'`, to)}, ${to}
            FROM json_each("asked"."value", '$.ranges') AS "range"
            UNION ALL SELECT ${next(sql`"found"."term" > "walk"."term"`, sql`"walk"."to"`)}, "walk"."to"
            FROM "walk" WHERE "walk"."term" IS NOT NULL)
          SELECT "term" FROM "walk" LIMIT ${MAX_STEPS}) AS "walk") AS terms
        FROM json_each(${JSON.stringify(asked)}) AS "asked"`,
  );
  const few = rows.flatMap(({ terms }) => {
    const steps = JSON.parse(terms) as (string | null)[];
    const found = [...new Set(steps.filter((term) => term !== null))];
    return steps.length < MAX_STEPS && found.length > 0 && found.length <= MAX_LED_TERMS ? [found] : [];
  });
  return few.sort((a, b) => a.length - b.length)[0];
}

async function findRare(services: ReadServices, { organizationId }: Asking, asked: readonly RareWord[]) {
  if (asked.length === 0) return undefined;
  const countTo = (most: number) =>
    sql`(SELECT count(*) FROM (
      SELECT 1 FROM json_each("asked"."value", '$.ranges') AS "range" CROSS JOIN ${payeeTerms} AS "found"
      WHERE "found"."organizationId" = ${organizationId}
      AND "found"."term" >= "range"."value" ->> 'from' AND "found"."term" < "range"."value" ->> 'to'
      LIMIT ${most}) AS walk)`;
  const most = asked.map(({ word }) => (NUMBER.test(word) ? RARE_NUMBERS : RARE_TERMS));
  const each = JSON.stringify(asked.map(({ ranges }, at) => ({ ranges, most: most[at] })));
  const counts = await services.db.all<{ at: number; terms: number; most: number }>(
    sql`SELECT "asked"."key" AS at, "asked"."value" ->> 'most' AS most,
        CASE "asked"."value" ->> 'most' WHEN ${RARE_NUMBERS} THEN ${countTo(RARE_NUMBERS)} ELSE ${countTo(RARE_TERMS)} END AS terms
        FROM json_each(${each}) AS "asked"`,
  );
  const [rarest] = counts.filter((one) => one.terms < one.most).sort((a, b) => a.terms - b.terms);
  return rarest && asked[rarest.at];
}

/**
 * Each word with the ranges of its terms, at their beginning or inside. Leaves out words that may occur inside too many
 * others, and those that may be legal forms.
 */
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
    if (mayBeLegalForm(word)) return [];
    const found = inside.filter((each) => each.at === at).map((each) => each.found);
    if (found.some((each) => each.length === MAX_WORDS_LOOKED_AT)) return [];
    const having = new Set(found.flat().filter((each) => each.includes(word)));
    return [{ word, ranges: [...rangesOf(word), ...[...having].map(rangeOfTerm)] }];
  });
}
