import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { APPROVAL_EVIDENCE } from "~/kernel/enums";
import { flag, instant, known } from "./columns";
import { organizations } from "./organizations";

/** What an organisation has decided for itself. No row: the defaults of `modules/accounts/organizations/policy.ts`. */
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
    /** Rule id -> hold | warn | off, only where it differs from the rule's own default. */
    ruleLevels: text({ mode: "json" }).$type<Record<string, "hold" | "warn" | "off">>().notNull().default({}),
    promotionMinSpanDays: integer().notNull().default(0),
    promotionMinDistinctDays: integer().notNull().default(0),
    timeZone: text().notNull().default("Australia/Sydney"),
    updatedAt: instant().notNull(),
    /** What an approval of a verification must say about how the details were confirmed. */
    approvalEvidence: text({ enum: APPROVAL_EVIDENCE }).notNull().default("flagged"),
  },
  (t) =>
    known(t, {
      secondPersonRequired: "policies_second_person",
      autoApproveExact: "policies_auto_approve",
      acceptVouching: "policies_vouching",
      twoStepRequired: "policies_two_step",
      approvalEvidence: null,
    }),
);
