import { streamedDownload } from "~/http/download.server";
import { idParam, pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { writeResultFile } from "~/modules/payees/imports/result-file.server";

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  return streamedDownload(await writeResultFile(scope.services, actor, idParam(scope.params)));
});
