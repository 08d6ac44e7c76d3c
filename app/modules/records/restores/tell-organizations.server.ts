import { auditLogs, auditSeals, lostEntries, organizations, restores } from "@db/database";
import { and, asc, count, desc, eq, gt, isNotNull, isNull, lte, max, ne, sql } from "drizzle-orm";
import { formatDateTime, toIso } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { listMemberEmails } from "~/modules/accounts/members/members.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { runCommand, runStatement } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import { PLATFORM_ORGANIZATION_ID, type ReadServices, systemActor, type WriteServices } from "~/services-and-actor";

/** How many organisations one run tells; the next continues. */
const RUN = 100;
type Lost = typeof restores.$inferSelect & { lostUntil: number };

/**
 * Tells each organisation which period was lost, in its audit trail and by email, after the hold is released. An
 * organisation's entry and emails are one batch, so that a run which dies tells nobody twice.
 * @returns how many organisations were told
 */
export async function tellOfRestores(services: WriteServices): Promise<number> {
  const { db, clock } = services;
  const [restore] = await db
    .select()
    .from(restores)
    .where(and(isNull(restores.toldAt), isNotNull(restores.releasedAt)))
    .orderBy(asc(restores.id))
    .limit(1);
  if (!restore || restore.lostUntil === null || !(await isSealed(services, restore.position))) return 0;
  const page = await db
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(and(gt(organizations.id, restore.toldTo), ne(organizations.id, PLATFORM_ORGANIZATION_ID)))
    .orderBy(asc(organizations.id))
    .limit(RUN);
  for (const organization of page) await tell(services, { ...restore, lostUntil: restore.lostUntil }, organization);
  const isAtEnd = page.length < RUN;
  const reached = { toldTo: page.at(-1)?.id ?? restore.toldTo, toldAt: isAtEnd ? clock.now() : null };
  await runStatement(services, db.update(restores).set(reached).where(eq(restores.id, restore.id)));
  return page.length;
}

/** True if every entry that survived has its seal, because the number of the last one is reported. */
async function isSealed({ db }: ReadServices, position: number): Promise<boolean> {
  const [last] = await db.select({ position: max(auditSeals.position) }).from(auditSeals);
  return (last?.position ?? 0) >= position;
}

async function tell(services: WriteServices, restore: Lost, { id, name }: { id: string; name: string }) {
  const { db, config } = services;
  const [kept, [lost], to, { timeZone }] = await Promise.all([
    findKept(services, id, restore.position),
    db
      .select({ count: count() })
      .from(lostEntries)
      .where(and(eq(lostEntries.organizationId, id), eq(lostEntries.restoreId, restore.id))),
    listMemberEmails(services, id),
    findPolicy(services, id),
  ]);
  const lostCount = lost?.count ?? 0;
  const said = sql`SELECT 1 FROM ${auditLogs} WHERE "organizationId" = ${id} AND "entityType" = 'restore'
    AND "entityId" = ${id} AND "details" ->> 'restoreId' = ${restore.id}`;
  await runCommand(services, systemActor(id, services.ids.next()), {
    conditions: [{ name: "told_already", found: sql`SELECT 1 WHERE NOT EXISTS (${said})` }],
    audit: [
      {
        action: "records.restored",
        entityType: "restore",
        entityId: id,
        details: {
          restoreId: restore.id,
          from: toIso(restore.lostFrom),
          until: toIso(restore.lostUntil),
          kept,
          lost: lostCount,
        },
      },
    ],
    jobs: await queueEmail(services, id, to, {
      template: "recordsRestored",
      data: {
        organizationName: name,
        from: formatDateTime(restore.lostFrom, timeZone),
        until: formatDateTime(restore.lostUntil, timeZone),
        lost: lostCount,
        href: `${config.appOrigin}${appPaths.audit}`,
      },
    }),
  });
}

/** The number of the last entry of an organisation's trail that existed at the restore. */
async function findKept({ db }: ReadServices, organizationId: string, position: number): Promise<number> {
  const [row] = await db
    .select({ seq: auditSeals.seq })
    .from(auditLogs)
    .innerJoin(auditSeals, eq(auditSeals.position, auditLogs.position))
    .where(and(eq(auditLogs.organizationId, organizationId), lte(auditLogs.position, position)))
    .orderBy(desc(auditLogs.position))
    .limit(1);
  return row?.seq ?? 0;
}
