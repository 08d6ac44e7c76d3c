import { idParam, page, pageMember, withStepUp } from "~/http/page.server";
import { streamedDownload } from "~/http/responses.server";
import { writeResultFile } from "~/modules/payees/imports/row-notes.server";

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "file");
  return streamedDownload(await writeResultFile(scope.services, actor, idParam(scope.params)));
});
