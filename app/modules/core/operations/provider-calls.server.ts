import type { Statement } from "@db/client";
import { providerCalls } from "@db/schema";
import { type SQLWrapper, sql } from "drizzle-orm";
import type { ProviderNote, ReadServices } from "~/services";

const LONGEST_ERROR = 300;

/**
 * What writes down what became of calls of outside parties. Several instances of the app write: the newest success and failure count,
 * and a party is failing since its first failure after the last success that any of them saw.
 */
export const providerCallStatements = ({ db }: ReadServices, notes: readonly ProviderNote[]): Statement[] =>
  notes.map(({ party, lastSucceededAt = null, lastFailedAt = null, failingSince = null, lastError }) => {
    const row = { lastSucceededAt, lastFailedAt, failingSince, lastError: lastError?.slice(0, LONGEST_ERROR) ?? null };
    return db
      .insert(providerCalls)
      .values({ party, ...row })
      .onConflictDoUpdate({
        target: providerCalls.party,
        set: {
          lastSucceededAt: latest(providerCalls.lastSucceededAt, lastSucceededAt),
          lastFailedAt: latest(providerCalls.lastFailedAt, lastFailedAt),
          failingSince: failingSinceAfter(row),
          lastError: row.lastError ?? sql`${providerCalls.lastError}`,
        },
      });
  });

const latest = (column: SQLWrapper, value: number | null) => sql`nullif(max(coalesce(${column}, 0), ${value ?? 0}), 0)`;

type Row = { lastSucceededAt: number | null; failingSince: number | null };

/** Failures that follow a success of these same notes begin anew; a success from before a failure that is known ends nothing. */
function failingSinceAfter({ lastSucceededAt, failingSince }: Row) {
  const known = providerCalls.failingSince;
  if (failingSince === null) return sql`CASE WHEN ${known} > ${lastSucceededAt ?? 0} THEN ${known} END`;
  return lastSucceededAt === null ? sql`coalesce(${known}, ${failingSince})` : failingSince;
}
