import { api, json } from "~/http/api.server";
import { passkeyCookie, ticketCookie } from "~/http/cookies.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { askForPasskey } from "~/modules/accounts/identity/passkey-sign-in.server";
import { signInExpired } from "~/modules/accounts/identity/sign-in-steps.server";

/**
 * What the sign-in page asks a person's device for. `?step=second` after the password: one of that person's passkeys, in
 * place of the code.
 */
export const { loader, action } = api({
  POST: async (scope) => {
    const { services, request } = scope;
    await limitByAddress(scope, "passkey-options");
    const isSecond = new URL(request.url).searchParams.get("step") === "second";
    const ticket = isSecond ? await ticketCookie.read(services, request) : null;
    if (isSecond && !ticket) throw signInExpired();
    const { options, kept } = await askForPasskey(services, ticket);
    return json(options, { headers: { "Set-Cookie": await passkeyCookie.keep(services, kept) } });
  },
});
