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
