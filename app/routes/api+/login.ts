import { api, json } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { startSession } from "~/http/session.server";
import { findSessionId } from "~/http/sign-in.server";
import { describeUser } from "~/modules/accounts/identity/profile.server";
import { loginCallSchema, signIn } from "~/modules/accounts/identity/sign-in.server";

export const { loader, action } = api({
  POST: async (scope) => {
    const { services, origin, request } = scope;
    await limitByAddress(scope, "sign-in");
    const credentials = await readJson(request, loginCallSchema);
    const presentedSessionId = await findSessionId(scope);
    const { token, person } = await signIn(services, origin, { ...credentials, presentedSessionId });
    return json(await describeUser(services, person), {
      headers: { "Set-Cookie": await startSession(services, token) },
    });
  },
});
