import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { RegisterEntry } from "~/ports/business-register";
import { instant } from "./columns";

/** Answers of the public business register. They belong to no organisation: anyone may look up any ABN. */
export const businessRegister = sqliteTable(
  "business_register",
  {
    abn: text().primaryKey(),
    /** Since when an answer is wanted; null: the one that is here is recent enough. */
    wantedAt: instant(),
    /** When the register last answered; null: not yet. */
    fetchedAt: instant(),
    /** What it said; null with `fetchedAt`: it has no such ABN. */
    entry: text({ mode: "json" }).$type<RegisterEntry>(),
    /** Tries without an answer since it was wanted. */
    attempts: integer().notNull().default(0),
  },
  (t) => [
    index("business_register_wanted").on(t.wantedAt).where(sql`"wantedAt" IS NOT NULL`),
    index("business_register_age").on(t.fetchedAt),
  ],
);
