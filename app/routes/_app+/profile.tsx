import { useActionData, useLoaderData } from "@remix-run/react";
import { NameFields } from "~/components/accounts/identity/account-fields";
import { CurrentPasswordField } from "~/components/accounts/identity/proof-fields";
import { ProfileFrame } from "~/components/accounts/profile/profile-frame";
import { TextInput } from "~/components/forms/fields";
import {
  answerTo,
  Form,
  type FormAnswer,
  FormErrorSummary,
  keepWhatWasTyped,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { Badge, Callout } from "~/components/ui/elements";
import { Card, named } from "~/components/ui/page-parts";
import { formAction, type PageArgs, page, parseForm, requirePerson } from "~/http/page.server";
import { safeRedirectPath } from "~/http/responses.server";
import { appPaths } from "~/kernel/paths/app";
import { resendConfirmation } from "~/modules/accounts/identity/confirmation.server";
import {
  askForEmailChange,
  emailChangeSchema,
  findOpenEmailChange,
} from "~/modules/accounts/identity/email-change.server";
import { changeNames, namesSchema } from "~/modules/accounts/identity/profile.server";
import type { Person } from "~/services-and-actor";

export const { meta, ErrorBoundary } = named("Profile", "Error Loading Your Profile");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  const { firstName, lastName, email, emailVerified } = person;
  const change = (await findOpenEmailChange(scope.services, person)) ?? null;
  return { names: { firstName, lastName }, email, isConfirmed: emailVerified, change };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  return formAction(
    scope,
    async (form) => ({
      // The link can be requested on other pages too, and then returns there.
      to: safeRedirectPath(form.get("next")) ?? appPaths.profile,
      flash: { tone: "success", ...(await saveChange(scope.services, person, form)) },
    }),
    { title: "This was not saved" },
  );
});

export const clientAction = keepWhatWasTyped;

/** @returns the message on the page afterwards */
async function saveChange(services: PageArgs["services"], person: Person, form: FormData) {
  switch (form.get("intent")) {
    case "email": {
      const input = parseForm(form, emailChangeSchema);
      await askForEmailChange(services, person, input);
      return { title: "Check both mailboxes", description: `We emailed ${person.email} and ${input.email}.` };
    }
    case "resend":
      await resendConfirmation(services, person);
      return { title: "Link sent", description: `Open it in the mailbox of ${person.email}, then come back.` };
    default:
      await changeNames(services, person, parseForm(form, namesSchema));
      return { title: "Profile saved" };
  }
}

export default function ProfilePage() {
  const { names, ...address } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <ProfileFrame>
      <NamesCard names={names} answer={answer} />
      <EmailCard {...address} answer={answer} />
    </ProfileFrame>
  );
}

interface EmailCardProps {
  email: string;
  isConfirmed: boolean;
  change: { newEmail: string; waitsForOld: boolean; waitsForNew: boolean } | null;
  answer?: FormAnswer;
}

/** The address with which a person signs in: whether it is confirmed, and how to change it. */
function EmailCard({ email, isConfirmed, change, answer }: EmailCardProps) {
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
        <PostForm intent="email" answer={answer} className="grid gap-5">
          <div className="grid gap-5 sm:grid-cols-2">
            <TextInput name="email" label="New email address" type="email" required autoComplete="email" />
            <CurrentPasswordField />
          </div>
          <p className="text-ink-soft text-sm">
            We email both addresses. Your address changes when{" "}
            {isConfirmed ? "both have agreed" : "the new one has agreed"}. Then you sign in again.
          </p>
          <div>
            <SubmitButton variant="secondary" pendingText="Sending...">
              Change the address
            </SubmitButton>
          </div>
        </PostForm>
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

/** A person's name, as colleagues and emails show it. */
function NamesCard({ names, answer }: { names: { firstName: string; lastName: string }; answer?: FormAnswer }) {
  return (
    <Card title="Your name" description="Shown to colleagues and in the audit trail.">
      <PostForm intent="names" answer={answer} values={names} className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <NameFields />
        </div>
        <div>
          <SubmitButton pendingText="Saving...">Save</SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}
