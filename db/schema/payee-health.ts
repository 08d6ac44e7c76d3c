import { sql } from "drizzle-orm";
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { HEALTH_KINDS, HEALTH_STATUSES, type HealthKind } from "~/kernel/enums";
import { id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { payees } from "./payees";

/** One reading of an organisation's master list. */
export const healthRuns = sqliteTable(
  "health_runs",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    status: text({ enum: HEALTH_STATUSES }).notNull(),
    /** Id of the last payee that was looked at. */
    cursor: text().notNull().default(""),
    payeeCount: integer().notNull().default(0),
    /** Points of all payees together, 0 to 100 each. */
    pointsSum: integer().notNull().default(0),
    /** Per kind: how many payees, and integer cents that were paid to them in the last year. */
    totals: text({ mode: "json" }).$type<Partial<Record<HealthKind, { count: number; cents: number }>>>().notNull(),
    startedAt: instant().notNull(),
    finishedAt: instant(),
  },
  (t) => [
    uniqueIndex("health_runs_org_id").on(t.organizationId, t.id),
    uniqueIndex("health_runs_one_running").on(t.organizationId).where(sql`"status" = 'running'`),
    ...known(t),
  ],
);

/** What a run found of one payee. */
export const payeeFindings = sqliteTable(
  "payee_findings",
  {
    organizationId: text().notNull(),
    runId: text().notNull(),
    kind: text({ enum: HEALTH_KINDS }).notNull(),
    payeeId: text().notNull(),
    detail: text().notNull(),
    /** Integer cents, successful payments of the last year. */
    paidCents: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.runId, t.kind, t.payeeId] }),
    foreignKey({ columns: [t.organizationId, t.runId], foreignColumns: [healthRuns.organizationId, healthRuns.id] }),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    index("payee_findings_order").on(t.organizationId, t.runId, t.kind, t.paidCents, t.payeeId),
    ...known(t),
  ],
);
