import { api, json } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { namingError } from "~/http/errors.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { resetPassword, resetPasswordCallSchema } from "~/modules/accounts/identity/password.server";

export const { loader, action } = api({
  POST: (scope) =>
    namingError(scope.services.log, async () => {
      const { services, origin, request } = scope;
      await limitByAddress(scope, "password-reset");
      await resetPassword(services, origin, await readJson(request, resetPasswordCallSchema));
      return json({});
    }),
});
