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
    /** After a decision, open the next item of the review queue. */
    reviewNext: flag().notNull().default(false),
    /** Single-key shortcuts are on. New people are always created with them on; the column's default predates that. */
    reviewKeys: flag().notNull().default(false),
    /** Rows of the review queue are spaced widely. */
    reviewRoomy: flag().notNull().default(false),
    /** When signing in with a password offered a passkey, which happens once. */
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
    /** Membership status of the person in the organisation. */
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
    /** City and country of the IP address, if the network reported them. */
    place: text(),
    /** How the person signed in; null if unknown. */
    method: text({ enum: SIGN_IN_METHODS }),
    /** The organisation whose provider the person signed in with: the session is valid for that organisation only. */
    providerOrganizationId: text().references(() => organizations.id),
    /** When the passkey used for the sign-in takes effect; null if none was used. */
    passkeyCountsFrom: instant(),
    /** When the person last entered a code or used a passkey in this session. */
    provenAt: instant(),
  },
  (t) => [
    index("sessions_user").on(t.userId),
    index("sessions_expiry").on(t.expiresAt),
    // Also used by the database, when it deletes an organisation.
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
    /** For an invitation: the role it offers, and who sent it. */
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

/** A person's two-step sign-in, being set up or on. */
export const twoSteps = sqliteTable("two_steps", {
  userId: userId().primaryKey(),
  /** The secret shared with the person's authenticator app, in an encrypted envelope, never plain. */
  sealedSecret: text().notNull(),
  /** Null while it is being set up. */
  enabledAt: instant(),
  /** The time step of the last accepted code, because a code works once. */
  lastStep: integer(),
  createdAt: instant().notNull(),
  /** When its codes start to open bank details: a day later if it was turned on in a session without a second step. */
  countsFrom: instant().notNull().default(0),
});

/** Recovery codes for a person who lost their device. Each works once. */
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

/** A person's passkeys, which replace password and code when signing in. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: id(),
    userId: userId(),
    /** The device's own name for the key, base64url. */
    credentialId: text().notNull(),
    /** COSE, base64url. */
    publicKey: text().notNull(),
    /** The signature counter, if the device has one; it only grows. */
    counter: integer().notNull(),
    /** How browsers reach the device: "internal", "hybrid", "usb". */
    transports: text({ mode: "json" }).$type<string[]>().notNull(),
    /** Whether the passkey is bound to one device, or may be synchronised to the person's other devices. */
    kind: text({ enum: PASSKEY_KINDS }).notNull(),
    /** Whether it was backed up when it was last used. */
    isBackedUp: flag().notNull(),
    /** The model of the authenticator (AAGUID); zeros if it is not disclosed. */
    aaguid: text().notNull(),
    name: text().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
    /** When it starts to allow decisions: later if no older passkey confirmed it. It signs in at once. */
    countsFrom: instant().notNull().default(0),
  },
  (t) => [
    uniqueIndex("passkeys_credential").on(t.credentialId),
    index("passkeys_user").on(t.userId, t.id),
    ...known(t),
  ],
);

/** Answered challenges of passkeys and providers, kept until they would have expired, so that each is answered once. */
export const usedPasskeyChallenges = sqliteTable(
  "used_passkey_challenges",
  {
    /** SHA-256 of the challenge. */
    challengeHash: text().primaryKey(),
    expiresAt: instant().notNull(),
  },
  (t) => [index("used_passkey_challenges_expiry").on(t.expiresAt)],
);

/** A pending change of email address, which both mailboxes confirm. At most one is open per person. */
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
    /** Completed, cancelled, or replaced by another. */
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex("email_changes_open").on(t.userId).where(sql`"endedAt" IS NULL`),
    uniqueIndex("email_changes_old_token").on(t.oldTokenHash),
    uniqueIndex("email_changes_new_token").on(t.newTokenHash),
    index("email_changes_expiry").on(t.expiresAt),
  ],
);

/** Tokens for a person's scripts. A script acts as the person, in one organisation. */
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
    /** The last four characters, so that people can tell tokens apart. */
    hint: text().notNull(),
    scopes: text({ mode: "json" }).$type<string[]>().notNull(),
    createdAt: instant().notNull(),
    /** Null: valid until revoked. */
    expiresAt: instant(),
    lastUsedAt: instant(),
    revokedAt: instant(),
  },
  (t) => [uniqueIndex("api_tokens_hash").on(t.tokenHash), index("api_tokens_user").on(t.userId, t.id)],
);

/** Devices and networks that a person has signed in from: they are alerted to a sign-in from elsewhere. */
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
 * A pending change that weakens an organisation's settings: its policies, the level of a rule, the limits of
 * `payment_file_settings`, or how people of a domain join. It applies from `dueAt`, whether or not the schedule has
 * written it yet. Only pending changes have rows; the audit trail records their outcome.
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

/** A name that resembles another organisation's waits for an operator; until then the old name stays. */
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
