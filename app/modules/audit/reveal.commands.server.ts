import { isPreconditionError } from "@db/errors";
import { precondition } from "@db/precondition";
import { hit, readHits, unlessHit } from "@db/rate-counter";
import type { Actor } from "~/kernel/actor";
import { MINUTE_MS } from "~/kernel/dates";
import type { Services } from "~/services";
import { recordAudit } from "./audit.statements.server";

/** Looking again within this time is the same look. */
const SAME_LOOK_MS = 15 * MINUTE_MS;

/**
 * Leaves an audit row that the person was shown full bank details, once per sitting. The sitting is a counter's window, so
 * that a look reads one row however long the trail of the payee is.
 */
export async function recordReveal(
  { db, clock, ids }: Pick<Services, "db" | "clock" | "ids">,
  actor: Actor,
  shown: { entityType: "payee" | "verification" | "payment"; entityId: string },
): Promise<void> {
  const now = clock.now();
  const sitting = `reveal:${actor.organizationId}:${actor.userId}:${shown.entityType}:${shown.entityId}`;
  if ((await readHits(db, sitting, now)) > 0) return;
  try {
    await db.batch([
      precondition(db, unlessHit(db, sitting, now)),
      hit(db, sitting, SAME_LOOK_MS, now),
      recordAudit({ clock, db, ids }, actor, { ...shown, action: "payee.details_revealed" }),
    ]);
  } catch (error) {
    // Another page of the same sitting was faster.
    if (!isPreconditionError(error)) throw error;
  }
}
