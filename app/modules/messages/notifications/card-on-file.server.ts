import { billingAccounts } from "@db/schema";
import { eq } from "drizzle-orm";
import type { ReadServices } from "~/services";

/** Whether a card of the organisation is on file. By itself, because bills stand with the organisation's own data (0020). */
export async function hasCardOnFile({ db }: ReadServices, organizationId: string): Promise<boolean> {
  const [account] = await db
    .select({ card: billingAccounts.cardLast4 })
    .from(billingAccounts)
    .where(eq(billingAccounts.organizationId, organizationId));
  return typeof account?.card === "string";
}
