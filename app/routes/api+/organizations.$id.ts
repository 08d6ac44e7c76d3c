import { api } from "~/http/api.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { toOrganizationNameJson } from "~/modules/accounts/organizations/organization";
import { getOrganizationName } from "~/modules/accounts/organizations/organization.server";

export const { loader, action } = api({
  GET: async (scope) => {
    await limitByAddress(scope, "organization-lookup");
    return toOrganizationNameJson(await getOrganizationName(scope.services, scope.params.id ?? ""));
  },
});
