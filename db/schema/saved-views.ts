import { sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { id, instant } from "./columns";
import { organizations } from "./organizations";
import { users } from "./users";

/** A view of the review queue that a person kept under a name. */
export const savedViews = sqliteTable(
  "saved_views",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    userId: text()
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    /** What stands behind the question mark of its address; empty: nothing is narrowed. */
    query: text().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [uniqueIndex("saved_views_name").on(t.organizationId, t.userId, t.name)],
);
