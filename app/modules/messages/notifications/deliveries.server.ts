import { rowIn, type Statement, sentMessages, stoppedAddresses } from "@db/database";
import { and, eq, inArray, sql } from "drizzle-orm";
import { normalizeEmail } from "~/kernel/email";
import type { DeliveryStatus, NotificationChannel, StopCause } from "~/kernel/enums";
import type { Job } from "~/modules/core/commands/job";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import type { ReadServices, Services, TimedServices } from "~/services-and-actor";

/** A later status replaces an earlier one, in whatever order the reports arrive. */
const EARLIER_THAN: Readonly<Record<DeliveryStatus, readonly DeliveryStatus[]>> = {
  sent: [],
  delivered: ["sent"],
  failed: ["sent", "delivered"],
  complained: ["sent", "delivered", "failed"],
};

/** True if emails to an address are stopped, because one bounced or its owner complained. */
export async function isAddressStopped(services: Pick<Services, "db" | "secrets">, address: string): Promise<boolean> {
  const digests = await addressDigests(services, address);
  const [row] = await services.db
    .select({ cause: stoppedAddresses.cause })
    .from(stoppedAddresses)
    .where(inArray(stoppedAddresses.addressHash, digests));
  return row !== undefined;
}

/** A message that a provider accepted; undefined for one that is unknown or was deleted since. */
export async function findSentMessage({ db }: ReadServices, key: string) {
  const [row] = await db.select().from(sentMessages).where(eq(sentMessages.key, key));
  return row;
}

/** Which of these digests belong to addresses with stopped emails. */
export async function findStoppedDigests({ db }: ReadServices, digests: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ digest: stoppedAddresses.addressHash })
    .from(stoppedAddresses)
    .where(sql`${stoppedAddresses.addressHash} IN (SELECT value FROM json_each(${JSON.stringify(digests)}))`);
  return new Set(rows.map(({ digest }) => digest));
}
type Keyed = Pick<Services, "secrets">;

export const messageKey = (channel: NotificationChannel, providerMessageId: string): string =>
  `${channel}:${providerMessageId}`;

/** Records that a provider accepted a message, so that its delivery reports can be matched. */
export function recordSent(
  { db, clock }: TimedServices,
  job: Pick<Job, "id" | "organizationId">,
  { channel, providerMessageId }: { channel: NotificationChannel; providerMessageId: string },
): Statement {
  const now = clock.now();
  const key = messageKey(channel, providerMessageId);
  return db
    .insert(sentMessages)
    .values({
      key,
      channel,
      jobId: job.id,
      organizationId: job.organizationId,
      status: "sent",
      sentAt: now,
      statusAt: now,
    })
    .onConflictDoNothing();
}

/** Stores a message's new status; a status earlier than the present one changes nothing. */
export function moveMessage(
  { db, clock }: TimedServices,
  key: string,
  { status, detail }: { status: DeliveryStatus; detail: string | null },
): Statement {
  return db
    .update(sentMessages)
    .set({ status, detail, statusAt: clock.now() })
    .where(and(eq(sentMessages.key, key), inArray(sentMessages.status, [...EARLIER_THAN[status]])));
}

const addressText = (address: string) => `stopped:${normalizeEmail(address)}`;

/** Every digest under which an address may be stored, because keys rotate. */
export async function addressDigests({ secrets }: Keyed, address: string): Promise<string[]> {
  return (await secrets.fingerprints(addressText(address))).map(({ digest }) => digest);
}

/** Stops emails to an address; the condition fails if they are already stopped. */
export async function stopAddress(services: TimedServices & Keyed, address: string, cause: StopCause) {
  const { db, clock, secrets } = services;
  const digests = await addressDigests(services, address);
  const known = rowIn(db, stoppedAddresses).where(inArray(stoppedAddresses.addressHash, digests));
  const { digest: addressHash } = await secrets.fingerprint(addressText(address));
  return {
    condition: { name: "stopped_already", found: sql`SELECT 1 WHERE NOT EXISTS ${known}` },
    statement: db.insert(stoppedAddresses).values({ addressHash, cause, stoppedAt: clock.now() }),
  };
}

/** Allows emails to an address again. */
export async function allowAddress(services: Pick<Services, "db" | "secrets">, address: string): Promise<CommandPart> {
  const digests = await addressDigests(services, address);
  return { statements: [services.db.delete(stoppedAddresses).where(inArray(stoppedAddresses.addressHash, digests))] };
}
