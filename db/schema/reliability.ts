import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { JOB_STATUSES, QUEUE_NAMES } from "~/kernel/enums";
import { instant, known } from "./columns";
import { organizations } from "./organizations";

/** Work that a commit promised. The row is written with the change itself; the queue message only points to it. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: text().primaryKey(),
    queue: text({ enum: QUEUE_NAMES }).notNull(),
    /** What to do, e.g. "bank_check", "email"; see modules/core/commands/job.ts. */
    kind: text().notNull(),
    organizationId: text().references(() => organizations.id),
    /** The row the work is about. */
    subjectId: text(),
    /** Encrypted; cleared when the job is done, or a week after it failed (it may have a link with a token). */
    sealedPayload: text(),
    status: text({ enum: JOB_STATUSES }).notNull().default("pending"),
    /** Failed attempts since the last success. */
    attempts: integer().notNull().default(0),
    dueAt: instant().notNull(),
    /** When a queue message was last sent. */
    sentAt: instant(),
    leaseId: text(),
    leaseUntil: instant(),
    lastError: text(),
    createdAt: instant().notNull(),
    finishedAt: instant(),
  },
  (t) => [
    index("outbox_due").on(t.dueAt).where(sql`"status" = 'pending'`),
    index("outbox_failed").on(t.finishedAt).where(sql`"status" = 'failed'`),
    index("outbox_subject").on(t.subjectId, t.kind).where(sql`"subjectId" IS NOT NULL`),
    ...known(t),
  ],
);

/** Signed webhooks of outside parties, each stored once. */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    provider: text().notNull(),
    eventId: text().notNull(),
    eventType: text().notNull(),
    receivedAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.eventId] })],
);

/** The first response to a creating API call, repeated for the same key and body. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    organizationId: text().notNull(),
    key: text().notNull(),
    requestHash: text().notNull(),
    response: text({ mode: "json" }).notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.key] })],
);

/** The progress of a schedule's walk over many rows that takes several runs. */
export const walkCursors = sqliteTable("walk_cursors", {
  name: text().primaryKey(),
  /** Key of the last row that was visited; empty at the start. */
  key: text().notNull(),
  /** When this walk started; the next starts at least a day later. */
  startedAt: instant().notNull(),
  /** Null while it is running. */
  finishedAt: instant(),
});

/** Rate limits: the count in the current window. */
export const rateCounters = sqliteTable("rate_counters", {
  key: text().primaryKey(),
  count: integer().notNull(),
  windowEndsAt: instant().notNull(),
});

/** Exact counts per organisation, which triggers update in the transaction that changes rows. */
export const counters = sqliteTable(
  "counters",
  { organizationId: text().notNull(), name: text().notNull(), value: integer().notNull() },
  (t) => [primaryKey({ columns: [t.organizationId, t.name] })],
);

/** Holders of locks for work that must not run twice at once, e.g. the sealer. */
export const leases = sqliteTable("leases", {
  name: text().primaryKey(),
  holder: text().notNull(),
  until: instant().notNull(),
});

/**
 * Conditions of a batch: each column is the result of one condition, and its CHECK refuses the whole batch if the
 * result is false. The constraint's name contains the column's number, so the writer learns which condition failed. A
 * trigger keeps the table empty.
 */
export const preconditions = sqliteTable(
  "preconditions",
  {
    c0: integer(),
    c1: integer(),
    c2: integer(),
    c3: integer(),
    c4: integer(),
    c5: integer(),
    c6: integer(),
    c7: integer(),
    c8: integer(),
    c9: integer(),
  },
  (t) => Object.values(t).map((column, index) => check(`precondition_${index}`, sql`${column} = 1`)),
);
