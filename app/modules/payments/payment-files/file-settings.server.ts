import type { Statement } from "@db/client";
import { paymentFileSettings } from "@db/schema";
import { eq, sql } from "drizzle-orm";
import { toPaymentLimits } from "~/modules/payments/payment-facts/payment-limits.server";
import type { ReadServices, Services } from "~/services";
import type { CsvMapping } from "./csv/columns";
import { DEFAULT_SETTINGS, type FileSettings } from "./file-settings";

/** What the organisation has chosen for its payment files; the defaults where it has chosen nothing. */
export async function findFileSettings({ db }: ReadServices, organizationId: string): Promise<FileSettings> {
  const [row] = await db
    .select()
    .from(paymentFileSettings)
    .where(eq(paymentFileSettings.organizationId, organizationId));
  if (!row) return DEFAULT_SETTINGS;
  return { ...toPaymentLimits(row), mappings: row.mappings, payer: row.payer, sendsRemittances: row.sendsRemittances };
}

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
