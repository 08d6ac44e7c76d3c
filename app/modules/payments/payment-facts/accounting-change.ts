import { type SQL, sql } from "drizzle-orm";

/**
 * A subquery of a statement about `"payee"`: the newest account of an accounting system that is not the payee's, or cannot be
 * read, while no person has decided about it.
 */
export const openAccountingChange = (what: SQL): SQL => sql`(SELECT ${what}
  FROM "accounting_contacts" WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
    AND "noticedAt" IS NOT NULL AND "keptAt" IS NULL AND ("seenBsb" IS NULL OR "seenBsb" <> "payee"."bsb"
      OR ltrim("seenAccountNumber", '0') <> ltrim("payee"."accountNumber", '0'))
  ORDER BY "noticedAt" DESC LIMIT 1)`;
