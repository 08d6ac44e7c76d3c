import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { Form, useLoaderData } from "@remix-run/react";
import { SubmitButton } from "~/components/forms/submit-button";
import { AuthLayout } from "~/components/layout/auth-layout";
import { pageTitle } from "~/components/layout/page-title";
import { Button } from "~/components/ui/button";
import { readForm } from "~/http/body.server";
import { toAppError } from "~/http/errors.server";
import { type Flash, setFlash } from "~/http/flash.server";
import { type PageArgs, page } from "~/http/page.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { notFound } from "~/kernel/app-error";
import { confirmEmailChange, stopEmailChange } from "~/modules/identity/email/email-change.commands.server";
import { findEmailChange } from "~/modules/identity/email/email-change.queries.server";

/** Opening the link changes nothing: mail scanners open links. */
export const loader = /* @__PURE__ */ page(async ({ services, params }) => {
  const change = await findEmailChange(services, params.token ?? "");
  if (!change) throw notFound();
  const { state, mailbox, oldEmail, newEmail } = change;
  const isOver = state === "ended" || state === "expired";
  return data({ state, mailbox, oldEmail, newEmail }, { status: isOver ? 410 : 200 });
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const form = await readForm(scope.request);
  try {
    await limitByAddress(scope, "password-reset");
    return form.get("intent") === "stop" ? await stop(scope) : await confirm(scope);
  } catch (error) {
    const refused = toAppError(error, scope.services.log);
    if (refused.status === 404 || refused.status >= 500) throw refused;
    // Answered twice, or too late: the page itself says how the change stands now.
    return goTo(scope, scope.url.pathname, { tone: "error", title: "Error", description: refused.message });
  }
});

async function confirm(scope: PageArgs) {
  const { services, origin, params, url } = scope;
  const { isChanged, newEmail } = await confirmEmailChange(services, origin, params.token ?? "");
  if (!isChanged) return redirect(url.pathname, 303);
  const description = `Log in with ${newEmail}.`;
  return goTo(scope, "/auth", { tone: "success", title: "Email address changed", description });
}

async function stop(scope: PageArgs) {
  await stopEmailChange(scope.services, scope.origin, scope.params.token ?? "");
  const description = "If you did not ask for it, set a new password now: somebody may be using your account.";
  const action = { label: "Set a new password", href: "/auth/forgot" };
  return goTo(scope, "/", { tone: "success", title: "Nothing was changed", description, action });
}

async function goTo({ services }: PageArgs, path: string, flash: Flash) {
  return redirect(path, { status: 303, headers: { "Set-Cookie": await setFlash(services, flash) } });
}

export const meta: MetaFunction = (route) => [pageTitle(route, "Change of email address")];

export default function EmailChangePage() {
  const { state, mailbox, oldEmail, newEmail } = useLoaderData<typeof loader>();
  if (state === "ended" || state === "expired") {
    const description =
      state === "expired"
        ? "Links work for 24 hours. Ask for the change again on your profile."
        : "It was made, stopped, or replaced by another.";
    return (
      <AuthLayout title="This change of address is over" description={description}>
        <Button to="/profile">Go to your profile</Button>
      </AuthLayout>
    );
  }
  const question =
    mailbox === "new"
      ? `Is ${newEmail} yours, and your new address?`
      : `From ${oldEmail} to ${newEmail}. Do you want this?`;
  const waiting =
    mailbox === "new" ? `Now ${oldEmail} has to agree: we sent a link there.` : `Now ${newEmail} has to agree.`;
  return (
    <AuthLayout title="Change of email address" description={state === "open" ? question : waiting}>
      <Form method="post" className="flex flex-wrap gap-3">
        {state === "open" && (
          <SubmitButton name="intent" value="confirm" pendingText="Confirming...">
            Yes, change it
          </SubmitButton>
        )}
        <SubmitButton name="intent" value="stop" variant="secondary" pendingText="Stopping...">
          Stop the change
        </SubmitButton>
      </Form>
    </AuthLayout>
  );
}
