import type { Statement } from "@db/client";
import { alerts, databaseState, paymentRecords, restores } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Origin } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { toIso } from "~/kernel/dates";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { noteBeat, readNotedBeat, readState } from "~/modules/core/restores/database-state.server";
import { findHeldRestore, type Restore } from "~/modules/core/restores/lost-time.server";
import { repeatedAfterRestore } from "~/modules/rules/amount-rules";
import type { WriteServices } from "~/services";

/** What the form that releases a hold posts. */
export const releasePostSchema = z.object({
  restoreId: z.string(),
  read: z.literal("on", { error: "Tick this once you have read the report" }),
});

const notReady = () =>
  new AppError(
    "CHANGED_MEANWHILE",
    409,
    "What was lost is still being read: it is read within a few minutes of the restore. Look at the report again then.",
  );
const notHeld = () => new AppError("CHANGED_MEANWHILE", 409, "PayeeProof is not on hold any more.");

/**
 * An operator has read what was lost, and lets the app go on. Payments that wait, and that were approved in the lost time,
 * say so: whoever decides them again looks first whether they were paid.
 * @throws AppError 409 CHANGED_MEANWHILE while it is being read, or when somebody else let it go on
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
  const isHeld = db
    .select({ one: sql`1` })
    .from(databaseState)
    .where(and(eq(databaseState.id, 1), eq(databaseState.restoreId, restoreId)));
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
      audit: [{ action: "restore.released", entityType: "restore", entityId: restoreId, details: span }],
      answer: undefined,
      evenOnHold: true,
    },
  );
  if (!ok) throw notHeld();
  await noteBeat(services, { beat, at: now });
}

/** Adds why to payments that are held here and were approved in the lost time. */
function markApproved({ db, clock }: WriteServices, { id }: Restore): Statement {
  const message =
    "This payment was approved in time that we lost by restoring our database: look whether it was paid already.";
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

/** Summaries of the day that waited may have been sent in the lost time: these alerts are not sent again, people find them in the app. */
function digestsWereSent({ db, clock }: WriteServices, { lostFrom }: Restore): Statement {
  return db
    .update(alerts)
    .set({ digestSentAt: clock.now() })
    .where(sql`"digestDueAt" > 0 AND "digestSentAt" IS NULL AND "createdAt" <= ${lostFrom}`);
}
