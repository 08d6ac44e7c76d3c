import { page, pageMember, withStepUp } from "~/http/page.server";
import { streamedDownload } from "~/http/responses.server";
import { notFound } from "~/kernel/app-error";
import { HEALTH_KINDS } from "~/kernel/enums";
import { recordExport } from "~/modules/core/record-reveal.server";
import { writeHealthFile } from "~/modules/payees/payee-health/health-page.server";

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "file");
  const kind = HEALTH_KINDS.find((each) => each === scope.url.searchParams.get("kind"));
  if (!kind) throw notFound();
  await recordExport(scope.services, actor, "the health of the payees");
  return streamedDownload(await writeHealthFile(scope.services, actor, kind));
});
