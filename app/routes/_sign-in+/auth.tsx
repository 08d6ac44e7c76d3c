import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type AuthAnswer, type AuthView, authHref } from "~/components/identity/auth-view";
import { LoginForm } from "~/components/identity/login-form";
import { RegisterForm } from "~/components/identity/register-form";
import { AuthLayout } from "~/components/layout/auth-layout";
import { pageTitle } from "~/components/layout/page-title";
import { Callout } from "~/components/ui/callout";
import { Tabs } from "~/components/ui/tabs";
import { ticketCookie } from "~/http/account-cookies.server";
import { authenticateForm, findSessionId } from "~/http/authenticator.server";
import { readForm } from "~/http/body.server";
import type { RequestScope } from "~/http/context.server";
import { errorHeaders, toAppError } from "~/http/errors.server";
import { page } from "~/http/page.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { safeRedirectPath } from "~/http/safe-redirect.server";
import { findPerson } from "~/http/session.server";
import { createSignInResponse } from "~/http/sign-in-response.server";
import type { AppError } from "~/kernel/app-error";
import { emailDomain, normalizeEmail } from "~/kernel/email";
import { register } from "~/modules/identity/registration/registration.commands.server";
import { parseRegistrationForm } from "~/modules/identity/registration/registration.schema.server";
import { type SignInTicket, TotpRequired } from "~/modules/identity/two-step/two-step";
import { organizationNotFoundText } from "~/modules/organizations/organization";
import { findOrganizationsByDomain } from "~/modules/organizations/organization.queries.server";
import { suggestOrganizationName } from "~/modules/organizations/organization-name";

export const loader = /* @__PURE__ */ page(async (scope): Promise<AuthView> => {
  if (await findPerson(scope)) throw redirect("/");
  const { services, url } = scope;
  const typedEmail = url.searchParams.get("email");
  const domain = typedEmail
    ? emailDomain(normalizeEmail(typedEmail))
    : normalizeEmail(url.searchParams.get("domain") ?? "").replace(/^@/, "");
  if (domain) await limitByAddress(scope, "organization-lookup");
  return {
    tab: url.searchParams.get("tab") === "register" ? "register" : "login",
    email: typedEmail ?? (domain && `@${domain}`),
    domain: domain || null,
    organizations: await findOrganizationsByDomain(services, domain),
    suggestedName: suggestOrganizationName(domain),
    next: safeRedirectPath(url.searchParams.get("next")) ?? null,
    submissionId: services.ids.next(),
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const { services, origin } = scope;
  const form = await readForm(scope.request);
  const tab = form.get("tab") === "register" ? "register" : "login";
  try {
    if (tab === "register") {
      await limitByAddress(scope, "registration");
      const registration = parseRegistrationForm(form);
      const presentedSessionId = await findSessionId(scope);
      const signedIn = await register(services, origin, { ...registration, presentedSessionId });
      const description = `Welcome, ${signedIn.person.firstName}. We sent you a link to confirm your email address.`;
      return await createSignInResponse(services, signedIn, form.get("next"), {
        title: "Registration successful",
        description,
      });
    }
    await limitByAddress(scope, "sign-in");
    const signedIn = await authenticateForm(scope, form);
    const description = `Welcome back, ${signedIn.person.firstName || signedIn.person.username}`;
    return await createSignInResponse(services, signedIn, form.get("next"), {
      title: "Logged in successfully",
      description,
    });
  } catch (error) {
    if (error instanceof TotpRequired) return await askForCode(scope, error.ticket, form.get("next"));
    const refused = toAppError(error, services.log);
    const body = await answerRefusal(scope, tab, form, refused);
    return data(body, { status: refused.status, headers: errorHeaders(refused) });
  }
});

/** The password was right: the code is asked for on a page of its own. */
async function askForCode({ services }: RequestScope, ticket: SignInTicket, next: FormDataEntryValue | null) {
  const path = safeRedirectPath(next);
  const query = path ? `?${new URLSearchParams({ next: path })}` : "";
  return redirect(`/auth/two-step${query}`, {
    status: 303,
    headers: { "Set-Cookie": await ticketCookie.keep(services, ticket) },
  });
}

/** The form again, with what was typed and what is wrong with it. */
async function answerRefusal(
  { services }: RequestScope,
  tab: AuthAnswer["tab"],
  form: FormData,
  { code, status, message, fieldErrors }: AppError,
): Promise<AuthAnswer> {
  const values: Record<string, string> = {};
  for (const [name, value] of form) if (typeof value === "string" && !/password/i.test(name)) values[name] = value;
  const domain = tab === "register" ? emailDomain(normalizeEmail(values.email ?? "")) : "";
  const sentence = tab === "register" && status >= 500 ? "An error occurred during registration" : message;
  return {
    tab,
    title: tab === "register" ? "Registration failed" : "Login failed",
    errors: fieldErrors ?? {},
    formErrors: fieldErrors ? [] : [sentence],
    accountExists: code === "EMAIL_EXISTS",
    values,
    organizations: status >= 500 ? [] : await findOrganizationsByDomain(services, domain),
    suggestedName: suggestOrganizationName(domain),
  };
}

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => [
  pageTitle(route, `${loaded?.tab === "register" ? "Register" : "Login"}`),
];

const HEADINGS = { login: "Log in to PayeeProof", register: "Create your account" };

export default function AuthPage() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<AuthAnswer>();
  const tab = answer?.tab ?? view.tab;
  const [organization, ...others] = view.organizations;
  const isKnown = organization !== undefined && others.length === 0;
  return (
    <AuthLayout title={isKnown ? `Welcome to ${organization.name}` : HEADINGS[tab]}>
      <div className="grid gap-6">
        <Tabs
          label="Login or register"
          fill
          items={[
            { label: "Login", to: authHref("login", view), current: tab === "login" },
            { label: "Register", to: authHref("register", view), current: tab === "register" },
          ]}
        />
        {view.domain !== null && !organization && (
          <Callout tone="info" title="Organisation Not Found">
            <p>{organizationNotFoundText(view.domain)}</p>
          </Callout>
        )}
        {tab === "login" ? <LoginForm view={view} answer={answer} /> : <RegisterForm view={view} answer={answer} />}
      </div>
    </AuthLayout>
  );
}
