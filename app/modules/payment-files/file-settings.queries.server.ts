import { paymentFileSettings } from "@db/schema";
import { eq } from "drizzle-orm";
import type { ReadServices } from "~/services";
import { DEFAULT_SETTINGS, type FileSettings } from "./file-settings";

/** What the organisation has chosen for its payment files; the defaults where it has chosen nothing. */
export async function findFileSettings({ db }: ReadServices, organizationId: string): Promise<FileSettings> {
  const [row] = await db
    .select()
    .from(paymentFileSettings)
    .where(eq(paymentFileSettings.organizationId, organizationId));
  if (!row) return DEFAULT_SETTINGS;
  const { mappings, payer, memberLimitCents, adminLimitCents, opensAtMinute, closesAtMinute, worksWeekends } = row;
  const workingHours =
    opensAtMinute === null || closesAtMinute === null ? null : { opensAtMinute, closesAtMinute, worksWeekends };
  return { mappings, payer, memberLimitCents, adminLimitCents, workingHours };
}
