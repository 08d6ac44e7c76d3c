import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  NAME_DOUBTS,
  NAME_REQUEST_STATUSES,
  ORGANIZATION_ROLES,
  PASSKEY_KINDS,
  SIGN_IN_METHODS,
  TOKEN_KINDS,
  USER_ROLES,
  USER_STATUSES,
} from "~/kernel/enums";
import { flag, id, instant, known } from "./columns";
import { organizations } from "./organizations";

export const users = sqliteTable(
  "users",
  {
    id: id(),
    username: text().notNull(),
    /** A scrypt hash with its parameters, never the password. */
    password: text().notNull(),
    /** NFKC, lower case. */
    email: text().notNull(),
    emailVerifiedAt: instant(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    /** super_admin, or a copy of the role in the current organisation. */
    role: text({ enum: USER_ROLES }).notNull().default("member"),
    /** A copy of the status in the current organisation. Inactive people cannot sign in. */
    status: text({ enum: USER_STATUSES }).notNull().default("active"),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    lastLoginAt: instant(),
    /** The current organisation of a person who may belong to several. */
    organizationId: text().references(() => organizations.id),
    /** After a decision the next item of the review queue follows. */
    reviewNext: flag().notNull().default(false),
    /** Single keys work. Every new person is written with them on: the column's own default is from before that. */
    reviewKeys: flag().notNull().default(false),
    /** Rows of the review queue have more space. */
    reviewRoomy: flag().notNull().default(false),
    /** When a sign-in with the password offered passkeys: it is done once. */
    passkeyOfferedAt: instant(),
  },
  (t) => [
    uniqueIndex("users_username").on(t.username),
    uniqueIndex("users_email").on(t.email),
    index("users_organization").on(t.organizationId),
    index("users_status").on(t.status, t.id),
    index("users_first_name").on(sql`lower("firstName")`),
    index("users_last_name").on(sql`lower("lastName")`),
    ...known(t, { reviewNext: null, reviewKeys: null, reviewRoomy: null }),
  ],
);

export const organizationUsers = sqliteTable(
  "organization_users",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    userId: text()
      .notNull()
      .references(() => users.id),
    role: text({ enum: ORGANIZATION_ROLES }).notNull().default("member"),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    /** How far the organisation has let the person in. */
    status: text({ enum: USER_STATUSES }).notNull().default("active"),
  },
  (t) => [
    uniqueIndex("organization_users_once").on(t.organizationId, t.userId),
    index("organization_users_user").on(t.userId),
    index("organization_users_status").on(t.organizationId, t.status, t.userId),
    ...known(t, { status: "organization_users_status_known" }),
  ],
);

export const sessions = sqliteTable(
  "sessions",
  {
    /** SHA-256 of the random id in the cookie. */
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
    expiresAt: instant().notNull(),
    ipAddress: text(),
    userAgent: text(),
    /** City and country of the address, where the network told. */
    place: text(),
    /** How the person signed in; null where it is not known. */
    method: text({ enum: SIGN_IN_METHODS }),
    /** The organisation whose provider vouched for the person: the session is good for that organisation only. */
    providerOrganizationId: text().references(() => organizations.id),
    /** From when the passkey that it came with counts; null where none was shown. */
    passkeyCountsFrom: instant(),
    /** When the person last gave a code or showed a passkey in it. */
    provenAt: instant(),
  },
  (t) => [
    index("sessions_user").on(t.userId),
    index("sessions_expiry").on(t.expiresAt),
    // Also for the database itself, which looks for them when an organisation is removed.
    index("sessions_provider_organization")
      .on(t.providerOrganizationId)
      .where(sql`"providerOrganizationId" IS NOT NULL`),
    ...known(t, { method: null }),
  ],
);

/** Single-use links sent by email: confirmation, reset, invitation. */
export const tokens = sqliteTable(
  "tokens",
  {
    id: id(),
    kind: text({ enum: TOKEN_KINDS }).notNull(),
    /** SHA-256 of the token in the link. */
    tokenHash: text().notNull(),
    userId: text().references(() => users.id),
    organizationId: text().references(() => organizations.id),
    email: text().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    /** Of an invitation: the role it offers, and who invited. */
    role: text({ enum: ORGANIZATION_ROLES }),
    invitedById: text().references(() => users.id),
  },
  (t) => [
    uniqueIndex("tokens_hash").on(t.tokenHash),
    index("tokens_user").on(t.userId, t.kind),
    uniqueIndex("tokens_invitation")
      .on(t.organizationId, t.email)
      .where(sql`"kind" = 'invitation' AND "usedAt" IS NULL`),
    index("tokens_expiry").on(t.expiresAt),
    ...known(t),
  ],
);

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
  /** From when a code opens bank details: a day later where it was turned on in a session without a second step. */
  countsFrom: instant().notNull().default(0),
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

/** Keys of a person's devices, with which they sign in in place of password and code. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: id(),
    userId: userId(),
    /** The device's own name for the key, base64url. */
    credentialId: text().notNull(),
    /** COSE, base64url. */
    publicKey: text().notNull(),
    /** How often the key was used, where its device counts; it only grows. */
    counter: integer().notNull(),
    /** How browsers reach the device: "internal", "hybrid", "usb". */
    transports: text({ mode: "json" }).$type<string[]>().notNull(),
    /** Whether the key stays in one device, or may be copied to others of the same person. */
    kind: text({ enum: PASSKEY_KINDS }).notNull(),
    /** There was a copy of it when it was last used. */
    isBackedUp: flag().notNull(),
    /** The model of what holds the key; zeros where it does not tell. */
    aaguid: text().notNull(),
    name: text().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
    /** It signs in at once, and decides from then on: later than it was added where no older one vouched for it. */
    countsFrom: instant().notNull().default(0),
  },
  (t) => [
    uniqueIndex("passkeys_credential").on(t.credentialId),
    index("passkeys_user").on(t.userId, t.id),
    ...known(t),
  ],
);

/** Challenges of passkeys and of providers that were answered, until they would have expired: each is answered once. */
export const usedPasskeyChallenges = sqliteTable(
  "used_passkey_challenges",
  {
    /** SHA-256 of the challenge. */
    challengeHash: text().primaryKey(),
    expiresAt: instant().notNull(),
  },
  (t) => [index("used_passkey_challenges_expiry").on(t.expiresAt)],
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

/**
 * A change that weakens what an organisation decided, and waits: of its policies, the level of a rule, the limits of
 * `payment_file_settings`, or how people of a domain come in. It holds from `dueAt`, whether or not the schedule has written
 * it yet. Changes that wait have rows; what became of them stands in the audit trail.
 */
export const policyChanges = sqliteTable(
  "policy_changes",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    /** Name of the policy or limit, id of the rule, or "domain:" and the domain. */
    field: text().notNull(),
    /** JSON values, before and after. */
    oldValue: text().notNull(),
    newValue: text().notNull(),
    askedById: text()
      .notNull()
      .references(() => users.id),
    askedAt: instant().notNull(),
    dueAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("policy_changes_once").on(t.organizationId, t.field),
    index("policy_changes_due").on(t.dueAt),
    ...known(t),
  ],
);

/** A name that might pass for another organisation's waits for an operator; until then the organisation has the name it had. */
export const organizationNames = sqliteTable(
  "organization_names",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    name: text().notNull(),
    why: text({ enum: NAME_DOUBTS }).notNull(),
    requestedById: text()
      .notNull()
      .references(() => users.id),
    requestedAt: instant().notNull(),
    status: text({ enum: NAME_REQUEST_STATUSES }).notNull().default("waiting"),
    decidedById: text().references(() => users.id),
    decidedAt: instant(),
    reason: text(),
  },
  (t) => [
    index("organization_names_organization").on(t.organizationId, t.id),
    uniqueIndex("organization_names_waiting").on(t.organizationId).where(sql`"status" = 'waiting'`),
    index("organization_names_queue").on(t.id).where(sql`"status" = 'waiting'`),
    ...known(t),
  ],
);
