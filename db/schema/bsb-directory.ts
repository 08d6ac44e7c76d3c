import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { BSB_STATUSES } from "~/kernel/enums";
import { flag, instant, isOneOf } from "./columns";

/** AusPayNet's directory, loaded by an operator (`npm run bsb:import`). Empty until then. */
export const bsbDirectory = sqliteTable(
  "bsb_directory",
  {
    bsb: text().primaryKey(),
    mnemonic: text().notNull(),
    name: text().notNull(),
    street: text(),
    suburb: text(),
    state: text(),
    postcode: text(),
    paper: flag().notNull(),
    electronic: flag().notNull(),
    highValue: flag().notNull(),
    status: text({ enum: BSB_STATUSES }).notNull(),
    successorBsb: text(),
    loadedAt: instant().notNull(),
  },
  (t) => [index("bsb_directory_mnemonic").on(t.mnemonic), isOneOf("bsb_directory_status", t.status, BSB_STATUSES)],
);
