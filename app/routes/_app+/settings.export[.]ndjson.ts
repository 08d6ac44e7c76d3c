import { page, pageAdmin, withStepUp } from "~/http/page.server";
import { streamedDownload } from "~/http/responses.server";
import { recordExport } from "~/modules/core/record-reveal.server";
import { sealAuditTrail } from "~/modules/core/seals.server";
import { exportOrganization, readExportStart } from "~/modules/records/organization-export/organization-export.server";

/** Everything stored about the organisation, for its administrators. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageAdmin(scope), "file");
  const start = readExportStart(scope.url.searchParams);
  await recordExport(scope.services, actor, "all of the organisation's data");
  // Each line of the trail includes its seal, so unsealed entries are sealed first.
  await sealAuditTrail(scope.services);
  const lines = exportOrganization(scope.services, actor, start);
  return streamedDownload({ name: "organisation.ndjson", lines, type: "application/x-ndjson" });
});
