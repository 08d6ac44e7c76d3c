import { page, pageMember, withStepUp } from "~/http/page.server";
import { csvAnswer } from "~/http/responses.server";
import { notFound } from "~/kernel/app-error";
import { recordExport } from "~/modules/core/record-reveal.server";
import { csvRows, isReportId } from "~/modules/records/reports/report";
import { readReport } from "~/modules/records/reports/report.server";
import { readRange } from "~/modules/records/reports/report-range";

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "file");
  const { services, url } = scope;
  const id = url.searchParams.get("report") ?? "";
  if (!isReportId(id)) throw notFound();
  await recordExport(services, actor, "a report");
  const range = readRange(url.searchParams, actor.timeZone, services.clock.now());
  const { head, rows } = csvRows(await readReport(services, actor, id, range));
  return csvAnswer({ name: `${id}-${range.from}-${range.to}.csv`, head, rows });
});
