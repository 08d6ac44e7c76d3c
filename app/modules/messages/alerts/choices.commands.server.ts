import { alertChoices } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { allowAddress } from "~/modules/messages/notifications/deliveries.statements.server";
import type { Services, WriteServices } from "~/services";
import { setContact } from "./alerts.statements.server";
import type { AlertForm } from "./choices.schema.server";

/** Keeps what a person chose for their alerts in this organisation, and their quiet hours. */
export async function chooseAlerts(
  services: WriteServices,
  actor: Actor,
  { choices, quiet }: AlertForm,
): Promise<void> {
  const { db, clock } = services;
  const { organizationId, userId } = actor;
  const own = and(eq(alertChoices.organizationId, organizationId), eq(alertChoices.userId, userId));
  const rows = [...choices].map(([event, choice]) => ({ event, ...choice }));
  const hours = { quietFrom: quiet?.from ?? null, quietTo: quiet?.to ?? null, updatedAt: clock.now() };
  await runCommand(services, actor, {
    statements: [
      db.delete(alertChoices).where(own),
      // One list however many events there are: D1 binds at most 100 parameters.
      db.insert(alertChoices).select(
        sql`SELECT ${organizationId}, ${userId}, value ->> 'event', value ->> 'inApp', value ->> 'email', value ->> 'sms'
          FROM json_each(${JSON.stringify(rows)})`,
      ),
      setContact(services, userId, hours),
    ],
    audit: [{ action: "user.alerts_changed", entityType: "user", entityId: userId }],
    answer: undefined,
  });
}

/** Why no more emails are sent to a person. */
export type StopReason = "unsubscribed" | "bounced" | "complained";

/**
 * Stops all alert emails to a person; alerts in the app go on. Stopping twice changes nothing more.
 * @param origin of the request that stopped them, for the audit trail
 */
export async function stopAlertEmails(
  services: WriteServices,
  { userId, reason, origin }: { userId: string; reason: StopReason; origin: Actor["origin"] },
): Promise<void> {
  const stopped = { emailStoppedAt: services.clock.now(), emailStoppedReason: reason, updatedAt: services.clock.now() };
  await runCommand(
    services,
    { userId, organizationId: PLATFORM_ORGANIZATION_ID, origin },
    {
      statements: [setContact(services, userId, stopped)],
      audit: [{ action: "user.alert_emails_stopped", entityType: "user", entityId: userId, details: { reason } }],
      answer: undefined,
    },
  );
}

/** Sends alert emails to the person again. */
export async function resumeAlertEmails(
  services: WriteServices & Pick<Services, "secrets">,
  actor: Actor,
): Promise<void> {
  const resumed = { emailStoppedAt: null, emailStoppedReason: null, updatedAt: services.clock.now() };
  await runCommand(services, actor, {
    statements: [setContact(services, actor.userId, resumed)],
    parts: [await allowAddress(services, actor.email)],
    audit: [{ action: "user.alert_emails_resumed", entityType: "user", entityId: actor.userId }],
    answer: undefined,
  });
}
