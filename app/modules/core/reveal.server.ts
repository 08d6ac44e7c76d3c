import { hit } from "@db/rate-counter";
import { MINUTE_MS } from "~/kernel/dates";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import type { Services } from "~/services";

/** A second look within this time leaves no second entry. */
const SAME_LOOK_MS = 15 * MINUTE_MS;

export type Shown = { entityType: "payee" | "verification" | "payment"; entityId: string };

type Looking = { userId: string; organizationId: string };

/** The counter that keeps the time of a person's last look. */
export const lookOf = ({ userId, organizationId }: Looking, { entityType, entityId }: Shown): string =>
  `reveal:${organizationId}:${userId}:${entityType}:${entityId}`;

/** The person is shown full bank details, for the batch that makes what they are shown: nobody can have looked before. */
export function showDetails({ db, clock }: Pick<Services, "db" | "clock">, actor: Looking, shown: Shown): CommandPart {
  return {
    statements: [hit(db, lookOf(actor, shown), SAME_LOOK_MS, clock.now())],
    audit: [{ ...shown, action: "payee.details_revealed" }],
  };
}
