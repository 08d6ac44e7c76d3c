import { sessions, users } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import { AppError, notFound } from "~/kernel/app-error";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import type { Administrator } from "~/modules/accounts/members/members";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { WriteServices } from "~/services";

/**
 * Ends the account of a person without an organisation, or gives it back: a super admin's act. What members of an
 * organisation may do is changed in their organisation, with `changeMember`.
 * @throws AppError 404, 409 OWN_ACCOUNT, MEMBER_CHANGED
 */
export async function changeAccount(
  services: WriteServices,
  administrator: Administrator,
  { userId, active }: { userId: string; active: boolean },
): Promise<{ name: string }> {
  const { db, clock } = services;
  const here = and(eq(users.id, userId), isNull(users.organizationId));
  const [found] = await db
    .select({ firstName: users.firstName, lastName: users.lastName, status: users.status })
    .from(users)
    .where(here);
  if (!found) throw notFound();
  if (userId === administrator.userId) throw new AppError("OWN_ACCOUNT", 409, "You cannot end your own access.");
  const to = active ? ("active" as const) : ("inactive" as const);
  if (found.status === to) throw changed();
  const asRead = db
    .select({ one: sql`1` })
    .from(users)
    .where(and(here, eq(users.status, found.status)));
  const result = await runCommand(
    services,
    { ...administrator, organizationId: PLATFORM_ORGANIZATION_ID },
    {
      conditions: [{ name: "account_changed", found: asRead }],
      statements: [
        db.update(users).set({ status: to, updatedAt: clock.now() }).where(here),
        ...(active ? [] : [db.delete(sessions).where(eq(sessions.userId, userId))]),
      ],
      audit: [
        {
          action: active ? "member.reactivated" : "member.deactivated",
          entityType: "user",
          entityId: userId,
          details: { status: { from: found.status, to } },
        },
      ],
      answer: { name: [found.firstName, found.lastName].filter(Boolean).join(" ") },
    },
  );
  if (!result.ok) throw changed();
  return result.answer;
}

const changed = () =>
  new AppError("MEMBER_CHANGED", 409, "Nothing was changed: someone else changed this account a moment ago.");
