import { redirect } from "@remix-run/cloudflare";
import { readForm } from "~/http/body.server";
import { saveTheme } from "~/http/cookies.server";
import { withoutPage } from "~/http/page.server";
import { safeRedirectPath } from "~/http/responses.server";
import { sitePaths } from "~/kernel/paths/site";

export const loader = () => redirect(sitePaths.home);

export const action = /* @__PURE__ */ withoutPage(async ({ request }) => {
  const form = await readForm(request);
  const headers = { "Set-Cookie": await saveTheme(form.get("theme")) };
  return redirect(safeRedirectPath(form.get("redirectTo")) ?? "/", { status: 303, headers });
});
