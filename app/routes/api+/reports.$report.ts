import { api } from "~/http/api.server";
import { apiMember } from "~/http/guards.server";
import { csvAnswer } from "~/http/responses.server";
import { notFound } from "~/kernel/app-error";
import { csvRows, isReportId, toReportJson } from "~/modules/records/reports/report";
import { readReport } from "~/modules/records/reports/report.server";
import { readRange } from "~/modules/records/reports/report-range";

/** JSON, or CSV for a call that accepts it. */
export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const { services, request, params } = args;
    const id = params.report ?? "";
    if (!isReportId(id)) throw notFound();
    const range = readRange(new URL(request.url).searchParams, actor.timeZone, services.clock.now());
    const report = await readReport(services, actor, id, range);
    if (!request.headers.get("Accept")?.includes("text/csv")) return toReportJson(report, range);
    return csvAnswer({ name: `${id}-${range.from}-${range.to}.csv`, ...csvRows(report) });
  },
});
