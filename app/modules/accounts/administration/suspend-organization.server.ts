import { organizations, organizationUsers, users } from "@db/schema";
import { and, asc, eq, sql } from "drizzle-orm";
import { AppError, notFound } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import type { Administrator } from "~/modules/accounts/members/members";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { NotifyServices, ReadServices } from "~/services";

const MAX_TOLD = 50;

/**
 * Suspends an organisation, so that none of its people can act and it sends nothing, or ends the suspension. Its admins
 * are told.
 * @throws AppError 404, 409 STANDING_UNCHANGED
 */
export async function suspendOrganization(
  services: NotifyServices,
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
  const otherwise = db
    .select({ one: sql`1` })
    .from(organizations)
    .where(and(here, eq(organizations.active, !active)));
  const href = `${config.appOrigin}${active ? appPaths.dashboard : sitePaths.contact}`;
  const result = await runCommand(
    services,
    { ...administrator, organizationId },
    {
      conditions: [{ name: "standing_unchanged", found: otherwise }],
      statements: [db.update(organizations).set({ active, updatedAt: clock.now() }).where(here)],
      audit: [
        {
          action: active ? "organization.resumed" : "organization.suspended",
          entityType: "organization",
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
  new AppError("STANDING_UNCHANGED", 409, `${name} is ${active ? "not suspended" : "suspended already"}.`);

async function listAdminEmails({ db }: ReadServices, organizationId: string): Promise<string[]> {
  const rows = await db
    .select({ email: users.email })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.status, "active"),
        eq(organizationUsers.role, "admin"),
      ),
    )
    .orderBy(asc(organizationUsers.userId))
    .limit(MAX_TOLD);
  return rows.map((row) => row.email);
}
