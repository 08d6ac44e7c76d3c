import { redirect } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { useRef, useState } from "react";
import {
  AcceptTerms,
  NameFields,
  NewPasswordFields,
  PasswordInput,
} from "~/components/accounts/identity/account-fields";
import { type AddressLookup, type AuthTab, type AuthView, authHref } from "~/components/accounts/identity/auth-view";
import { ForgotPasswordForm } from "~/components/accounts/identity/forgot-password-form";
import { PasskeySignIn } from "~/components/accounts/identity/passkey-sign-in";
import { Select, TextInput } from "~/components/forms/fields";
import {
  type FormAnswer,
  HiddenFields,
  keepFormWhenOffline,
  OFFLINE,
  PostForm,
  SubmitButton,
  useFormContext,
} from "~/components/forms/form";
import { RadioGroup } from "~/components/forms/radio-group";
import { AuthLayout } from "~/components/layout/auth-layout";
import { titled } from "~/components/layout/page-title";
import { type FlashMessage, useToast } from "~/components/layout/toast-store";
import { Dialog } from "~/components/ui/dialog";
import { Button, Callout } from "~/components/ui/elements";
import { Tabs } from "~/components/ui/tabs";
import { findTokenHash } from "~/http/context.server";
import { passkeyCookie, ticketCookie } from "~/http/cookies.server";
import { formAction, limitByAddress, type PageArgs, page, reword } from "~/http/page.server";
import { safeRedirectPath } from "~/http/responses.server";
import { findPerson } from "~/http/session.server";
import { authenticateForm, createSignInResponse, findSessionId, syncAfterReturn } from "~/http/sign-in.server";
import { AppError } from "~/kernel/app-error";
import { emailDomain, normalizeEmail } from "~/kernel/email";
import { ACCOUNT_EXISTS } from "~/kernel/messages";
import { sitePaths, withQuery } from "~/kernel/paths/site";
import { relyingParty } from "~/modules/accounts/identity/passkey-assertion.server";
import { signInWithPasskey } from "~/modules/accounts/identity/passkey-sign-in.server";
import { parseRegistrationForm, register } from "~/modules/accounts/identity/register.server";
import { whySessionEnded } from "~/modules/accounts/identity/session.server";
import { type SignInTicket, TotpRequired } from "~/modules/accounts/identity/sign-in-steps.server";
import { describeInitialName } from "~/modules/accounts/organizations/name-requests.server";
import {
  type OrganizationByDomain,
  organizationNotFoundText,
  suggestOrganizationName,
} from "~/modules/accounts/organizations/organization";
import { findOrganizationsByDomain } from "~/modules/accounts/organizations/organization.server";
import { findProviderOf } from "~/modules/accounts/single-sign-on/provider-rule.server";

const LOOKS_LIKE_EMAIL = /.@.+\../;

/**
 * What is known for the address: as typed if scripts run, otherwise as posted, otherwise as the page was opened.
 * @returns the page's initial data, what is known now, and a function to call with a typed address
 */
function useAddressLookup(view: AuthView, answer: FormAnswer | undefined) {
  const [looked, setLooked] = useState<AddressLookup>();
  const asked = useRef(answer?.values.email ?? view.email);
  const posted = answer?.extra as AddressLookup | undefined;
  const opened = posted?.organizations ? posted : view;
  const { organizations, suggestedName, asksForProvider } = looked ?? opened;
  const lookUp = async (email: string) => {
    if (!LOOKS_LIKE_EMAIL.test(email) || email === asked.current) return;
    asked.current = email;
    const found = await fetchLookup(email);
    if (found && asked.current === email) setLooked(found);
  };
  return { opened: opened.organizations, found: { organizations, suggestedName, asksForProvider }, lookUp };
}

/** Undefined on failure, because the form works without it. Not a loader, whose failure would replace the page. */
async function fetchLookup(email: string): Promise<AddressLookup | undefined> {
  try {
    const response = await fetch(withQuery(sitePaths.addressLookup, { email }));
    return response.ok ? ((await response.json()) as AddressLookup) : undefined;
  } catch {
    return undefined;
  }
}

export const loader = /* @__PURE__ */ page(async (scope): Promise<AuthView> => {
  if (await findPerson(scope)) throw redirect(sitePaths.home);
  const { services, url } = scope;
  const typedEmail = url.searchParams.get("email");
  const domain = typedEmail
    ? emailDomain(normalizeEmail(typedEmail))
    : normalizeEmail(url.searchParams.get("domain") ?? "").replace(/^@/, "");
  if (domain) await limitByAddress(scope, "organization-lookup");
  const provider = await findProviderOf(services, domain);
  const next = safeRedirectPath(url.searchParams.get("next")) ?? null;
  return {
    tab: url.searchParams.get("tab") === "register" ? "register" : "login",
    email: typedEmail ?? (domain && `@${domain}`),
    domain: domain || null,
    organizations: await findOrganizationsByDomain(services, domain),
    suggestedName: suggestOrganizationName(domain),
    asksForProvider: provider?.mode === "required" ? provider.name : undefined,
    next,
    why: await whySignedOut(scope, next),
    takesPasskeys: relyingParty(services).isPossible,
    submissionId: services.ids.next(),
  };
});

/** A browser that still has a session's cookie was signed out; another one was led here from a page. */
async function whySignedOut(scope: PageArgs, next: string | null): Promise<AuthView["why"]> {
  const after = next ? "After you log in, the page that you asked for opens." : "";
  const sessionId = await findTokenHash(scope);
  if (sessionId === undefined) return next ? { title: "Log in to open this page", text: after } : null;
  return {
    title: "You were signed out",
    text: `${await whySessionEnded(scope.services, sessionId)} ${after}`.trimEnd(),
  };
}

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
  const { firstName, organizationName } = signedIn.person;
  const asked = registration.newOrganization?.name;
  const waits = asked === undefined ? "" : describeInitialName(asked, organizationName);
  const description = `Welcome, ${firstName}. We sent you a link to confirm your email address.${waits}`;
  return createSignInResponse(services, signedIn, form.get("next"), { title: "Registration successful", description });
}

async function logIn(scope: PageArgs, form: FormData): Promise<Response> {
  await limitByAddress(scope, "sign-in");
  const passkey = form.get("passkey");
  if (typeof passkey === "string") return logInWithPasskey(scope, passkey, form.get("next"));
  try {
    const signedIn = await authenticateForm(scope, form);
    return await createSignInResponse(scope.services, signedIn, form.get("next"), syncAfterReturn(signedIn.person));
  } catch (error) {
    if (error instanceof TotpRequired) return askForCode(scope, error.ticket, form.get("next"));
    throw error;
  }
}

/** Signs in with the device's answer to this browser's challenge. */
async function logInWithPasskey(scope: PageArgs, passkey: string, next: FormDataEntryValue | null): Promise<Response> {
  const { services, origin, request } = scope;
  const kept = await passkeyCookie.read(services, request);
  const presentedSessionId = await findSessionId(scope);
  const signedIn = await signInWithPasskey(services, origin, { passkey, kept, presentedSessionId });
  const response = await createSignInResponse(services, signedIn, next, syncAfterReturn(signedIn.person));
  response.headers.append("Set-Cookie", await passkeyCookie.drop(services));
  return response;
}

/** The password was correct: a separate page asks for the code. */
async function askForCode({ services }: PageArgs, ticket: SignInTicket, next: FormDataEntryValue | null) {
  return redirect(withQuery(sitePaths.twoStepSignIn, { next: safeRedirectPath(next) }), {
    status: 303,
    headers: { "Set-Cookie": await ticketCookie.keep(services, ticket) },
  });
}

/** A refused registration also includes the look-up of the typed address: without scripts nothing else does it. */
async function withLookup(services: PageArgs["services"], error: AppError, form: FormData): Promise<AppError> {
  const { code, status, message, fieldErrors, retryAfterSeconds } = error;
  const email = form.get("email");
  const domain = emailDomain(normalizeEmail(typeof email === "string" ? email : ""));
  const organizations = status >= 500 ? [] : await findOrganizationsByDomain(services, domain);
  const extra: AddressLookup = { organizations, suggestedName: suggestOrganizationName(domain) };
  return new AppError(code, message, { status, fieldErrors, retryAfterSeconds, extra });
}

const FAILED: Readonly<Record<AuthTab, string>> = { login: "Login failed", register: "Registration failed" };

/** Reports a lost connection in the form; what was typed stays, except passwords. */
export async function clientAction(args: ClientActionFunctionArgs) {
  const form = await args.request.clone().formData();
  return keepFormWhenOffline(args, { title: FAILED[tabOf(form)], sentence: OFFLINE });
}

export const meta = titled<typeof loader>((loaded) => `${loaded?.tab === "register" ? "Register" : "Login"}`);

const HEADINGS = { login: "Log in to PayeeProof", register: "Create your account" };

export default function AuthPage() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  const tab = answer?.values.tab === "register" ? "register" : answer ? "login" : view.tab;
  const { opened, found, lookUp } = useAddressLookup(view, answer);
  useToast(answer, answer && toToast(answer, view.next));
  // Uses the first look-up: a longer heading would move the button that somebody is about to press.
  const [organization, ...others] = opened;
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
        {view.why && !answer && (
          <Callout tone="info" title={view.why.title} role="status">
            <p>{view.why.text}</p>
          </Callout>
        )}
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

/** The specification's toasts (section 8). Sentences about fields stay beside them. */
function toToast({ code, title, formErrors, values }: FormAnswer, next: string | null): FlashMessage {
  if (code !== "EMAIL_EXISTS") return { tone: "error", title, description: formErrors[0] };
  const href = authHref("login", { email: values.email, next });
  const action = { label: "Go to Login", href };
  return { tone: "error", title: "Account Already Exists", description: ACCOUNT_EXISTS, action };
}

interface LoginFormProps {
  view: AuthView;
  found: AddressLookup;
  onEmailTyped: (email: string) => void;
  answer?: FormAnswer;
}

/** Sign-in with email and password. The server checks them and answers in the specification's words. */
function LoginForm({ view, found, onEmailTyped, answer }: LoginFormProps) {
  const email = answer?.values.email ?? view.email;
  const [organization] = found.organizations.length === 1 ? found.organizations : [];
  return (
    <div className="grid gap-5">
      <PostForm answer={answer} values={{ email }} action={authHref("login", view)}>
        <HiddenFields values={{ tab: "login", next: view.next, organisationId: organization?.id }} />
        <div className="grid gap-5">
          <TextInput
            name="email"
            label="Email"
            type="email"
            required
            autoComplete={view.takesPasskeys ? "username webauthn" : "username"}
            onBlur={(event) => onEmailTyped(event.currentTarget.value)}
          />
          <PasswordInput name="password" label="Password" required minLength={8} autoComplete="current-password" />
          <SubmitButton pendingText="Logging in...">Login</SubmitButton>
        </div>
      </PostForm>
      {view.takesPasskeys && <PasskeySignIn step="first" next={view.next} action={authHref("login", view)} />}
      <CompanySignIn email={email} next={view.next} asks={found.asksForProvider} />
      <div className="justify-self-center text-base">
        <Dialog
          trigger="Forgot your password?"
          triggerVariant="link"
          title="Forgot your password?"
          fallbackHref={`${sitePaths.forgotPassword}?${new URLSearchParams({ email })}`}
        >
          <ForgotPasswordForm email={email} idPrefix="forgot" />
        </Dialog>
      </div>
    </div>
  );
}

/** The link to single sign-on. Below the form, so that a hint about the typed address moves nothing above it. */
function CompanySignIn({ email, next, asks }: { email: string; next: string | null; asks?: string }) {
  return (
    <div className="grid gap-2">
      <Button to={withQuery(sitePaths.companySignIn, { email: email || undefined, next })} variant="secondary">
        Sign in with your company
      </Button>
      {asks && (
        <p role="status" className="text-base text-ink-soft">
          {asks} requires its people to sign in with their company. Their passwords do not open their accounts.
        </p>
      )}
    </div>
  );
}

interface RegisterFormProps {
  view: AuthView;
  found: AddressLookup;
  onEmailTyped: (email: string) => void;
  answer?: FormAnswer;
}

/** Registers a person with a new organisation, or to join one that has their email domain. */
function RegisterForm({ view, found, onEmailTyped, answer }: RegisterFormProps) {
  const isTaken = answer?.code === "EMAIL_EXISTS";
  return (
    <PostForm
      answer={answer}
      values={{ email: view.email, createOrganisation: "false" }}
      summary={!isTaken}
      action={authHref("register", view)}
    >
      {isTaken && <AccountExists email={answer.values.email ?? ""} next={view.next} />}
      <HiddenFields values={{ tab: "register", next: view.next, submissionId: view.submissionId }} />
      <div className="grid gap-5">
        <TextInput
          name="email"
          label="Work email"
          type="email"
          required
          autoComplete="email"
          onBlur={(event) => onEmailTyped(event.currentTarget.value)}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <NameFields />
        </div>
        <NewPasswordFields label="Password" />
        <OrganizationFields {...found} />
        <AcceptTerms />
        <SubmitButton pendingText="Registering...">Register</SubmitButton>
      </div>
    </PostForm>
  );
}

function AccountExists({ email, next }: { email: string; next: string | null }) {
  return (
    <Callout
      tone="warning"
      role="alert"
      className="mb-6"
      title="Account Already Exists"
      actions={
        <Button to={authHref("login", { email, next })} variant="secondary" size="sm">
          Go to Login
        </Button>
      }
    >
      <p>{ACCOUNT_EXISTS}</p>
    </Callout>
  );
}

interface OrganizationFieldsProps {
  organizations: readonly OrganizationByDomain[];
  suggestedName: string;
}

/** Choose an organisation that was found, or create a new one. */
function OrganizationFields({ organizations, suggestedName }: OrganizationFieldsProps) {
  const { answer } = useFormContext();
  const [typedName, setTypedName] = useState(answer?.values["newOrganisation.name"] || null);
  const isSuggestion = typedName === null && suggestedName !== "";
  return (
    <div className="grid gap-5">
      <JoinOrCreate organizations={organizations} />
      <div className="if-creating grid gap-5">
        <TextInput
          name="newOrganisation.name"
          label="Organisation name"
          hint={isSuggestion && "Suggested from your email address"}
          required
          autoComplete="organization"
          value={typedName ?? suggestedName}
          onChange={(event) => setTypedName(event.currentTarget.value)}
        />
        <TextInput
          name="newOrganisation.abn"
          label="ABN"
          hint="11 digits"
          digits
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
    </div>
  );
}

function JoinOrCreate({ organizations }: Pick<OrganizationFieldsProps, "organizations">) {
  const [first, ...others] = organizations;
  if (!first) return <HiddenFields values={{ createOrganisation: "true" }} />;
  const joinLabel = others.length === 0 ? `Join ${first.name}` : "Join an organisation with my email domain";
  return (
    <>
      <RadioGroup
        name="createOrganisation"
        label="Your organisation"
        required
        look="cards"
        options={[
          { value: "false", label: joinLabel, hint: "One of its administrators has to approve you." },
          { value: "true", label: "Create a new organisation" },
        ]}
      />
      {others.length === 0 ? (
        <HiddenFields values={{ organisationId: first.id }} />
      ) : (
        <Select
          name="organisationId"
          label="Organisation"
          required
          placeholder="Choose one"
          options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
          className="if-joining"
        />
      )}
    </>
  );
}
