import {
  type Condition,
  columnsOf,
  organizationUsers,
  providerPeople,
  rowIn,
  scimTokens,
  sessions,
  singleSignOn,
  users,
  waysIn,
} from "@db/database";
import { and, asc, count, desc, eq, gt, isNotNull, isNull, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, invalidInput, notFound, OUTAGES, UpstreamError } from "~/kernel/app-error";
import { DAY_MS, formatDate, formatDateTime, formatRelative, toIso } from "~/kernel/dates";
import { SINGLE_SIGN_ON_MODES } from "~/kernel/enums";
import { currentPasswordField, idField } from "~/kernel/fields.schema.server";
import { companyReturnUrl, scimBaseUrl } from "~/kernel/paths/site";
import { displayName } from "~/kernel/text";
import { requireProof } from "~/modules/accounts/identity/passkeys.server";
import { changedMeanwhile } from "~/modules/accounts/identity/proof.server";
import { listDomainStates } from "~/modules/accounts/organizations/domains.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { EncryptedColumn } from "~/modules/core/operations/reencrypt-columns.server";
import { NotSignedIn, type ProviderClient } from "~/ports/identity-provider";
import type { Actor, ReadServices, Services } from "~/services-and-actor";

/** An organisation's identity provider and directory: what an administrator sets up and may see. */

const contextOf = (organizationId: string) => `single-sign-on:${organizationId}`;

/** The stored client secrets, for re-encryption with a new key. */
export const encryptedClientSecrets: EncryptedColumn = {
  table: singleSignOn,
  column: singleSignOn.sealedSecret,
  key: [singleSignOn.organizationId],
  contextOf,
};

const isOf = (organizationId: string) => eq(singleSignOn.organizationId, organizationId);

/** The provider settings; undefined when there are none. */
export async function findSettings({ db }: ReadServices, organizationId: string) {
  const [row] = await db.select().from(singleSignOn).where(isOf(organizationId));
  return row;
}

export type ProviderSettings = NonNullable<Awaited<ReturnType<typeof findSettings>>>;

/** Our client id at the provider, with the decrypted secret. */
export async function openClient({ secrets }: Services, settings: ProviderSettings): Promise<ProviderClient> {
  const { organizationId, issuer, clientId, sealedSecret } = settings;
  return { issuer, clientId, clientSecret: await secrets.open(sealedSecret, contextOf(organizationId)) };
}

export function settingsAreUnchanged({ db }: ReadServices, settings: ProviderSettings): Condition<"settings_changed"> {
  const { organizationId, updatedAt } = settings;
  const found = rowIn(db, singleSignOn).where(and(isOf(organizationId), eq(singleSignOn.updatedAt, updatedAt)));
  return { name: "settings_changed", found };
}

export async function readSingleSignOnPage(services: Services, actor: Actor) {
  const { organizationId, timeZone } = actor;
  const now = services.clock.now();
  const [settings, domains, admins, tokens, linked] = await Promise.all([
    findSettings(services, organizationId),
    listDomainStates(services, organizationId),
    listAdmins(services, organizationId),
    listScimTokens(services, organizationId),
    countLinked(services, organizationId),
  ]);
  const { appOrigin } = services.config;
  return {
    settings: settings && {
      issuer: settings.issuer,
      clientId: settings.clientId,
      mode: settings.mode,
      newcomerRole: settings.newcomerRole,
      testedOn: settings.testedAt === null ? null : formatDateTime(settings.testedAt, timeZone),
    },
    domains,
    admins,
    linked,
    asksCode: actor.twoStepEnabled,
    returnUrl: companyReturnUrl(appOrigin, organizationId),
    scimUrl: scimBaseUrl(appOrigin),
    tokens: tokens.map(({ createdAt, expiresAt, lastUsedAt, ...token }) => ({
      ...token,
      created: formatDate(createdAt, timeZone),
      expires: formatDate(expiresAt, timeZone),
      isExpired: expiresAt <= now,
      lastUsed:
        lastUsedAt === null
          ? null
          : {
              dateTime: toIso(lastUsedAt),
              exact: formatDateTime(lastUsedAt, timeZone),
              relative: formatRelative(lastUsedAt, now),
            },
    })),
  };
}

/** More administrators than a selection list offers. */
const MAX_ADMINS = 100;

const activeAdmin = (organizationId: string) =>
  and(
    eq(organizationUsers.organizationId, organizationId),
    eq(organizationUsers.status, "active"),
    eq(organizationUsers.role, "admin"),
  );

async function listAdmins({ db }: ReadServices, organizationId: string) {
  const rows = await db
    .select({
      userId: users.id,
      ...columnsOf(users, "firstName", "lastName", "email"),
      named: waysIn.userId,
      isMadeHere: providerPeople.isMadeHere,
    })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .leftJoin(waysIn, and(eq(waysIn.organizationId, organizationId), eq(waysIn.userId, users.id)))
    .leftJoin(
      providerPeople,
      and(eq(providerPeople.organizationId, organizationId), eq(providerPeople.userId, users.id)),
    )
    .where(and(activeAdmin(organizationId), ne(users.status, "inactive")))
    .orderBy(asc(organizationUsers.userId))
    .limit(MAX_ADMINS);
  return rows.map(({ userId, named, isMadeHere, ...person }) => ({
    userId,
    name: `${displayName(person)} (${person.email})`,
    hasEmergencySignIn: named !== null,
    /** Nobody has a password for the account. */
    hasNoPassword: isMadeHere === true,
  }));
}

async function countLinked({ db }: ReadServices, organizationId: string): Promise<number> {
  const [row] = await db
    .select({ linked: count() })
    .from(providerPeople)
    .where(and(eq(providerPeople.organizationId, organizationId), isNotNull(providerPeople.subject)));
  return row?.linked ?? 0;
}

const proofFields = { currentPassword: currentPasswordField, code: z.string().trim().max(100).optional() };

const DOCUMENT = ".well-known/openid-configuration";

/** The issuer as people copy it: with or without the path of the provider's discovery document. */
const issuerField = z
  .string({ error: "Enter the issuer" })
  .trim()
  .max(500, { error: "This address is too long" })
  .transform((text) => (text.endsWith(DOCUMENT) ? text.slice(0, -DOCUMENT.length).replace(/\/$/, "") : text))
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: "Enter the issuer as an address that begins with https://",
  });

export const providerSchema = z.object({
  issuer: issuerField,
  clientId: z
    .string({ error: "Enter the client id" })
    .trim()
    .min(1, { error: "Enter the client id" })
    .max(300, { error: "This client id is too long" }),
  /** Empty: keeps the present secret. */
  clientSecret: z.string().trim().max(1_000, { error: "This secret is too long" }).optional(),
  ...proofFields,
});

export const modeSchema = z.object({
  mode: z.enum(SINGLE_SIGN_ON_MODES, { error: "Choose who signs in there" }),
  newcomerRole: z.enum(["read_only", "member"], { error: "Choose a role" }),
  wayInOne: z.union([z.literal(""), idField]).optional(),
  wayInTwo: z.union([z.literal(""), idField]).optional(),
  ...proofFields,
});

/** What went wrong at a provider, for the administrator who sets it up. */
export function providerProblemSentence(error: unknown): string {
  if (error instanceof NotSignedIn) return `The provider cannot be used: ${error.detail}`;
  if (error instanceof UpstreamError) {
    return OUTAGES.has(error.kind)
      ? "The provider does not answer at this address."
      : `The provider cannot be used: ${error.message}`;
  }
  throw error;
}

/**
 * Sets up or changes the organisation's provider. It must then be tested again; a different provider must also be
 * enabled again.
 * @throws AppError 400 beside the fields, 409 CHANGED_MEANWHILE
 */
export async function saveProvider(services: Services, actor: Actor, input: z.infer<typeof providerSchema>) {
  const { db, clock, secrets, config, identityProvider } = services;
  const { organizationId } = actor;
  const before = await findSettings(services, organizationId);
  if (config.appEnv === "production" && !input.issuer.startsWith("https://")) {
    throw invalidInput({ issuer: ["Enter the issuer as an address that begins with https://"] });
  }
  if (!before && !input.clientSecret) throw invalidInput({ clientSecret: ["Enter the client secret"] });
  const proof = await requireProof(services, actor, input);
  const issuer = await identityProvider.lookUp(input.issuer).catch((error) => {
    throw invalidInput({ issuer: [providerProblemSentence(error)] });
  });
  const isAnother = before !== undefined && before.issuer !== issuer;
  // The secret belongs to the provider that issued it and must not be sent to another one.
  if (isAnother && !input.clientSecret)
    throw invalidInput({ clientSecret: ["Enter the client secret of this provider"] });
  const row = {
    issuer,
    clientId: input.clientId,
    ...(input.clientSecret ? { sealedSecret: await secrets.seal(input.clientSecret, contextOf(organizationId)) } : {}),
    ...(isAnother ? { mode: "off" as const } : {}),
    testedAt: null,
    updatedAt: Math.max(clock.now(), (before?.updatedAt ?? 0) + 1),
  };
  const result = await runCommand(services, actor, {
    conditions: [...proof.conditions, ...(before ? [settingsAreUnchanged(services, before)] : [])],
    uniques: { settings_changed: "single_sign_on" },
    statements: [
      ...proof.statements,
      before
        ? db.update(singleSignOn).set(row).where(isOf(organizationId))
        : db.insert(singleSignOn).values({ organizationId, sealedSecret: "", ...row }),
      ...(isAnother ? [endVouchedSessions(services, organizationId)] : []),
    ],
    audit: [
      {
        action: "organization.provider_set",
        entityId: organizationId,
        details: {
          issuer: { from: before?.issuer ?? null, to: issuer },
          clientId: { from: before?.clientId ?? null, to: input.clientId },
          hasNewSecret: Boolean(input.clientSecret),
        },
      },
    ],
  });
  if (!result.ok) throw changedMeanwhile();
}

/** Ends the sessions that the organisation's provider vouched for. */
const endVouchedSessions = ({ db }: ReadServices, organizationId: string) =>
  db
    .delete(sessions)
    .where(
      and(
        eq(sessions.providerOrganizationId, organizationId),
        sql`${sessions.userId} IN (SELECT "userId" FROM "organization_users" WHERE "organizationId" = ${organizationId})`,
      ),
    );

/**
 * Turns sign-in at the provider on or off, or requires it. Requiring it is possible only after an administrator has
 * signed in there, with two administrators who may sign in without it.
 * @throws AppError 400 beside the fields, 404, 409 PROVIDER_NOT_TESTED, CHANGED_MEANWHILE
 */
export async function chooseMode(services: Services, actor: Actor, input: z.infer<typeof modeSchema>): Promise<void> {
  const { db, clock } = services;
  const { organizationId } = actor;
  const before = await findSettings(services, organizationId);
  if (!before) throw notFound();
  const { mode, newcomerRole } = input;
  if (mode !== "off" && before.testedAt === null) {
    throw new AppError(
      "PROVIDER_NOT_TESTED",
      "Sign in at the provider yourself first: press Test with your own account.",
    );
  }
  const admins = await listAdmins(services, organizationId);
  const named = [
    ...new Set([input.wayInOne, input.wayInTwo].filter((id) => id !== undefined && id !== "")),
  ] as string[];
  requireEmergencySignIns(mode === "required", named, admins);
  const proof = await requireProof(services, actor, input);
  const former = admins.filter(({ hasEmergencySignIn }) => hasEmergencySignIn);
  const nameOf = (userId: string) => admins.find((admin) => admin.userId === userId)?.name ?? "";
  const result = await runCommand(services, actor, {
    conditions: [
      ...proof.conditions,
      settingsAreUnchanged(services, before),
      ...named.map((id) => isStillAdmin(services, organizationId, id)),
    ],
    statements: [
      ...proof.statements,
      db
        .update(singleSignOn)
        .set({ mode, newcomerRole, updatedAt: Math.max(clock.now(), before.updatedAt + 1) })
        .where(isOf(organizationId)),
      db.delete(waysIn).where(eq(waysIn.organizationId, organizationId)),
      ...named.map((userId) => db.insert(waysIn).values({ organizationId, userId })),
      ...(mode === "off" ? [endVouchedSessions(services, organizationId)] : []),
    ],
    audit: [
      {
        action: "organization.single_sign_on_chosen",
        entityId: organizationId,
        details: {
          mode: { from: before.mode, to: mode },
          newcomerRole: { from: before.newcomerRole, to: newcomerRole },
          waysIn: { from: former.map(({ name }) => name), to: named.map(nameOf) },
        },
      },
    ],
  });
  if (!result.ok) throw changedMeanwhile();
}

type Admin = Awaited<ReturnType<typeof listAdmins>>[number];

/** @throws AppError 400 beside the two choices */
function requireEmergencySignIns(isRequired: boolean, named: readonly string[], admins: readonly Admin[]): void {
  if (isRequired && named.length < 2) {
    throw invalidInput({ wayInTwo: ["Choose two administrators who can sign in when the provider is down"] });
  }
  for (const userId of named) {
    const admin = admins.find((one) => one.userId === userId);
    if (!admin) throw invalidInput({ wayInTwo: ["Choose active administrators"] });
    if (admin.hasNoPassword) {
      const sentence = `${admin.name} has no password yet: their account was created through the provider. They can set one with "Forgot your password?".`;
      throw invalidInput({ wayInTwo: [sentence] });
    }
  }
}

function isStillAdmin({ db }: ReadServices, organizationId: string, userId: string): Condition<"admin_changed"> {
  const found = rowIn(db, organizationUsers).where(
    and(activeAdmin(organizationId), eq(organizationUsers.userId, userId)),
  );
  return { name: "admin_changed", found };
}

/** Directory tokens begin with this prefix, so that leaked tokens are recognised. */
const SCIM_TOKEN_PREFIX = "pps_";
const SCIM_TOKEN_DAYS = 365;
/** One in use, and one to replace it. */
const MAX_SCIM_TOKENS = 2;
const HINT_LENGTH = 4;

export const newScimTokenSchema = z.object(proofFields);
export const revokeScimTokenSchema = z.object({ tokenId: idField });

const openTokens = (organizationId: string) =>
  and(eq(scimTokens.organizationId, organizationId), isNull(scimTokens.revokedAt));

const listScimTokens = ({ db }: ReadServices, organizationId: string) =>
  db
    .select(columnsOf(scimTokens, "id", "hint", "createdAt", "expiresAt", "lastUsedAt"))
    .from(scimTokens)
    .where(openTokens(organizationId))
    .orderBy(desc(scimTokens.id))
    .limit(MAX_SCIM_TOKENS);

/**
 * Creates a token for the organisation's directory.
 * @returns the token: it is not stored, so this is the only time it can be shown
 * @throws AppError 400 beside the proof, 409 TOO_MANY_TOKENS, CHANGED_MEANWHILE
 */
export async function createScimToken(services: Services, actor: Actor, input: z.infer<typeof newScimTokenSchema>) {
  const { db, clock, ids, secrets } = services;
  const { organizationId, userId } = actor;
  const proof = await requireProof(services, actor, input);
  const token = `${SCIM_TOKEN_PREFIX}${ids.secret()}`;
  const id = ids.next();
  const now = clock.now();
  const last = db
    .select({ id: scimTokens.id })
    .from(scimTokens)
    .where(openTokens(organizationId))
    .limit(1)
    .offset(MAX_SCIM_TOKENS - 1);
  const result = await runCommand(services, actor, {
    conditions: [
      ...proof.conditions,
      { name: "too_many_tokens", found: sql`SELECT 1 WHERE NOT EXISTS (${last.getSQL()})` },
    ],
    statements: [
      ...proof.statements,
      db.insert(scimTokens).values({
        id,
        organizationId,
        createdById: userId,
        tokenHash: await secrets.hashToken(token),
        hint: token.slice(-HINT_LENGTH),
        createdAt: now,
        expiresAt: now + SCIM_TOKEN_DAYS * DAY_MS,
      }),
    ],
    audit: [
      {
        action: "organization.directory_token_made",
        entityId: organizationId,
        details: { hint: token.slice(-HINT_LENGTH), days: SCIM_TOKEN_DAYS },
      },
    ],
    answer: { token },
  });
  if (result.ok) return result.answer;
  if (result.refused !== "too_many_tokens") throw changedMeanwhile();
  throw new AppError("TOO_MANY_TOKENS", `There are already ${MAX_SCIM_TOKENS} tokens. Revoke one first.`);
}

/** Revokes a token of the organisation's directory at once. @throws AppError 404 */
export async function revokeScimToken(services: Services, actor: Actor, tokenId: string): Promise<void> {
  const { db, clock } = services;
  const { organizationId } = actor;
  const one = and(openTokens(organizationId), eq(scimTokens.id, tokenId));
  const [token] = await db.select({ hint: scimTokens.hint }).from(scimTokens).where(one);
  if (!token) throw notFound();
  const { ok } = await runCommand(services, actor, {
    conditions: [{ name: "token_revoked", found: rowIn(db, scimTokens).where(one) }],
    statements: [db.update(scimTokens).set({ revokedAt: clock.now() }).where(one)],
    audit: [
      { action: "organization.directory_token_revoked", entityId: organizationId, details: { hint: token.hint } },
    ],
  });
  if (!ok) throw notFound();
}

/** The organisation of a directory's token; undefined when it is unknown, revoked or expired. */
export async function findDirectory({ db, clock, secrets }: Services, token: string) {
  const [found] = await db
    .select({ tokenId: scimTokens.id, ...columnsOf(scimTokens, "organizationId", "lastUsedAt") })
    .from(scimTokens)
    .where(
      and(
        eq(scimTokens.tokenHash, await secrets.hashToken(token)),
        isNull(scimTokens.revokedAt),
        gt(scimTokens.expiresAt, clock.now()),
      ),
    );
  return found;
}
