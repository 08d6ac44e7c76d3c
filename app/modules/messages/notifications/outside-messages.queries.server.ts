import {
  billingAccounts,
  type Condition,
  columnsOf,
  organizations,
  organizationUsers,
  outsideMessages,
  rowIn,
  users,
} from "@db/database";
import { and, asc, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import { OUTSIDE_MESSAGE_KINDS, type OutsideMessageKind } from "~/kernel/enums";
import { RECIPIENT_LIMITS, REPORTS } from "~/kernel/limits";
import { displayName } from "~/kernel/text";
import type { Actor, ReadServices, Services, TimedServices } from "~/services-and-actor";
import { type NoticeCounts, type NoticeGrade, type NoticeLimits, noticeLimits } from "./notice-rules";
import {
  dailyLimitOf,
  type MissingConfirmation,
  type OutsideRefusal,
  outsideError,
  toMissingConfirmation,
} from "./outside-messages";

/** The signed text, which is specific to report links. */
const signed = (messageId: string) => `report-message:${messageId}`;

/** The token of a report link: it names one message and is signed, so that only recipients can report it. */
export async function signReport({ secrets }: Pick<Services, "secrets">, messageId: string): Promise<string> {
  return `${messageId}.${(await secrets.fingerprint(signed(messageId))).digest}`;
}

/** The message that a report link names; undefined for an invalid link. */
export async function findReportedMessage({ db, secrets }: Pick<Services, "db" | "secrets">, token: string) {
  const [messageId = "", digest = ""] = token.split(".");
  const accepted = await secrets.fingerprints(signed(messageId));
  if (!accepted.some((one) => one.digest === digest)) return undefined;
  const [row] = await db
    .select({
      ...columnsOf(outsideMessages, "id", "kind", "organizationId"),
      organizationName: organizations.name,
      ...columnsOf(outsideMessages, "createdAt", "reportedAt"),
    })
    .from(outsideMessages)
    .innerJoin(organizations, eq(organizations.id, outsideMessages.organizationId))
    .where(eq(outsideMessages.id, messageId));
  return row;
}

/**
 * SQL that finds a row while the organisation may act and one of its admins has confirmed their address. An
 * organisation without any admins left can still send.
 */
export function senderIsConfirmed({ db }: ReadServices, organizationId: string) {
  const admins = sql`SELECT 1 FROM ${organizationUsers} JOIN ${users} ON ${users.id} = ${organizationUsers.userId}
    WHERE ${organizationUsers.organizationId} = ${organizationId} AND ${organizationUsers.role} = 'admin'
    AND ${organizationUsers.status} = 'active'`;
  return rowIn(db, organizations).where(
    and(
      eq(organizations.id, organizationId),
      eq(organizations.active, true),
      sql`(EXISTS (${admins} AND ${users.emailVerifiedAt} IS NOT NULL) OR NOT EXISTS (${admins}))`,
    ),
  );
}

/**
 * What must be confirmed before anything is sent outside or a bank is asked, for the pages that offer it; null:
 * nothing. The same requirement as in `senderIsConfirmed`.
 */
export async function findMissingConfirmation(
  { db }: ReadServices,
  person: Pick<Actor, "organizationId" | "organizationRole" | "userId" | "emailVerified">,
): Promise<MissingConfirmation | null> {
  if (person.organizationRole === "admin" && person.emailVerified) return null;
  const admins = await db
    .select({
      userId: users.id,
      ...columnsOf(users, "firstName", "lastName", "email"),
      confirmedAt: users.emailVerifiedAt,
    })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(
      and(
        eq(organizationUsers.organizationId, person.organizationId),
        eq(organizationUsers.role, "admin"),
        eq(organizationUsers.status, "active"),
      ),
    )
    // Confirmed admins come first, because one of them is enough.
    .orderBy(desc(users.emailVerifiedAt), asc(organizationUsers.id))
    .limit(MAX_ADMINS);
  if (admins.length === 0 || admins.some(({ confirmedAt }) => confirmedAt !== null)) return null;
  const own = admins.find(({ userId }) => userId === person.userId);
  return toMissingConfirmation(own?.email ?? null, admins.map(displayName));
}

/** More administrators than a sentence names. */
const MAX_ADMINS = 50;

/** The quota of each kind of message. Notices to contacts have their own: no other can use it up (`noticeLimits`). */
const QUOTA_OF: Readonly<Record<OutsideMessageKind, "notices" | "messages">> = {
  payee_link: "messages",
  invitation: "messages",
  change_notice: "notices",
  remittance: "messages",
};

const kindsOf = (quota: "notices" | "messages") => OUTSIDE_MESSAGE_KINDS.filter((kind) => QUOTA_OF[kind] === quota);

/** Counts towards the quota that most messages share. Change notices have a separate one. */
const isMessage = inArray(outsideMessages.kind, kindsOf("messages"));
const isNotice = inArray(outsideMessages.kind, kindsOf("notices"));

/** SQL that finds a row while fewer than `limit` messages of the last 24 hours match. */
export function sentFewerThan({ db, clock }: TimedServices, fits: SQL, limit: number): SQL {
  const since = clock.now() - DAY_MS;
  const sent = rowIn(db, outsideMessages)
    .where(and(fits, gt(outsideMessages.createdAt, since)))
    .limit(1)
    .offset(limit - 1);
  return sql`SELECT 1 WHERE NOT EXISTS ${sent}`;
}

/** SQL that finds no row. */
const NEVER = sql`SELECT 1 WHERE 0`;

/** True if the organisation's card is on file, or it has paid. */
export async function isKnownPayer(services: ReadServices, organizationId: string): Promise<boolean> {
  const [hasCard, [organization]] = await Promise.all([
    hasCardOnFile(services, organizationId),
    services.db
      .select({ firstPaidAt: organizations.firstPaidAt })
      .from(organizations)
      .where(eq(organizations.id, organizationId)),
  ]);
  return hasCard || typeof organization?.firstPaidAt === "number";
}

async function findDailyLimit({ db, clock }: TimedServices, organizationId: string): Promise<number> {
  const [hasCard, reported] = await Promise.all([
    isKnownPayer({ db }, organizationId),
    rowIn(db, outsideMessages)
      .where(
        and(
          eq(outsideMessages.organizationId, organizationId),
          gt(outsideMessages.reportedAt, clock.now() - REPORTS.countFor),
        ),
      )
      .limit(REPORTS.distrustedFrom),
  ]);
  return dailyLimitOf({ hasCard, reports: reported.length });
}

/** How many messages an organisation may send to people outside it, and how many it has sent, in 24 hours. */
export type SendingAllowance = Awaited<ReturnType<typeof findSendingAllowance>>;

export async function findSendingAllowance(services: TimedServices, organizationId: string) {
  const perDay = await findDailyLimit(services, organizationId);
  const since = services.clock.now() - DAY_MS;
  const mine = and(eq(outsideMessages.organizationId, organizationId), isMessage, gt(outsideMessages.createdAt, since));
  const [row] = await services.db
    .select({ sent: sql<number>`count(*)`, oldest: sql<number | null>`min(${outsideMessages.createdAt})` })
    .from(outsideMessages)
    .where(mine);
  const oldest = row?.oldest ?? null;
  return { perDay, sent: row?.sent ?? 0, freesAt: oldest === null ? null : oldest + DAY_MS };
}

/** @throws AppError 403 EMAIL_NOT_CONFIRMED while no admin of the organisation has confirmed their address */
export async function requireConfirmedSender(services: ReadServices, organizationId: string): Promise<void> {
  const rows = await senderIsConfirmed(services, organizationId).limit(1);
  if (rows.length === 0) throw outsideError("sender_unconfirmed");
}

/** The conditions for one more message to a recipient, strictest first. @param besides the same command's others */
export async function outsideConditions(
  services: TimedServices,
  organizationId: string,
  recipientHash: string,
  besides = 0,
) {
  const limit = (await findDailyLimit(services, organizationId)) - besides;
  const mine = sql`${and(eq(outsideMessages.organizationId, organizationId), isMessage)}`;
  const theirs = sql`${and(eq(outsideMessages.recipientHash, recipientHash), isMessage)}`;
  const byOne = sentFewerThan(services, sql`${and(mine, theirs)}`, RECIPIENT_LIMITS.byOne);
  const byAll = sentFewerThan(services, theirs, RECIPIENT_LIMITS.byAll);
  return [
    { name: "sender_unconfirmed", found: senderIsConfirmed(services, organizationId) },
    { name: "sender_limit", found: limit > 0 ? sentFewerThan(services, mine, limit) : NEVER },
    { name: "recipient_limit", found: sql`${byOne} AND EXISTS (${byAll})` },
  ] as const satisfies { name: OutsideRefusal; found: unknown }[];
}

/** Why a message to this recipient would not be sent now; undefined when it would. */
export async function findOutsideRefusal(
  services: TimedServices,
  organizationId: string,
  recipientHash: string,
  besides = 0,
): Promise<OutsideRefusal | undefined> {
  const conditions = await outsideConditions(services, organizationId, recipientHash, besides);
  for (const { name, found } of conditions) {
    const rows = await services.db.all(sql`${found.getSQL()} LIMIT 1`);
    if (rows.length === 0) return name;
  }
  return undefined;
}

/** One condition for several recipients: one more message to each stays within every limit. */
export async function limitsHold(
  services: TimedServices,
  organizationId: string,
  recipientHashes: readonly string[],
): Promise<Condition<"outside_limits">> {
  const limit = (await findDailyLimit(services, organizationId)) - recipientHashes.length + 1;
  const since = services.clock.now() - DAY_MS;
  const sentTo = sql`SELECT count(*) FROM ${outsideMessages} WHERE ${outsideMessages.recipientHash} = one.value
    AND ${outsideMessages.createdAt} > ${since} AND ${isMessage}`;
  const mine = sql`${and(eq(outsideMessages.organizationId, organizationId), isMessage)}`;
  const found = sql`SELECT 1 WHERE EXISTS (${senderIsConfirmed(services, organizationId).getSQL()})
    AND EXISTS (${limit > 0 ? sentFewerThan(services, mine, limit) : NEVER})
    AND NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(recipientHashes)}) AS one
      WHERE (${sentTo}) >= ${RECIPIENT_LIMITS.byAll} OR (${sentTo} AND ${mine}) >= ${RECIPIENT_LIMITS.byOne})`;
  return { name: "outside_limits", found };
}

/** The digest under which messages to an address or number are counted. */
export async function hashRecipient({ secrets }: Pick<Services, "secrets">, to: string): Promise<string> {
  return (await secrets.fingerprint(`recipient:${to.toLowerCase()}`)).digest;
}

/** How many change notices an organisation may send now, by the grade of a notice. */
export async function findNoticeLimits({ db }: TimedServices, organizationId: string, grade: NoticeGrade) {
  const [sender] = await db
    .select({ firstPaidAt: organizations.firstPaidAt })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  return noticeLimits(sender ?? { firstPaidAt: null }, grade);
}

const noticesIn24Hours = ({ clock }: TimedServices, fits: SQL) =>
  sql`(SELECT count(*) FROM ${outsideMessages} WHERE ${fits} AND ${isNotice} AND ${outsideMessages.createdAt} > ${clock.now() - DAY_MS})`;

const noticeCountsOf = (services: TimedServices, organizationId: string, recipientHash: string) => {
  const mine = sql`${outsideMessages.organizationId} = ${organizationId}`;
  const theirs = sql`${outsideMessages.recipientHash} = ${recipientHash}`;
  return {
    isSenderConfirmed: sql<number>`EXISTS (${senderIsConfirmed(services, organizationId).getSQL()})`,
    byOrganization: sql<number>`${noticesIn24Hours(services, mine)}`,
    toAddress: sql<number>`${noticesIn24Hours(services, sql`${mine} AND ${theirs}`)}`,
    toAddressByAll: sql<number>`${noticesIn24Hours(services, theirs)}`,
  };
};

/** Counts the change notices of the last 24 hours. */
export async function countNotices(services: TimedServices, organizationId: string, recipientHash: string) {
  const { isSenderConfirmed, byOrganization, toAddress, toAddressByAll } = noticeCountsOf(
    services,
    organizationId,
    recipientHash,
  );
  const [row] = await services.db.all<Record<keyof NoticeCounts, number>>(
    sql`SELECT ${isSenderConfirmed} AS "isSenderConfirmed", ${byOrganization} AS "byOrganization",
      ${toAddress} AS "toAddress", ${toAddressByAll} AS "toAddressByAll"`,
  );
  if (!row) throw new Error("a count without an answer");
  return { ...row, isSenderConfirmed: row.isSenderConfirmed === 1 };
}

/** The condition that one more notice to the address stays within the limits, counted when the batch is written. */
export function noticeFits(
  services: TimedServices,
  organizationId: string,
  recipientHash: string,
  limits: NoticeLimits,
): Condition<"notice_limits"> {
  const counts = noticeCountsOf(services, organizationId, recipientHash);
  const { byOrganization, toAddress, toAddressByAll } = limits;
  const byAll = toAddressByAll === null ? sql`1` : sql`${counts.toAddressByAll} < ${toAddressByAll}`;
  const found = sql`SELECT 1 WHERE ${counts.isSenderConfirmed} AND ${counts.byOrganization} < ${byOrganization}
    AND ${counts.toAddress} < ${toAddress} AND ${byAll}`;
  return { name: "notice_limits", found };
}

/** True if the organisation has a card on file. A query of its own: billing is with the organisation's data (0020). */
async function hasCardOnFile({ db }: ReadServices, organizationId: string): Promise<boolean> {
  const [account] = await db
    .select({ card: billingAccounts.cardLast4 })
    .from(billingAccounts)
    .where(eq(billingAccounts.organizationId, organizationId));
  return typeof account?.card === "string";
}
