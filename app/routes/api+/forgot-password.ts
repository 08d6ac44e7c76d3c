import { api, json } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { namingError } from "~/http/errors.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { askForPasswordReset, forgotPasswordSchema } from "~/modules/accounts/identity/password.server";

/** The same answer, after the same work, whether or not there is an account. */
export const { loader, action } = api({
  POST: (scope) =>
    namingError(scope.services.log, async () => {
      const { services, origin, request } = scope;
      await limitByAddress(scope, "password-reset");
      await askForPasswordReset(services, origin, await readJson(request, forgotPasswordSchema));
      return json({});
    }),
});
