import { redirect } from "@remix-run/cloudflare";
import { idParam, page, pageMember } from "~/http/page.server";
import { getInvoicePdf } from "~/modules/accounts/billing/subscription-page.server";

/** An invoice as a PDF from the provider, whose links expire, so each request gets a new one. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  throw redirect(await getInvoicePdf(scope.services, actor, idParam(scope.params)));
});
