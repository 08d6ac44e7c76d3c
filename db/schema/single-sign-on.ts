import { index, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ORGANIZATION_ROLES, SINGLE_SIGN_ON_MODES } from "~/kernel/enums";
import { flag, id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { users } from "./users";

const organizationId = () =>
  text()
    .notNull()
    .references(() => organizations.id);

/** An organisation's OpenID Connect identity provider. No row: it has none. */
export const singleSignOn = sqliteTable(
  "single_sign_on",
  {
    organizationId: organizationId().primaryKey(),
    /** Exactly as in the provider's own metadata. */
    issuer: text().notNull(),
    clientId: text().notNull(),
    /** The client secret in an encrypted envelope, never plain. */
    sealedSecret: text().notNull(),
    mode: text({ enum: SINGLE_SIGN_ON_MODES }).notNull().default("off"),
    /** The role of people who first join through the provider. */
    newcomerRole: text({ enum: ORGANIZATION_ROLES }).notNull().default("read_only"),
    /** When an administrator last signed in through it with exactly these settings; null: not yet. */
    testedAt: instant(),
    updatedAt: instant().notNull(),
  },
  (t) => known(t),
);

/** Two administrators who may sign in without the provider, for when it is down. */
export const waysIn = sqliteTable(
  "ways_in",
  {
    organizationId: organizationId(),
    userId: text()
      .notNull()
      .references(() => users.id),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.userId] })],
);

/** A person of an organisation as its provider knows them: by the subject of a sign-in, by the directory, or both. */
export const providerPeople = sqliteTable(
  "provider_people",
  {
    id: id(),
    organizationId: organizationId(),
    userId: text()
      .notNull()
      .references(() => users.id),
    /** Their subject and issuer at the provider; null until they have signed in. */
    issuer: text(),
    subject: text(),
    /** The directory's `externalId`, if it sent one. */
    externalId: text(),
    /** The account was created for the organisation, and its address has not been proved in another way. */
    isMadeHere: flag().notNull().default(false),
    createdAt: instant().notNull(),
    lastSignInAt: instant(),
    /** The directory deleted them, so it does not see them any more. */
    removedAt: instant(),
    /** When the directory last tried to end the access of a person who must not be locked out. */
    refusedAt: instant(),
  },
  (t) => [
    uniqueIndex("provider_people_once").on(t.organizationId, t.userId),
    uniqueIndex("provider_people_subject").on(t.organizationId, t.issuer, t.subject),
    index("provider_people_external").on(t.organizationId, t.externalId),
    index("provider_people_user").on(t.userId),
    ...known(t),
  ],
);

/** The token with which an organisation's directory signs in at /scim/v2. */
export const scimTokens = sqliteTable(
  "scim_tokens",
  {
    id: id(),
    organizationId: organizationId(),
    createdById: text()
      .notNull()
      .references(() => users.id),
    /** SHA-256 of the token. */
    tokenHash: text().notNull(),
    /** The last four characters, so that people can tell tokens apart. */
    hint: text().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    lastUsedAt: instant(),
    revokedAt: instant(),
  },
  (t) => [
    uniqueIndex("scim_tokens_hash").on(t.tokenHash),
    index("scim_tokens_organization").on(t.organizationId, t.id),
  ],
);
