import { columnsOf, organizationDomains, organizations, organizationUsers, type Statement } from "@db/database";
import { and, eq, ne, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import type { OrganizationRole, UserStatus } from "~/kernel/enums";
import { PLATFORM_ORGANIZATION_ID, type ReadServices, type Services } from "~/services-and-actor";
import {
  type OrganizationByDomain,
  type OrganizationName,
  organizationNotFoundText,
  type PendingOrganization,
} from "./organization";

/** At most this many organisations that share a domain are listed. */
const MAX_PER_DOMAIN = 20;
const MAX_DOMAIN_LENGTH = 253;

const isOpenToPeople = and(eq(organizations.active, true), ne(organizations.id, PLATFORM_ORGANIZATION_ID));

/** Organisations that have claimed an email domain, by name. Public: reveals only id, name and the domain. */
export async function findOrganizationsByDomain(services: ReadServices, text: string): Promise<OrganizationByDomain[]> {
  const domain = text.trim().toLowerCase();
  if (domain === "" || domain.length > MAX_DOMAIN_LENGTH) return [];
  return services.db
    .select({ id: organizations.id, name: organizations.name, domain: organizationDomains.domain })
    .from(organizationDomains)
    .innerJoin(organizations, eq(organizations.id, organizationDomains.organizationId))
    .where(and(eq(organizationDomains.domain, domain), isOpenToPeople))
    .orderBy(organizations.name)
    .limit(MAX_PER_DOMAIN);
}

/** The organisations that have claimed the domain, at least one. @throws AppError 404 ORGANIZATION_NOT_FOUND */
export async function lookUpOrganizations(
  services: ReadServices,
  domain: string,
): Promise<[OrganizationByDomain, ...OrganizationByDomain[]]> {
  const [first, ...rest] = await findOrganizationsByDomain(services, domain);
  if (!first) throw new AppError("ORGANIZATION_NOT_FOUND", organizationNotFoundText(domain));
  return [first, ...rest];
}

/** An organisation's name, for a visitor with its id. @throws AppError 404 ORGANIZATION_NOT_FOUND */
export async function getOrganizationName(services: ReadServices, organizationId: string): Promise<OrganizationName> {
  const [row] = await services.db
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(and(eq(organizations.id, organizationId), isOpenToPeople));
  if (!row) throw new AppError("ORGANIZATION_NOT_FOUND", "Organisation Not Found");
  return row;
}

/** The organisations that a person without one may choose: those that claimed their confirmed address's domain. */
export async function listPendingOrganizations(
  services: ReadServices,
  person: { email: string; emailVerified: boolean; organizationId: string | null },
): Promise<PendingOrganization[]> {
  const domain = emailDomain(person.email);
  if (person.organizationId !== null || !person.emailVerified || isFreeMailDomain(domain)) return [];
  return services.db
    .select(columnsOf(organizations, "id", "name", "logo", "subdomain"))
    .from(organizationDomains)
    .innerJoin(organizations, eq(organizations.id, organizationDomains.organizationId))
    .where(and(eq(organizationDomains.domain, domain), isOpenToPeople))
    .orderBy(organizations.name)
    .limit(MAX_PER_DOMAIN);
}

export async function isActiveOrganization({ db }: ReadServices, organizationId: string): Promise<boolean> {
  const [row] = await db
    .select({ active: organizations.active })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  return row?.active ?? false;
}

/** A new organisation on trial, for the batch of the registration that creates it. */
export function createOrganization(
  services: Services,
  organization: { id: string; name: string; abn?: string; trialEndsAt: number },
): Statement {
  const now = services.clock.now();
  return services.db.insert(organizations).values({ ...organization, createdAt: now, updatedAt: now });
}

/** Makes a person a member of an organisation. The caller copies their role and status into their own row. */
export function addMember(
  services: Services,
  member: { organizationId: string; userId: string; role: OrganizationRole; status: UserStatus },
): Statement {
  const now = services.clock.now();
  return services.db
    .insert(organizationUsers)
    .values({ id: services.ids.next(), ...member, createdAt: now, updatedAt: now });
}

/** The same for somebody who may have been there before: waiting, rejected or deactivated. */
export function addOrReturnMember(
  services: Services,
  member: { organizationId: string; userId: string; role: OrganizationRole },
  wasThere: boolean,
): Statement {
  const { organizationId, userId, role } = member;
  if (!wasThere) return addMember(services, { ...member, status: "active" });
  return services.db
    .update(organizationUsers)
    .set({ role, status: "active", updatedAt: services.clock.now() })
    .where(and(eq(organizationUsers.organizationId, organizationId), eq(organizationUsers.userId, userId)));
}

/** Gives an email domain to an organisation; its first one becomes the primary. The caller ensures that it is free. */
export function claimDomain(services: Services, claim: { organizationId: string; domain: string }): Statement {
  const { db, clock, ids } = services;
  const now = clock.now();
  const isFirst = sql<boolean>`(SELECT NOT EXISTS (SELECT 1 FROM ${organizationDomains} WHERE ${sql.identifier("organizationId")} = ${claim.organizationId}))`;
  return db
    .insert(organizationDomains)
    .values({ id: ids.next(), ...claim, isPrimary: isFirst, createdAt: now, updatedAt: now });
}
