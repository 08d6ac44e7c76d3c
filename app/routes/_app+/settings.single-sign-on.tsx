import { data } from "@remix-run/cloudflare";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { CodeField, CurrentPasswordField } from "~/components/accounts/identity/proof-fields";
import { Copied, SettingsPage } from "~/components/accounts/settings/settings-page";
import { Select, TextInput } from "~/components/forms/fields";
import { Form, type FormAnswer, HiddenFields, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { RadioGroup } from "~/components/forms/radio-group";
import { RefusedAct } from "~/components/forms/refused-act";
import { Badge, Callout } from "~/components/ui/elements";
import { Card, named, Time } from "~/components/ui/page-parts";
import { companyCookie, newScimTokenCookie } from "~/http/cookies.server";
import { type Accepted, formAction, page, pageAdmin, parseForm } from "~/http/page.server";
import { AppError } from "~/kernel/app-error";
import type { SingleSignOnMode } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import { beginTest } from "~/modules/accounts/single-sign-on/company-sign-in.server";
import {
  chooseMode,
  createScimToken,
  modeSchema,
  newScimTokenSchema,
  providerSchema,
  readSingleSignOnPage,
  revokeScimToken,
  revokeScimTokenSchema,
  saveProvider,
} from "~/modules/accounts/single-sign-on/settings.server";
import type { Actor, Services } from "~/services-and-actor";

type View = Awaited<ReturnType<typeof readSingleSignOnPage>>;

const HERE = appPaths.singleSignOn;

export const { meta, ErrorBoundary } = named("Single sign-on · Settings", "Error Loading Settings");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const { services, request } = scope;
  const [view, fresh] = await Promise.all([
    readSingleSignOnPage(services, actor),
    newScimTokenCookie.read(services, request),
  ]);
  const body = { ...view, made: fresh?.userId === actor.userId ? fresh.token : null };
  return data(body, fresh ? { headers: { "Set-Cookie": await newScimTokenCookie.drop(services) } } : {});
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  return formAction(scope, (form) => act(scope.services, actor, form), { title: "Nothing was changed" });
});

async function act(services: Services, actor: Actor, form: FormData): Promise<Accepted> {
  switch (form.get("intent")) {
    case "provider":
      await saveProvider(services, actor, parseForm(form, providerSchema));
      return { to: HERE, flash: { tone: "success", title: "Provider saved", description: "Test it now." } };
    case "test":
      return {
        to: sitePaths.companyGo,
        headers: { "Set-Cookie": await companyCookie.keep(services, await beginTest(services, actor)) },
      };
    case "mode":
      await chooseMode(services, actor, parseForm(form, modeSchema));
      return { to: HERE, flash: { tone: "success", title: "Sign-in saved" } };
    case "token": {
      const { token } = await createScimToken(services, actor, parseForm(form, newScimTokenSchema));
      return {
        to: HERE,
        headers: { "Set-Cookie": await newScimTokenCookie.keep(services, { userId: actor.userId, token }) },
      };
    }
    case "revoke":
      await revokeScimToken(services, actor, parseForm(form, revokeScimTokenSchema).tokenId);
      return { to: HERE, flash: { tone: "success", title: "Token revoked" } };
    default:
      throw new AppError("INVALID_INPUT", "Choose what to do.");
  }
}

export const clientAction = keepWhatWasTyped;

export default function SingleSignOn() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <SettingsPage description="Your people sign in with your company's own provider, such as Microsoft Entra ID, Google or Okta.">
      <RefusedAct answer={["test", "revoke"].includes(answer?.intent ?? "") ? answer : undefined} />
      {view.made !== null && <NewToken token={view.made} />}
      <DomainStates domains={view.domains} />
      <ProviderCard view={view} answer={answer} />
      {view.settings && <TestCard testedOn={view.settings.testedOn} />}
      {view.settings && <ModeCard view={view} mode={view.settings.mode} answer={answer} />}
      <DirectoryCard view={view} answer={answer} />
    </SettingsPage>
  );
}

const DOMAIN_STATES: Readonly<Record<View["domains"][number]["state"], string>> = {
  open: "People with an address in it can sign in with your company.",
  shared:
    "Another organisation has claimed it after you. People whose accounts are linked can still sign in; no further account is linked until you prove by DNS that the domain is yours.",
  taken:
    "Another organisation claimed it first, or proved that it is theirs. Nobody with an address in it can sign in with your company until you prove that the domain is yours.",
};

function DomainStates({ domains }: Pick<View, "domains">) {
  if (domains.length === 0) {
    return (
      <Callout tone="warning" title="Claim an email domain first">
        <p>A person's email address says where they sign in, and only domains that you have claimed count.</p>
      </Callout>
    );
  }
  return (
    <Card
      title="Your email domains"
      description={
        <>
          Claim them, and prove them by DNS, under{" "}
          <Link to={appPaths.domains} className="text-accent-text underline underline-offset-2">
            Email domains
          </Link>
          .
        </>
      }
    >
      <ul className="grid gap-3">
        {domains.map(({ domain, state, isProved }) => (
          <li key={domain} className="grid gap-1">
            <span className="flex flex-wrap items-center gap-2 font-medium">
              {domain}
              {state === "open" && <Badge tone="verified">{isProved ? "Proved by DNS" : "Usable"}</Badge>}
              {state === "shared" && <Badge tone="pending">Shared</Badge>}
              {state === "taken" && <Badge tone="review">Not usable</Badge>}
            </span>
            <span className="text-ink-soft text-sm">{DOMAIN_STATES[state]}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

type Answered = { view: View; answer?: FormAnswer };

/** Proves the account again before changing who can sign in. */
function Proof({ asksCode }: Pick<View, "asksCode">) {
  return (
    <>
      <CurrentPasswordField />
      {asksCode && <CodeField />}
    </>
  );
}

function ProviderCard({ view, answer }: Answered) {
  const { settings } = view;
  return (
    <Card
      title="Provider"
      description="Register PayeeProof there as a web application with the redirect address below, and copy what it gives you."
      more="It has to send the scopes openid, email and profile, and say that the address is verified: for Entra ID, add the optional claims email and xms_edov to the ID token."
    >
      <dl className="grid gap-4">
        <Copied label="Redirect address">{view.returnUrl}</Copied>
      </dl>
      <PostForm
        intent="provider"
        idPrefix="provider"
        answer={answer}
        values={{ issuer: settings?.issuer ?? "", clientId: settings?.clientId ?? "" }}
        className="mt-5 grid max-w-xl gap-5"
      >
        <TextInput
          name="issuer"
          label="Issuer"
          type="url"
          hint="Another issuer unlinks every account."
          more="Such as https://login.microsoftonline.com/your-tenant-id/v2.0, https://accounts.google.com or https://your-company.okta.com."
          required
          autoComplete="off"
        />
        <TextInput name="clientId" label="Client id" required autoComplete="off" />
        <TextInput
          name="clientSecret"
          label="Client secret"
          type="password"
          hint={
            settings
              ? "Kept encrypted, and never shown. Leave it empty to keep the one that is set."
              : "Kept encrypted, and never shown."
          }
          required={!settings}
          autoComplete="off"
        />
        <Proof asksCode={view.asksCode} />
        <div>
          <SubmitButton pendingText="Saving...">Save the provider</SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

function TestCard({ testedOn }: { testedOn: string | null }) {
  return (
    <Card
      title="Test"
      description="Sign in there with your own account. Nobody else can use the provider before this has worked."
    >
      <p className="text-base">
        {testedOn === null ? "Not tested with these settings yet." : `It worked on ${testedOn}.`}
      </p>
      <Form method="post" className="mt-4">
        <HiddenFields values={{ intent: "test" }} />
        <SubmitButton variant="secondary" pendingText="Going there...">
          Test with your own account
        </SubmitButton>
      </Form>
    </Card>
  );
}

const MODES: readonly { value: SingleSignOnMode; label: string; hint: string }[] = [
  {
    value: "off",
    label: "Off",
    hint: "Everyone signs in with their password or passkey. Sessions that were started through the provider are ended.",
  },
  { value: "allowed", label: "Allow", hint: "People can sign in with your company, or as they do now." },
  {
    value: "required",
    label: "Require",
    hint: "People with an address in your domains sign in with your company only. Passwords and passkeys no longer work, except for two administrators.",
  },
];

function ModeCard({ view, mode, answer }: Answered & { mode: SingleSignOnMode }) {
  const { admins, settings } = view;
  const [one, two] = admins.filter(({ hasEmergencySignIn }) => hasEmergencySignIn);
  const options = admins.map(({ userId, name }) => ({ value: userId, label: name }));
  const values = {
    mode,
    newcomerRole: settings?.newcomerRole ?? "read_only",
    wayInOne: one?.userId ?? "",
    wayInTwo: two?.userId ?? "",
  };
  return (
    <Card
      title="Who signs in there"
      description={`${view.linked === 1 ? "1 account is" : `${view.linked} accounts are`} linked. People who already have an account enter its password once to link it.`}
      more="A session lasts an hour; then the provider is asked again. API tokens of people who leave keep working until they expire, are revoked, or your directory ends the person's access."
    >
      {mode === "required" && !two && (
        <Callout tone="warning" title="Fewer than two administrators can sign in without the provider" className="mb-5">
          <p>Name two, so that your organisation can be reached while the provider is down.</p>
        </Callout>
      )}
      <PostForm intent="mode" idPrefix="mode" answer={answer} values={values} className="grid max-w-xl gap-5">
        <RadioGroup name="mode" label="Sign-in with your company" look="cards" required options={MODES} />
        <Select
          name="newcomerRole"
          label="Role of people who join this way"
          required
          options={[
            { value: "read_only", label: "Read-only" },
            { value: "member", label: "Member" },
          ]}
        />
        <Select
          name="wayInOne"
          label="First administrator who may sign in without the provider"
          hint="For when the provider is down. The other administrators are told at once of each such sign-in."
          placeholder="Nobody"
          options={options}
          showOptional={false}
        />
        <Select
          name="wayInTwo"
          label="Second administrator who may sign in without the provider"
          placeholder="Nobody"
          options={options}
          showOptional={false}
        />
        <Proof asksCode={view.asksCode} />
        <div>
          <SubmitButton pendingText="Saving...">Save sign-in</SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

/** SCIM: the organisation's directory manages its people. */
function DirectoryCard({ view, answer }: Answered) {
  return (
    <Card
      title="Directory (SCIM 2.0)"
      description="Your directory adds people. When somebody leaves, it ends their access, sessions and API tokens at once."
      more="Nobody is deleted, and the audit trail stays whole. It cannot lock out the last administrator, or the two who may sign in without the provider: you are told instead."
    >
      <dl className="grid gap-4">
        <Copied label="Address">{view.scimUrl}</Copied>
      </dl>
      <h3 className="mt-5 font-medium text-base">Tokens</h3>
      {view.tokens.length === 0 ? (
        <p className="mt-1 text-base text-ink-soft">None yet.</p>
      ) : (
        <ul className="mt-2 grid gap-3">
          {view.tokens.map((token) => (
            <li key={token.id} className="flex flex-wrap items-center justify-between gap-3">
              <p className="text-base">
                Ends in <code>{token.hint}</code>. Made {token.created},{" "}
                {token.isExpired ? "expired on" : "works until"} {token.expires},{" "}
                {token.lastUsed ? (
                  <>
                    last used <Time {...token.lastUsed} />
                  </>
                ) : (
                  "never used"
                )}
                .
              </p>
              <Form method="post">
                <HiddenFields values={{ intent: "revoke" }} />
                <SubmitButton name="tokenId" value={token.id} variant="quiet" size="sm" pendingText="Revoking...">
                  Revoke<span className="sr-only"> the token that ends in {token.hint}</span>
                </SubmitButton>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <PostForm intent="token" idPrefix="token" answer={answer} className="mt-5 grid max-w-xl gap-5">
        <Proof asksCode={view.asksCode} />
        <div>
          <SubmitButton variant="secondary" pendingText="Making...">
            Create a token
          </SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

/** Shown once. */
function NewToken({ token }: { token: string }) {
  return (
    <Callout tone="warning" role="status" title="Copy the token now: it is not shown again">
      <p className="mt-2 break-all rounded-base bg-surface px-3 py-2 border border-line">
        <code>{token}</code>
      </p>
      <p className="mt-2">Give it to your directory as the secret token, and protect it like a password.</p>
    </Callout>
  );
}
