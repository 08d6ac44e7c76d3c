import { organizationDomains, organizationUsers, tokens, users } from "@db/database";
import { eq } from "drizzle-orm";
import type { OrganizationRole, UserRole, UserStatus } from "~/kernel/enums";
import { confirmEmail } from "~/modules/accounts/identity/confirm-email.server";
import type { Registration } from "~/modules/accounts/identity/register.server";
import type { Job } from "~/modules/core/commands/job";
import { claimJob } from "~/modules/core/commands/outbox.server";
import type { Origin, Services } from "~/services-and-actor";
import type { TestServices } from "./services";

/** A password that every rule accepts. */
export const PASSWORD = "Correct-horse-7";

export const ORIGIN: Origin = { ipAddress: "203.0.113.7", userAgent: "test", requestId: "request-1" };

/** A domain that nothing else in the test run uses. */
export const aDomain = (services: Services, name = "harbour") => `${name}-${services.ids.next().slice(-12)}.example`;

/** What a person typed into the registration form: a new organisation unless told otherwise. */
export function aRegistration(services: Services, input: Partial<Registration> = {}): Registration {
  const creates = !input.organizationId && !("newOrganization" in input);
  return {
    email: `mira.okafor@${aDomain(services)}`,
    firstName: "Mira",
    lastName: "Okafor",
    password: PASSWORD,
    ...(creates ? { newOrganization: { name: "Harbour Joinery" } } : {}),
    ...input,
  };
}

type Someone = {
  email?: string;
  username?: string;
  role?: UserRole;
  status?: UserStatus;
  /** Addresses are confirmed unless told otherwise. */
  isConfirmed?: boolean;
  organizationId?: string | null;
  membership?: OrganizationRole;
  password?: string;
};

/** A person who can sign in with PASSWORD; of no organisation unless given one. */
export async function aPerson(services: Services, who: Someone = {}) {
  const { db, clock, ids, passwords } = services;
  const userId = ids.next();
  const now = clock.now();
  const tag = userId.slice(-12);
  const person = {
    id: userId,
    email: who.email ?? `person-${tag}@${aDomain(services)}`,
    username: who.username ?? `person-${tag}`,
    organizationId: who.organizationId ?? null,
  };
  await db.insert(users).values({
    ...person,
    password: await passwords.hash(who.password ?? PASSWORD),
    firstName: "Ada",
    lastName: "Nguyen",
    role: who.role ?? "member",
    status: who.status ?? "active",
    emailVerifiedAt: who.isConfirmed === false ? null : now,
    createdAt: now,
    updatedAt: now,
  });
  if (person.organizationId !== null) {
    await belongs(services, userId, person.organizationId, who.membership ?? "member", who.status);
  }
  return person;
}

/** Makes a person belong to one more organisation. */
export async function belongs(
  services: Services,
  userId: string,
  organizationId: string,
  role: OrganizationRole,
  status: UserStatus = "active",
) {
  const now = services.clock.now();
  const id = services.ids.next();
  await services.db
    .insert(organizationUsers)
    .values({ id, organizationId, userId, role, status, createdAt: now, updatedAt: now });
}

/** Gives an email domain to an organisation. */
export async function claims(services: Services, organizationId: string, domain: string, autoApprove = false) {
  const now = services.clock.now();
  const id = services.ids.next();
  await services.db
    .insert(organizationDomains)
    .values({ id, organizationId, domain, autoApprove, createdAt: now, updatedAt: now });
}

export async function findUser(services: Services, email: string) {
  const [row] = await services.db.select().from(users).where(eq(users.email, email));
  return row;
}

/** Confirms an address with its link and the account's PASSWORD. */
export const confirmAddress = (services: Services, token: string) =>
  confirmEmail(services, ORIGIN, { token, proof: { by: "password", password: PASSWORD } });

/** The confirmation link's token in the mail that was promised last. */
export async function confirmationToken(services: TestServices): Promise<string> {
  const jobId = services.sent.at(-1)?.jobId ?? "";
  const job = (await claimJob(services, jobId)) as Job;
  const mail = JSON.parse(await services.secrets.open(job.sealedPayload ?? "", jobId)) as { data: { link: string } };
  return mail.data.link.split("/").at(-1) ?? "";
}

/** How many links a person has been sent that are still in the database. */
export async function linksOf(services: Services, userId: string) {
  return services.db.select().from(tokens).where(eq(tokens.userId, userId));
}
