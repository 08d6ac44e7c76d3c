import { page, pageMember, withStepUp } from "~/http/page.server";
import { streamedDownload } from "~/http/responses.server";
import { recordExport } from "~/modules/core/record-reveal.server";
import { readPayeesQuery } from "~/modules/payees/payee-list.server";
import { writePayeesFile } from "~/modules/payees/payee-list-page.server";

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "file");
  await recordExport(scope.services, actor, "the list of payees");
  const query = readPayeesQuery(scope.url.searchParams);
  return streamedDownload(await writePayeesFile(scope.services, actor, query));
});
