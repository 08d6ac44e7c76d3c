import {
  type Condition,
  columnsOf,
  organizationNames,
  organizations,
  organizationUsers,
  rowIn,
  users,
} from "@db/database";
import { and, asc, eq, gt, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, notFound } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import { idField } from "~/kernel/fields.schema.server";
import { whyNameWaits } from "~/kernel/institution-names";
import { appPaths } from "~/kernel/paths/app";
import { cleanText } from "~/kernel/text";
import type { Administrator } from "~/modules/accounts/members/members";
import { type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import {
  PLATFORM_ORGANIZATION_ID,
  type ReadServices,
  type TimedServices,
  type WriteServices,
} from "~/services-and-actor";
import { holdingName, NAME_DOUBT_TEXT, tellNameWaits } from "./organization";

/** Literal SQL, so that SQLite can use the partial indexes. */
const isWaiting = sql`${organizationNames.status} = 'waiting'`;

/** Who requests a name, for which organisation, and its name until the request is approved. */
type Asked = { organizationId: string; userId: string; name: string; meanwhile: string };

/**
 * The name that an organisation may have at once and, if another name needs approval, the writes for it: the request,
 * replacing an earlier one, and an email to the operator, at most one a day per organisation until one of its names is
 * decided.
 */
export async function requestName(
  services: WriteServices,
  { organizationId, userId, name, meanwhile }: Asked,
): Promise<{ name: string; part?: CommandPart; conditions: Condition<"name_asked">[] }> {
  const why = whyNameWaits(name);
  if (why === undefined) return { name, conditions: [] };
  const { db, clock, ids, config } = services;
  const requestedAt = clock.now();
  const statements = [
    withdrawWaitingName(services, organizationId),
    db
      .insert(organizationNames)
      .values({ id: ids.next(), organizationId, name, why, requestedById: userId, requestedAt }),
  ];
  const told = namesTold(services, organizationId);
  const isTold = (await told).length > 0;
  const jobs = await queueEmail(services, null, isTold ? [] : [config.contactInbox], {
    template: "organizationNameWaits",
    data: { name, reason: NAME_DOUBT_TEXT[why], href: `${config.appOrigin}${appPaths.organizations}` },
  });
  return {
    name: meanwhile,
    conditions: isTold ? [] : [{ name: "name_asked", found: sql`SELECT 1 WHERE NOT EXISTS ${told}` }],
    part: {
      statements,
      audit: [{ action: "organization.name_requested", entityId: organizationId, details: { name, why } }],
      jobs,
    },
  };
}

/** Requests reported to the operator within a day and still undecided: the list shows all that wait. */
const namesTold = ({ db, clock }: TimedServices, organizationId: string) =>
  rowIn(db, organizationNames)
    .where(
      and(
        eq(organizationNames.organizationId, organizationId),
        gt(organizationNames.requestedAt, clock.now() - DAY_MS),
        sql`${organizationNames.status} IN ('waiting', 'withdrawn')`,
      ),
    )
    .limit(1);

/** Withdraws a waiting name when the organisation takes another one, so that no operator approves it later. */
export const withdrawWaitingName = ({ db, clock }: TimedServices, organizationId: string) =>
  db
    .update(organizationNames)
    .set({ status: "withdrawn", decidedAt: clock.now() })
    .where(and(eq(organizationNames.organizationId, organizationId), isWaiting));

/** The name of a new organisation: as typed, or made from its creator's name until an operator has decided. */
export async function initialName(
  services: WriteServices,
  { firstName, ...asked }: Omit<Asked, "meanwhile"> & { firstName: string },
) {
  return requestName(services, { ...asked, meanwhile: holdingName({ firstName }) });
}

/** Tells the creator that the organisation's name waits for approval; empty if it does not. */
export function describeInitialName(asked: string, bears: string | null): string {
  const why = asked === bears ? undefined : whyNameWaits(asked);
  return why === undefined || bears === null ? "" : ` ${tellNameWaits(asked, why, bears)}`;
}

/** The name whose approval an organisation waits for. */
export async function findWaitingName({ db }: ReadServices, organizationId: string) {
  const [row] = await db
    .select({ name: organizationNames.name, why: organizationNames.why })
    .from(organizationNames)
    .where(and(eq(organizationNames.organizationId, organizationId), isWaiting));
  return row;
}

const MAX_LISTED = 50;

/** Names that wait for an operator, oldest first, with who requested them and the organisation's present name. */
export async function listWaitingNames({ db }: ReadServices) {
  return db
    .select({
      ...columnsOf(organizationNames, "id", "name", "why", "requestedAt", "organizationId"),
      meanwhile: organizations.name,
      abn: organizations.abn,
      ...columnsOf(users, "email", "emailVerifiedAt"),
    })
    .from(organizationNames)
    .innerJoin(organizations, eq(organizations.id, organizationNames.organizationId))
    .innerJoin(users, eq(users.id, organizationNames.requestedById))
    .where(and(isWaiting, sql`${organizationNames.id} > ''`))
    .orderBy(asc(organizationNames.id))
    .limit(MAX_LISTED);
}

const REASON_LENGTH = { min: 5, max: 500 };

/** Form posts about one name of the list. */
export const namePostSchema = z
  .object({
    intent: z.enum(["approve-name", "refuse-name"]),
    requestId: idField,
    reason: z
      .string()
      .nullish()
      .transform((text) => cleanText(text ?? "")),
  })
  .refine(({ intent, reason }) => intent === "approve-name" || reason.length >= REASON_LENGTH.min, {
    path: ["reason"],
    error: "Say why, in at least 5 characters: the organisation's administrators read it",
  })
  .refine(({ reason }) => reason.length <= REASON_LENGTH.max, {
    path: ["reason"],
    error: `Use at most ${REASON_LENGTH.max} characters`,
  });

/**
 * Approves the name that an organisation waits for, or refuses it with a reason, as a super admin. Tells its
 * administrators.
 * @throws AppError 404, 409 NAME_DECIDED
 */
export async function decideName(
  services: WriteServices,
  administrator: Administrator,
  { intent, requestId, reason }: z.output<typeof namePostSchema>,
): Promise<{ name: string; isApproved: boolean }> {
  const { db, clock, config } = services;
  const isApproved = intent === "approve-name";
  const one = eq(organizationNames.id, requestId);
  const [found] = await db
    .select({
      ...columnsOf(organizationNames, "name", "organizationId", "status"),
      meanwhile: organizations.name,
    })
    .from(organizationNames)
    .innerJoin(organizations, eq(organizations.id, organizationNames.organizationId))
    .where(one);
  if (!found || found.organizationId === PLATFORM_ORGANIZATION_ID) throw notFound();
  const { name, organizationId, meanwhile } = found;
  if (found.status !== "waiting") throw decided(name);
  const now = clock.now();
  const ofIt = and(eq(organizationNames.organizationId, organizationId), one);
  const still = rowIn(db, organizationNames).where(and(ofIt, isWaiting));
  const about = { entityType: "organization", entityId: organizationId } as const;
  const { ok } = await runCommand(
    services,
    { ...administrator, organizationId },
    {
      conditions: [{ name: "name_decided", found: still }],
      statements: [
        db
          .update(organizationNames)
          .set({
            status: isApproved ? "approved" : "refused",
            decidedById: administrator.userId,
            decidedAt: now,
            reason: reason || null,
          })
          .where(ofIt),
        ...(isApproved
          ? [db.update(organizations).set({ name, updatedAt: now }).where(eq(organizations.id, organizationId))]
          : []),
      ],
      audit: [
        isApproved
          ? { ...about, action: "organization.name_approved", details: { name: { from: meanwhile, to: name } } }
          : { ...about, action: "organization.name_refused", details: { name, reason } },
      ],
      jobs: await queueEmail(services, organizationId, await listAdminEmails(services, organizationId), {
        template: "organizationNameDecided",
        data: { name, meanwhile, reason: isApproved ? null : reason, href: `${config.appOrigin}${appPaths.settings}` },
      }),
    },
  );
  if (!ok) throw decided(name);
  return { name, isApproved };
}

const decided = (name: string) => new AppError("NAME_DECIDED", `“${name}” is no longer waiting for a decision.`);

const MAX_TOLD = 50;

export async function listAdminEmails({ db }: ReadServices, organizationId: string): Promise<string[]> {
  const rows = await db
    .select({ email: users.email })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.status, "active"),
        eq(organizationUsers.role, "admin"),
        ne(users.status, "inactive"),
      ),
    )
    .orderBy(asc(organizationUsers.userId))
    .limit(MAX_TOLD);
  return rows.map((row) => row.email);
}
