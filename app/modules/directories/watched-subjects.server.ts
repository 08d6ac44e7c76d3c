import { type Statement, subjectWatches } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import type { ReadServices, Services } from "~/services-and-actor";

/** `firstSeenAt`: now, if left out. `subject`: a registered domain or an ABN; without one nothing is stored. */
type Watched = { organizationId: string; subject: string | null | undefined; firstSeenAt?: number };

/**
 * Records which organisations have payees with these domains and ABNs, for the batch that adds or changes them. If a
 * subject was looked up before, their people may have to be told.
 */
export function watchSubjects({ db, clock }: Pick<Services, "db" | "clock">, watched: readonly Watched[]): Statement[] {
  const now = clock.now();
  const rows = watched.flatMap(({ firstSeenAt = now, ...row }) =>
    row.subject == null ? [] : [{ ...row, firstSeenAt }],
  );
  if (rows.length === 0) return [];
  const isKnown = sql`EXISTS (SELECT 1 FROM "domain_answers" AS d WHERE d."domain" = value ->> 'subject' AND d."fetchedAt" IS NOT NULL)
    OR EXISTS (SELECT 1 FROM "business_register" AS b WHERE b."abn" = value ->> 'subject' AND b."fetchedAt" IS NOT NULL)`;
  return [
    db
      .insert(subjectWatches)
      .select(
        sql`SELECT value ->> 'organizationId', value ->> 'subject', value ->> 'firstSeenAt', '[]', CASE WHEN ${isKnown} THEN ${now} END
          FROM json_each(${JSON.stringify(rows)}) WHERE true`,
      )
      .onConflictDoNothing(),
  ];
}

/** After a look-up: marks the organisations that were told about concerns, or may have to be told. */
export function markNews(
  { db, clock }: Pick<Services, "db" | "clock">,
  found: readonly { subject: string; isConcern: boolean }[],
): Statement[] {
  return found.map(({ subject, isConcern }) =>
    db
      .update(subjectWatches)
      .set({ newsAt: clock.now() })
      .where(and(eq(subjectWatches.subject, subject), isConcern ? undefined : sql`${subjectWatches.told} <> '[]'`)),
  );
}

/** When an organisation first had a payee with a domain or ABN; undefined: not recorded. */
export async function findFirstSeen(
  { db }: ReadServices,
  organizationId: string,
  subject: string,
): Promise<number | undefined> {
  const [row] = await db
    .select({ firstSeenAt: subjectWatches.firstSeenAt })
    .from(subjectWatches)
    .where(and(eq(subjectWatches.organizationId, organizationId), eq(subjectWatches.subject, subject)));
  return row?.firstSeenAt;
}
