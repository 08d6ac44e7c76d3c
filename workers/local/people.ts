import { organizationDomains, organizations, organizationUsers, users } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import type { OrganizationRole, UserRole, UserStatus } from "~/kernel/enums";
import type { Services } from "~/services";

/** Organisations and people of a developer's machine, made once and found again. */

const TRIAL_DAYS = 365;

export type LocalOrganization = { id: string; name: string; domain: string };

/** The organisation that holds a domain, made if there is none: address confirmed, trial live. */
export async function ensureOrganization(
  services: Services,
  input: { name: string; domain: string },
): Promise<LocalOrganization> {
  const { db, clock, ids } = services;
  const now = clock.now();
  const trialEndsAt = now + TRIAL_DAYS * DAY_MS;
  const [known] = await db
    .select({ id: organizationDomains.organizationId })
    .from(organizationDomains)
    .where(eq(organizationDomains.domain, input.domain));
  if (known) {
    await db.update(organizations).set({ trialEndsAt }).where(eq(organizations.id, known.id));
    return { ...input, id: known.id };
  }
  const id = ids.next();
  const times = { createdAt: now, updatedAt: now };
  await db.batch([
    db.insert(organizations).values({ id, name: input.name, trialEndsAt, ...times }),
    db
      .insert(organizationDomains)
      .values({ id: ids.next(), organizationId: id, domain: input.domain, isPrimary: true, ...times }),
  ]);
  return { ...input, id };
}

type Wanted = {
  email: string;
  firstName: string;
  lastName: string;
  role: UserRole;
  status?: UserStatus;
  organization?: LocalOrganization;
};

/** A person with a confirmed address, made if there is none; their password is set anew each time. */
export async function ensurePerson(
  services: Services,
  wanted: Wanted,
  passwordHash: string,
): Promise<{ id: string; email: string }> {
  const { db, clock, ids } = services;
  const { organization, status = "active", role, email, firstName, lastName } = wanted;
  const now = clock.now();
  const [known] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (known) {
    await db.batch([
      db.update(users).set({ password: passwordHash, status, role }).where(eq(users.id, known.id)),
      db
        .update(organizationUsers)
        .set({ status, ...(role === "super_admin" ? {} : { role }) })
        .where(
          and(eq(organizationUsers.userId, known.id), eq(organizationUsers.organizationId, organization?.id ?? "")),
        ),
    ]);
    return { id: known.id, email };
  }
  const id = ids.next();
  const person = { id, email, firstName, lastName, role, status, username: email.replace(/[^a-z0-9]+/g, "-") };
  const times = { createdAt: now, updatedAt: now };
  const insertPerson = db.insert(users).values({
    ...person,
    ...times,
    password: passwordHash,
    emailVerifiedAt: now,
    organizationId: organization?.id ?? null,
  });
  if (!organization) {
    await db.batch([insertPerson]);
    return { id, email };
  }
  const membership: OrganizationRole = role === "super_admin" ? "read_only" : role;
  await db.batch([
    insertPerson,
    db
      .insert(organizationUsers)
      .values({ id: ids.next(), organizationId: organization.id, userId: id, role: membership, status, ...times }),
  ]);
  return { id, email };
}
