import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ProfileFrame } from "~/components/accounts/profile/profile-frame";
import { TokenForm } from "~/components/accounts/profile/token-form";
import { NewToken, TokenList } from "~/components/accounts/profile/token-list";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { Callout } from "~/components/ui/callout";
import { newTokenCookie } from "~/http/account-cookies.server";
import { check } from "~/http/body.server";
import { type Accepted, formAction } from "~/http/form-action.server";
import { asMember, requirePerson } from "~/http/guards.server";
import { type PageArgs, page } from "~/http/page.server";
import type { Person } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { apiTokenSchema } from "~/modules/accounts/identity/account.server";
import { createApiToken, listApiTokens, revokeApiToken } from "~/modules/accounts/identity/api-tokens/api-token.server";

const HERE = appPaths.tokens;

export const meta: MetaFunction = (route) => [pageTitle(route, "API tokens")];

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

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

async function create({ services }: PageArgs, person: Person, form: FormData): Promise<Accepted> {
  if (person.organizationId === null) {
    throw new AppError("ORGANIZATION_REQUIRED", 403, "Join or create an organisation first.");
  }
  const input = check(apiTokenSchema, { ...Object.fromEntries(form), scopes: form.getAll("scopes") });
  const { token } = await createApiToken(services, asMember(person), input);
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

export function ErrorBoundary() {
  return <LoadError title="Error Loading Your Profile" />;
}
