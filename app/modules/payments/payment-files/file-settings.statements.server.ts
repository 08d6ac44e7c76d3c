import type { Statement } from "@db/client";
import { paymentFileSettings } from "@db/schema";
import { sql } from "drizzle-orm";
import type { Services } from "~/services";
import type { CsvMapping } from "./csv/columns";

/** Remembers which column is which for tables with these headings, for the batch that uses it. */
export function rememberMapping(
  { db, clock }: Pick<Services, "db" | "clock">,
  organizationId: string,
  { signature, mapping }: { signature: string; mapping: CsvMapping },
): Statement {
  const mappings = { [signature]: mapping };
  const now = clock.now();
  return db
    .insert(paymentFileSettings)
    .values({ organizationId, mappings, updatedAt: now })
    .onConflictDoUpdate({
      target: paymentFileSettings.organizationId,
      set: { mappings: sql`json_patch(${paymentFileSettings.mappings}, ${JSON.stringify(mappings)})`, updatedAt: now },
    });
}
