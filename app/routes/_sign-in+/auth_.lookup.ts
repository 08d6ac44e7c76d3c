import type { AddressLookup } from "~/components/accounts/identity/auth-view";
import { limitByAddress } from "~/http/page.server";
import { api } from "~/http/responses.server";
import { emailDomain, normalizeEmail } from "~/kernel/email";
import { suggestOrganizationName } from "~/modules/accounts/organizations/organization";
import { findOrganizationsByDomain } from "~/modules/accounts/organizations/organization.server";
import { findProviderOf } from "~/modules/accounts/single-sign-on/provider-rule.server";

/** Looks up a typed email address for the sign-in page. */
export const { loader, action } = api({
  GET: async (scope): Promise<AddressLookup> => {
    await limitByAddress(scope, "organization-lookup");
    const domain = emailDomain(normalizeEmail(new URL(scope.request.url).searchParams.get("email") ?? ""));
    const [organizations, provider] = await Promise.all([
      findOrganizationsByDomain(scope.services, domain),
      findProviderOf(scope.services, domain),
    ]);
    return {
      organizations,
      suggestedName: suggestOrganizationName(domain),
      asksForProvider: provider?.mode === "required" ? provider.name : undefined,
    };
  },
});
