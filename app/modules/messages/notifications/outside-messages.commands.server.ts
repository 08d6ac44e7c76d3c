import { outsideMessages } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { NotifyServices } from "~/services";
import { queueEmail } from "./notifications.statements.server";
import { findReportedMessage } from "./outside-messages.queries.server";

/**
 * A person outside reports a message: the platform sees it in its list of organisations and is told by email. Reporting
 * it again changes nothing.
 * @throws AppError 404 for a link that was never ours
 */
export async function reportMessage(
  services: NotifyServices,
  origin: Origin,
  { token }: { token: string },
): Promise<{ organizationName: string }> {
  const message = await findReportedMessage(services, token);
  if (!message) throw notFound();
  const { id, organizationId, organizationName, kind } = message;
  if (message.reportedAt !== null) return { organizationName };
  const { db, clock, config } = services;
  const mine = and(
    eq(outsideMessages.organizationId, organizationId),
    eq(outsideMessages.id, id),
    isNull(outsideMessages.reportedAt),
  );
  const acting = { userId: null, organizationId: PLATFORM_ORGANIZATION_ID, origin };
  await runCommand(services, acting, {
    conditions: [{ name: "already_reported", found: db.select({ one: sql`1` }).from(outsideMessages).where(mine) }],
    statements: [db.update(outsideMessages).set({ reportedAt: clock.now() }).where(mine)],
    audit: [
      {
        action: "message.reported",
        entityType: "organization",
        entityId: organizationId,
        details: { kind, messageId: id },
      },
    ],
    jobs: await queueEmail(services, null, [config.contactInbox], {
      template: "messageReported",
      data: {
        organizationName,
        kind,
        sentOn: formatDateTime(message.createdAt),
        href: `${config.appOrigin}${appPaths.organizations}?reported=yes`,
      },
    }),
    answer: undefined,
  });
  // Refused: reported by a second click at the same moment.
  return { organizationName };
}
