import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { REPORT_METRICS } from "~/kernel/enums";
import { id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { users } from "./users";
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

/**
 * What a person's passkey signed when they approved something: the text, and what proves offline that this key signed it
 * (docs/decisions/0013). Triggers refuse UPDATE and DELETE.
 */
export const signedApprovals = sqliteTable(
  "signed_approvals",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    /** What was approved: a payment, a payment file, or the organisation's policies. */
    entityType: text().notNull(),
    entityId: text().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id),
    /** Canonical JSON of what the page showed (`SignedText`). */
    text: text().notNull(),
    /** SHA-256 of `text`, base64url: what the key was asked to sign. Once only. */
    challenge: text().notNull(),
    /** The key, COSE, base64url, and the device's name for it. */
    publicKey: text().notNull(),
    credentialId: text().notNull(),
    clientDataJson: text().notNull(),
    authenticatorData: text().notNull(),
    signature: text().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("signed_approvals_challenge").on(t.challenge),
    index("signed_approvals_about").on(t.organizationId, t.entityType, t.entityId, t.id),
    index("signed_approvals_organization").on(t.organizationId, t.id),
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
