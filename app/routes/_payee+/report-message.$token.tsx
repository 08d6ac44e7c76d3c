import { data } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Form, type FormAnswer, FormErrorSummary, keepWhatWasTyped, SubmitButton } from "~/components/forms/form";
import { MinimalLayout } from "~/components/layout/minimal-layout";
import { titled } from "~/components/layout/page-title";
import { LinkMessage, PayeeFooter } from "~/components/payees/payee-link/link-message";
import { formAction, limitByAddress, page } from "~/http/page.server";
import { linkPaths } from "~/kernel/paths/links";
import { findReportedMessage } from "~/modules/messages/notifications/outside-messages.queries.server";
import { reportMessage } from "~/modules/messages/notifications/outside-messages.server";

/** Opening the link does not report anything, because email programs open links automatically. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  await limitByAddress(scope, "verify-link");
  const message = await findReportedMessage(scope.services, scope.params.token ?? "");
  const shown = message && { organizationName: message.organizationName, isReported: message.reportedAt !== null };
  return data({ message: shown ?? null }, { status: shown ? 200 : 404 });
});

export const action = /* @__PURE__ */ page(async (scope) => {
  await limitByAddress(scope, "verify-link");
  const token = scope.params.token ?? "";
  return formAction(scope, async () => {
    await reportMessage(scope.services, scope.origin, { token });
    return { to: linkPaths.reportMessage(token) };
  });
});

export const clientAction = keepWhatWasTyped;

export const meta = titled("Report a message", () => [{ name: "robots", content: "noindex" }]);

export default function ReportMessagePage() {
  const { message } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  const isReported = message?.isReported;
  return (
    <MinimalLayout footer={<PayeeFooter organizationName={message?.organizationName} />}>
      {!message && (
        <LinkMessage tone="pending" icon="alert" title="We do not know this link">
          <p>The link may be incomplete. Open it from the email again, or write to us on the contact page.</p>
        </LinkMessage>
      )}
      {message && isReported && (
        <LinkMessage tone="verified" icon="check" title="Thank you, we have your report">
          <p>
            We look at what {message.organizationName} sends. Do not open the links in the message, and call{" "}
            {message.organizationName} on a number you already know if you are unsure.
          </p>
        </LinkMessage>
      )}
      {message && !isReported && <ReportForm organizationName={message.organizationName} answer={answer} />}
    </MinimalLayout>
  );
}

function ReportForm({ organizationName, answer }: { organizationName: string; answer: FormAnswer | undefined }) {
  return (
    <LinkMessage
      tone="review"
      icon="alert"
      title="Report this message"
      action={
        <Form method="post">
          <SubmitButton variant="primary" size="lg" pendingText="Reporting...">
            Report the message
          </SubmitButton>
        </Form>
      }
    >
      {answer && <FormErrorSummary title={answer.title} formErrors={answer.formErrors} />}
      <p>
        The message was sent through PayeeProof in the name of {organizationName}. Report it if you did not expect it,
        or if it looks like a fraud.
      </p>
    </LinkMessage>
  );
}
