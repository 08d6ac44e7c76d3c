import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { BSB_STATUSES, DOMAIN_PARTIES } from "~/kernel/enums";
import type { MailRecords } from "~/modules/directories/email-domain";
import type { RegisterEntry } from "~/ports/business-register";
import type { Registration } from "~/ports/domain-registry";
import { flag, id, instant, known } from "./columns";
import { users } from "./users";

/** What the directory says of a BSB. */
const entryColumns = () => ({
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
});

const UNCHECKED = { paper: null, electronic: null, highValue: null };

/** AusPayNet's directory, loaded by an operator (`npm run bsb:import`, or the page of administration). Empty until then. */
export const bsbDirectory = sqliteTable(
  "bsb_directory",
  { bsb: text().primaryKey(), ...entryColumns(), loadedAt: instant().notNull() },
  (t) => [index("bsb_directory_mnemonic").on(t.mnemonic), ...known(t, UNCHECKED)],
);

/** Files of the directory: the one in use is the newest with a `loadedAt`. */
export const bsbUploads = sqliteTable(
  "bsb_uploads",
  {
    id: id(),
    fileName: text().notNull(),
    rowCount: integer().notNull(),
    /** Null: the command of a developer's machine. */
    uploadedById: text().references(() => users.id),
    uploadedAt: instant().notNull(),
    /** When it became the directory; null: its rows wait in `bsb_upload_rows`, or another file replaced them. */
    loadedAt: instant(),
    /** The BSBs that it closed or merged, as the directory was before. */
    endedBsbs: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** The last organisation that was told of them, in the order of ids. */
    toldTo: text().notNull().default(""),
  },
  (t) => [index("bsb_uploads_loaded").on(t.loadedAt)],
);

/** Rows of the one file that waits to be taken as the directory. */
export const bsbUploadRows = sqliteTable(
  "bsb_upload_rows",
  { uploadId: text().notNull(), bsb: text().notNull(), ...entryColumns() },
  (t) => [primaryKey({ columns: [t.uploadId, t.bsb] }), ...known(t, UNCHECKED)],
);

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

/** What the DNS and the registries say of email domains. Like answers of the business register they belong to no organisation. */
export const domainAnswers = sqliteTable(
  "domain_answers",
  {
    /** In ASCII. Of the DNS what follows the @ of an address; of a registry the domain as it was registered. */
    domain: text().notNull(),
    party: text({ enum: DOMAIN_PARTIES }).notNull(),
    /** When it is asked about next. */
    wantedAt: instant().notNull(),
    /** Tries without an answer since then. */
    attempts: integer().notNull().default(0),
    fetchedAt: instant(),
    /** When it was last asked in vain since it answered. */
    failedAt: instant(),
    /** What the DNS said. */
    mail: text({ mode: "json" }).$type<MailRecords>(),
    /** What the registry said. */
    registration: text({ mode: "json" }).$type<Registration>(),
  },
  (t) => [
    primaryKey({ columns: [t.domain, t.party] }),
    index("domain_answers_wanted").on(t.party, t.wantedAt),
    ...known(t),
  ],
);

/** The registered email domains and the ABNs of an organisation's payees, and what its people were told of them. */
export const subjectWatches = sqliteTable(
  "subject_watches",
  {
    organizationId: text().notNull(),
    /** A registered domain in ASCII, or an ABN. */
    subject: text().notNull(),
    /** When the organisation first had a payee with it; of payees from before this was kept, when they were added. */
    firstSeenAt: instant().notNull(),
    /** The concerns that people were told of and that still stand. */
    told: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** When something was found that people may have to be told of; null: nothing. */
    newsAt: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.subject] }),
    index("subject_watches_subject").on(t.subject),
    index("subject_watches_news").on(t.newsAt).where(sql`"newsAt" IS NOT NULL`),
  ],
);

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
