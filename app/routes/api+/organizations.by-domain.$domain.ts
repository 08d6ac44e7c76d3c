import { api } from "~/http/api.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { toLookupJson } from "~/modules/accounts/organizations/organization";
import { lookUpOrganizations } from "~/modules/accounts/organizations/organization.server";

export const { loader, action } = api({
  GET: async (scope) => {
    await limitByAddress(scope, "organization-lookup");
    return toLookupJson(await lookUpOrganizations(scope.services, scope.params.domain ?? ""));
  },
});
