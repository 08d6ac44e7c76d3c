import { organizationDomains, organizations, singleSignOn, users } from "@db/database";
import { and, asc, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { emailDomain } from "~/kernel/email";
import { renewProof } from "~/modules/accounts/organizations/domains.server";
import { type Person, PLATFORM_ORGANIZATION_ID, type ReadServices, type Services } from "~/services-and-actor";

/** Who has to sign in at a provider, and who may sign in another way. */

/* Written with explicit table names, which Drizzle omits in a statement that reads one table. */

/** SQL: the person may sign in without the provider: they are named for that, and still an administrator. */
const hasEmergencySignIn = (organizationId: SQL, userId: SQL): SQL => sql`EXISTS (SELECT 1 FROM "ways_in" AS way
  INNER JOIN "organization_users" AS place ON place."organizationId" = way."organizationId" AND place."userId" = way."userId"
  WHERE way."organizationId" = ${organizationId} AND way."userId" = ${userId}
    AND place."role" = 'admin' AND place."status" = 'active')`;

/**
 * SQL: the organisation requires its provider of this person, because of the domain of their address, or because they
 * once signed in through it. A name from the directory alone is not enough: with an address of another domain they
 * could not sign in through the provider.
 */
const requiresOf = (
  organizationId: SQL,
  { email, userId }: { email: SQL; userId: SQL },
): SQL => sql`EXISTS (SELECT 1 FROM "single_sign_on" AS asked
  WHERE asked."organizationId" = ${organizationId} AND asked."mode" = 'required'
    AND (EXISTS (SELECT 1 FROM "organization_domains" AS claimed WHERE claimed."organizationId" = asked."organizationId"
        AND claimed."domain" = substr(${email}, instr(${email}, '@') + 1))
      OR EXISTS (SELECT 1 FROM "provider_people" AS known WHERE known."organizationId" = asked."organizationId" AND known."userId" = ${userId}
        AND (known."isMadeHere" = 1 OR known."lastSignInAt" IS NOT NULL))))`;

const THEIR_ID = sql`"users"."id"`;
const THEM = { email: sql`"users"."email"`, userId: THEIR_ID };
const THEIR_ORGANIZATION = sql`"users"."organizationId"`;

/**
 * For a row in `users`: 1 if the person's current organisation allows them to sign in through its provider only.
 * Checked on every request, so that no session outlives the rule.
 */
export const providerOnly: SQL<number> = sql`(${requiresOf(THEIR_ORGANIZATION, THEM)} AND NOT ${hasEmergencySignIn(THEIR_ORGANIZATION, THEIR_ID)})`;

/** True if the person is one of the two administrators whom the organisation named for when its provider is down. */
export async function hasNamedEmergencySignIn({ db }: ReadServices, organizationId: string, userId: string) {
  const [row] = await db
    .select({ found: hasEmergencySignIn(sql`${organizationId}`, sql`${userId}`) })
    .from(users)
    .where(eq(users.id, userId));
  return Boolean(row?.found);
}

/** What an organisation requires of a person at sign-in: its provider, or nothing. */
export async function standingAtProvider({ db }: ReadServices, userId: string, organizationId: string) {
  const [row] = await db
    .select({
      requires: requiresOf(sql`${organizationId}`, THEM),
      hasEmergencySignIn: hasEmergencySignIn(sql`${organizationId}`, sql`${userId}`),
    })
    .from(users)
    .where(eq(users.id, userId));
  if (!row?.requires) return undefined;
  return row.hasEmergencySignIn ? "way_in" : "required";
}

/**
 * The organisation whose provider people with an address at this domain use, if any: the one that the DNS named last,
 * otherwise the first to claim the domain. Later claims change nothing.
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
    .orderBy(desc(organizationDomains.provedAt), asc(organizationDomains.id))
    .limit(1);
  return first?.mode && first.mode !== "off" ? { ...first, mode: first.mode } : undefined;
}

/**
 * SQL: the organisation's provider may vouch for addresses at this domain: only this organisation has claimed it, or
 * its DNS named this organisation last and still does. A claim alone requires only a mailbox in the domain, which anybody may
 * have.
 */
export const isSoleClaim = (organizationId: string, domain: string) => sql`SELECT 1 FROM "organization_domains" AS own
  WHERE own."organizationId" = ${organizationId} AND own."domain" = ${domain}
    AND NOT EXISTS (SELECT 1 FROM "organization_domains" AS other WHERE other."domain" = ${domain} AND other."organizationId" <> ${organizationId}
        AND (own."provedAt" IS NULL OR own."proofGoneAt" IS NOT NULL OR other."provedAt" > own."provedAt"))`;

/** The same at this moment: checks a proof again first. */
export async function hasSoleClaim(services: Services, organizationId: string, email: string): Promise<boolean> {
  const domain = emailDomain(email);
  await renewProof(services, organizationId, domain);
  const rows = await services.db.all(isSoleClaim(organizationId, domain));
  return rows.length > 0;
}

/**
 * The error instead of "wrong password" for every address at a domain, so that it reveals neither who has an account
 * nor whose password was correct.
 */
export const providerRequired = (organizationName: string) =>
  new AppError(
    "PROVIDER_REQUIRED",
    `${organizationName} requires its people to sign in with their company. If you are one of the two administrators who keep a password for emergencies, check it and try again.`,
  );

/** Refuses a session where the organisation requires its provider of them. @throws AppError 403 PROVIDER_REQUIRED */
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
        requiresOf(sql`${organizationId}`, { email: sql`${email}`, userId: sql`${userId}` }),
        sql`NOT ${hasEmergencySignIn(sql`${organizationId}`, sql`${userId}`)}`,
      ),
    );
  if (row) throw providerRequired(row.name);
}

/**
 * A provider vouches for people only within its organisation. To go elsewhere, a person has to sign in themselves.
 * @throws AppError 403 PROVIDER_SESSION
 */
export function requireOwnSignIn(person: Pick<Person, "vouchedBy">): void {
  if (!person.vouchedBy) return;
  throw new AppError(
    "PROVIDER_SESSION",
    "Signing in with your company works for that organisation only. To do this, log out, then log in with your own password.",
  );
}
