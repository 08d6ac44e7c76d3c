import { organizations, rowIn } from "@db/database";
import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { AppError, notFound } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { linkPaths } from "~/kernel/paths/links";
import { displayName } from "~/kernel/text";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { findOrganizationAddress } from "~/modules/messages/alerts/trail.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import { isOutsideRefusal, outsideError } from "~/modules/messages/notifications/outside-messages";
import { sendToOutsider } from "~/modules/messages/notifications/outside-messages.server";
import type { Actor, Origin, ReadServices, WriteServices } from "~/services-and-actor";

/**
 * The address that receives the organisation's own alerts, besides its administrators; whoever reads it must confirm
 * it. It stays until another one is confirmed, so that nobody can redirect the alerts by typing an address.
 */

/** The encryption context of the link, so that it works for nothing else. */
const CONTEXT = "confirm-contact-address";
const LINK_TTL_MS = 7 * DAY_MS;

const linkSchema = z.object({
  organizationId: z.string(),
  email: z.string(),
  sentBy: z.string(),
  expiresAt: z.number(),
});

async function readAddresses({ db }: ReadServices, organizationId: string) {
  const [row] = await db
    .select({
      name: organizations.name,
      email: organizations.contactEmail,
      confirmed: organizations.confirmedContactEmail,
    })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (!row) throw notFound();
  return row;
}

/** The state of the contact email for the settings: whether its reader confirmed it, and where alerts go until then. */
export async function findContactState(services: ReadServices, organizationId: string) {
  const { email, confirmed } = await readAddresses(services, organizationId);
  const told = await findOrganizationAddress(services, organizationId);
  return { email, told: told?.email ?? null, isConfirmed: email !== null && email === confirmed };
}

/**
 * Sends a link to the contact email, with which its reader confirms that it receives the organisation's alerts.
 * @throws AppError 409 NOTHING_TO_CONFIRM; 403 EMAIL_NOT_CONFIRMED, 429 RATE_LIMITED
 */
export async function sendContactLink(services: WriteServices, actor: Actor): Promise<{ email: string }> {
  const { organizationId } = actor;
  const { name, email, confirmed } = await readAddresses(services, organizationId);
  if (email === null || email === confirmed) {
    const why = email === null ? "Save a contact email first." : "The contact email is already confirmed.";
    throw new AppError("NOTHING_TO_CONFIRM", why);
  }
  const sentBy = displayName(actor);
  const expiresAt = services.clock.now() + LINK_TTL_MS;
  const token = await services.secrets.seal(JSON.stringify({ organizationId, email, sentBy, expiresAt }), CONTEXT);
  const link = `${services.config.appOrigin}${linkPaths.confirmContact(token)}`;
  const message = await sendToOutsider(services, organizationId, {
    // Counts as an invitation, because its reader is asked to act for the organisation.
    kind: "invitation",
    channel: "email",
    to: email,
    email: { template: "contactAddressConfirmation", data: { organizationName: name, sentBy, link } },
  });
  const result = await runCommand(services, actor, {
    conditions: [...message.conditions],
    parts: [message.part],
    audit: [{ action: "organization.contact_link_sent", entityId: organizationId, details: { email } }],
    answer: { email },
  });
  if (result.ok) return result.answer;
  if (isOutsideRefusal(result.refused)) throw outsideError(result.refused);
  throw notFound();
}

/** What a link confirms; undefined for an unknown link. `over`: it is too old, or the contact email has changed. */
export async function findContactLink(services: WriteServices, token: string) {
  const opened = await services.secrets.open(token, CONTEXT).catch(() => undefined);
  if (opened === undefined) return undefined;
  const { organizationId, email, sentBy, expiresAt } = linkSchema.parse(JSON.parse(opened));
  const now = await readAddresses(services, organizationId);
  const state =
    now.confirmed === email
      ? ("confirmed" as const)
      : now.email !== email || expiresAt <= services.clock.now()
        ? ("over" as const)
        : ("open" as const);
  return { state, organizationId, organizationName: now.name, email, sentBy, former: now.confirmed };
}

/**
 * Confirms that the contact email receives the organisation's alerts. The address that received them before is told.
 * Confirming again changes nothing.
 * @throws AppError 404 for an unknown link; 410 LINK_EXPIRED
 */
export async function confirmContact(services: WriteServices, origin: Origin, token: string): Promise<void> {
  const link = await findContactLink(services, token);
  if (!link) throw notFound();
  if (link.state === "confirmed") return;
  const over = new AppError("LINK_EXPIRED", "This link no longer works. Ask the organisation for a new one.");
  if (link.state === "over") throw over;
  const { db, clock, config } = services;
  const { organizationId, organizationName, email, former } = link;
  const here = and(eq(organizations.id, organizationId), eq(organizations.contactEmail, email));
  const { ok } = await runCommand(
    services,
    { userId: null, organizationId, origin },
    {
      conditions: [{ name: "contact_changed", found: rowIn(db, organizations).where(here) }],
      statements: [db.update(organizations).set({ confirmedContactEmail: email, updatedAt: clock.now() }).where(here)],
      audit: [
        { action: "organization.contact_confirmed", entityId: organizationId, details: { from: former, to: email } },
      ],
      jobs: former
        ? await queueEmail(services, organizationId, [former], {
            template: "alertRaised",
            purpose: "safety",
            data: {
              title: `Alerts of ${organizationName} now go to a different address`,
              body: `${email} was confirmed as the organisation's address. This address no longer gets its alerts. If you did not expect this, call an administrator on a number you know.`,
              href: `${config.appOrigin}${appPaths.settings}`,
              why: "organization",
            },
          })
        : [],
    },
  );
  if (!ok) throw over;
}
