import type { Statement } from "@db/client";
import { payeeWordParts } from "@db/schema";
import { sql } from "drizzle-orm";
import type { PayeeDetails } from "~/kernel/payee";
import type { ReadServices } from "~/services";
import { partsOf, wordsOfNames } from "./search-terms";

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
