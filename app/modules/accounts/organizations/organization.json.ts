import type { OrganizationByDomain, OrganizationName } from "./organization";

/** What both public look-ups show of an organisation, and nothing else. */
export const toOrganizationNameJson = ({ id, name }: OrganizationName) => ({ id, name });

const toOrganizationByDomainJson = ({ id, name, domain }: OrganizationByDomain) => ({ id, name, domain });

/** The answer of the look-up by domain: one organisation, or the list of those that share the domain. */
export function toLookupJson(found: readonly [OrganizationByDomain, ...OrganizationByDomain[]]) {
  if (found.length > 1) return { multiple: true, organizations: found.map(toOrganizationByDomainJson) };
  return { organization: toOrganizationByDomainJson(found[0]) };
}
