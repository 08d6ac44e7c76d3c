import { isFreeMailDomain } from "~/kernel/email";
import type { UserStatus } from "~/kernel/enums";

/** Where a confirmation link stands. Pure. */
export type ConfirmationState = "unknown" | "expired" | "used" | "open";

type Link = { usedAt: number | null; expiresAt: number; email: string };

/** A link works once, until it expires, and only for the address it was sent to. */
export function confirmationState(link: Link, person: { email: string; status: UserStatus }, now: number) {
  if (person.email !== link.email || person.status === "inactive") return "unknown";
  if (link.usedAt !== null) return "used";
  return link.expiresAt <= now ? "expired" : "open";
}

type Claim = {
  domain: string;
  /** The person created the organisation, and is still its admin. */
  isCreator: boolean;
  /** Another organisation, or this one, has the domain already. */
  isClaimed: boolean;
};

/** Whether proving an address gives its domain to the organisation that the person created. */
export function mayClaimDomain({ domain, isCreator, isClaimed }: Claim): boolean {
  return isCreator && !isClaimed && !isFreeMailDomain(domain);
}

/** Whether proving an address makes a waiting person a member at once: their organisation trusts its domain. */
export function mayBecomeActive(person: { status: UserStatus; domain: string; autoApprove: boolean }): boolean {
  return person.status === "pending" && person.autoApprove && !isFreeMailDomain(person.domain);
}
