import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { BILLING_STATUSES, BILLING_TYPES } from "~/kernel/enums";
import { id, instant, isOneOf } from "./columns";
import { organizations } from "./organizations";

export const billingRecords = sqliteTable(
  "billing_records",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    type: text({ enum: BILLING_TYPES }).notNull(),
    /** Integer cents, Australian dollars. */
    amount: integer().notNull(),
    description: text().notNull(),
    status: text({ enum: BILLING_STATUSES }).notNull(),
    relatedEntityType: text(),
    relatedEntityId: text(),
    createdAt: instant().notNull(),
    paidAt: instant(),
  },
  (t) => [
    index("billing_records_organization").on(t.organizationId, t.id),
    isOneOf("billing_records_type", t.type, BILLING_TYPES),
    isOneOf("billing_records_status", t.status, BILLING_STATUSES),
  ],
);

export const contactSubmissions = sqliteTable("contact_submissions", {
  id: id(),
  firstName: text().notNull(),
  lastName: text().notNull(),
  email: text().notNull(),
  company: text().notNull(),
  phone: text().notNull(),
  interest: text().notNull(),
  message: text().notNull(),
  createdAt: instant().notNull(),
});
