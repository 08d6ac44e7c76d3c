import { api, json } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { startSession } from "~/http/session.server";
import { findSessionId } from "~/http/sign-in.server";
import { describeUser } from "~/modules/accounts/identity/profile.server";
import { register, registrationCallSchema } from "~/modules/accounts/identity/register.server";

export const { loader, action } = api({
  POST: async (scope) => {
    const { services, origin, request } = scope;
    await limitByAddress(scope, "registration");
    const registration = await readJson(request, registrationCallSchema);
    const presentedSessionId = await findSessionId(scope);
    const { token, person } = await register(services, origin, { ...registration, presentedSessionId });
    const headers = { "Set-Cookie": await startSession(services, token) };
    return json(await describeUser(services, person), { status: 201, headers });
  },
});
