import { api } from "~/http/api.server";
import { apiSurroundings } from "~/http/api-surroundings.server";
import { describeApi } from "~/modules/public-api/openapi.server";

export const { loader, action } = api({
  GET: async ({ services }) => describeApi(apiSurroundings(services.config)),
});
