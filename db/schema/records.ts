import { foreignKey, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { REPORT_METRICS } from "~/kernel/enums";
import { id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { verifications } from "./verifications";

/** The certificate of a decided verification, under the verification's id. Triggers refuse UPDATE and DELETE. */
export const certificates = sqliteTable(
  "certificates",
  {
    id: id(),
    organizationId: text().notNull(),
    /** Canonical JSON, exactly the text that `hash` is computed from. */
    facts: text().notNull(),
    /** SHA-256 of `facts`, hex. */
    hash: text().notNull(),
    issuedAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("certificates_org_id").on(t.organizationId, t.id),
    foreignKey({
      columns: [t.organizationId, t.id],
      foreignColumns: [verifications.organizationId, verifications.id],
    }),
  ],
);

/** What happened on one day, counted from the audit trail: what reports read, whatever the size of the organisation. */
export const reportDays = sqliteTable(
  "report_days",
  {
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    metric: text({ enum: REPORT_METRICS }).notNull(),
    /** `YYYY-MM-DD` in the organisation's zone when it was counted. */
    day: text().notNull(),
    /** Which kind of the metric: an outcome, a rule's id, a person's id and what they decided. */
    key: text().notNull(),
    count: integer().notNull(),
    /** Cents, or minutes, of all of them; 0 where the metric has neither. */
    sum: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.metric, t.day, t.key] }), ...known(t)],
);
