import { columnsOf, organizationDomains, organizations, organizationUsers, outsideMessages, rowIn } from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, notFound } from "~/kernel/app-error";
import { idField } from "~/kernel/fields.schema.server";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import type { Administrator } from "~/modules/accounts/members/members";
import { listAdminEmails } from "~/modules/accounts/organizations/name-requests.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import { PLATFORM_ORGANIZATION_ID, type ReadServices, type WriteServices } from "~/services-and-actor";
import type { OrganizationsQuery } from "./admin-lists";

/** Form posts about one organisation of the list. */
export const suspensionPostSchema = z.object({ intent: z.enum(["suspend", "resume"]), organizationId: idField });

const ORGANIZATIONS_PAGE_SIZE = 50;

/** Members are counted up to this many. */
const MAX_COUNTED_MEMBERS = 1_000;

const END = "\u{10ffff}";

/** One page of all organisations, newest first, with the data that a super admin may see: no bank data. */
export async function listOrganizations({ db }: ReadServices, query: OrganizationsQuery = {}) {
  const q = query.q?.toLowerCase();
  const page = keySetPage({ after: query.after }, { size: ORGANIZATIONS_PAGE_SIZE });
  const rows = await db
    .select({
      ...columnsOf(organizations, "id", "name", "active", "closedAt"),
      ...columnsOf(organizations, "subscriptionStatus", "trialEndsAt", "createdAt"),
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

/**
 * Suspends an organisation, so that none of its people can act and it sends nothing, or ends the suspension. Tells its
 * admins.
 * @throws AppError 404, 409 STANDING_UNCHANGED
 */
export async function suspendOrganization(
  services: WriteServices,
  administrator: Administrator,
  { organizationId, active }: { organizationId: string; active: boolean },
): Promise<{ name: string }> {
  const { db, clock, config } = services;
  if (organizationId === PLATFORM_ORGANIZATION_ID) throw notFound();
  const here = eq(organizations.id, organizationId);
  const [found] = await db
    .select({ name: organizations.name, active: organizations.active })
    .from(organizations)
    .where(here);
  if (!found) throw notFound();
  if (found.active === active) throw unchanged(found);
  const otherwise = rowIn(db, organizations).where(and(here, eq(organizations.active, !active)));
  const href = `${config.appOrigin}${active ? appPaths.dashboard : sitePaths.contact}`;
  const result = await runCommand(
    services,
    { ...administrator, organizationId },
    {
      conditions: [{ name: "standing_unchanged", found: otherwise }],
      statements: [
        db
          .update(organizations)
          .set({ active, updatedAt: clock.now(), ...(active ? { closesAt: null, closedAt: null } : {}) })
          .where(here),
      ],
      audit: [
        {
          action: active ? "organization.resumed" : "organization.suspended",
          entityId: organizationId,
          details: { active: { from: !active, to: active } },
        },
      ],
      jobs: await queueEmail(services, organizationId, await listAdminEmails(services, organizationId), {
        template: "organizationStanding",
        data: { organizationName: found.name, isSuspended: !active, href },
      }),
      answer: found,
    },
  );
  if (!result.ok) throw unchanged({ ...found, active });
  return result.answer;
}

const unchanged = ({ name, active }: { name: string; active: boolean }) =>
  new AppError("STANDING_UNCHANGED", `${name} is ${active ? "not suspended" : "already suspended"}.`);
