import { sql } from "drizzle-orm";
import { inParts } from "~/kernel/in-parts";
import type { BankDetails } from "~/kernel/payee";
import { searchTerms } from "~/kernel/text";
import { leadingWords } from "~/modules/core/search-terms";
import type { ReadServices } from "~/services";

const NAMES_PER_STATEMENT = 1_000;
/** More payees of one name than anybody would have. */
const PAYEES_PER_NAME = 20;

const wordsOf = (name: string) => searchTerms(name).join(" ");

/** The word that fewest names share first: one with a digit in it, else the longest. */
const mostTellingFirst = (name: string) =>
  leadingWords(name).sort((a, b) => Number(/\d/.test(b)) - Number(/\d/.test(a)) || b.length - a.length);

/**
 * The organisation's payees that bear these names, as payee or as account, by the name that was asked for. Case, accents and
 * punctuation do not count. Archived payees are left out.
 *
 * The rows read depend on how many payees share the most telling word of a name, not on how many there are.
 */
export async function findPayeesByName(
  { db }: ReadServices,
  organizationId: string,
  names: readonly string[],
): Promise<Map<string, BankDetails[]>> {
  const found = new Map<string, BankDetails[]>();
  const asked = [...new Set(names)].map((name) => ({ name, words: mostTellingFirst(name) }));
  const searchable = asked.filter(({ words }) => words.length > 0);
  for (const part of inParts(searchable, NAMES_PER_STATEMENT)) {
    const rows = await db.all<
      BankDetails & { asked: string; name: string }
    >(sql`SELECT "asked"."value" ->> 'name' AS "asked",
        "payee"."name", "payee"."accountName", "payee"."bsb", "payee"."accountNumber"
      FROM json_each(${JSON.stringify(part)}) AS "asked"
      CROSS JOIN json_each((SELECT json_group_array("payeeId") FROM (
        SELECT "first"."payeeId" FROM "payee_terms" AS "first"
        WHERE "first"."organizationId" = ${organizationId} AND "first"."term" = "asked"."value" ->> '$.words[0]'
          AND NOT EXISTS (SELECT 1 FROM json_each("asked"."value" -> 'words') AS "word"
            WHERE NOT EXISTS (SELECT 1 FROM "payee_terms" AS "other" WHERE "other"."organizationId" = ${organizationId}
              AND "other"."term" = "word"."value" AND "other"."payeeId" = "first"."payeeId"))
        LIMIT ${sql.raw(String(PAYEES_PER_NAME))}) AS "walk")) AS "near"
      CROSS JOIN "payees" AS "payee"
      WHERE "payee"."organizationId" = ${organizationId} AND "payee"."id" = "near"."value" AND "payee"."archivedAt" IS NULL`);
    for (const { asked: name, name: payeeName, ...account } of rows) {
      const isSame = [payeeName, account.accountName].some((known) => wordsOf(known) === wordsOf(name));
      if (isSame) found.set(name, [...(found.get(name) ?? []), account]);
    }
  }
  return found;
}
