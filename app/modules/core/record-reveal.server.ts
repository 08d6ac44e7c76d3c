import { addHits, hasNoHits, readHits } from "@db/rate-counter";
import { MINUTE_MS } from "~/kernel/dates";
import { type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
import type { Actor, TimedServices, WriteServices } from "~/services-and-actor";

/**
 * Records in the audit trail that the person was shown full bank details, once in fifteen minutes. A counter stores the
 * time, so checking for an earlier entry reads one row, however long the payee's trail is.
 */
export async function recordReveal(services: WriteServices, actor: Actor, shown: Shown): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const look = lookOf(actor, shown);
  if ((await readHits(db, look, now)) > 0) return;
  // Refused when another page that was opened at the same time has recorded it.
  await runCommand(services, actor, {
    conditions: [{ name: "recorded_already", found: hasNoHits(db, look, now) }],
    parts: [showDetails(services, actor, shown)],
  });
}

/** The records that a person can export as a file. */
export type Exported =
  | "the list of payees"
  | "payments"
  | "verifications"
  | "a report"
  | "the audit trail"
  | "evidence"
  | "a certificate"
  | "a payment file"
  | "the health of the payees"
  | "all of the organisation's data";

/** Records that the person exported records, once in fifteen minutes for each kind: long files come in parts. */
export async function recordExport(services: WriteServices, actor: Actor, what: Exported): Promise<void> {
  const { db, clock } = services;
  const { organizationId, userId } = actor;
  // A super admin belongs to no organisation, so the file is empty.
  if (organizationId === "") return;
  const look = `export:${organizationId}:${userId}:${what}`;
  const now = clock.now();
  if ((await readHits(db, look, now)) > 0) return;
  await runCommand(services, actor, {
    conditions: [{ name: "recorded_already", found: hasNoHits(db, look, now) }],
    statements: [addHits(db, [look], SAME_LOOK_MS, now)],
    audit: [{ action: "records.exported", entityType: "organization", entityId: organizationId, details: { what } }],
  });
}

/** Viewing again within this time does not add a second entry. */
const SAME_LOOK_MS = 15 * MINUTE_MS;

type Shown = { entityType: "payee" | "verification" | "payment"; entityId: string };

type Looking = { userId: string; organizationId: string };

/** The name of the counter that stores when a person last looked. */
const lookOf = ({ userId, organizationId }: Looking, { entityType, entityId }: Shown): string =>
  `reveal:${organizationId}:${userId}:${entityType}:${entityId}`;

/** Records that the person is shown full bank details, in the batch that creates them: nobody saw them before. */
export function showDetails({ db, clock }: TimedServices, actor: Looking, shown: Shown): CommandPart {
  return {
    statements: [addHits(db, [lookOf(actor, shown)], SAME_LOOK_MS, clock.now())],
    audit: [{ ...shown, action: "payee.details_revealed" }],
  };
}
