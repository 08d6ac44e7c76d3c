import { idParam, pageMember, withoutPage, withStepUp } from "~/http/page.server";
import { downloadAnswer } from "~/http/responses.server";
import { downloadInvoice } from "~/modules/payments/invoices/invoice.server";

/** The original document: always saved as a file, never displayed on this origin. */
export const loader = /* @__PURE__ */ withoutPage(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "file");
  return downloadAnswer(await downloadInvoice(scope.services, actor, idParam(scope.params)));
});
