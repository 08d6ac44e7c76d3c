import { api } from "~/http/api.server";
import { apiSurroundings } from "~/http/api-surroundings.server";
import { describeApi } from "~/modules/api-description/openapi.server";

export const { loader, action } = api({
  GET: async ({ services }) => describeApi(apiSurroundings(services.config)),
});
