import { lostEntries, lostMessages, lostPayments, organizationIntegrations, organizations, restores } from "@db/schema";
import { count, countDistinct, desc, eq, sql } from "drizzle-orm";
import { formatAud } from "~/kernel/money";
import { showTime } from "~/kernel/shown-time";
import type { AuditAction } from "~/modules/core/audit/audit";
import { labelIn } from "~/modules/core/audit/details";
import { findHeldRestore, type Restore } from "~/modules/core/restores/lost-time.server";
import { AUDIT_ACTIONS } from "~/modules/records/audit-trail/audit-sentence";
import { listProviderUsersOfChecks } from "~/modules/verifying/bank-checks/bank-check.server";
import type { ReadServices, Services } from "~/services";

/** Rows that the report lists of each kind; the rest is counted. */
const MOST = 50;
type Zone = { timeZone: string; now: number };

/** Acts that took something away from somebody: what they took away is there again. */
const TAKEN_AWAY: readonly AuditAction[] = [
  "api_token.revoked",
  "member.deactivated",
  "member.role_changed",
  "user.password_changed",
  "user.password_reset",
  "user.two_step_enabled",
  "organization.suspended",
  "payee.unwhitelisted",
];

type Reading = Pick<Services, "db" | "clock" | "bankData" | "log">;

/** The hold and what was lost; without a hold the restores of before. */
export async function readRestorePage(services: Reading, zone: Zone) {
  const held = await findHeldRestore(services);
  const past = await services.db.select().from(restores).orderBy(desc(restores.id)).limit(MOST);
  return {
    held: held ? await readReport(services, held, zone) : null,
    past: past.flatMap((restore) => (restore.releasedAt === null ? [] : [toPast(restore, restore.releasedAt, zone)])),
  };
}

const toPast = (restore: Restore, releasedAt: number, zone: Zone) => ({
  id: restore.id,
  source: sourceWord(restore),
  from: showTime(restore.lostFrom, zone),
  until: showTime(restore.lostUntil ?? restore.lostFrom, zone),
  released: showTime(releasedAt, zone),
  told: restore.toldAt === null ? "Organisations are being told" : "Told",
});

const sourceWord = ({ source }: Restore) =>
  source === "file" ? "a backup was loaded" : "the database was put back to an earlier moment";

async function readReport(services: Reading, held: Restore, zone: Zone) {
  const [acts, payments, files, access, [sent], [connected], bankUsers] = await Promise.all([
    listActs(services, held),
    listLostPayments(services, held, zone),
    listLost(services, held, ["payment_file.cleared"], zone),
    listLost(services, held, TAKEN_AWAY, zone),
    services.db.select({ count: count() }).from(lostMessages).where(eq(lostMessages.restoreId, held.id)),
    services.db
      .select({ count: count() })
      .from(organizationIntegrations)
      .where(sql`${organizationIntegrations.status} = 'connected'`),
    countUnknownBankUsers(services, held),
  ]);
  const billing = acts.filter(({ action }) => action.startsWith("subscription.")).length;
  return {
    restoreId: held.id,
    source: sourceWord(held),
    isRead: held.readAt !== null,
    isLost: held.lostUntil === null || held.lostUntil > held.lostFrom,
    noticed: showTime(held.noticedAt, zone),
    from: showTime(held.lostFrom, zone),
    until: showTime(held.lostUntil ?? held.noticedAt, zone),
    acts: acts.map(({ action, ...counts }) => ({ label: labelIn(AUDIT_ACTIONS, action), ...counts })),
    payments,
    files,
    access,
    sent: sent?.count ?? 0,
    connected: connected?.count ?? 0,
    bankUsers,
    billing,
  };
}

export type RestoreReport = Awaited<ReturnType<typeof readReport>>;

const listActs = ({ db }: ReadServices, { id }: Restore) =>
  db
    .select({
      action: lostEntries.action,
      count: count(),
      organizations: countDistinct(lostEntries.organizationId),
    })
    .from(lostEntries)
    .where(eq(lostEntries.restoreId, id))
    .groupBy(lostEntries.action)
    .orderBy(desc(count()));

/** An organisation that was made in the lost time has no name any more. */
const nameOf = sql<string>`coalesce((SELECT "name" FROM ${organizations} WHERE "id" = ${lostEntries.organizationId}), 'an organisation that is lost too')`;

async function listLost({ db }: ReadServices, { id }: Restore, actions: readonly string[], zone: Zone) {
  const rows = await db
    .select({ id: lostEntries.entryId, action: lostEntries.action, at: lostEntries.createdAt, organization: nameOf })
    .from(lostEntries)
    .where(
      sql`${lostEntries.restoreId} = ${id} AND ${lostEntries.action} IN (SELECT value FROM json_each(${JSON.stringify(actions)}))`,
    )
    .orderBy(lostEntries.createdAt)
    .limit(MOST);
  return rows.map(({ action, at, ...row }) => ({
    ...row,
    label: labelIn(AUDIT_ACTIONS, action),
    at: showTime(at, zone),
  }));
}

/** Payments that were recorded, approved or cleared, the largest first. */
async function listLostPayments({ db }: ReadServices, { id }: Restore, zone: Zone) {
  const rows = await db.all<{ paymentId: string; amount: number; createdAt: number; organization: string }>(
    sql`SELECT "lost"."paymentId", "lost"."amount", max("lost"."createdAt") AS "createdAt",
        coalesce((SELECT "name" FROM ${organizations} WHERE "id" = "lost"."organizationId"), 'an organisation that is lost too') AS "organization"
      FROM ${lostPayments} AS "lost" WHERE "lost"."restoreId" = ${id}
      GROUP BY "lost"."organizationId", "lost"."paymentId" ORDER BY "lost"."amount" DESC LIMIT ${MOST}`,
  );
  return rows.map(({ paymentId, amount, createdAt, organization }) => ({
    id: paymentId,
    organization,
    amount: formatAud(amount),
    at: showTime(createdAt, zone),
  }));
}

/** Payees that the bank data provider made a user for in the lost time, and that no check of ours names; null: it did not answer. */
async function countUnknownBankUsers(services: Reading, { lostFrom }: Restore): Promise<number | null> {
  try {
    const created = await services.bankData.listCreatedUsers(lostFrom);
    const ids = created.map(({ providerUserId }) => providerUserId);
    const known = await listProviderUsersOfChecks(services, ids);
    return ids.filter((each) => !known.has(each)).length;
  } catch (error) {
    services.log.warn("restore.bank_data_unknown", { error: String(error) });
    return null;
  }
}
