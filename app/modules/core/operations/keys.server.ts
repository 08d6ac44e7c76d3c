import type { Statement } from "@db/client";
import { isMissingTableError } from "@db/errors";
import { keysInUse } from "@db/schema";
import { and, eq, gt, ne, sql } from "drizzle-orm";
import type { ReadServices, Services } from "~/services";

type Noting = Pick<Services, "db" | "clock" | "config">;

/** Records which keys are current, because from now on something may be encrypted or digested with them. */
export function noteCurrentKeys({ db, clock, config }: Noting): Statement {
  const current = Object.entries(config.keyNames).flatMap(([variable, [key]]) => (key ? [{ variable, key }] : []));
  return db.insert(keysInUse).select(
    sql`SELECT value ->> 'variable', value ->> 'key', ${clock.now()} FROM json_each(${JSON.stringify(current)})
      WHERE NOT EXISTS (SELECT 1 FROM ${keysInUse} AS known
        WHERE known."variable" = value ->> 'variable' AND known."key" = value ->> 'key')`,
  );
}

/** Removes former keys from the record: everything is encrypted with the current key now. */
export const forgetFormerKeys = ({ db }: ReadServices, current: string): Statement =>
  db.delete(keysInUse).where(and(eq(keysInUse.variable, "ENCRYPTION_KEYS"), ne(keysInUse.key, current)));

/**
 * Keys in use that the environment does not list: data encrypted with them cannot be read, and payees cannot be
 * compared.
 */
export async function findUnlistedKeys({ db, config }: Pick<Services, "db" | "config">): Promise<string[]> {
  const rows = await db
    .select({ variable: keysInUse.variable, key: keysInUse.key })
    .from(keysInUse)
    .where(gt(keysInUse.variable, ""))
    .catch((error) => {
      if (isMissingTableError(error)) return [];
      throw error;
    });
  const listed: Readonly<Record<string, readonly string[]>> = config.keyNames;
  return rows.flatMap(({ variable, key }) => (listed[variable]?.includes(key) ? [] : [`${variable} ${key}`]));
}
