import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { REPORT_METRICS } from "~/kernel/enums";
import { known } from "./columns";
import { organizations } from "./organizations";

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
