import { page, pageMember, withStepUp } from "~/http/page.server";
import { streamedDownload } from "~/http/responses.server";
import { seesEmails } from "~/modules/core/audit/entry";
import { recordExport } from "~/modules/core/record-reveal.server";
import { auditCsv } from "~/modules/records/audit-trail/audit-file.server";
import { readAuditFilter } from "~/modules/records/audit-trail/audit-filter";

/** The filtered entries of the audit page as a table. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "file");
  await recordExport(scope.services, actor, "the audit trail");
  const filter = readAuditFilter(scope.url.searchParams);
  const lines = auditCsv(scope.services, actor, { filter, whole: seesEmails(actor) });
  return streamedDownload({ name: "audit-trail.csv", lines });
});
