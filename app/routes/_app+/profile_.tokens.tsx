import { data } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CurrentPasswordField } from "~/components/accounts/identity/proof-fields";
import { ProfileFrame } from "~/components/accounts/profile/profile-frame";
import { CheckboxGroup } from "~/components/forms/checkbox-group";
import { Select, TextInput } from "~/components/forms/fields";
import { Form, type FormAnswer, HiddenFields, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { ListCard } from "~/components/tables/list-card";
import { Badge, Callout } from "~/components/ui/elements";
import { Card, named, Time } from "~/components/ui/page-parts";
import { check } from "~/http/body.server";
import { newTokenCookie } from "~/http/cookies.server";
import {
  type Accepted,
  asMember,
  formAction,
  type PageArgs,
  page,
  requirePerson,
  withStepUp,
} from "~/http/page.server";
import { AppError } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { API_SCOPES, API_TOKEN_LIFETIMES, type ApiTokenView } from "~/modules/accounts/identity/api-token";
import {
  apiTokenSchema,
  createApiToken,
  listApiTokens,
  revokeApiToken,
} from "~/modules/accounts/identity/api-token.server";
import type { Person } from "~/services-and-actor";

const LIFETIMES = API_TOKEN_LIFETIMES.map((days) => ({
  value: String(days),
  label: days === 0 ? "Until I revoke it" : `${days} days`,
}));

/** Creates an API token for the person's current organisation. */
function TokenForm({ organizationName, answer }: { organizationName: string; answer?: FormAnswer }) {
  return (
    <Card
      title="New API token"
      description={`For scripts and integrations. It acts in your name at ${organizationName}, with the role you have there.`}
    >
      <PostForm intent="create" answer={answer} values={{ lifetimeDays: "90" }} className="grid max-w-lg gap-5">
        <TextInput
          name="name"
          label="Name"
          hint="What it is for, such as the nightly import"
          required
          maxLength={60}
          autoComplete="off"
        />
        <CheckboxGroup name="scopes" label="What it may do" options={SCOPES} />
        <Select name="lifetimeDays" label="Expires after" required options={LIFETIMES} />
        <CurrentPasswordField />
        <div>
          <SubmitButton pendingText="Making...">Create the token</SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

const SCOPES = Object.entries(API_SCOPES).map(([value, words]) => ({
  value,
  label: (
    <>
      {words} <code className="text-ink-soft text-sm">{value}</code>
    </>
  ),
}));

const HERE = appPaths.tokens;

export const { meta, ErrorBoundary } = named("API tokens", "Error Loading Your Profile");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, request } = scope;
  const person = await requirePerson(scope);
  const [tokens, fresh] = await Promise.all([listApiTokens(services, person), newTokenCookie.read(services, request)]);
  const organizationName = person.status === "active" ? person.organizationName : null;
  const made = fresh?.userId === person.userId ? { name: fresh.name, token: fresh.token } : null;
  const body = { tokens, made, organizationName };
  return data(body, fresh ? { headers: { "Set-Cookie": await newTokenCookie.drop(services) } } : {});
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  return formAction(
    scope,
    (form) => (form.get("intent") === "revoke" ? revoke(scope, person, form) : create(scope, person, form)),
    { title: "No token was created" },
  );
});

export const clientAction = keepWhatWasTyped;

async function create(scope: PageArgs, person: Person, form: FormData): Promise<Accepted> {
  if (person.organizationId === null) {
    throw new AppError("ORGANIZATION_REQUIRED", "Join or create an organisation first.");
  }
  const { services } = scope;
  const input = check(apiTokenSchema, { ...Object.fromEntries(form), scopes: form.getAll("scopes") });
  // The token's calls need no second step, so creating it does.
  const actor = withStepUp(scope, asMember(person), "page");
  const { token } = await createApiToken(services, actor, input);
  const kept = await newTokenCookie.keep(services, { userId: person.userId, name: input.name, token });
  return { to: HERE, headers: { "Set-Cookie": kept } };
}

async function revoke({ services }: PageArgs, person: Person, form: FormData): Promise<Accepted> {
  await revokeApiToken(services, person, { tokenId: String(form.get("tokenId") ?? "") });
  return { to: HERE, flash: { tone: "success", title: "Token revoked" } };
}

export default function TokensPage() {
  const { tokens, made, organizationName } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <ProfileFrame>
      {made && <NewToken {...made} />}
      <TokenList tokens={tokens} />
      {organizationName ? (
        <TokenForm organizationName={organizationName} answer={answer} />
      ) : (
        <Callout tone="info" title="A token belongs to an organisation">
          <p>You can create one once you belong to an organisation.</p>
        </Callout>
      )}
    </ProfileFrame>
  );
}

/** A person's API tokens, without the tokens themselves. */
function TokenList({ tokens }: { tokens: ApiTokenView[] }) {
  return (
    <ListCard
      label="Your API tokens"
      title="Your API tokens"
      rows={tokens}
      itemClass="flex flex-wrap items-center justify-between gap-4 px-5 py-4"
      item={(token) => (
        <>
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-2 font-medium">
              {token.name}
              {token.isExpired && <Badge tone="neutral">Expired</Badge>}
            </p>
            <p className="break-words text-ink-soft text-sm">
              {token.organizationName}, ends in <code>{token.hint}</code>: {token.scopes.join(", ")}
            </p>
            <p className="text-ink-soft text-sm">
              Made {token.created}, {token.expires ? `works until ${token.expires}` : "works until revoked"},{" "}
              {token.lastUsed ? (
                <>
                  last used <Time {...token.lastUsed} />
                </>
              ) : (
                "never used"
              )}
            </p>
          </div>
          <Form method="post">
            <HiddenFields values={{ intent: "revoke" }} />
            <SubmitButton name="tokenId" value={token.id} variant="quiet" size="sm" pendingText="Revoking...">
              Revoke
              <span className="sr-only">{token.name}</span>
            </SubmitButton>
          </Form>
        </>
      )}
      empty={{
        icon: "key",
        title: "No API tokens",
        children: "You need one for scripts that use PayeeProof in your name.",
      }}
    />
  );
}

/** Shown once. */
function NewToken({ name, token }: { name: string; token: string }) {
  return (
    <Callout tone="warning" role="status" title={`Copy the token "${name}" now: it is not shown again`}>
      <p className="mt-2 break-all rounded-base bg-surface px-3 py-2 border border-line">
        <code>{token}</code>
      </p>
      <p className="mt-2">
        Send it with each call as <code>Authorization: Bearer</code> and protect it like a password.
      </p>
    </Callout>
  );
}
