import { api } from "~/http/api.server";
import { requireApiPerson } from "~/http/guards.server";
import { describeUser } from "~/modules/accounts/identity/profile.server";

export const { loader, action } = api({
  GET: async (scope) => describeUser(scope.services, await requireApiPerson(scope)),
});
