import { splitDomain } from "~/kernel/domain-name";
import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import type { NameDoubt } from "~/kernel/enums";
import { clip } from "~/kernel/text";

/** The public data about an organisation. */
export type OrganizationName = { id: string; name: string };

/** An organisation found by a claimed email domain. */
export type OrganizationByDomain = OrganizationName & { domain: string };

/** An organisation that a person may join because it has claimed the domain of their confirmed address. */
export type PendingOrganization = OrganizationName & { logo: string | null; subdomain: string | null };

const SHOWN_DOMAIN_LENGTH = 253;

/** The specification's sentence (section 8) for a domain that nobody has claimed. */
export const organizationNotFoundText = (domain: string): string =>
  `Unable to find organisation with domain: ${clip(domain, SHOWN_DOMAIN_LENGTH)}`;

const MIN_LABEL_LENGTH = 2;

/**
 * The name that an email domain suggests for a new organisation: its registered label in words, if that has at least
 * two characters (specification, section 2). Empty for email providers' domains.
 *
 * @example suggestOrganizationName("harbour-foods.com.au") // "Harbour Foods"
 */
export function suggestOrganizationName(domain: string): string {
  if (isFreeMailDomain(domain)) return "";
  const { name, suffix } = splitDomain(domain);
  if (suffix === "" || name.length < MIN_LABEL_LENGTH) return "";
  return name
    .split("-")
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

/** Why a name needs approval, for the person who requested it and the operator. */
export const NAME_DOUBT_TEXT: Readonly<Record<NameDoubt, string>> = {
  institution: "it is, or looks like, the name of a financial institution",
  ours: "it is, or looks like, the name of PayeeProof",
  alphabets: "it mixes letters of different alphabets that look alike",
};

/** An organisation's name until its own is approved; a person's name that resembles a bank's or ours is not used. */
export const holdingName = ({ firstName }: { firstName: string }): string => `${firstName}'s organisation`;

export const NAME_WAITS_TITLE = "The name is waiting for approval";

/** Tells the person who requested the name that it is waiting for approval. */
export const tellNameWaits = (name: string, why: NameDoubt, meanwhile: string): string =>
  `PayeeProof's staff look at “${name}” first, because ${NAME_DOUBT_TEXT[why]}. Until then your organisation is called “${meanwhile}”.`;

/** Whether an admin's own address allows claiming its domain. */
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
