import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { id, instant } from "./columns";
import { organizations } from "./organizations";
import { users } from "./users";

const userId = () =>
  text()
    .notNull()
    .references(() => users.id);

/** Two-step sign-in of a person, being set up or on. */
export const twoSteps = sqliteTable("two_steps", {
  userId: userId().primaryKey(),
  /** Encrypted envelope of the secret that the person's app shares, never plain. */
  sealedSecret: text().notNull(),
  /** Null while it is being set up. */
  enabledAt: instant(),
  /** The time step of the last code that was taken: a code works once. */
  lastStep: integer(),
  createdAt: instant().notNull(),
});

/** Codes for a person who lost their device. Each works once. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    userId: userId(),
    /** SHA-256 of the code. */
    codeHash: text().notNull(),
    createdAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);

/** A change of address on its way: both mailboxes are asked. At most one is open per person. */
export const emailChanges = sqliteTable(
  "email_changes",
  {
    id: id(),
    userId: userId(),
    oldEmail: text().notNull(),
    newEmail: text().notNull(),
    /** SHA-256 of the token in each link. */
    oldTokenHash: text().notNull(),
    newTokenHash: text().notNull(),
    oldConfirmedAt: instant(),
    newConfirmedAt: instant(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    /** Made, stopped, or replaced by another. */
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex("email_changes_open").on(t.userId).where(sql`"endedAt" IS NULL`),
    uniqueIndex("email_changes_old_token").on(t.oldTokenHash),
    uniqueIndex("email_changes_new_token").on(t.newTokenHash),
    index("email_changes_expiry").on(t.expiresAt),
  ],
);

/** What a person's scripts sign in with. It acts as the person, in one organisation. */
export const apiTokens = sqliteTable(
  "api_tokens",
  {
    id: id(),
    userId: userId(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    name: text().notNull(),
    /** SHA-256 of the token. */
    tokenHash: text().notNull(),
    /** The last four characters, so that people know which is which. */
    hint: text().notNull(),
    scopes: text({ mode: "json" }).$type<string[]>().notNull(),
    createdAt: instant().notNull(),
    /** Null: until it is revoked. */
    expiresAt: instant(),
    lastUsedAt: instant(),
    revokedAt: instant(),
  },
  (t) => [uniqueIndex("api_tokens_hash").on(t.tokenHash), index("api_tokens_user").on(t.userId, t.id)],
);

/** Where a person has signed in from before: a sign-in from elsewhere is told to them. */
export const knownDevices = sqliteTable(
  "known_devices",
  {
    userId: userId(),
    /** SHA-256 of browser, system and network. */
    deviceHash: text().notNull(),
    firstSeenAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.deviceHash] }), index("known_devices_last_seen").on(t.lastSeenAt)],
);
