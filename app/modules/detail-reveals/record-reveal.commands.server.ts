import { hit, readHits, unlessHit } from "@db/rate-counter";
import type { Actor } from "~/kernel/actor";
import { MINUTE_MS } from "~/kernel/dates";
import { runCommand } from "~/modules/commands/run-command.server";
import type { WriteServices } from "~/services";

/** A second look within this time leaves no second entry. */
const SAME_LOOK_MS = 15 * MINUTE_MS;

/**
 * Leaves an audit entry that the person was shown full bank details, once per quarter of an hour. A counter keeps the time,
 * so that the question whether they looked already reads one row however long the trail of the payee is.
 */
export async function recordReveal(
  services: WriteServices,
  actor: Actor,
  shown: { entityType: "payee" | "verification" | "payment"; entityId: string },
): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const look = `reveal:${actor.organizationId}:${actor.userId}:${shown.entityType}:${shown.entityId}`;
  if ((await readHits(db, look, now)) > 0) return;
  // Refused when another page that was opened at the same time has recorded the look.
  await runCommand(services, actor, {
    conditions: [{ name: "recorded_already", found: unlessHit(db, look, now) }],
    statements: [hit(db, look, SAME_LOOK_MS, now)],
    audit: [{ ...shown, action: "payee.details_revealed" }],
    answer: undefined,
  });
}
