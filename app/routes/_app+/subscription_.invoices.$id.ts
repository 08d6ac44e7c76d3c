import { redirect } from "@remix-run/cloudflare";
import { idParam, pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { getInvoicePdf } from "~/modules/accounts/billing/subscription-page.server";

/** An invoice as PDF: the provider draws it, and its addresses run out, so each is asked for anew. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  throw redirect(await getInvoicePdf(scope.services, actor, idParam(scope.params)));
});
