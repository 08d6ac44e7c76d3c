import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { ProfileFrame } from "~/components/profile/profile-frame";
import { TokenForm } from "~/components/profile/token-form";
import { NewToken, TokenList } from "~/components/profile/token-list";
import { Callout } from "~/components/ui/callout";
import { newTokenCookie } from "~/http/account-cookies.server";
import { check, readForm } from "~/http/body.server";
import { toAppError } from "~/http/errors.server";
import { setFlash } from "~/http/flash.server";
import { answerForm } from "~/http/form-action.server";
import { asMember, requirePerson } from "~/http/guards.server";
import { type PageArgs, page } from "~/http/page.server";
import type { Person } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { apiTokenSchema } from "~/modules/identity/account.schema.server";
import { createApiToken, revokeApiToken } from "~/modules/identity/api-tokens/api-token.commands.server";
import { listApiTokens } from "~/modules/identity/api-tokens/api-token.queries.server";

const HERE = "/profile/tokens";

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
  const form = await readForm(scope.request);
  try {
    return form.get("intent") === "revoke" ? await revoke(scope, person, form) : await create(scope, person, form);
  } catch (error) {
    return answerForm(form, toAppError(error, scope.services.log), "No token was made");
  }
});

async function create({ services }: PageArgs, person: Person, form: FormData) {
  if (person.organizationId === null) {
    throw new AppError("ORGANIZATION_REQUIRED", 403, "Join or create an organisation first.");
  }
  const input = check(apiTokenSchema, { ...Object.fromEntries(form), scopes: form.getAll("scopes") });
  const { token } = await createApiToken(services, asMember(person), input);
  const kept = await newTokenCookie.keep(services, { userId: person.userId, name: input.name, token });
  return redirect(HERE, { status: 303, headers: { "Set-Cookie": kept } });
}

async function revoke({ services }: PageArgs, person: Person, form: FormData) {
  await revokeApiToken(services, person, { tokenId: String(form.get("tokenId") ?? "") });
  const flash = await setFlash(services, { tone: "success", title: "Token revoked" });
  return redirect(HERE, { status: 303, headers: { "Set-Cookie": flash } });
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
        <Callout tone="info" title="A token is made for an organisation">
          <p>You can make one as soon as you belong to one.</p>
        </Callout>
      )}
    </ProfileFrame>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Your Profile" />;
}
