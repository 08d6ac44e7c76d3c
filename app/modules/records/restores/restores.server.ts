import {
  alerts,
  databaseState,
  lostEntries,
  lostMessages,
  lostPayments,
  organizations,
  paymentRecords,
  restores,
  rowIn,
  type Statement,
} from "@db/database";
import { and, count, countDistinct, desc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { systemName } from "~/kernel/accounting-system";
import { AppError } from "~/kernel/app-error";
import { DAY_MS, showTime, toIso, type Zone } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import type { AuditAction } from "~/modules/core/audit/audit";
import { labelIn } from "~/modules/core/audit/details";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { noteBeat, readNotedBeat, readState } from "~/modules/core/restores/database-state.server";
import { findHeldRestore, type Restore } from "~/modules/core/restores/lost-time.server";
import { AUDIT_ACTIONS } from "~/modules/records/audit-trail/audit-sentence";
import { repeatedAfterRestore } from "~/modules/rules/amount-rules";
import {
  type Origin,
  PLATFORM_ORGANIZATION_ID,
  type ReadServices,
  type Services,
  type WriteServices,
} from "~/services-and-actor";
import { askProviders, BANK_DATA_DAYS, readConnections } from "./ask-providers.server";

/** How many rows of each kind the report lists; the rest are counted. */
const MOST = 50;
/** Actions that removed access or trust from somebody: the restore has brought it back. */
const TAKEN_AWAY: readonly AuditAction[] = [
  "api_token.revoked",
  "member.deactivated",
  "member.role_changed",
  "user.password_changed",
  "user.password_reset",
  "user.two_step_enabled",
  "organization.suspended",
  "payee.unwhitelisted",
  "payee.way_to_pay_forgotten",
];

type Reading = Pick<Services, "db" | "clock" | "bankData" | "cards" | "log">;

/** The present hold and what was lost; without a hold, the earlier restores. */
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
  const [acts, payments, files, access, [sent], connections, providers] = await Promise.all([
    listActs(services, held),
    listLostPayments(services, held, zone),
    listLost(services, held, ["payment_file.cleared"], zone),
    listLost(services, held, TAKEN_AWAY, zone),
    services.db.select({ count: count() }).from(lostMessages).where(eq(lostMessages.restoreId, held.id)),
    readConnections(services, held),
    askProviders(services, held),
  ]);
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
    connections: {
      ...connections,
      ended: connections.ended.map(({ system, ...row }) => ({ ...row, system: systemName(system) })),
    },
    ...providers,
    isBeyondBankData: held.noticedAt - held.lostFrom > BANK_DATA_DAYS * DAY_MS,
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

/** An organisation that was created in the lost period no longer has a name. */
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

/** Payments that were recorded, approved or cleared, largest first. */
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

/** The form that releases a hold. */
export const releasePostSchema = z.object({
  restoreId: z.string(),
  read: z.literal("on", { error: "Tick this once you have read the report" }),
});

const notReady = () =>
  new AppError(
    "CHANGED_MEANWHILE",
    "The lost records are still being read, which takes a few minutes after a restore. Look at the report again then.",
  );
const notHeld = () => new AppError("CHANGED_MEANWHILE", "PayeeProof is no longer on hold.");

/**
 * Releases the hold after an operator has read what was lost. Waiting payments that were approved in the lost period
 * say so, so that whoever decides again first checks whether they were paid.
 * @throws AppError 409 CHANGED_MEANWHILE while the notes are being read, or when somebody else released it
 */
export async function releaseRestore(
  services: WriteServices,
  person: { userId: string; origin: Origin },
  { restoreId }: { restoreId: string },
): Promise<void> {
  const { db, clock } = services;
  const held = await findHeldRestore(services);
  if (!held || held.id !== restoreId) throw notHeld();
  if (held.readAt === null || held.lostUntil === null) throw notReady();
  const now = clock.now();
  const [state, noted] = await Promise.all([readState(services), readNotedBeat(services)]);
  const beat = Math.max(state.beat, noted?.beat ?? 0) + 1;
  const isLost = held.lostUntil > held.lostFrom;
  const span = { from: toIso(held.lostFrom), until: toIso(held.lostUntil) };
  const isHeld = rowIn(db, databaseState).where(and(eq(databaseState.id, 1), eq(databaseState.restoreId, restoreId)));
  const { ok } = await runCommand(
    services,
    { ...person, organizationId: PLATFORM_ORGANIZATION_ID },
    {
      conditions: [{ name: "released_already", found: isHeld }],
      statements: [
        db.update(databaseState).set({ restoreId: null, beat, beatAt: now }).where(eq(databaseState.id, 1)),
        db
          .update(restores)
          .set({ releasedAt: now, releasedById: person.userId, toldAt: isLost ? null : now })
          .where(eq(restores.id, restoreId)),
        ...(isLost ? [markApproved(services, held), digestsWereSent(services, held)] : []),
      ],
      audit: [{ action: "restore.released", entityId: restoreId, details: span }],
      evenOnHold: true,
    },
  );
  if (!ok) throw notHeld();
  await noteBeat(services, { beat, at: now });
}

/** Adds the reason to held payments that were approved in the lost period. */
function markApproved({ db, clock }: WriteServices, { id }: Restore): Statement {
  const message =
    "This payment was approved in time that we lost by restoring our database: check whether it has already been paid.";
  const reason = JSON.stringify({ rule: repeatedAfterRestore.id, level: "hold", message, evidence: {} });
  return db
    .update(paymentRecords)
    .set({
      reasons: sql`json_insert(${paymentRecords.reasons}, '$[#]', json(${reason}))`,
      version: sql`${paymentRecords.version} + 1`,
      updatedAt: clock.now(),
    })
    .where(
      sql`"status" = 'held' AND ("organizationId", "id") IN (SELECT "organizationId", "entityId" FROM "lost_entries"
        WHERE "restoreId" = ${id} AND "action" = 'payment.approved')`,
    );
}

/** Waiting digests may have been sent in the lost period: they are not sent again; the app has their alerts. */
function digestsWereSent({ db, clock }: WriteServices, { lostFrom }: Restore): Statement {
  return db
    .update(alerts)
    .set({ digestSentAt: clock.now() })
    .where(sql`"digestDueAt" > 0 AND "digestSentAt" IS NULL AND "createdAt" <= ${lostFrom}`);
}
