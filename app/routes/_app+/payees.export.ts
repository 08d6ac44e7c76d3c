import { streamedDownload } from "~/http/download.server";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { writePayeesFile } from "~/modules/payees/payee-file.queries.server";
import { readPayeesQuery } from "~/modules/payees/payee-list.schema.server";

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { q, filter } = readPayeesQuery(scope.url.searchParams);
  return streamedDownload(writePayeesFile(scope.services, actor, { q, filter }));
});
