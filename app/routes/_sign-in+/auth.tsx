import { type MetaFunction, redirect } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { type AddressLookup, type AuthTab, type AuthView, authHref } from "~/components/accounts/identity/auth-view";
import { LoginForm } from "~/components/accounts/identity/login-form";
import { RegisterForm } from "~/components/accounts/identity/register-form";
import { useAddressLookup } from "~/components/accounts/identity/use-address-lookup";
import { keepFormWhenOffline, OFFLINE } from "~/components/forms/keep-form-when-offline";
import { AuthLayout } from "~/components/layout/auth-layout";
import { pageTitle } from "~/components/layout/page-title";
import type { FlashMessage } from "~/components/layout/toast-store";
import { useToast } from "~/components/layout/use-toast";
import { Callout } from "~/components/ui/callout";
import { Tabs } from "~/components/ui/tabs";
import { ticketCookie } from "~/http/account-cookies.server";
import { authenticateForm, findSessionId } from "~/http/authenticator.server";
import { formAction, reword } from "~/http/form-action.server";
import { type PageArgs, page } from "~/http/page.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { safeRedirectPath } from "~/http/safe-redirect.server";
import { findPerson } from "~/http/session.server";
import { createSignInResponse, syncAfterReturn } from "~/http/sign-in-response.server";
import { AppError } from "~/kernel/app-error";
import { emailDomain, normalizeEmail } from "~/kernel/email";
import type { FormAnswer } from "~/kernel/form-answer";
import { ACCOUNT_EXISTS } from "~/kernel/messages";
import { sitePaths } from "~/kernel/paths/site";
import { withQuery } from "~/kernel/paths/with-query";
import { parseRegistrationForm, register } from "~/modules/accounts/identity/registration/registration.server";
import { type SignInTicket, TotpRequired } from "~/modules/accounts/identity/two-step/two-step";
import { organizationNotFoundText } from "~/modules/accounts/organizations/organization";
import { findOrganizationsByDomain } from "~/modules/accounts/organizations/organization.server";
import { suggestOrganizationName } from "~/modules/accounts/organizations/organization-name";

export const loader = /* @__PURE__ */ page(async (scope): Promise<AuthView> => {
  if (await findPerson(scope)) throw redirect(sitePaths.home);
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

export const action = /* @__PURE__ */ page((scope) =>
  formAction(scope, (form) => (tabOf(form) === "register" ? registerPerson(scope, form) : logIn(scope, form)), {
    title: (form) => FAILED[tabOf(form)],
    describe: async (error, form) => {
      if (tabOf(form) === "login") return error;
      return withLookup(scope.services, reword(error, "An error occurred during registration"), form);
    },
  }),
);

const tabOf = (form: FormData): AuthTab => (form.get("tab") === "register" ? "register" : "login");

async function registerPerson(scope: PageArgs, form: FormData): Promise<Response> {
  const { services, origin } = scope;
  await limitByAddress(scope, "registration");
  const registration = parseRegistrationForm(form);
  const presentedSessionId = await findSessionId(scope);
  const signedIn = await register(services, origin, { ...registration, presentedSessionId });
  const description = `Welcome, ${signedIn.person.firstName}. We sent you a link to confirm your email address.`;
  return createSignInResponse(services, signedIn, form.get("next"), { title: "Registration successful", description });
}

async function logIn(scope: PageArgs, form: FormData): Promise<Response> {
  await limitByAddress(scope, "sign-in");
  try {
    const signedIn = await authenticateForm(scope, form);
    return await createSignInResponse(scope.services, signedIn, form.get("next"), syncAfterReturn(signedIn.person));
  } catch (error) {
    if (error instanceof TotpRequired) return askForCode(scope, error.ticket, form.get("next"));
    throw error;
  }
}

/** The password was right: a page of its own asks for the code. */
async function askForCode({ services }: PageArgs, ticket: SignInTicket, next: FormDataEntryValue | null) {
  return redirect(withQuery(sitePaths.twoStepSignIn, { next: safeRedirectPath(next) }), {
    status: 303,
    headers: { "Set-Cookie": await ticketCookie.keep(services, ticket) },
  });
}

/** A refused registration also says what the typed address leads to: without scripts nothing else looks it up. */
async function withLookup(services: PageArgs["services"], error: AppError, form: FormData): Promise<AppError> {
  const { code, status, message, fieldErrors, retryAfterSeconds } = error;
  const email = form.get("email");
  const domain = emailDomain(normalizeEmail(typeof email === "string" ? email : ""));
  const organizations = status >= 500 ? [] : await findOrganizationsByDomain(services, domain);
  const extra: AddressLookup = { organizations, suggestedName: suggestOrganizationName(domain) };
  return new AppError(code, status, message, { fieldErrors, retryAfterSeconds, extra });
}

const FAILED: Readonly<Record<AuthTab, string>> = { login: "Login failed", register: "Registration failed" };

/** A lost connection is told in the form; what was typed stays, passwords excepted. */
export async function clientAction(args: ClientActionFunctionArgs) {
  const form = await args.request.clone().formData();
  return keepFormWhenOffline(args, { title: FAILED[tabOf(form)], sentence: OFFLINE });
}

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => [
  pageTitle(route, `${loaded?.tab === "register" ? "Register" : "Login"}`),
];

const HEADINGS = { login: "Log in to PayeeProof", register: "Create your account" };

export default function AuthPage() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  const tab = answer?.values.tab === "register" ? "register" : answer ? "login" : view.tab;
  const { found, lookUp } = useAddressLookup(view, answer);
  useToast(answer, answer && toToast(answer, view.next));
  const [organization, ...others] = found.organizations;
  const isKnown = organization !== undefined && others.length === 0;
  const form = { view, found, onEmailTyped: lookUp, answer };
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
        {tab === "login" ? <LoginForm {...form} /> : <RegisterForm {...form} />}
      </div>
    </AuthLayout>
  );
}

/** The specification's toasts (section 8). Sentences beside fields stay beside them. */
function toToast({ code, title, formErrors, values }: FormAnswer, next: string | null): FlashMessage {
  if (code !== "EMAIL_EXISTS") return { tone: "error", title, description: formErrors[0] };
  const href = authHref("login", { email: values.email, next });
  const action = { label: "Go to Login", href };
  return { tone: "error", title: "Account Already Exists", description: ACCOUNT_EXISTS, action };
}
