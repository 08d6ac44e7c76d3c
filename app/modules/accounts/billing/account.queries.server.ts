import { billingAccounts, billingRecords, organizations } from "@db/schema";
import { and, desc, eq } from "drizzle-orm";
import type { ReadServices } from "~/services";

/** What we know of an organisation's subscription, from our own rows. */
export type BillingAccount = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

export async function findAccount({ db }: ReadServices, organizationId: string) {
  const [row] = await db
    .select({
      organizationName: organizations.name,
      customerId: organizations.stripeCustomerId,
      subscriptionId: organizations.stripeSubscriptionId,
      status: organizations.subscriptionStatus,
      trialEndsAt: organizations.trialEndsAt,
      firstPaidAt: organizations.firstPaidAt,
      version: billingAccounts.version,
      syncId: billingAccounts.syncId,
      currentPeriodEnd: billingAccounts.currentPeriodEnd,
      cancelAtPeriodEnd: billingAccounts.cancelAtPeriodEnd,
      amountDue: billingAccounts.amountDue,
      cardBrand: billingAccounts.cardBrand,
      cardLast4: billingAccounts.cardLast4,
      cardExpMonth: billingAccounts.cardExpMonth,
      cardExpYear: billingAccounts.cardExpYear,
    })
    .from(organizations)
    .leftJoin(billingAccounts, eq(billingAccounts.organizationId, organizationId))
    .where(eq(organizations.id, organizationId));
  return row;
}

/** The organisation that a customer of the provider belongs to. */
export async function findOrganizationByCustomer({ db }: ReadServices, customerId: string) {
  const [row] = await db
    .select({ organizationId: organizations.id })
    .from(organizations)
    .where(eq(organizations.stripeCustomerId, customerId));
  return row?.organizationId;
}

const SHOWN_INVOICES = 60;

/** An organisation's invoices, newest first. */
export function listInvoices({ db }: ReadServices, organizationId: string) {
  return db
    .select({
      id: billingRecords.id,
      number: billingRecords.number,
      description: billingRecords.description,
      amount: billingRecords.amount,
      taxAmount: billingRecords.taxAmount,
      status: billingRecords.status,
      createdAt: billingRecords.createdAt,
    })
    .from(billingRecords)
    .where(and(eq(billingRecords.organizationId, organizationId), eq(billingRecords.type, "invoice")))
    .orderBy(desc(billingRecords.createdAt))
    .limit(SHOWN_INVOICES);
}

/** The provider's id of one of the organisation's invoices. */
export async function findInvoiceId({ db }: ReadServices, organizationId: string, recordId: string) {
  const [row] = await db
    .select({ invoiceId: billingRecords.relatedEntityId })
    .from(billingRecords)
    .where(
      and(
        eq(billingRecords.organizationId, organizationId),
        eq(billingRecords.id, recordId),
        eq(billingRecords.type, "invoice"),
      ),
    );
  return row?.invoiceId ?? undefined;
}
