import {
  invoices,
  organizationPolicies,
  organizations,
  organizationUsers,
  payees,
  paymentFiles,
  paymentRecords,
  rowIn,
  type Statement,
  users,
} from "@db/database";
import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { type Actor, canAdminister, type ReadServices, type Services, type WriteServices } from "~/services-and-actor";
import { removeRows } from "./organization-export/remove-organization.server";

/**
 * Sample data to explore, in an organisation of its own: people who load it can read it, and nobody can change it.
 * Nothing in it has outside effects: no bank is asked, no message is sent, nothing is charged, and it does not count
 * for other organisations. The database discards anything that would be queued for it (0080).
 */

export const SAMPLE_NAME = "Sample data: Harbour Joinery";

/** A value of `organizations.sampleStep`: creating the sample failed. */
export const SAMPLE_FAILED = -1;

/** How many days before today its records begin. */
export const SAMPLE_DAYS = 60;

/** The invented people who work there. Their addresses cannot receive email, and nobody can sign in as them. */
const PEOPLE = [
  { local: "alex", firstName: "Alex", lastName: "Marsh" },
  { local: "sam", firstName: "Sam", lastName: "Iyer" },
] as const;

export const inventedEmail = (local: (typeof PEOPLE)[number]["local"], sampleId: string): string =>
  `${local}@${sampleId}.invalid`;

export const samplePostSchema = z.object({ intent: z.enum(["load", "remove"]) });

const selectSampleOf = ({ db }: ReadServices, organizationId: string) =>
  db
    .select({ id: organizations.id, step: organizations.sampleStep, removalStartedAt: organizations.removalStartedAt })
    .from(organizations)
    .where(eq(organizations.sampleFor, organizationId));

/** The organisation that this sample belongs to; undefined: this is not a sample. */
async function findHome({ db }: ReadServices, { organizationId, userId }: Pick<Actor, "organizationId" | "userId">) {
  const [here] = await db
    .select({ id: organizations.sampleFor })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (!here?.id) return undefined;
  const [mine] = await db
    .select({ role: organizationUsers.role, status: organizationUsers.status })
    .from(organizationUsers)
    .where(and(eq(organizationUsers.organizationId, here.id), eq(organizationUsers.userId, userId)));
  return {
    id: here.id,
    isMember: mine?.status === "active",
    isAdmin: mine?.status === "active" && mine.role === "admin",
  };
}

const isIn = (userId: string, organizationId: string) =>
  and(eq(organizationUsers.organizationId, organizationId), eq(organizationUsers.userId, userId));

export async function readSamplePage(services: ReadServices, actor: Actor) {
  const home = await findHome(services, actor);
  if (home) return { state: "inside" as const, homeId: home.isMember ? home.id : null, canRemove: home.isAdmin };
  const isAdmin = canAdminister(actor);
  const [sample] = await selectSampleOf(services, actor.organizationId);
  if (!sample) {
    const real = await services.db.all(sql`SELECT 1 WHERE ${hasRealRecords(services, actor.organizationId)}`);
    return { state: "none" as const, canLoad: isAdmin && real.length === 0, hasReal: real.length > 0 };
  }
  if (sample.step !== null || sample.removalStartedAt !== null) {
    const isOver = sample.step === SAMPLE_FAILED || sample.removalStartedAt !== null;
    return { state: isOver ? ("failed" as const) : ("making" as const), canRemove: isAdmin };
  }
  const mine = await rowIn(services.db, organizationUsers).where(isIn(actor.userId, sample.id));
  return { state: "ready" as const, sampleId: mine.length > 0 ? sample.id : null, canRemove: isAdmin };
}

/** True once the organisation has its own records. */
function hasRealRecords({ db }: ReadServices, organizationId: string): SQL {
  const found = [payees, paymentRecords, paymentFiles, invoices].map(
    (table) => sql`EXISTS (${rowIn(db, table).where(eq(table.organizationId, organizationId)).getSQL()})`,
  );
  return sql`(${sql.join(found, sql` OR `)})`;
}

/**
 * Creates the sample's organisation with its invented people, and leaves the rest to the queue. The person who loads it
 * may read it.
 * @throws AppError 403 ADMIN_REQUIRED; 409 CHANGED_MEANWHILE when it is loaded already, or there are real records
 */
export async function loadSample(services: WriteServices, actor: Actor): Promise<void> {
  const { db, clock, ids } = services;
  const { organizationId } = actor;
  if (!canAdminister(actor)) throw notAdmin("loads");
  const now = clock.now();
  const began = now - (SAMPLE_DAYS + 1) * DAY_MS;
  const times = { createdAt: began, updatedAt: began };
  const sampleId = ids.next();
  const staff = PEOPLE.map(({ local, ...named }) => {
    const email = inventedEmail(local, sampleId);
    return { id: ids.next(), username: email, email, ...named, ...times };
  });
  const members = [
    ...staff.map(({ id }) => ({ userId: id, role: "member" as const, status: "inactive" as const })),
    { userId: actor.userId, role: "read_only" as const, status: "active" as const },
  ];
  const result = await runCommand(services, actor, {
    conditions: [
      { name: "loaded", found: sql`SELECT 1 WHERE NOT EXISTS (${selectSampleOf(services, organizationId).getSQL()})` },
      {
        name: "real",
        found: sql`SELECT 1 FROM ${organizations} WHERE ${organizations.id} = ${organizationId}
          AND ${organizations.sampleFor} IS NULL AND NOT ${hasRealRecords(services, organizationId)}`,
      },
    ],
    statements: [
      db.insert(organizations).values({
        ...{ id: sampleId, name: SAMPLE_NAME, sampleFor: organizationId, sampleStep: 0 },
        ...{ trialEndsAt: now + 365 * DAY_MS, ...times },
      }),
      db.insert(organizationPolicies).values({ organizationId: sampleId, askBanks: "never", updatedAt: began }),
      ...staff.map((person) =>
        db.insert(users).values({ ...person, password: "", status: "inactive", reviewKeys: true }),
      ),
      ...members.map((member) =>
        db.insert(organizationUsers).values({ id: ids.next(), organizationId: sampleId, ...member, ...times }),
      ),
    ],
    audit: [{ action: "organization.sample_loaded", entityId: organizationId }],
    jobs: [{ id: ids.next(), kind: "sample_data", organizationId, subjectId: sampleId }],
  });
  if (result.ok) return;
  if (result.refused === "loaded")
    throw new AppError("CHANGED_MEANWHILE", "The sample data is already loaded. Reload the page.");
  throw new AppError(
    "CHANGED_MEANWHILE",
    "Sample data can be loaded only while your organisation has no payees, payments or invoices of its own.",
  );
}

const notAdmin = (does: string) =>
  new AppError("ADMIN_REQUIRED", `Only an administrator of your organisation ${does} the sample data.`);

/**
 * Deletes the whole sample: its records, audit trail, organisation, and its people's names. People looking at it return
 * to their own organisation. An interrupted deletion continues when somebody presses the button again, or at night.
 * @throws AppError 403 ADMIN_REQUIRED; 409 CHANGED_MEANWHILE when there is none
 */
export async function removeSample(services: Services, actor: Actor): Promise<void> {
  const { db, clock } = services;
  const home = await findHome(services, actor);
  if (home ? !home.isAdmin : !canAdminister(actor)) throw notAdmin("removes");
  const organizationId = home?.id ?? actor.organizationId;
  const [sample] = await selectSampleOf(services, organizationId);
  if (!sample) throw new AppError("CHANGED_MEANWHILE", "There is no sample data. Reload the page.");
  if (sample.removalStartedAt === null) {
    const stands = and(eq(organizations.id, sample.id), isNull(organizations.removalStartedAt));
    await runCommand(
      services,
      { ...actor, organizationId },
      {
        conditions: [{ name: "removed", found: rowIn(db, organizations).where(stands) }],
        statements: [
          ...sendHome(services, { sampleId: sample.id, homeId: organizationId }),
          db.update(organizations).set({ removalStartedAt: clock.now() }).where(eq(organizations.id, sample.id)),
        ],
        audit: [{ action: "organization.sample_removed", entityId: organizationId }],
      },
    );
  }
  await removeRows(services, sample.id);
}

/** Returns everybody looking at the sample to their own organisation and role, and removes them from the sample. */
function sendHome({ db }: ReadServices, { sampleId, homeId }: { sampleId: string; homeId: string }): Statement[] {
  const atHome = (column: "role" | "status") =>
    sql`(SELECT ${sql.identifier(column)} FROM ${organizationUsers} AS "home" WHERE "home"."organizationId" = ${homeId} AND "home"."userId" = ${users.id})`;
  const invented = PEOPLE.map(({ local }) => inventedEmail(local, sampleId));
  return [
    db
      .update(users)
      .set({
        organizationId: sql`CASE WHEN ${atHome("status")} IS NULL THEN NULL ELSE ${homeId} END`,
        role: sql`CASE WHEN ${users.role} = 'super_admin' THEN ${users.role} ELSE coalesce(${atHome("role")}, 'member') END`,
        status: sql`coalesce(${atHome("status")}, 'active')`,
      })
      .where(eq(users.organizationId, sampleId)),
    db
      .delete(organizationUsers)
      .where(
        and(
          eq(organizationUsers.organizationId, sampleId),
          sql`${organizationUsers.userId} NOT IN (${db.select({ id: users.id }).from(users).where(inArray(users.email, invented)).getSQL()})`,
        ),
      ),
  ];
}
