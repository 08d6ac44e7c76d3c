import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, instant } from "./columns";

export const contactSubmissions = sqliteTable("contact_submissions", {
  id: id(),
  firstName: text().notNull(),
  lastName: text().notNull(),
  email: text().notNull(),
  company: text().notNull(),
  phone: text().notNull(),
  interest: text().notNull(),
  message: text().notNull(),
  createdAt: instant().notNull(),
});
