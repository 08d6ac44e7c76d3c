import { api } from "~/http/api.server";
import { endSession, findPerson } from "~/http/session.server";
import { signOut } from "~/modules/accounts/identity/session.server";

export const { loader, action } = api({
  POST: async (scope) => {
    const person = await findPerson(scope);
    if (person) await signOut(scope.services, person);
    return new Response(null, { status: 204, headers: { "Set-Cookie": await endSession(scope.services) } });
  },
});
