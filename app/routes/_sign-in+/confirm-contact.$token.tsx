import { data } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type FormAnswer, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { AuthLayout } from "~/components/layout/auth-layout";
import { titled } from "~/components/layout/page-title";
import { Button } from "~/components/ui/elements";
import { formAction, limitByAddress, orShowLinkState, page } from "~/http/page.server";
import { notFound } from "~/kernel/app-error";
import { sitePaths } from "~/kernel/paths/site";
import { confirmContact, findContactLink } from "~/modules/accounts/organizations/contact-address.server";

/** Opening the link changes nothing, because email scanners open links. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  await limitByAddress(scope, "verify-link");
  const link = await findContactLink(scope.services, scope.params.token ?? "");
  if (!link) throw notFound();
  const { state, organizationName, email, sentBy } = link;
  return data({ state, organizationName, email, sentBy }, { status: state === "over" ? 410 : 200 });
});

export const action = /* @__PURE__ */ page(async (scope) => {
  await limitByAddress(scope, "verify-link");
  return formAction(
    scope,
    () =>
      orShowLinkState(scope, async () => {
        await confirmContact(scope.services, scope.origin, scope.params.token ?? "");
        return { to: scope.url.pathname };
      }),
    { title: "The address is not confirmed yet" },
  );
});

export const clientAction = keepWhatWasTyped;

export const meta = titled("Confirm a contact address", () => [{ name: "robots", content: "noindex" }]);

export default function ConfirmContactPage() {
  const { state, organizationName, email, sentBy } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  if (state === "confirmed") {
    return (
      <AuthLayout
        title="This address is confirmed"
        description={`${email} gets the alerts of ${organizationName}: changed policies, people and roles, exports, and payees that one person trusted alone.`}
      >
        <Button to={sitePaths.home}>Go to PayeeProof</Button>
      </AuthLayout>
    );
  }
  if (state === "over") {
    return (
      <AuthLayout
        title="This link no longer works"
        description={`Links work for seven days, and only while ${organizationName} has this contact email. An administrator can send a new one from the settings.`}
      >
        <Button to={sitePaths.home}>Go to PayeeProof</Button>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Confirm this contact address">
      <PostForm intent="confirm" answer={answer} className="grid gap-4">
        <p className="break-words">
          {sentBy} of <strong>{organizationName}</strong> entered {email} as the organisation&rsquo;s contact email.
          Once you confirm it, this address is told when policies, people or roles change, when records are exported,
          and when one person alone trusts a payee. If you do not know {organizationName}, close this page.
        </p>
        <div>
          <SubmitButton pendingText="Confirming...">Confirm this address</SubmitButton>
        </div>
      </PostForm>
    </AuthLayout>
  );
}
