import { redirect } from "@remix-run/cloudflare";
import { useActionData } from "@remix-run/react";
import { type FormAnswer, FormErrorSummary } from "~/components/forms/form";
import { AuthLayout } from "~/components/layout/auth-layout";
import { LogoutForm } from "~/components/layout/logout-form";
import { titled } from "~/components/layout/page-title";
import { useToast } from "~/components/layout/toast-store";
import { Button } from "~/components/ui/elements";
import { formAction, page } from "~/http/page.server";
import { endSession, findPerson } from "~/http/session.server";
import { sitePaths } from "~/kernel/paths/site";
import { signOut } from "~/modules/accounts/identity/session.server";

const FAILED = "Logout failed";

/** Only the button logs out, because prefetchers and email scanners follow links. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  if (!(await findPerson(scope))) throw redirect(sitePaths.home);
  return null;
});

/** The menu leads to the home page, the dashboard's avatar menu to the sign-in page. */
export const action = /* @__PURE__ */ page((scope) =>
  formAction(
    scope,
    async (form) => {
      const person = await findPerson(scope);
      if (person) await signOut(scope.services, person);
      const done = { title: "Logged out successfully", description: "You have been logged out of your account" };
      return {
        to: form.get("to") === sitePaths.signIn ? sitePaths.signIn : sitePaths.home,
        flash: { tone: "success", ...done },
        headers: { "Set-Cookie": await endSession(scope.services) },
      };
    },
    { title: FAILED },
  ),
);

export const meta = titled("Logout");

export default function LogoutPage() {
  const answer = useActionData<FormAnswer>();
  useToast(answer, answer && { tone: "error", title: FAILED, description: answer.formErrors[0] });
  return (
    <AuthLayout title="Log out of PayeeProof?" description="You are still logged in in this browser.">
      <LogoutForm>
        <FormErrorSummary title={answer?.title} formErrors={answer?.formErrors} />
        <Button type="submit">Logout</Button>
      </LogoutForm>
    </AuthLayout>
  );
}
