import type { Statement } from "@db/client";
import { subjectWatches } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { ReadServices, Services } from "~/services";

/** `firstSeenAt`: absent for now. `subject`: a registered domain or an ABN; nothing is kept of none. */
type Watched = { organizationId: string; subject: string | null | undefined; firstSeenAt?: number };

/**
 * Keeps that organisations have payees with these domains and ABNs, for the batch that adds or changes them. Of what was looked
 * up before, its people may have to be told.
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

/** Something was looked up: whoever was told of concerns, or has to be told of one, is looked at. */
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

/** When an organisation first had a payee with a domain or an ABN; undefined: that was not kept. */
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
