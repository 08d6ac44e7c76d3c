import { foreignKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { id, instant } from "./columns";
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
