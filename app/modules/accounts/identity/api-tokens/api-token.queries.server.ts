import { apiTokens, organizations } from "@db/schema";
import { and, desc, eq, isNull } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { formatDate, formatDateTime, formatRelative, toIso } from "~/kernel/dates";
import type { Services } from "~/services";
import type { ApiTokenView } from "./api-token";

const MAX_SHOWN = 100;

/** A person's API tokens that are not revoked, newest first. */
export async function listApiTokens(
  { db, clock }: Pick<Services, "db" | "clock">,
  person: Person,
): Promise<ApiTokenView[]> {
  const now = clock.now();
  const rows = await db
    .select({
      id: apiTokens.id,
      name: apiTokens.name,
      hint: apiTokens.hint,
      scopes: apiTokens.scopes,
      createdAt: apiTokens.createdAt,
      expiresAt: apiTokens.expiresAt,
      lastUsedAt: apiTokens.lastUsedAt,
      organizationName: organizations.name,
    })
    .from(apiTokens)
    .innerJoin(organizations, eq(organizations.id, apiTokens.organizationId))
    .where(and(eq(apiTokens.userId, person.userId), isNull(apiTokens.revokedAt)))
    .orderBy(desc(apiTokens.id))
    .limit(MAX_SHOWN);
  return rows.map(({ createdAt, expiresAt, lastUsedAt, ...row }) => ({
    ...row,
    created: formatDate(createdAt),
    expires: expiresAt === null ? null : formatDate(expiresAt),
    isExpired: expiresAt !== null && expiresAt <= now,
    lastUsed:
      lastUsedAt === null
        ? null
        : {
            dateTime: toIso(lastUsedAt),
            exact: formatDateTime(lastUsedAt),
            relative: formatRelative(lastUsedAt, now),
          },
  }));
}
