import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Badge } from "~/components/ui/badge";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { CurrentPasswordField } from "./current-password-field";

interface EmailCardProps {
  email: string;
  isConfirmed: boolean;
  change: { newEmail: string; waitsForOld: boolean; waitsForNew: boolean } | null;
  answer?: FormAnswer;
}

/** The address a person signs in with: whether it is confirmed, and how to change it. */
export function EmailCard({ email, isConfirmed, change, answer }: EmailCardProps) {
  const mine = answerTo(answer, "email");
  const resend = answerTo(answer, "resend");
  return (
    <Card title="Email address" description="You sign in with it, and we write to it.">
      <div className="grid gap-6">
        <FormErrorSummary title={resend?.title} formErrors={resend?.formErrors} />
        <div className="flex flex-wrap items-center gap-3">
          <span className="min-w-0 break-words font-medium">{email}</span>
          {isConfirmed ? <Badge tone="verified">Confirmed</Badge> : <Badge tone="pending">Not confirmed</Badge>}
          {!isConfirmed && (
            <Form method="post">
              <SubmitButton name="intent" value="resend" variant="secondary" size="sm" pendingText="Sending...">
                Send the link again
              </SubmitButton>
            </Form>
          )}
        </div>
        {change && <Waiting email={email} change={change} />}
        <Form method="post" noValidate className="grid gap-5">
          <FormErrorSummary title={mine?.title} errors={mine?.errors} formErrors={mine?.formErrors} />
          <HiddenFields values={{ intent: "email" }} />
          <div className="grid gap-5 sm:grid-cols-2">
            <TextInput
              name="email"
              label="New email address"
              type="email"
              required
              autoComplete="email"
              defaultValue={mine?.values.email}
              error={mine?.errors.email}
            />
            <CurrentPasswordField error={mine?.errors.currentPassword} />
          </div>
          <p className="text-ink-soft text-sm">
            We email both addresses. Your address changes when{" "}
            {isConfirmed ? "both have agreed" : "the new one has agreed"}. Then you sign in again.
          </p>
          <div>
            <SubmitButton name="intent" value="email" variant="secondary" pendingText="Sending...">
              Change the address
            </SubmitButton>
          </div>
        </Form>
      </div>
    </Card>
  );
}

function Waiting({
  email,
  change,
}: Required<Pick<EmailCardProps, "email">> & { change: NonNullable<EmailCardProps["change"]> }) {
  const mailboxes = [...(change.waitsForOld ? [email] : []), ...(change.waitsForNew ? [change.newEmail] : [])];
  return (
    <Callout tone="info" title={`Your address is about to change to ${change.newEmail}`}>
      <p>We are waiting for a yes from {mailboxes.join(" and from ")}. The links work for 24 hours.</p>
    </Callout>
  );
}
