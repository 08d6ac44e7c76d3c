import { auditLogs } from "@db/database";
import { and, desc, eq } from "drizzle-orm";
import * as z from "zod";
import { notFound } from "~/kernel/app-error";
import { showTime } from "~/kernel/dates";
import type { StopCause } from "~/kernel/enums";
import { type AuditAction, detailsIn } from "~/modules/core/audit/audit";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { addressDigests, allowAddress, findStoppedDigests } from "~/modules/messages/notifications/deliveries.server";
import type { Actor, Services, WriteServices } from "~/services-and-actor";

/** How many of an organisation's stopped addresses are shown, newest first. */
const MAX_STOPS = 200;

type StoppedAddress = { email: string; cause: StopCause; stoppedAt: number };

const WHY: Readonly<Record<StopCause, string>> = {
  bounced: "The mailbox does not accept emails, since",
  complained: "A reader reported an email as unwanted,",
};

export async function readStoppedAddressesPage(services: Services, actor: Actor) {
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const stopped = await listStoppedAddresses(services, actor);
  return {
    addresses: stopped.map(({ email, cause, stoppedAt }) => ({
      email,
      why: WHY[cause],
      stopped: showTime(stoppedAt, zone),
    })),
  };
}

/**
 * Addresses that receive no more emails since an email of this organisation bounced or was reported as spam, newest
 * first. Only the organisation's own audit trail has the address; the platform's list contains digests.
 */
async function listStoppedAddresses(
  services: Pick<Services, "db" | "secrets">,
  { organizationId }: { organizationId: string },
): Promise<StoppedAddress[]> {
  const entries = await services.db
    .select({ details: auditLogs.details, createdAt: auditLogs.createdAt })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        eq(auditLogs.action, "message.address_stopped" satisfies AuditAction),
      ),
    )
    .orderBy(desc(auditLogs.position))
    .limit(MAX_STOPS);
  const known = new Map<string, StoppedAddress>();
  for (const entry of entries) {
    const { email, cause } = detailsIn<"message.address_stopped">(entry);
    if (email && cause && !known.has(email)) known.set(email, { email, cause, stoppedAt: entry.createdAt });
  }
  const digests = await Promise.all([...known.keys()].map((email) => addressDigests(services, email)));
  const stopped = await findStoppedDigests(services, digests.flat());
  return [...known.values()].filter((_, index) => digests[index]?.some((digest) => stopped.has(digest)));
}

const NO_ADDRESS = "Choose an address";

export const allowAddressSchema = z.object({ email: z.string(NO_ADDRESS).min(1, NO_ADDRESS).max(320) });

/**
 * Allows emails to an address again. A bounce or complaint stops them again.
 * @throws AppError 404 for an address that no email of this organisation stopped
 */
export async function sendAgainTo(services: WriteServices, actor: Actor, email: string): Promise<void> {
  const stopped = await listStoppedAddresses(services, actor);
  if (!stopped.some((each) => each.email === email)) throw notFound();
  await runCommand(services, actor, {
    parts: [await allowAddress(services, email)],
    audit: [
      {
        action: "message.address_allowed",
        entityType: "organization",
        entityId: actor.organizationId,
        details: { email },
      },
    ],
  });
}
