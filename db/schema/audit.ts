import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { instant } from "./columns";
import { organizations } from "./organizations";
import { users } from "./users";

/** Append-only: triggers refuse UPDATE and DELETE. `position` is the order of commits. */
export const auditLogs = sqliteTable(
  "audit_logs",
  {
    position: integer().primaryKey(),
    id: text().notNull(),
    userId: text().references(() => users.id),
    /** Actions without an organisation belong to the reserved platform organisation. */
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    action: text().notNull(),
    entityType: text(),
    entityId: text(),
    /** Old and new values, bank numbers masked, never a secret. */
    details: text({ mode: "json" }).$type<Record<string, unknown>>(),
    ipAddress: text(),
    userAgent: text(),
    requestId: text(),
    createdAt: instant().notNull(),
    /** The salt with which email addresses in `details` are hashed for the seal; null: none are. */
    emailSalt: text(),
  },
  (t) => [
    uniqueIndex("audit_logs_id").on(t.id),
    index("audit_logs_organization").on(t.organizationId, t.position),
    index("audit_logs_entity").on(t.organizationId, t.entityType, t.entityId, t.position),
  ],
);

/** One seal per audit row, chained per organisation. */
export const auditSeals = sqliteTable(
  "audit_seals",
  {
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    /** 1, 2, 3 ... without gaps. */
    seq: integer().notNull(),
    position: integer()
      .notNull()
      .references(() => auditLogs.position),
    prevHash: text().notNull(),
    hash: text().notNull(),
    sealedAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.seq] }), uniqueIndex("audit_seals_position").on(t.position)],
);

/**
 * The daily seals that were emailed outside, against which the trail is verified. Append-only like the trail. Rows do
 * not reference the trail, because its entry may be missing when verification fails.
 */
export const keptSeals = sqliteTable(
  "kept_seals",
  {
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    seq: integer().notNull(),
    hash: text().notNull(),
    keptAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.seq] })],
);
