import { sql } from "drizzle-orm";
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { SUBSCRIPTION_STATUSES } from "~/kernel/enums";
import { flag, id, instant, known } from "./columns";

export const organizations = sqliteTable(
  "organizations",
  {
    id: id(),
    name: text().notNull(),
    abn: text(),
    address: text(),
    phone: text(),
    contactEmail: text(),
    website: text(),
    planTier: text().notNull().default("standard"),
    active: flag().notNull().default(true),
    stripeCustomerId: text(),
    stripeSubscriptionId: text(),
    subscriptionStatus: text({ enum: SUBSCRIPTION_STATUSES }),
    trialEndsAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    logo: text(),
    subdomain: text(),
    /** When the first invoice with an amount was paid; null: nothing has ever been paid. */
    firstPaidAt: instant(),
  },
  (t) => [
    uniqueIndex("organizations_stripe_customer").on(t.stripeCustomerId),
    uniqueIndex("organizations_subdomain").on(t.subdomain),
    index("organizations_trial_ends").on(t.trialEndsAt),
    index("organizations_name").on(sql`lower("name")`),
    index("organizations_active_id").on(t.active, t.id),
    ...known(t),
  ],
);

export const organizationDomains = sqliteTable(
  "organization_domains",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    /** Lower case, as in an email address. */
    domain: text().notNull(),
    isPrimary: flag().notNull().default(false),
    autoApprove: flag().notNull().default(false),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("organization_domains_once").on(t.organizationId, t.domain),
    index("organization_domains_domain").on(t.domain),
    ...known(t, { isPrimary: "organization_domains_primary", autoApprove: "organization_domains_auto" }),
  ],
);
