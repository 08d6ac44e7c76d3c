import { foreignKey, index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { payees } from "./payees";
import { paymentRecords } from "./payments";

/** Payments of which the payee is still to be told by email that they were made. A row is removed with the email. */
export const remittancesDue = sqliteTable(
  "remittances_due",
  {
    organizationId: text().notNull(),
    paymentId: text().notNull(),
    payeeId: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.paymentId] }),
    foreignKey({
      columns: [t.organizationId, t.paymentId],
      foreignColumns: [paymentRecords.organizationId, paymentRecords.id],
    }),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    index("remittances_due_payee").on(t.organizationId, t.payeeId),
  ],
);
