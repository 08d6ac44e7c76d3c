import { idParam, pageMember, withoutPage, withStepUp } from "~/http/page.server";
import { downloadAnswer } from "~/http/responses.server";
import { recordExport } from "~/modules/core/record-reveal.server";
import { downloadOriginal } from "~/modules/payments/payment-files/clearings.server";

export const loader = /* @__PURE__ */ withoutPage(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "file");
  const file = await downloadOriginal(scope.services, actor, idParam(scope.params));
  await recordExport(scope.services, actor, "a payment file");
  return downloadAnswer(file);
});
