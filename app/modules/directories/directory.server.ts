import { bsbDirectory } from "@db/database";
import { gte, sql } from "drizzle-orm";
import type { DirectoryEntry } from "~/kernel/bank-account";
import type { ReadServices } from "~/services-and-actor";

/** The BSB's entry; null when the loaded directory does not have it, undefined when no directory is loaded. */
export async function findDirectoryEntry(
  services: ReadServices,
  bsb: string,
): Promise<DirectoryEntry | null | undefined> {
  return (await findDirectoryEntries(services, [bsb]))(bsb);
}

/** The same for many BSBs, in one statement. */
export async function findDirectoryEntries(
  { db }: ReadServices,
  bsbs: readonly string[],
): Promise<(bsb: string) => DirectoryEntry | null | undefined> {
  const asked = JSON.stringify([...new Set(bsbs)]);
  const [rows, [any]] = await Promise.all([
    db
      .select({
        bsb: bsbDirectory.bsb,
        mnemonic: bsbDirectory.mnemonic,
        name: bsbDirectory.name,
        electronic: bsbDirectory.electronic,
        status: bsbDirectory.status,
        successorBsb: bsbDirectory.successorBsb,
      })
      .from(bsbDirectory)
      .where(sql`${bsbDirectory.bsb} IN (SELECT value FROM json_each(${asked}))`),
    db.select({ bsb: bsbDirectory.bsb }).from(bsbDirectory).where(gte(bsbDirectory.bsb, "")).limit(1),
  ]);
  const entries = new Map(rows.map(({ bsb, ...entry }) => [bsb, entry]));
  return (bsb) => entries.get(bsb) ?? (any ? null : undefined);
}
