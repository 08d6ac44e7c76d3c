import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { BSB_STATUSES, DOMAIN_PARTIES } from "~/kernel/enums";
import type { MailRecords } from "~/modules/directories/email-domain";
import type { RegisterEntry } from "~/ports/business-register";
import type { Registration } from "~/ports/domains";
import { flag, id, instant, known } from "./columns";
import { users } from "./users";

/** A BSB's entry in the directory. */
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

/** AusPayNet's BSB directory, loaded by an operator (`npm run bsb:import`, or the page). Empty until then. */
export const bsbDirectory = sqliteTable(
  "bsb_directory",
  { bsb: text().primaryKey(), ...entryColumns(), loadedAt: instant().notNull() },
  (t) => [index("bsb_directory_mnemonic").on(t.mnemonic), ...known(t, UNCHECKED)],
);

/** Uploaded files of the directory. The newest with a `loadedAt` is in use. */
export const bsbUploads = sqliteTable(
  "bsb_uploads",
  {
    id: id(),
    fileName: text().notNull(),
    rowCount: integer().notNull(),
    /** Null: imported by the command of a developer's machine. */
    uploadedById: text().references(() => users.id),
    uploadedAt: instant().notNull(),
    /** When the file became the directory; null: its rows wait in `bsb_upload_rows`, or another file replaced it. */
    loadedAt: instant(),
    /** BSBs that this file closed or merged, with their previous entries. */
    endedBsbs: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** The last organisation that was notified, in the order of ids. */
    toldTo: text().notNull().default(""),
  },
  (t) => [index("bsb_uploads_loaded").on(t.loadedAt)],
);

/** Rows of the one file that waits to become the directory. */
export const bsbUploadRows = sqliteTable(
  "bsb_upload_rows",
  { uploadId: text().notNull(), bsb: text().notNull(), ...entryColumns() },
  (t) => [primaryKey({ columns: [t.uploadId, t.bsb] }), ...known(t, UNCHECKED)],
);

/** Answers of the Australian Business Register. They belong to no organisation, because anybody may look up any ABN. */
export const businessRegister = sqliteTable(
  "business_register",
  {
    abn: text().primaryKey(),
    /** Since when an answer has been needed; null: the stored one is recent enough. */
    wantedAt: instant(),
    /** When the register last answered; null: not yet. */
    fetchedAt: instant(),
    /** The register's entry; null with `fetchedAt`: there is no such ABN. */
    entry: text({ mode: "json" }).$type<RegisterEntry>(),
    /** Failed attempts since `wantedAt`. */
    attempts: integer().notNull().default(0),
  },
  (t) => [
    index("business_register_wanted").on(t.wantedAt).where(sql`"wantedAt" IS NOT NULL`),
    index("business_register_age").on(t.fetchedAt),
  ],
);

/** Answers of DNS and domain registries about email domains. They belong to no organisation. */
export const domainAnswers = sqliteTable(
  "domain_answers",
  {
    /** In ASCII. For DNS, what follows the @ of an address; for a registry, the registered domain. */
    domain: text().notNull(),
    party: text({ enum: DOMAIN_PARTIES }).notNull(),
    /** When it is looked up next. */
    wantedAt: instant().notNull(),
    /** Failed attempts since then. */
    attempts: integer().notNull().default(0),
    fetchedAt: instant(),
    /** When the last look-up failed, if none has succeeded since. */
    failedAt: instant(),
    /** The answer of DNS. */
    mail: text({ mode: "json" }).$type<MailRecords>(),
    /** The answer of the registry. */
    registration: text({ mode: "json" }).$type<Registration>(),
  },
  (t) => [
    primaryKey({ columns: [t.domain, t.party] }),
    index("domain_answers_wanted").on(t.party, t.wantedAt),
    ...known(t),
  ],
);

/** The registered email domains and ABNs of an organisation's payees, and the concerns its people were alerted to. */
export const subjectWatches = sqliteTable(
  "subject_watches",
  {
    organizationId: text().notNull(),
    /** A registered domain in ASCII, or an ABN. */
    subject: text().notNull(),
    /** When the organisation first had a payee with it; for payees older than this table, when they were added. */
    firstSeenAt: instant().notNull(),
    /** Concerns that people were alerted to and that still apply. */
    told: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** When something was found that may need an alert; null: nothing. */
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
