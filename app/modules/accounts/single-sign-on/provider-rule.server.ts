import { organizationDomains, organizations, organizationUsers, singleSignOn, users, waysIn } from "@db/schema";
import { and, asc, eq, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { emailDomain } from "~/kernel/email";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import type { ReadServices } from "~/services";

/** Whose people sign in at a provider, and who may come in another way. */

/** A person who may sign in past the provider of an organisation: named for it, and still an administrator there. */
const hasWayIn = (
  organizationId: SQLWrapper | string,
  userId: SQLWrapper | string,
): SQL => sql`EXISTS (SELECT 1 FROM ${waysIn}
  INNER JOIN ${organizationUsers} ON ${organizationUsers.organizationId} = ${waysIn.organizationId} AND ${organizationUsers.userId} = ${waysIn.userId}
  WHERE ${waysIn.organizationId} = ${organizationId} AND ${waysIn.userId} = ${userId}
    AND ${organizationUsers.role} = 'admin' AND ${organizationUsers.status} = 'active')`;

/** The organisation requires its provider of people with this address. */
const requiresOf = (
  organizationId: SQLWrapper | string,
  email: SQLWrapper,
): SQL => sql`EXISTS (SELECT 1 FROM ${singleSignOn}
  INNER JOIN ${organizationDomains} ON ${organizationDomains.organizationId} = ${singleSignOn.organizationId}
  WHERE ${singleSignOn.organizationId} = ${organizationId} AND ${singleSignOn.mode} = 'required'
    AND ${organizationDomains.domain} = substr(${email}, instr(${email}, '@') + 1))`;

/**
 * For the row of a person in `users`: 1 where their current organisation lets them in by its provider only. Looked at on every
 * request, so that no session outlives the rule.
 */
export const providerOnly: SQL<number> = sql`(${requiresOf(users.organizationId, users.email)} AND NOT ${hasWayIn(users.organizationId, users.id)})`;

/** The person is one of the two whom the organisation has named for the time when its provider is down. */
export async function hasNamedWayIn({ db }: ReadServices, organizationId: string, userId: string): Promise<boolean> {
  const [row] = await db.select({ found: hasWayIn(organizationId, userId) }).from(users).where(eq(users.id, userId));
  return Boolean(row?.found);
}

/** What an organisation asks of one of its people at sign-in: its provider; nothing, because they have a way in; or nothing. */
export async function standingAtProvider(
  { db }: ReadServices,
  userId: string,
  organizationId: string,
): Promise<"required" | "way_in" | undefined> {
  const [row] = await db
    .select({ requires: requiresOf(organizationId, users.email), hasWayIn: hasWayIn(organizationId, userId) })
    .from(users)
    .where(eq(users.id, userId));
  if (!row?.requires) return undefined;
  return row.hasWayIn ? "way_in" : "required";
}

/**
 * The organisation whose provider people with an address of this domain sign in at: the first that claimed it, if it has one.
 * Another that claims it later takes nobody away.
 */
export async function findProviderOf({ db }: ReadServices, domain: string) {
  if (domain === "") return undefined;
  const [first] = await db
    .select({ organizationId: organizations.id, name: organizations.name, mode: singleSignOn.mode })
    .from(organizationDomains)
    .innerJoin(organizations, eq(organizations.id, organizationDomains.organizationId))
    .leftJoin(singleSignOn, eq(singleSignOn.organizationId, organizations.id))
    .where(
      and(
        eq(organizationDomains.domain, domain),
        eq(organizations.active, true),
        ne(organizations.id, PLATFORM_ORGANIZATION_ID),
      ),
    )
    .orderBy(asc(organizationDomains.id))
    .limit(1);
  return first?.mode && first.mode !== "off" ? { ...first, mode: first.mode } : undefined;
}

/**
 * The organisation has claimed the domain, and no other has: only then does its provider's word about an address count for
 * anything.
 */
export const isSoleClaim = (organizationId: string, domain: string): SQL => sql`SELECT 1 FROM ${organizationDomains}
  WHERE ${organizationDomains.organizationId} = ${organizationId} AND ${organizationDomains.domain} = ${domain}
    AND NOT EXISTS (SELECT 1 FROM "organization_domains" AS other WHERE other."domain" = ${domain} AND other."organizationId" <> ${organizationId})`;

export async function hasSoleClaim({ db }: ReadServices, organizationId: string, email: string): Promise<boolean> {
  const rows = await db.all(isSoleClaim(organizationId, emailDomain(email)));
  return rows.length > 0;
}

/** In place of "wrong password", for every address of a domain: it tells neither who has an account nor whose password was right. */
export const providerRequired = (organizationName: string) =>
  new AppError(
    "PROVIDER_REQUIRED",
    403,
    `${organizationName} asks its people to sign in with their company. If you are one of the two administrators who keep a password for emergencies, check it and try again.`,
  );

/**
 * Refuses to give a person a session in an organisation that lets them in by its provider only.
 * @throws AppError 403 PROVIDER_REQUIRED
 */
export async function requireNoProvider(
  { db }: ReadServices,
  organizationId: string,
  { email, userId = "" }: { email: string; userId?: string },
): Promise<void> {
  const [row] = await db
    .select({ name: organizations.name })
    .from(organizations)
    .where(
      and(
        eq(organizations.id, organizationId),
        requiresOf(organizationId, sql`${email}`),
        sql`NOT ${hasWayIn(organizationId, userId)}`,
      ),
    );
  if (row) throw providerRequired(row.name);
}

/**
 * A provider vouches for its organisation's people in that organisation. Elsewhere a person goes after they signed in
 * themselves.
 * @throws AppError 403 PROVIDER_SESSION
 */
export function requireOwnSignIn(person: Pick<Person, "vouchedBy">): void {
  if (!person.vouchedBy) return;
  throw new AppError(
    "PROVIDER_SESSION",
    403,
    "You signed in with your company, which is good for that organisation only. Log out, and log in with your own password to do this.",
  );
}
