import { splitDomain } from "~/kernel/domain-name";
import { isFreeMailDomain } from "~/kernel/email";
import { clip } from "~/kernel/text";

/** What anyone may know of an organisation. */
export type OrganizationName = { id: string; name: string };

/** An organisation found by an email domain it has claimed. */
export type OrganizationByDomain = OrganizationName & { domain: string };

/** An organisation that a person may join because it has claimed the domain of their confirmed address. */
export type PendingOrganization = OrganizationName & { logo: string | null; subdomain: string | null };

const SHOWN_DOMAIN_LENGTH = 253;

/** The specification's sentence (section 8) for a domain that nobody has claimed. */
export const organizationNotFoundText = (domain: string): string =>
  `Unable to find organisation with domain: ${clip(domain, SHOWN_DOMAIN_LENGTH)}`;

const MIN_LABEL_LENGTH = 2;

/**
 * The name that an email domain suggests for a new organisation: its registered label in words, once that is at least two
 * characters long (specification, section 2). Empty for mail providers, whose domain says nothing.
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
