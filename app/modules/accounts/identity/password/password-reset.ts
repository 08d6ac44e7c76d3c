import { HOUR_MS } from "~/kernel/dates";
import type { UserStatus } from "~/kernel/enums";

/** How long a link to set a new password works. */
export const RESET_TTL_MS = HOUR_MS;

/** Links that one account is sent in an hour; more would only fill a stranger's mailbox. */
export const MAX_RESET_EMAILS = 5;
export const RESET_EMAILS_WINDOW_MS = HOUR_MS;

export type ResetState = "open" | "used" | "expired";

/** Where a reset link stands; undefined when it belongs to no account any more: the address was changed, or the person is inactive. */
export function resetState(
  link: { usedAt: number | null; expiresAt: number; email: string },
  person: { email: string; status: UserStatus },
  now: number,
): ResetState | undefined {
  if (person.email !== link.email || person.status === "inactive") return undefined;
  if (link.usedAt !== null) return "used";
  return link.expiresAt <= now ? "expired" : "open";
}
