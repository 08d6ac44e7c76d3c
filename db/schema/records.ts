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
 * The text that a person's passkey signed when they approved something, and the signature that proves it offline
 * (docs/decisions/0013). Triggers refuse UPDATE and DELETE.
 */
export const signedApprovals = sqliteTable(
  "signed_approvals",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    /** The subject of the approval: a payment, a payment file, or the organisation's policies. */
    entityType: text().notNull(),
    entityId: text().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id),
    /** Canonical JSON of what the page showed (`SignedText`). */
    text: text().notNull(),
    /** SHA-256 of `text`, base64url: the challenge that the key signed. Unique. */
    challenge: text().notNull(),
    /** The public key, COSE, base64url, and the device's id for it. */
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

/** Daily counts from the audit trail, which reports read, so that they are fast for any size of organisation. */
export const reportDays = sqliteTable(
  "report_days",
  {
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    metric: text({ enum: REPORT_METRICS }).notNull(),
    /** `YYYY-MM-DD` in the organisation's zone when it was counted. */
    day: text().notNull(),
    /** The subdivision of the metric: an outcome, a rule's id, or a person's id and their decision. */
    key: text().notNull(),
    count: integer().notNull(),
    /** The sum of cents or minutes; 0 if the metric has neither. */
    sum: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.metric, t.day, t.key] }), ...known(t)],
);
