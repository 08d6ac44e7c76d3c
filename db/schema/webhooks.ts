import { foreignKey, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ENDPOINT_STATUSES, WEBHOOK_STATUSES } from "~/kernel/enums";
import { id, instant, known } from "./columns";
import { organizations } from "./organizations";

/** Where an organisation's own systems are told of what happens. */
export const webhookEndpoints = sqliteTable(
  "webhook_endpoints",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    url: text().notNull(),
    /** Names of events, as a JSON array. */
    events: text({ mode: "json" }).$type<string[]>().notNull(),
    status: text({ enum: ENDPOINT_STATUSES }).notNull(),
    /** Signs what is sent; encrypted, with the endpoint's id as the context. */
    sealedSecret: text().notNull(),
    /** The secret before, which signs too until then; both null where there is none. */
    formerSealedSecret: text(),
    formerUntil: instant(),
    /** Since when it is told: what happened before is not sent. */
    activeSince: instant().notNull(),
    lastSuccessAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("webhook_endpoints_org_id").on(t.organizationId, t.id),
    index("webhook_endpoints_status").on(t.status, t.organizationId),
    ...known(t, { status: "webhook_endpoints_status_known" }),
  ],
);

/** The log: each event that was, or is to be, sent to an endpoint, with the last answer. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: id(),
    organizationId: text().notNull(),
    endpointId: text().notNull(),
    /** The same for every try and every repeat: what a receiver deduplicates by. */
    eventId: text().notNull(),
    eventType: text().notNull(),
    /** The body, exactly as it is signed. */
    payload: text().notNull(),
    status: text({ enum: WEBHOOK_STATUSES }).notNull(),
    attempts: integer().notNull().default(0),
    lastAttemptAt: instant(),
    nextAttemptAt: instant(),
    /** HTTP status of the last answer; null where none came. */
    answerStatus: integer(),
    /** The beginning of the last answer. */
    answerBody: text(),
    /** Why there was no answer, or why it does not count; null after a success. */
    problem: text(),
    durationMs: integer(),
    createdAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("webhook_deliveries_once").on(t.endpointId, t.eventId),
    index("webhook_deliveries_list").on(t.organizationId, t.endpointId, t.id),
    foreignKey({
      columns: [t.organizationId, t.endpointId],
      foreignColumns: [webhookEndpoints.organizationId, webhookEndpoints.id],
    }).onDelete("cascade"),
    ...known(t, { status: "webhook_deliveries_status_known" }),
  ],
);
