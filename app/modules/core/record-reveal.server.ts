import { hit, readHits, unlessHit } from "@db/rate-counter";
import type { Actor } from "~/kernel/actor";
import { MINUTE_MS } from "~/kernel/dates";
import { type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
import type { Services, WriteServices } from "~/services";

/**
 * Leaves an audit entry that the person was shown full bank details, once per quarter of an hour. A counter keeps the time, so
 * that finding out whether they already looked reads one row, however long the payee's trail is.
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

/** What of the organisation's records a person takes out as a file. */
export type Exported =
  | "the list of payees"
  | "payments"
  | "verifications"
  | "a report"
  | "the audit trail"
  | "evidence"
  | "a certificate"
  | "a payment file"
  | "the list's health"
  | "everything of the organisation";

/** Leaves an audit entry that the person exported records, once per quarter of an hour and kind: a long file comes in parts. */
export async function recordExport(services: WriteServices, actor: Actor, what: Exported): Promise<void> {
  const { db, clock } = services;
  const { organizationId, userId } = actor;
  // A super admin belongs to no organisation: the file is empty.
  if (organizationId === "") return;
  const look = `export:${organizationId}:${userId}:${what}`;
  const now = clock.now();
  if ((await readHits(db, look, now)) > 0) return;
  await runCommand(services, actor, {
    conditions: [{ name: "recorded_already", found: unlessHit(db, look, now) }],
    statements: [hit(db, look, SAME_LOOK_MS, now)],
    audit: [{ action: "records.exported", entityType: "organization", entityId: organizationId, details: { what } }],
    answer: undefined,
  });
}

/** A second look within this time leaves no second entry. */
const SAME_LOOK_MS = 15 * MINUTE_MS;

type Shown = { entityType: "payee" | "verification" | "payment"; entityId: string };

type Looking = { userId: string; organizationId: string };

/** The counter that keeps the time of a person's last look. */
const lookOf = ({ userId, organizationId }: Looking, { entityType, entityId }: Shown): string =>
  `reveal:${organizationId}:${userId}:${entityType}:${entityId}`;

/** The person is shown full bank details, for the batch that makes what they are shown: nobody can have looked before. */
export function showDetails({ db, clock }: Pick<Services, "db" | "clock">, actor: Looking, shown: Shown): CommandPart {
  return {
    statements: [hit(db, lookOf(actor, shown), SAME_LOOK_MS, clock.now())],
    audit: [{ ...shown, action: "payee.details_revealed" }],
  };
}
