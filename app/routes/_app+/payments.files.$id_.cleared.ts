import { idParam, pageMember, withoutPage, withStepUp } from "~/http/page.server";
import { downloadAnswer } from "~/http/responses.server";
import { recordExport } from "~/modules/core/record-reveal.server";
import { downloadCleared, readClearingId } from "~/modules/payments/payment-files/clearings.server";

export const loader = /* @__PURE__ */ withoutPage(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "file");
  const clearingId = readClearingId(scope.url.searchParams);
  const file = await downloadCleared(scope.services, actor, { fileId: idParam(scope.params), clearingId });
  await recordExport(scope.services, actor, "a payment file");
  return downloadAnswer(file);
});
