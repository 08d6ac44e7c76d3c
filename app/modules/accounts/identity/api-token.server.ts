import { apiTokens, columnsOf, organizations, rowIn } from "@db/database";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, notFound } from "~/kernel/app-error";
import { formatDate, formatDateTime, formatRelative, toIso } from "~/kernel/dates";
import { currentPasswordField, nameField } from "~/kernel/fields.schema.server";
import { appPaths } from "~/kernel/paths/app";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { Actor, Person, Services, WriteServices } from "~/services-and-actor";
import { asAccountActor } from "./account.server";
import {
  API_TOKEN_LIFETIMES,
  API_TOKEN_PREFIX,
  type ApiScope,
  type ApiTokenView,
  apiTokenExpiry,
  hintOf,
  isApiScope,
  MAX_API_TOKENS,
} from "./api-token";
import { changedMeanwhile, requireOwnPasskey, requirePassword } from "./proof.server";

const NO_SCOPE = "Choose at least one";

export const apiTokenSchema = z.object({
  name: nameField(2, "Give the token a name of at least 2 characters", 60),
  scopes: z
    .array(z.string().refine(isApiScope, { error: NO_SCOPE }), { error: NO_SCOPE })
    .min(1, { error: NO_SCOPE })
    .max(20, { error: NO_SCOPE }),
  lifetimeDays: z.coerce
    .number({ error: "Choose how long" })
    .refine((days) => (API_TOKEN_LIFETIMES as readonly number[]).includes(days), { error: "Choose how long" }),
  currentPassword: currentPasswordField,
});

const MAX_SHOWN = 100;

/** A person's API tokens that are not revoked, newest first. */
export async function listApiTokens({ db, clock }: Services, person: Person): Promise<ApiTokenView[]> {
  const now = clock.now();
  const rows = await db
    .select({
      ...columnsOf(apiTokens, "id", "name", "hint", "scopes", "createdAt", "expiresAt", "lastUsedAt"),
      organizationName: organizations.name,
    })
    .from(apiTokens)
    .innerJoin(organizations, eq(organizations.id, apiTokens.organizationId))
    .where(and(eq(apiTokens.userId, person.userId), isNull(apiTokens.revokedAt)))
    .orderBy(desc(apiTokens.id))
    .limit(MAX_SHOWN);
  return rows.map(({ createdAt, expiresAt, lastUsedAt, ...row }) => ({
    ...row,
    created: formatDate(createdAt),
    expires: expiresAt === null ? null : formatDate(expiresAt),
    isExpired: expiresAt !== null && expiresAt <= now,
    lastUsed:
      lastUsedAt === null
        ? null
        : {
            dateTime: toIso(lastUsedAt),
            exact: formatDateTime(lastUsedAt),
            relative: formatRelative(lastUsedAt, now),
          },
  }));
}

/**
 * Creates an API token for the person's current organisation. On each call it has the role that the person then has
 * there.
 * @returns the token: it is not stored, so this is the only time it can be shown
 * @throws AppError 400 beside `currentPassword`, 409 TOO_MANY_TOKENS, CHANGED_MEANWHILE
 */
export async function createApiToken(
  services: Services,
  actor: Actor,
  input: { name: string; scopes: readonly ApiScope[]; lifetimeDays: number; currentPassword: string },
): Promise<{ token: string }> {
  const { db, clock, ids, secrets } = services;
  const { userId, organizationId } = actor;
  await requireOwnPasskey(services, actor);
  const proof = await requirePassword(services, actor, input.currentPassword);
  const token = `${API_TOKEN_PREFIX}${ids.secret()}`;
  const id = ids.next();
  const now = clock.now();
  const { name, scopes, lifetimeDays } = input;
  const result = await runCommand(services, actor, {
    conditions: [...proof.conditions, hasRoomForToken(services, userId)],
    statements: [
      ...proof.statements,
      db.insert(apiTokens).values({
        id,
        userId,
        organizationId,
        name,
        tokenHash: await secrets.hashToken(token),
        hint: hintOf(token),
        scopes: [...scopes],
        createdAt: now,
        expiresAt: apiTokenExpiry(now, lifetimeDays),
      }),
    ],
    audit: [{ action: "api_token.created", entityId: id, details: { name, scopes, lifetimeDays } }],
    jobs: await queueCreated(services, actor, name),
    answer: { token },
  });
  if (result.ok) return result.answer;
  throw result.refused === "too_many_tokens" ? tooManyTokens() : changedMeanwhile();
}

/** The condition that the person has not reached the maximum number of tokens. */
function hasRoomForToken({ db }: WriteServices, userId: string) {
  const last = db
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .where(and(eq(apiTokens.userId, userId), isNull(apiTokens.revokedAt)))
    .limit(1)
    .offset(MAX_API_TOKENS - 1);
  return { name: "too_many_tokens" as const, found: sql`SELECT 1 WHERE NOT EXISTS (${last.getSQL()})` };
}

const tooManyTokens = () =>
  new AppError("TOO_MANY_TOKENS", `You already have ${MAX_API_TOKENS} tokens. Revoke those you no longer use.`);

function queueCreated(services: WriteServices, actor: Actor, name: string) {
  const { organizationId, organizationName, firstName, email } = actor;
  const at = formatDateTime(services.clock.now());
  const href = `${services.config.appOrigin}${appPaths.tokens}`;
  return queueEmail(services, organizationId, [email], {
    template: "apiTokenCreated",
    data: { firstName, name, organizationName, at, href },
  });
}

/** Revokes one of the person's own tokens at once. @throws AppError 404 */
export async function revokeApiToken(services: WriteServices, person: Person, input: { tokenId: string }) {
  const { db, clock } = services;
  const mine = and(eq(apiTokens.id, input.tokenId), eq(apiTokens.userId, person.userId), isNull(apiTokens.revokedAt));
  const [token] = await db
    .select({ name: apiTokens.name, organizationId: apiTokens.organizationId })
    .from(apiTokens)
    .where(mine);
  if (!token) throw notFound();
  const { organizationId, name } = token;
  const found = rowIn(db, apiTokens).where(mine);
  const { ok } = await runCommand(services, asAccountActor({ ...person, organizationId }), {
    conditions: [{ name: "token_revoked", found }],
    statements: [db.update(apiTokens).set({ revokedAt: clock.now() }).where(mine)],
    audit: [{ action: "api_token.revoked", entityId: input.tokenId, details: { name } }],
  });
  if (!ok) throw notFound();
}
