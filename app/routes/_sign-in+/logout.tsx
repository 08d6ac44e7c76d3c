import { redirect } from "@remix-run/cloudflare";
import { readForm } from "~/http/body.server";
import { toAppError } from "~/http/errors.server";
import { setFlash } from "~/http/flash.server";
import { formTarget } from "~/http/page.server";
import { endSession, findPerson } from "~/http/session.server";
import { signOut } from "~/modules/identity/sign-in/sign-out.commands.server";

/** Only the button signs out: links are followed by prefetchers and mail scanners. */
export const loader = () => redirect("/");

/** The menu leads to the home page, the dashboard's avatar menu to the sign-in page. */
export const action = /* @__PURE__ */ formTarget(async (scope) => {
  const { services, request } = scope;
  const form = await readForm(request);
  const headers = new Headers();
  try {
    const person = await findPerson(scope);
    if (person) await signOut(services, person);
  } catch (error) {
    const { message } = toAppError(error, services.log);
    headers.append(
      "Set-Cookie",
      await setFlash(services, { tone: "error", title: "Logout failed", description: message }),
    );
    return redirect("/dashboard", { status: 303, headers });
  }
  const done = { title: "Logged out successfully", description: "You have been logged out of your account" };
  headers.append("Set-Cookie", await endSession(services));
  headers.append("Set-Cookie", await setFlash(services, { tone: "success", ...done }));
  return redirect(form.get("to") === "/auth" ? "/auth" : "/", { status: 303, headers });
});
