import type { Statement } from "@db/client";
import { payees, payeeTerms, payeeWordParts } from "@db/schema";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PayeeDetails } from "~/kernel/payee";
import type { ReadServices } from "~/services";
import { beginningsOf, endOfPrefix, mayBeLegalForm, partsAskedFor, partsOf, wordsOfNames } from "./search-terms";

/** How lists look for words. A list is read by a rare word's payees, or walked in its order for so long and no further. */

/** A word that fewer terms have is looked up first; a more common one is looked for along the list. */
const RARE_TERMS = 200;
/**
 * The same for a number: a million payees share the last four digits of an account with a hundred others, and along the
 * list they are far apart.
 */
const RARE_NUMBERS = 500;
const NUMBER = /^\d+$/;
/** A text that may be in the middle of more words than this is looked for along the list. */
const MAX_WORDS_LOOKED_AT = 300;
/** A common word is read by its terms, if it has no more of them than this. */
const MAX_LED_TERMS = 8;
/** Steps from term to term: what is beyond is more than is read by. */
const MAX_STEPS = 40;
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

/** The word that the fewest terms contain, if there are few of them. */
export async function findRareWord(
  services: ReadServices,
  actor: Asking,
  words: readonly string[],
): Promise<RareWord | undefined> {
  return findRare(services, actor, await findRanges(services, actor, words));
}

/**
 * What leads to the payees with these words: a rare one; or the terms of a common one, where these are few, so that its
 * payees are read in the order of their ids. Neither: the list must be walked.
 */
export async function findLead(services: ReadServices, actor: Asking, words: readonly string[]): Promise<Lead> {
  const asked = await findRanges(services, actor, words);
  const rare = await findRare(services, actor, asked);
  return rare ? { rare } : { terms: await findFewTerms(services, actor, asked) };
}

export type Lead = { rare?: RareWord; terms?: string[] };

/**
 * The payees that have one of these terms as `key` and `payeeId`, in the order of their ids, each once. The terms are read
 * side by side, so with a limit right behind it no more of each is read than is asked for.
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

/** The different terms of the word that has the fewest of them; undefined when every word has many. */
async function findFewTerms(
  { db }: ReadServices,
  { organizationId }: Asking,
  asked: readonly RareWord[],
): Promise<string[] | undefined> {
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

async function findRare(
  services: ReadServices,
  { organizationId }: Asking,
  asked: readonly RareWord[],
): Promise<RareWord | undefined> {
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
 * Each word with the terms that have it, at their beginning or inside. Words that too many may have inside, and those that
 * may be legal forms, are left out.
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

/**
 * The words of payees' names that the organisation does not have yet, so that their middles are found. A word that it has
 * costs a look and no row.
 */
export function addNameWords(
  { db }: ReadServices,
  organizationId: string,
  named: readonly Pick<PayeeDetails, "name" | "accountName">[],
): Statement[] {
  const words = [...new Set(named.flatMap(wordsOfNames))].map((word) => ({ word, parts: partsOf(word) }));
  const given = words.filter(({ parts }) => parts.length > 0);
  if (given.length === 0) return [];
  return [
    db
      .insert(payeeWordParts)
      .select(
        sql`SELECT ${organizationId}, "part"."value", "given"."value" ->> 'word'
          FROM json_each(${JSON.stringify(given)}) AS "given" CROSS JOIN json_each("given"."value", '$.parts') AS "part"
          WHERE NOT EXISTS (SELECT 1 FROM ${payeeWordParts} AS "known" WHERE "known"."organizationId" = ${organizationId}
            AND "known"."part" = "given"."value" ->> '$.parts[0]' AND "known"."word" = "given"."value" ->> 'word')`,
      )
      .onConflictDoNothing(),
  ];
}
