import { sentMessages, stoppedAddresses } from "@db/schema";
import { eq, inArray, sql } from "drizzle-orm";
import type { ReadServices, Services } from "~/services";
import { addressDigests } from "./deliveries.statements.server";

/** Whether emails to an address are stopped, because it bounced or its owner complained. */
export async function isAddressStopped(services: Pick<Services, "db" | "secrets">, address: string): Promise<boolean> {
  const digests = await addressDigests(services, address);
  const [row] = await services.db
    .select({ cause: stoppedAddresses.cause })
    .from(stoppedAddresses)
    .where(inArray(stoppedAddresses.addressHash, digests));
  return row !== undefined;
}

/** A message that a provider took; undefined for one that is not ours or is forgotten by now. */
export async function findSentMessage({ db }: ReadServices, key: string) {
  const [row] = await db.select().from(sentMessages).where(eq(sentMessages.key, key));
  return row;
}

/** Those of these digests to which emails are stopped. */
export async function findStoppedDigests({ db }: ReadServices, digests: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ digest: stoppedAddresses.addressHash })
    .from(stoppedAddresses)
    .where(sql`${stoppedAddresses.addressHash} IN (SELECT value FROM json_each(${JSON.stringify(digests)}))`);
  return new Set(rows.map(({ digest }) => digest));
}
