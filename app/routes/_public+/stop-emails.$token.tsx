import { data, json } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Form, type FormAnswer, FormErrorSummary, keepWhatWasTyped, SubmitButton } from "~/components/forms/form";
import { titled } from "~/components/layout/page-title";
import { Card } from "~/components/ui/page-parts";
import { formAction, limitByAddress, page } from "~/http/page.server";
import { notFound } from "~/kernel/app-error";
import { openStopEmailsToken, stopAlertEmails } from "~/modules/messages/alerts/choices.server";

export const meta = titled("Stop alert emails", () => [{ name: "robots", content: "noindex" }]);

/** Opening the link changes nothing, because mail scanners open links. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  await limitByAddress(scope, "verify-link");
  const userId = await openStopEmailsToken(scope.services, scope.params.token ?? "");
  return data({ isOurs: userId !== undefined }, { status: userId === undefined ? 404 : 200 });
});

export const action = /* @__PURE__ */ page(async (scope) => {
  await limitByAddress(scope, "verify-link");
  const { services, origin, params } = scope;
  return formAction(scope, async () => {
    const userId = await openStopEmailsToken(services, params.token ?? "");
    if (userId === undefined) throw notFound();
    await stopAlertEmails(services, { userId, reason: "unsubscribed", origin });
    return json({ isStopped: true });
  });
});

export const clientAction = keepWhatWasTyped;

export default function StopEmails() {
  const { isOurs } = useLoaderData<typeof loader>();
  const answer = useActionData<{ isStopped: true } | FormAnswer>();
  const isStopped = answer !== undefined && "isStopped" in answer;
  const refused = answer && "code" in answer ? answer : undefined;
  const title = isStopped ? "Alert emails are stopped" : isOurs ? "Stop alert emails?" : "This link does not work";
  return (
    <div className="mx-auto max-w-xl px-4 py-16">
      <Card>
        <h1 className="font-semibold text-xl">{title}</h1>
        {isStopped && (
          <p className="mt-3">
            You still find your alerts in PayeeProof. You can turn the emails on again in your profile, under Alerts.
          </p>
        )}
        {!isStopped && isOurs && (
          <>
            <p className="mt-3">
              No alert is sent to you by email after that, not even about held payments or changed bank details. Emails
              about your account, such as a link to reset your password, still come.
            </p>
            <Form method="post" className="mt-5">
              <FormErrorSummary title={refused?.title} formErrors={refused?.formErrors} />
              <SubmitButton pendingText="Stopping...">Stop alert emails</SubmitButton>
            </Form>
          </>
        )}
        {!isStopped && !isOurs && (
          <p className="mt-3">Part of the address may be missing. Open the link from the email again, or sign in.</p>
        )}
      </Card>
    </div>
  );
}
