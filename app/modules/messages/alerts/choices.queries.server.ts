import { alertChoices, alertContacts } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import type { ReadServices } from "~/services";
import { canConcern, effectiveChoice, isRequiredOf } from "./choices";
import { ALERT_EVENT_NAMES, eventOf } from "./events";

/** A person's settings for alerts: every event that can concern them, with what holds, and how they are reached. */
export async function readAlertSettings({ db }: ReadServices, actor: Actor) {
  const { organizationId, userId, organizationRole } = actor;
  const role = organizationRole ?? "read_only";
  const [rows, [contact]] = await Promise.all([
    db
      .select()
      .from(alertChoices)
      .where(and(eq(alertChoices.organizationId, organizationId), eq(alertChoices.userId, userId))),
    db.select().from(alertContacts).where(eq(alertContacts.userId, userId)),
  ]);
  const chosen = new Map(rows.map((row) => [row.event, row]));
  return {
    events: ALERT_EVENT_NAMES.filter((event) => canConcern(event, role)).map((event) => ({
      event,
      label: eventOf(event).label,
      description: eventOf(event).description,
      isRequired: isRequiredOf(event, role),
      hasOwnEmails: eventOf(event).hasOwnEmails === true,
      choice: effectiveChoice(event, role, chosen.get(event)),
    })),
    quietFrom: contact?.quietFrom ?? null,
    quietTo: contact?.quietTo ?? null,
    phone: contact?.phone ?? null,
    isPhoneConfirmed: contact?.phoneConfirmedAt != null,
    emailStoppedReason: contact?.emailStoppedAt == null ? null : (contact.emailStoppedReason ?? "stopped"),
  };
}

export type AlertSettings = Awaited<ReturnType<typeof readAlertSettings>>;
