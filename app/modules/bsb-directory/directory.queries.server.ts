import { bsbDirectory } from "@db/schema";
import { eq, gte } from "drizzle-orm";
import type { ReadServices } from "~/services";
import type { DirectoryEntry } from "./directory";

/** The BSB's row; null when a directory is loaded without it, undefined when none is loaded. */
export async function findDirectoryEntry(
  { db }: ReadServices,
  bsb: string,
): Promise<DirectoryEntry | null | undefined> {
  const [[row], [any]] = await Promise.all([
    db
      .select({
        mnemonic: bsbDirectory.mnemonic,
        name: bsbDirectory.name,
        electronic: bsbDirectory.electronic,
        status: bsbDirectory.status,
        successorBsb: bsbDirectory.successorBsb,
      })
      .from(bsbDirectory)
      .where(eq(bsbDirectory.bsb, bsb)),
    db.select({ bsb: bsbDirectory.bsb }).from(bsbDirectory).where(gte(bsbDirectory.bsb, "")).limit(1),
  ]);
  return row ?? (any ? null : undefined);
}
