import { useActionData, useLoaderData } from "@remix-run/react";
import { NewPasswordFields } from "~/components/accounts/identity/account-fields";
import { CurrentPasswordField } from "~/components/accounts/identity/proof-fields";
import { ProfileFrame } from "~/components/accounts/profile/profile-frame";
import { type FormAnswer, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { Card, named } from "~/components/ui/page-parts";
import { formAction, page, parseForm, requirePerson } from "~/http/page.server";
import { startSession } from "~/http/session.server";
import { appPaths } from "~/kernel/paths/app";
import { changePassword, changePasswordFormSchema } from "~/modules/accounts/identity/password.server";

export const { meta, ErrorBoundary } = named("Password", "Error Loading Your Profile");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { email } = await requirePerson(scope);
  return { email };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  const { services } = scope;
  return formAction(
    scope,
    async (form) => {
      const { token } = await changePassword(services, person, parseForm(form, changePasswordFormSchema(form)));
      const description = "You were signed out everywhere else.";
      return {
        to: appPaths.password,
        flash: { tone: "success", title: "Password changed", description },
        headers: { "Set-Cookie": await startSession(services, token) },
      };
    },
    { title: "Your password was not changed" },
  );
});

export const clientAction = keepWhatWasTyped;

export default function PasswordPage() {
  const { email } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <ProfileFrame>
      <Card title="Change your password" description="You are signed out everywhere else.">
        <PostForm answer={answer} className="grid max-w-md gap-5">
          <CurrentPasswordField />
          <NewPasswordFields email={email} />
          <div>
            <SubmitButton pendingText="Saving...">Change password</SubmitButton>
          </div>
        </PostForm>
      </Card>
    </ProfileFrame>
  );
}
