import { useActionData, useLoaderData } from "@remix-run/react";
import { OrganizationOptions } from "~/components/accounts/organizations/organization-options";
import { OrganizationChoice, PICKER_TITLE, pickerText } from "~/components/accounts/organizations/organization-picker";
import { TextInput } from "~/components/forms/fields";
import { Form, type FormAnswer, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { AuthLayout } from "~/components/layout/auth-layout";
import { LogoutForm } from "~/components/layout/logout-form";
import { titled } from "~/components/layout/page-title";
import { Button } from "~/components/ui/elements";
import { type Accepted, formAction, type PageArgs, page, parseForm, requirePerson } from "~/http/page.server";
import { toAppError } from "~/http/responses.server";
import { startSession } from "~/http/session.server";
import { emailDomain } from "~/kernel/email";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import { createOwnOrganization } from "~/modules/accounts/identity/create-organization.server";
import { needsOrganizationSelection } from "~/modules/accounts/identity/profile.server";
import { newOrganizationField } from "~/modules/accounts/identity/register.server";
import {
  listMemberships,
  selectionSchema,
  selectOrganization,
} from "~/modules/accounts/members/switch-organization.server";
import { describeInitialName } from "~/modules/accounts/organizations/name-requests.server";
import { suggestOrganizationName } from "~/modules/accounts/organizations/organization";
import { listPendingOrganizations } from "~/modules/accounts/organizations/organization.server";
import type { Person } from "~/services-and-actor";

export const meta = titled("Select your Organisation");

/** A person's first organisation (chosen, created or requested), and switching for people with several. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  const { services } = scope;
  const [pending, memberships] = await Promise.all([
    listPendingOrganizations(services, person),
    listMemberships(services, person.userId),
  ]);
  return {
    pending,
    memberships,
    currentId: person.organizationId,
    needsOrganization: person.status === "active" && needsOrganizationSelection(person),
    email: person.email,
    emailVerified: person.emailVerified,
    suggestedName: suggestOrganizationName(emailDomain(person.email)),
    productDomain: new URL(services.config.appOrigin).hostname,
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  return formAction(
    scope,
    (form) => (form.get("intent") === "create" ? create(scope, person, form) : choose(scope, person, form)),
    { title: "The organisation was not created" },
  );
});

export const clientAction = keepWhatWasTyped;

async function create({ services }: PageArgs, person: Person, form: FormData): Promise<Accepted> {
  const asked = parseForm(form, newOrganizationField);
  const created = await createOwnOrganization(services, person, asked);
  const { organizationName } = created.person;
  const waits = describeInitialName(asked.name, organizationName);
  const description = `You are the administrator of ${organizationName}${waits && `.${waits}`}`;
  return {
    to: appPaths.dashboard,
    flash: { tone: "success", title: "Organisation created", description },
    headers: { "Set-Cookie": await startSession(services, created.token) },
  };
}

async function choose({ services }: PageArgs, person: Person, form: FormData): Promise<Accepted> {
  try {
    const chosen = await selectOrganization(services, person, parseForm(form, selectionSchema));
    const description =
      person.organizationId === null
        ? "You've been added to the organisation"
        : `You are now working in ${chosen.person.organizationName}`;
    return {
      to: appPaths.dashboard,
      flash: { tone: "success", title: "Organisation selected", description },
      headers: { "Set-Cookie": await startSession(services, chosen.token) },
    };
  } catch (error) {
    // The picker posts here from any page, so the error is a message on the choice's own page.
    const { message } = toAppError(error, services.log);
    const flash = { tone: "error" as const, title: "Failed to select organisation", description: message };
    return { to: sitePaths.selectOrganization, flash };
  }
}

export default function SelectOrganization() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  const { pending, memberships, currentId, productDomain } = view;
  if (pending.length > 0) {
    return (
      <AuthLayout title={PICKER_TITLE} description={pickerText(pending.length)}>
        <OrganizationChoice options={pending} productDomain={productDomain} />
        <FirstOrganization {...view} answer={answer} />
      </AuthLayout>
    );
  }
  if (memberships.length > 1 || (memberships.length === 1 && currentId === null)) {
    return (
      <AuthLayout
        title={PICKER_TITLE}
        description="You belong to these organisations. Choose the one to work with now."
      >
        <Form method="post">
          <OrganizationOptions
            options={memberships}
            productDomain={productDomain}
            chosenId={currentId ?? undefined}
            buttonText="Switch organisation"
            pendingText="Switching..."
          />
        </Form>
      </AuthLayout>
    );
  }
  if (view.needsOrganization) {
    return (
      <AuthLayout title="Create or join an organisation">
        <FirstOrganization {...view} answer={answer} />
      </AuthLayout>
    );
  }
  const description =
    memberships.length === 0 ? "You do not belong to an organisation." : "You belong to one organisation.";
  return (
    <AuthLayout title="Nothing to choose from" description={description}>
      <Button to={appPaths.dashboard} variant="secondary">
        Go to the dashboard
      </Button>
    </AuthLayout>
  );
}

interface FirstOrganizationProps {
  pending: readonly unknown[];
  email: string;
  emailVerified: boolean;
  suggestedName: string;
  answer?: FormAnswer;
}

/** The options of a person without an organisation: create one, ask to join one, or log out. */
function FirstOrganization({ pending, email, emailVerified, suggestedName, answer }: FirstOrganizationProps) {
  return (
    <div className="grid gap-8">
      <section className={pending.length > 0 ? "mt-8 border-line border-t pt-6" : undefined}>
        <h2 className="mb-4 font-semibold text-lg">Create a new organisation</h2>
        <CreateOrganizationForm suggestedName={suggestedName} answer={answer} />
      </section>
      {pending.length === 0 && (
        <section className="grid gap-3 border-line border-t pt-6 text-base">
          <h2 className="font-semibold text-lg">Ask to join your organisation</h2>
          {emailVerified ? (
            <p>
              No organisation uses the email domain of {email} yet. Ask an administrator of your organisation to invite
              you: the invitation comes to {email}.
            </p>
          ) : (
            <>
              <p>
                Confirm your email address with the link we sent to {email}. If an organisation uses its domain, you can
                then ask to join it here. Or ask an administrator of your organisation to invite you.
              </p>
              <Form method="post" action={appPaths.profile}>
                <Button type="submit" name="intent" value="resend" variant="secondary">
                  Send the link again
                </Button>
              </Form>
            </>
          )}
        </section>
      )}
      <LogoutForm className="border-line border-t pt-6">
        <Button type="submit" variant="quiet">
          Logout
        </Button>
      </LogoutForm>
    </div>
  );
}

/** Creates an organisation for a person without one. */
function CreateOrganizationForm({ suggestedName, answer }: { suggestedName: string; answer?: FormAnswer }) {
  return (
    <PostForm
      intent="create"
      answer={answer}
      values={{ name: suggestedName }}
      action={sitePaths.selectOrganization}
      className="grid gap-5"
    >
      <TextInput name="name" label="Organisation name" required autoComplete="organization" />
      <TextInput name="abn" label="ABN" hint="11 digits" digits inputMode="numeric" autoComplete="off" />
      <div>
        <SubmitButton pendingText="Creating...">Create the organisation</SubmitButton>
      </div>
    </PostForm>
  );
}
