import { commit } from "@db/commit";
import { isPreconditionError } from "@db/errors";
import { precondition } from "@db/precondition";
import { apiTokens } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Actor, Person } from "~/kernel/actor";
import { AppError, notFound } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { jobIds, jobStatements, queueEmail } from "~/modules/notifications/notifications.statements.server";
import type { Services } from "~/services";
import { actingAlone } from "../acting";
import { provePassword } from "../proof.server";
import { API_TOKEN_PREFIX, type ApiScope, apiTokenExpiry, hintOf, MAX_API_TOKENS } from "./api-token";

type Needs = Pick<Services, "db" | "clock" | "ids" | "secrets" | "passwords" | "queues" | "config">;

type NewApiToken = {
  name: string;
  scopes: readonly ApiScope[];
  lifetimeDays: number;
  currentPassword: string;
};

/**
 * Makes an API token for the organisation that the person works in now. It acts with the role they have there at each call.
 * @returns the token: it is kept nowhere, so this is the only time it can be shown
 * @throws AppError 400 beside `currentPassword`, 409 TOO_MANY_TOKENS
 */
export async function createApiToken(services: Needs, actor: Actor, input: NewApiToken): Promise<{ token: string }> {
  const { db, clock, ids, secrets, config } = services;
  const { userId, organizationId, organizationName, firstName } = actor;
  const proof = await provePassword(services, actor, input.currentPassword);
  const token = `${API_TOKEN_PREFIX}${ids.secret()}`;
  const id = ids.next();
  const now = clock.now();
  const { name, scopes } = input;
  const mail = await queueEmail(services, organizationId, [actor.email], {
    template: "apiTokenCreated",
    data: { firstName, name, organizationName, at: formatDateTime(now), href: `${config.appOrigin}/profile/tokens` },
  });
  const oneTooMany = db
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .where(and(eq(apiTokens.userId, userId), isNull(apiTokens.revokedAt)))
    .limit(1)
    .offset(MAX_API_TOKENS - 1);
  try {
    await commit(
      db,
      [
        ...proof.statements,
        precondition(db, sql`SELECT 1 WHERE NOT EXISTS (${oneTooMany.getSQL()})`),
        db.insert(apiTokens).values({
          id,
          userId,
          organizationId,
          name,
          tokenHash: await secrets.hashToken(token),
          hint: hintOf(token),
          scopes: [...scopes],
          createdAt: now,
          expiresAt: apiTokenExpiry(now, input.lifetimeDays),
        }),
        ...jobStatements(services, mail),
        recordAudit(services, actor, {
          action: "api_token.created",
          entityType: "api_token",
          entityId: id,
          details: { name, scopes, lifetimeDays: input.lifetimeDays },
        }),
      ],
      () => isThere(services, id),
    );
  } catch (error) {
    if (!isPreconditionError(error)) throw error;
    const sentence = `You have ${MAX_API_TOKENS} tokens already, or your account was changed in the meantime. Revoke what you no longer use.`;
    throw new AppError("TOO_MANY_TOKENS", 409, sentence);
  }
  await services.queues.send("jobs", jobIds(mail));
  return { token };
}

async function isThere({ db }: Needs, id: string): Promise<boolean> {
  const rows = await db.select({ id: apiTokens.id }).from(apiTokens).where(eq(apiTokens.id, id));
  return rows.length > 0;
}

/** Ends one of the person's own tokens, at once. @throws AppError 404 */
export async function revokeApiToken(
  services: Pick<Services, "db" | "clock" | "ids">,
  person: Person,
  input: { tokenId: string },
): Promise<void> {
  const { db, clock } = services;
  const mine = and(eq(apiTokens.id, input.tokenId), eq(apiTokens.userId, person.userId), isNull(apiTokens.revokedAt));
  const [token] = await db
    .select({ name: apiTokens.name, organizationId: apiTokens.organizationId })
    .from(apiTokens)
    .where(mine);
  if (!token) throw notFound();
  const { organizationId, name } = token;
  try {
    await db.batch([
      precondition(db, db.select({ one: sql`1` }).from(apiTokens).where(mine)),
      db.update(apiTokens).set({ revokedAt: clock.now() }).where(mine),
      recordAudit(services, actingAlone({ ...person, organizationId }), {
        action: "api_token.revoked",
        entityType: "api_token",
        entityId: input.tokenId,
        details: { name },
      }),
    ]);
  } catch (error) {
    throw isPreconditionError(error) ? notFound() : error;
  }
}
