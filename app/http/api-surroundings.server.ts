import { API_SCOPES } from "~/modules/accounts/identity/api-token";
import type { AppConfig } from "~/services";
import { scopeRule } from "./api-scopes.server";
import { ADDRESS_LIMITS } from "./rate-limit.server";

/** What the API's document says of sign-in and limits: the rules that are enforced here. */
export const apiSurroundings = ({ appOrigin }: Pick<AppConfig, "appOrigin">) => ({
  origin: appOrigin,
  scopeOf: scopeRule,
  facts: { scopes: API_SCOPES, limits: ADDRESS_LIMITS },
});
