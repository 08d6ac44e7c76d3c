import { passkeyCookie, ticketCookie } from "~/http/cookies.server";
import { limitByAddress, requireApiPerson } from "~/http/page.server";
import { api, json } from "~/http/responses.server";
import { askForPasskey } from "~/modules/accounts/identity/passkey-sign-in.server";
import { signInExpired } from "~/modules/accounts/identity/sign-in-steps.server";

/**
 * The options with which a page asks a person's device. `?step=second` after the password: one of that person's
 * passkeys in place of the code; `?step=confirm` while signed in: one of their own.
 */
export const { loader, action } = api({
  POST: async (scope) => {
    const { services, request } = scope;
    await limitByAddress(scope, "passkey-options");
    const step = new URL(request.url).searchParams.get("step");
    const ticket = step === "second" ? await ticketCookie.read(services, request) : null;
    if (step === "second" && !ticket) throw signInExpired();
    const person = step === "confirm" ? await requireApiPerson(scope) : undefined;
    const { options, kept } = await askForPasskey(services, { ticket, person });
    return json(options, { headers: { "Set-Cookie": await passkeyCookie.keep(services, kept) } });
  },
});
