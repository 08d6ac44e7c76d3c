import { idParam, pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { streamedDownload } from "~/http/responses.server";
import { writeResultFile } from "~/modules/payees/imports/result-file.server";

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  return streamedDownload(await writeResultFile(scope.services, actor, idParam(scope.params)));
});
