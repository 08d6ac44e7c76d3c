import { paymentFileSettings } from "@db/schema";
import { eq } from "drizzle-orm";
import { toPaymentLimits } from "~/modules/payments/payment-facts/payment-limits.queries.server";
import type { ReadServices } from "~/services";
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
