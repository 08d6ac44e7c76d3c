import { api, json } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { requireApiPerson } from "~/http/guards.server";
import { startSession } from "~/http/session.server";
import { describeUser } from "~/modules/accounts/identity/profile.server";
import { selectionSchema, selectOrganization } from "~/modules/accounts/members/switch-organization.server";

export const { loader, action } = api({
  POST: async (scope) => {
    const { services, request } = scope;
    const person = await requireApiPerson(scope);
    const chosen = await selectOrganization(services, person, await readJson(request, selectionSchema));
    const headers = { "Set-Cookie": await startSession(services, chosen.token) };
    return json(await describeUser(services, chosen.person), { headers });
  },
});
