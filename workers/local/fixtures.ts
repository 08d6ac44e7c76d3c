import { counters, organizationDomains, organizations, organizationUsers, users, verifications } from "@db/database";
import { and, eq, inArray } from "drizzle-orm";
import * as z from "zod";
import { readJson } from "~/http/body.server";
import { json } from "~/http/responses.server";
import { maskAccountNumber } from "~/kernel/bank-account";
import { DAY_MS } from "~/kernel/dates";
import type { OrganizationRole, UserRole, UserStatus } from "~/kernel/enums";
import type { PayeeDetails } from "~/kernel/payee";
import { type Acting, runCommand } from "~/modules/core/commands/run-command.server";
import { addPayees } from "~/modules/payees/imports/judge-rows.server";
import { newPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import type { Services } from "~/services-and-actor";

const PENDING = 500;
const UNPAID = 60;
const LINKS = 40;
const PAYEES_PER_COMMAND = 50;
/** A BSB used only here, so that a fixture never matches an account that a person typed. */
const BSB = "484799";

const ORGANIZATIONS = {
  A: { name: "Alpha Fittings Pty Ltd", domain: "alpha.example", marker: "Alphatide" },
  B: { name: "Beta Freight Pty Ltd", domain: "beta.example", marker: "Betaquay" },
};

type Key = keyof typeof ORGANIZATIONS;
type Seat = { key?: Key; local: string; role: UserRole; status?: UserStatus };

const PEOPLE: Record<string, Seat> = {
  adminA: { key: "A", local: "admin", role: "admin" },
  memberA: { key: "A", local: "member", role: "member" },
  readOnlyA: { key: "A", local: "readonly", role: "read_only" },
  pendingA: { key: "A", local: "pending", role: "member", status: "pending" },
  rejectedA: { key: "A", local: "rejected", role: "member", status: "rejected" },
  inactiveA: { key: "A", local: "inactive", role: "member", status: "inactive" },
  adminB: { key: "B", local: "admin", role: "admin" },
  memberB: { key: "B", local: "member", role: "member" },
  superAdmin: { local: "super", role: "super_admin" },
};

/**
 * Two organisations with a person for each role and status, and new payees, pending verifications and unused links in
 * each. Running it again keeps the organisations and people and recreates the rest.
 */
export async function makeFixtures(request: Request, _url: URL, given: Services): Promise<Response> {
  // Their verifications stay as they are created: no bank is asked automatically.
  const services = { ...given, config: { ...given.config, asksBanksAutomatically: false } };
  const { password } = await readJson(request, z.object({ password: z.string().min(8) }));
  const passwordHash = await services.passwords.hash(password);
  const organizations = {
    A: await ensureOrganization(services, ORGANIZATIONS.A),
    B: await ensureOrganization(services, ORGANIZATIONS.B),
  };
  const people: Record<string, { id: string; email: string }> = {};
  for (const [name, { key, local, role, status }] of Object.entries(PEOPLE)) {
    const organization = key && organizations[key];
    const email = `${local}@${organization?.domain ?? "payeeproof.example"}`;
    const named = { firstName: name.replace(/[AB]$/, ""), lastName: key ?? "Platform" };
    people[name] = await ensurePerson(services, { email, role, status, organization, ...named }, passwordHash);
  }
  const ownerOf = (key: Key) => people[`admin${key}`]?.id ?? "";
  return json({
    password,
    people,
    A: await furnish(services, organizations.A, ORGANIZATIONS.A.marker, ownerOf("A")),
    B: await furnish(services, organizations.B, ORGANIZATIONS.B.marker, ownerOf("B")),
  });
}

type MadePayee = { payeeId: string; verificationId: string; token: string | null };

async function furnish(services: Services, organization: LocalOrganization, marker: string, ownerId: string) {
  const [counted] = await services.db
    .select({ value: counters.value })
    .from(counters)
    .where(and(eq(counters.organizationId, organization.id), eq(counters.name, "payees")));
  const first = counted?.value ?? 0;
  const total = PENDING + UNPAID + LINKS;
  const made: MadePayee[] = [];
  for (let from = 0; from < total; from += PAYEES_PER_COMMAND) {
    const numbers = Array.from({ length: Math.min(PAYEES_PER_COMMAND, total - from) }, (_, i) => from + i);
    made.push(...(await addBatch(services, { organization, marker, ownerId, first, numbers })));
  }
  const pending = made.slice(0, PENDING);
  const unpaid = made.slice(PENDING, PENDING + UNPAID);
  const links = made.slice(PENDING + UNPAID);
  return {
    organizationId: organization.id,
    domain: organization.domain,
    payeeId: unpaid[0]?.payeeId,
    verificationId: pending[0]?.verificationId,
    pending: pending.map((one) => one.verificationId),
    payees: unpaid.map((one) => one.payeeId),
    links: links.map((one) => ({ token: one.token, vid: one.verificationId, pid: one.payeeId })),
    markers: [marker, organization.name],
  };
}

type Batch = { organization: LocalOrganization; marker: string; ownerId: string; first: number; numbers: number[] };

async function addBatch(services: Services, batch: Batch): Promise<MadePayee[]> {
  const { db } = services;
  const organizationId = batch.organization.id;
  const actor: Acting = {
    organizationId,
    userId: batch.ownerId,
    origin: { ipAddress: null, userAgent: null, requestId: "fixtures" },
  };
  const added = batch.numbers.map((number) => {
    const details = fixtureDetails(batch, number);
    const row = { line: number, name: details.name, details, notes: [] };
    return { payeeId: services.ids.next(), row, judgement: { outcome: "added" as const } };
  });
  await runCommand(services, actor, {
    statements: await addPayees(services, actor, added),
    audit: added.map(({ payeeId, row }) => ({
      action: "payee.added",
      entityId: payeeId,
      details: { ...row.details, accountNumber: maskAccountNumber(row.details.accountNumber) },
    })),
  });
  const opened = await db
    .select({ id: verifications.id, payeeId: verifications.payeeId })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        inArray(
          verifications.payeeId,
          added.map(({ payeeId }) => payeeId),
        ),
      ),
    );
  const verificationOf = new Map(opened.map(({ id, payeeId }) => [payeeId, id]));
  return Promise.all(
    added.map(async ({ payeeId, row }, at) => {
      const verificationId = verificationOf.get(payeeId) ?? "";
      const hasLink = (batch.numbers[at] ?? 0) >= PENDING + UNPAID;
      const token = hasLink
        ? await addLink(services, actor, batch, { payeeId, verificationId, details: row.details })
        : null;
      return { payeeId, verificationId, token };
    }),
  );
}

/** The link that a person would send, without the message, because a day's limit allows only a few. */
async function addLink(
  services: Services,
  actor: Acting,
  { organization }: Batch,
  { payeeId, verificationId, details }: { payeeId: string; verificationId: string; details: PayeeDetails },
) {
  const token = services.ids.secret();
  const { parts } = await newPayeeLink(
    { ...services, ids: { ...services.ids, secret: () => token } },
    { organizationId: organization.id },
    {
      verificationId,
      accountNumber: details.accountNumber,
      payee: { id: payeeId, name: details.name, contactChangedAt: null },
      organizationName: organization.name,
      timeZone: "Australia/Sydney",
      contact: { channel: "email", to: details.email ?? "" },
    },
  );
  await runCommand(services, actor, { parts: parts.slice(0, 1) });
  return token;
}

function fixtureDetails({ marker, first }: Batch, number: number): PayeeDetails {
  const serial = first + number;
  const name = `${marker} Supplies ${serial}`;
  return {
    name,
    accountName: `${name} Pty Ltd`,
    bsb: BSB,
    accountNumber: String(10_000_000 + serial),
    abn: null,
    email: `accounts${serial}@${marker.toLowerCase()}.example`,
    phone: null,
    address: null,
  };
}

/** Organisations and people for a developer's machine, created once and reused. */

const TRIAL_DAYS = 365;

export type LocalOrganization = { id: string; name: string; domain: string };

/** The organisation that holds a domain, made if there is none: address confirmed, trial live. */
export async function ensureOrganization(services: Services, input: { name: string; domain: string }) {
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

/** A person with a confirmed address, created if missing; the password is reset each time. */
export async function ensurePerson(
  services: Services,
  wanted: {
    email: string;
    firstName: string;
    lastName: string;
    role: UserRole;
    status?: UserStatus;
    organization?: LocalOrganization;
  },
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
    reviewKeys: true,
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
