import { readHits, unlessHit } from "@db/rate-counter";
import type { Actor } from "~/kernel/actor";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { WriteServices } from "~/services";
import { lookOf, type Shown, showDetails } from "./reveal.server";

/**
 * Leaves an audit entry that the person was shown full bank details, once per quarter of an hour. A counter keeps the time,
 * so that the question whether they looked already reads one row however long the trail of the payee is.
 */
export async function recordReveal(services: WriteServices, actor: Actor, shown: Shown): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const look = lookOf(actor, shown);
  if ((await readHits(db, look, now)) > 0) return;
  // Refused when another page that was opened at the same time has recorded the look.
  await runCommand(services, actor, {
    conditions: [{ name: "recorded_already", found: unlessHit(db, look, now) }],
    parts: [showDetails(services, actor, shown)],
    answer: undefined,
  });
}
