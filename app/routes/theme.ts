import { redirect } from "@remix-run/cloudflare";
import { readForm } from "~/http/body.server";
import { ownPath } from "~/http/own-path.server";
import { formTarget } from "~/http/page.server";
import { saveTheme } from "~/http/theme.server";

export const loader = () => redirect("/");

export const action = /* @__PURE__ */ formTarget(async ({ request }) => {
  const form = await readForm(request);
  const headers = { "Set-Cookie": await saveTheme(form.get("theme")) };
  return redirect(ownPath(form.get("redirectTo")) ?? "/", { status: 303, headers });
});
