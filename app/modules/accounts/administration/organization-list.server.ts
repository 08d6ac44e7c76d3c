import { keySetPage } from "@db/key-set-page";
import { organizationDomains, organizations, organizationUsers, outsideMessages } from "@db/schema";
import { and, sql } from "drizzle-orm";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import type { ReadServices } from "~/services";
import type { ListedOrganization, OrganizationsQuery } from "./admin-lists";

export const ORGANIZATIONS_PAGE_SIZE = 50;

/** Members are counted up to this many. */
const MAX_COUNTED_MEMBERS = 1_000;

const END = "\u{10ffff}";

/** One page of all organisations, newest first, with what a super admin may know of them: no bank data. */
export async function listOrganizations(
  { db }: ReadServices,
  query: OrganizationsQuery = {},
): Promise<{ organizations: ListedOrganization[]; next?: string }> {
  const q = query.q?.toLowerCase();
  const page = keySetPage({ after: query.after }, { size: ORGANIZATIONS_PAGE_SIZE });
  const rows = await db
    .select({
      id: organizations.id,
      name: organizations.name,
      active: organizations.active,
      subscriptionStatus: organizations.subscriptionStatus,
      trialEndsAt: organizations.trialEndsAt,
      createdAt: organizations.createdAt,
      domain: sql<string | null>`(SELECT ${organizationDomains.domain} FROM ${organizationDomains}
        WHERE ${organizationDomains.organizationId} = ${sql.raw('"organizations"."id"')} ORDER BY ${organizationDomains.isPrimary} DESC LIMIT 1)`,
      members: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${organizationUsers} WHERE ${organizationUsers.organizationId} = ${sql.raw('"organizations"."id"')}
        AND ${organizationUsers.status} = 'active' LIMIT ${MAX_COUNTED_MEMBERS}) AS walk)`,
      reports: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${outsideMessages} WHERE ${outsideMessages.organizationId} = ${sql.raw('"organizations"."id"')}
        AND ${outsideMessages.reportedAt} IS NOT NULL LIMIT ${MAX_COUNTED_MEMBERS}) AS walk)`,
      firstPaidAt: organizations.firstPaidAt,
    })
    .from(organizations)
    .where(
      and(
        sql`${organizations.id} <> ${PLATFORM_ORGANIZATION_ID}`,
        query.reported
          ? sql`${organizations.id} IN (SELECT ${outsideMessages.organizationId} FROM ${outsideMessages} WHERE ${outsideMessages.reportedAt} IS NOT NULL)`
          : undefined,
        query.standing && sql`${organizations.active} = ${query.standing === "active" ? 1 : 0}`,
        page.beyond(organizations.id) ?? sql`${organizations.id} > ''`,
        q
          ? sql`${organizations.id} IN (SELECT walk."id" FROM (SELECT "id" FROM ${organizations}
              WHERE lower("name") >= ${q} AND lower("name") < ${q + END} LIMIT 500) AS walk)`
          : undefined,
      ),
    )
    .orderBy(page.order(organizations.id))
    .limit(page.limit);
  const { rows: shown, next } = page.cut(rows, ({ id }) => id);
  return { organizations: shown, next };
}
