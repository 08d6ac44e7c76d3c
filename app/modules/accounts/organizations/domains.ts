import { emailDomain, isFreeMailDomain } from "~/kernel/email";

/** What an admin's own address says about claiming its domain. */
export type ClaimState = "claimed" | "claimable" | "unconfirmed" | "mail_provider";

export function claimStateOf(
  person: { email: string; emailVerified: boolean },
  claimed: readonly { domain: string }[],
) {
  const domain = emailDomain(person.email);
  const stateOf = (): ClaimState => {
    if (claimed.some((one) => one.domain === domain)) return "claimed";
    if (isFreeMailDomain(domain)) return "mail_provider";
    return person.emailVerified ? "claimable" : "unconfirmed";
  };
  return { domain, state: stateOf() };
}
