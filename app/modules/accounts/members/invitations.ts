import { DAY_MS } from "~/kernel/dates";
import type { OrganizationRole } from "~/kernel/enums";

/** An offer to one address to join an organisation. Pure. */

/** How long an invitation's link works. */
export const INVITATION_TTL_MS = 7 * DAY_MS;

export type NewInvitation = { email: string; role: OrganizationRole };

export type InvitationState = "open" | "used" | "expired";

export function invitationState(link: { usedAt: number | null; expiresAt: number }, now: number): InvitationState {
  if (link.usedAt !== null) return "used";
  return link.expiresAt <= now ? "expired" : "open";
}
