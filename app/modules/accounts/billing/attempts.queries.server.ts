import { billingAttempts } from "@db/schema";
import { and, eq, isNull } from "drizzle-orm";
import type { BillingAttemptKind } from "~/kernel/enums";
import type { Checkout } from "~/ports/cards";
import type { ReadServices, Services } from "~/services";

export type Attempt = { id: string; kind: BillingAttemptKind; providerId: string | null; createdAt: number };

/** The organisation's open try to make the first payment. There is one at most. */
export async function findOpenAttempt({ db }: ReadServices, organizationId: string): Promise<Attempt | undefined> {
  const [row] = await db
    .select({
      id: billingAttempts.id,
      kind: billingAttempts.kind,
      providerId: billingAttempts.providerId,
      createdAt: billingAttempts.createdAt,
    })
    .from(billingAttempts)
    .where(and(eq(billingAttempts.organizationId, organizationId), isNull(billingAttempts.endedAt)));
  return row;
}

/** The open checkout of an organisation, without beginning anything. */
export async function findOpenCheckout(
  services: Pick<Services, "db" | "cards">,
  organizationId: string,
  customerId: string,
): Promise<Checkout | undefined> {
  const attempt = await findOpenAttempt(services, organizationId);
  if (attempt?.kind !== "checkout" || !attempt.providerId) return undefined;
  const checkout = await services.cards.getCheckout(customerId, attempt.providerId);
  return checkout.status === "open" ? checkout : undefined;
}
