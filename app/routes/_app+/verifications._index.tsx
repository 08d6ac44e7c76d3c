import { redirect } from "@remix-run/cloudflare";
import { LoadError } from "~/components/layout/load-error";
import { pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";

/** The section's own address leads to the review queue. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  await pageMember(scope);
  return redirect(appPaths.pendingVerifications);
});

export default function Verifications() {
  return null;
}

/** When the redirect could not be fetched. */
export function ErrorBoundary() {
  return <LoadError title="Error Loading Verifications" />;
}
