import { isFreeMailDomain } from "~/kernel/email";
import type { UserStatus } from "~/kernel/enums";

/** Where a confirmation link stands. Pure. */
export type ConfirmationState = "unknown" | "expired" | "used" | "open";

/**
 * How the person at the link shows that the account is theirs too: signed in to it, by its password, or by a new
 * password that ends everything the account had before. The link alone proves only the mailbox.
 */
export type AccountProof =
  | { by: "session"; userId: string }
  | { by: "password"; password: string }
  | { by: "new_password"; password: string };

type Link = { usedAt: number | null; expiresAt: number; email: string };
type Addressee = { email: string; emailVerifiedAt: number | null; status: UserStatus };

/** A link works once, until it expires, only for the address it was sent to, and only while that is unconfirmed. */
export function confirmationState(link: Link, person: Addressee, now: number): ConfirmationState {
  if (person.email !== link.email || person.status === "inactive") return "unknown";
  if (link.usedAt !== null || person.emailVerifiedAt !== null) return "used";
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
