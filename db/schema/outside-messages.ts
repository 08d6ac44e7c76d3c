import { sql } from "drizzle-orm";
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { OUTSIDE_MESSAGE_KINDS } from "~/kernel/enums";
import { id, instant, known } from "./columns";
import { organizations } from "./organizations";

/** Every email and text message that an organisation sent to a person outside it: what limits count and people report. */
export const outsideMessages = sqliteTable(
  "outside_messages",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    kind: text({ enum: OUTSIDE_MESSAGE_KINDS }).notNull(),
    /** Keyed digest of the address or number. */
    recipientHash: text().notNull(),
    createdAt: instant().notNull(),
    /** When the recipient told us that the message is unwanted or a fraud. */
    reportedAt: instant(),
  },
  (t) => [
    index("outside_messages_organization").on(t.organizationId, t.createdAt),
    index("outside_messages_recipient").on(t.recipientHash, t.createdAt),
    index("outside_messages_reported").on(t.organizationId, t.reportedAt).where(sql`"reportedAt" IS NOT NULL`),
    ...known(t),
  ],
);
