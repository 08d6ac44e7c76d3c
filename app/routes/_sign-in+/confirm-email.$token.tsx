import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { Form, useLoaderData } from "@remix-run/react";
import { SubmitButton } from "~/components/forms/submit-button";
import { AuthLayout } from "~/components/layout/auth-layout";
import { pageTitle } from "~/components/layout/page-title";
import { Button } from "~/components/ui/button";
import { readForm } from "~/http/body.server";
import { setFlash } from "~/http/flash.server";
import { type PageArgs, page } from "~/http/page.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { AppError, notFound } from "~/kernel/app-error";
import { confirmEmail, renewConfirmation } from "~/modules/identity/email/confirmation.commands.server";
import { findConfirmation } from "~/modules/identity/email/confirmation.queries.server";

/** Opening the link changes nothing: mail scanners open links. */
export const loader = /* @__PURE__ */ page(async ({ services, params }) => {
  const confirmation = await findConfirmation(services, params.token ?? "");
  if (!confirmation) throw notFound();
  const { state, email } = confirmation;
  return data({ state, email }, { status: state === "expired" ? 410 : 200 });
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const form = await readForm(scope.request);
  try {
    return form.get("intent") === "renew" ? await renew(scope) : await confirm(scope);
  } catch (error) {
    // Pressed twice, or too late: the page itself says how the link stands now.
    const hasMovedOn = error instanceof AppError && (error.status === 409 || error.status === 410);
    if (!hasMovedOn) throw error;
    return redirect(scope.url.pathname, 303);
  }
});

async function confirm({ services, origin, params }: PageArgs) {
  const { email } = await confirmEmail(services, origin, params.token ?? "");
  const flash = { tone: "success" as const, title: "Email address confirmed", description: email };
  return redirect("/dashboard", { status: 303, headers: { "Set-Cookie": await setFlash(services, flash) } });
}

async function renew(scope: PageArgs) {
  const { services, params } = scope;
  await limitByAddress(scope, "registration");
  await renewConfirmation(services, params.token ?? "");
  const flash = { tone: "success" as const, title: "New link sent", description: "Please look into your mailbox." };
  return redirect("/auth", { status: 303, headers: { "Set-Cookie": await setFlash(services, flash) } });
}

export const meta: MetaFunction = (route) => [pageTitle(route, "Confirm your email address")];

export default function ConfirmEmailPage() {
  const { state, email } = useLoaderData<typeof loader>();
  if (state === "used") {
    return (
      <AuthLayout title="Email address confirmed" description={`${email} has been confirmed.`}>
        <Button to="/dashboard">Go to the dashboard</Button>
      </AuthLayout>
    );
  }
  if (state === "expired") {
    return (
      <AuthLayout
        title="This link has expired"
        description={`Links work for 24 hours. We can send a new one to ${email}.`}
      >
        <Form method="post">
          <SubmitButton name="intent" value="renew" pendingText="Sending...">
            Send a new link
          </SubmitButton>
        </Form>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Confirm your email address" description={`Press the button to confirm that ${email} is yours.`}>
      <Form method="post">
        <SubmitButton name="intent" value="confirm" pendingText="Confirming...">
          Confirm my address
        </SubmitButton>
      </Form>
    </AuthLayout>
  );
}
