import { isPreconditionError } from "@db/errors";
import { precondition } from "@db/precondition";
import { organizations, organizationUsers, users } from "@db/schema";
import { and, asc, eq, sql } from "drizzle-orm";
import { AppError, notFound } from "~/kernel/app-error";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { queueEmail } from "~/modules/notifications/notifications.statements.server";
import { type Administrator, commitAct } from "~/modules/organizations/administration/administration.server";
import type { Services } from "~/services";

type Needs = Pick<Services, "db" | "clock" | "ids" | "secrets" | "queues" | "config">;

const MAX_TOLD = 50;

/**
 * Suspends an organisation, so that none of its people can act, or lets it go on. Its admins are told.
 * @throws AppError 404, 409 STANDING_UNCHANGED
 */
export async function changeStanding(
  services: Needs,
  administrator: Administrator,
  { organizationId, active }: { organizationId: string; active: boolean },
): Promise<{ name: string }> {
  const { db, clock, config } = services;
  if (organizationId === PLATFORM_ORGANIZATION_ID) throw notFound();
  const [found] = await db
    .select({ name: organizations.name, active: organizations.active })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (!found) throw notFound();
  if (found.active === active) throw unchanged(found);
  const mail = await queueEmail(services, organizationId, await listAdminEmails(services, organizationId), {
    template: "organizationStanding",
    data: {
      organizationName: found.name,
      isSuspended: !active,
      href: `${config.appOrigin}${active ? "/dashboard" : "/contact"}`,
    },
  });
  const here = eq(organizations.id, organizationId);
  const other = db
    .select({ one: sql`1` })
    .from(organizations)
    .where(and(here, eq(organizations.active, !active)));
  try {
    await commitAct(services, administrator, {
      organizationId,
      statements: [
        precondition(db, other),
        db.update(organizations).set({ active, updatedAt: clock.now() }).where(here),
      ],
      entry: {
        action: active ? "organization.resumed" : "organization.suspended",
        entityType: "organization",
        entityId: organizationId,
        details: { active: { from: !active, to: active } },
      },
      mail,
    });
  } catch (error) {
    throw isPreconditionError(error) ? unchanged({ ...found, active }) : error;
  }
  return found;
}

const unchanged = ({ name, active }: { name: string; active: boolean }) =>
  new AppError("STANDING_UNCHANGED", 409, `${name} is ${active ? "not suspended" : "suspended already"}.`);

async function listAdminEmails({ db }: Needs, organizationId: string): Promise<string[]> {
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
