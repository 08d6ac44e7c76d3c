import { redirect } from "@remix-run/cloudflare";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { PENDING_PATH } from "~/modules/review/pending-address";

/** The room's front door leads to the review queue. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  await pageMember(scope);
  return redirect(PENDING_PATH);
});
