import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { APPROVAL_EVIDENCE, ASK_BANKS, SUBSCRIPTION_STATUSES } from "~/kernel/enums";
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
    /** The contact email that was confirmed. Alerts to the organisation go there until a different one is confirmed. */
    confirmedContactEmail: text(),
    /** When it closes, or closed, at an administrator's request. */
    closesAt: instant(),
    closedAt: instant(),
    /** When the removal of its rows started; from then on the database allows its audit trail to be deleted. */
    removalStartedAt: instant(),
    /** The organisation that this one holds invented sample data for (`records/sample-data.server.ts`). */
    sampleFor: text().references((): AnySQLiteColumn => organizations.id),
    /** The progress of creating the sample data; null: complete. */
    sampleStep: integer(),
  },
  (t) => [
    uniqueIndex("organizations_stripe_customer").on(t.stripeCustomerId),
    uniqueIndex("organizations_subdomain").on(t.subdomain),
    index("organizations_trial_ends").on(t.trialEndsAt),
    index("organizations_name").on(sql`lower("name")`),
    index("organizations_active_id").on(t.active, t.id),
    index("organizations_sample_for").on(t.sampleFor).where(sql`"sampleFor" IS NOT NULL`),
    index("organizations_closes_at").on(t.closesAt).where(sql`"closesAt" IS NOT NULL`),
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
    /** When the DNS of the domain last named this organisation; null: never. */
    provedAt: instant(),
    /** When the DNS is checked next; null while the domain is not proved. */
    proofDueAt: instant(),
    /** When the DNS stopped naming this organisation; null: it did when last checked. */
    proofGoneAt: instant(),
  },
  (t) => [
    uniqueIndex("organization_domains_once").on(t.organizationId, t.domain),
    index("organization_domains_domain").on(t.domain),
    index("organization_domains_proof_due").on(t.proofDueAt).where(sql`"provedAt" IS NOT NULL`),
    ...known(t, { isPrimary: "organization_domains_primary", autoApprove: "organization_domains_auto" }),
  ],
);

/** An organisation's policies. No row: the defaults of `modules/accounts/organizations/policy.ts`. */
export const organizationPolicies = sqliteTable(
  "organization_policies",
  {
    organizationId: text()
      .primaryKey()
      .references(() => organizations.id),
    secondPersonRequired: flag().notNull().default(false),
    autoApproveExact: flag().notNull().default(false),
    acceptVouching: flag().notNull().default(false),
    twoStepRequired: flag().notNull().default(false),
    reverifyAfterMonths: integer().notNull().default(12),
    firstPaymentLimitCents: integer().notNull().default(1_000_000),
    /** Rule id -> hold | warn | off, only if it differs from the rule's default. */
    ruleLevels: text({ mode: "json" }).$type<Record<string, "hold" | "warn" | "off">>().notNull().default({}),
    promotionMinSpanDays: integer().notNull().default(0),
    promotionMinDistinctDays: integer().notNull().default(0),
    timeZone: text().notNull().default("Australia/Sydney"),
    updatedAt: instant().notNull(),
    /** When an approval of a verification must record how the details were confirmed. */
    approvalEvidence: text({ enum: APPROVAL_EVIDENCE }).notNull().default("flagged"),
    /** Integer cents: a smaller payment does not count towards promotion; 0: every payment counts. */
    promotionMinCents: integer().notNull().default(0),
    /** How many hours a change that weakens the policies waits before it takes effect. */
    weakeningDelayHours: integer().notNull().default(24),
    /** When banks are asked automatically. */
    askBanks: text({ enum: ASK_BANKS }).notNull().default("added_or_changed"),
    /** Months after a bank last confirmed a trusted payee at which it is asked again. */
    confirmAgainMonths: integer().notNull().default(12),
    /** Integer cents that automatic bank questions may cost in a calendar month. */
    bankBudgetCents: integer().notNull().default(10_000),
    /** Administrators and approvers can only decide after signing in with a passkey. */
    passkeysRequired: flag().notNull().default(false),
    /** Since when; each person has `passkeyGraceDays` from then, or from when they joined. */
    passkeysRequiredSince: instant(),
    passkeyGraceDays: integer().notNull().default(14),
    /** Approving a payment above `passkeyAboveCents` requires a passkey that signs exactly what is approved. */
    passkeyForApprovals: flag().notNull().default(false),
    /** Integer cents. */
    passkeyAboveCents: integer().notNull().default(1_000_000),
    passkeyForFiles: flag().notNull().default(false),
    passkeyForPolicies: flag().notNull().default(false),
    /** Minutes of inactivity after which a session ends. */
    idleMinutes: integer().notNull().default(720),
    /** Appointing administrators and changing roles or approval limits requires a passkey that signs the change. */
    passkeyForPeople: flag().notNull().default(false),
    /** Full bank details, and files with them, require a recent code or passkey. */
    stepUpRequired: flag().notNull().default(false),
    stepUpMinutes: integer().notNull().default(15),
  },
  (t) =>
    known(t, {
      secondPersonRequired: "policies_second_person",
      autoApproveExact: "policies_auto_approve",
      acceptVouching: "policies_vouching",
      twoStepRequired: "policies_two_step",
      approvalEvidence: null,
      askBanks: null,
    }),
);
