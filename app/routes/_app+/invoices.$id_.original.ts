import { idParam, pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { downloadAnswer } from "~/http/responses.server";
import { downloadInvoice } from "~/modules/payments/invoices/invoice.server";

/** The document as it came: always saved as a file, never drawn by this origin. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  return downloadAnswer(await downloadInvoice(scope.services, actor, idParam(scope.params)));
});
