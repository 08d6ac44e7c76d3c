import { streamedDownload } from "~/http/download.server";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { writePayeesFile } from "~/modules/payees/payee-file.server";
import { listRuns } from "~/modules/payees/payee-health/health.server";
import { findRisks } from "~/modules/payees/payee-health/row-risk.server";
import type { ListedPayee } from "~/modules/payees/payee-list.server";
import { readPayeesQuery } from "~/modules/payees/payee-list.server";

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { q, filter } = readPayeesQuery(scope.url.searchParams);
  const runs = await listRuns(scope.services, actor);
  const risk = {
    headings: ["Risk", "Findings"],
    cellsOf: async (payees: readonly ListedPayee[]) =>
      (await findRisks(scope.services, actor, { shown: payees, runs })).map(({ word, title }) => [word, title]),
  };
  return streamedDownload(writePayeesFile(scope.services, actor, { q, filter }, risk));
});
