import { html, type Markup, page } from "../html";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import type { Grants, TokenAnswer } from "./grants";

/** What one accounting system requires of an app, and of the person who connects it. */
type Consent = {
  name: string;
  /** Where its consent page is, below its own path, and from the root. */
  path: string;
  address: string;
  clientId: string;
  /** Scopes that an app may request today; older, wider scopes are refused. */
  scopes: ReadonlySet<string>;
  /** Returns another reason to refuse the request, as an error code. */
  refuse(query: URLSearchParams): string | undefined;
  /** The field of the form that names organisations there, the ids of those there are, and how they are chosen. */
  field: string;
  ids(): string[];
  choices(): Markup;
  /** Parameters that go back to the app besides the code. */
  goBack?(back: URL, ledgerIds: readonly string[]): void;
};

export const oauthError = (error: string) => Response.json({ error }, { status: 400 });

/** The consent page. An invalid request is never redirected back to the app. */
export function consentRoutes(context: SimulatorContext, grants: Grants, consent: Consent): Route[] {
  const { name, path, address, clientId, scopes, field } = consent;

  function problemOf(query: URLSearchParams): string | undefined {
    if (query.get("response_type") !== "code") return "unsupported_response_type";
    if (query.get("client_id") !== clientId) return "unauthorized_client";
    if (!(query.get("redirect_uri") ?? "").startsWith(`${context.appOrigin}/`)) return "invalid redirect_uri";
    const asked = (query.get("scope") ?? "").split(" ").filter(Boolean);
    const unknown = asked.filter((scope) => !scopes.has(scope));
    if (asked.length === 0 || unknown.length > 0) return `invalid_scope ${unknown.join(" ")}`;
    return consent.refuse(query);
  }

  /** Throws a page that says what is wrong with the app's request. */
  function asked({ url: { searchParams: query } }: SimulatedCall): URLSearchParams {
    const problem = problemOf(query);
    if (problem) throw page(`${name}: the app's request is wrong`, html`<p>${problem}</p>`, 400);
    return query;
  }

  function ask(call: SimulatedCall): Response {
    const query = asked(call);
    const wanted = (query.get("scope") ?? "").split(" ").map((scope) => html`<li>${scope}</li>`);
    return page(
      `${name}: allow access`,
      html`<p>PayeeProof wants access to your data in ${name}:</p><ul>${wanted}</ul>
<form method="post" action="${address}?${query.toString()}">${consent.choices()}
<button name="answer" value="allow">Allow access</button> <button name="answer" value="cancel" class="quiet">Cancel</button></form>`,
    );
  }

  function answer(call: SimulatedCall): Response {
    const query = asked(call);
    const form = new URLSearchParams(call.body);
    const redirectUri = query.get("redirect_uri") ?? "";
    const back = new URL(redirectUri);
    back.searchParams.set("state", query.get("state") ?? "");
    const known = consent.ids();
    const ledgerIds = form.getAll(field).filter((id) => known.includes(id));
    if (form.get("answer") !== "allow" || ledgerIds.length === 0) back.searchParams.set("error", "access_denied");
    else {
      const given = { scopes: (query.get("scope") ?? "").split(" "), challenge: query.get("code_challenge") };
      back.searchParams.set("code", grants.authorise({ ...given, ledgerIds, redirectUri }));
      consent.goBack?.(back, ledgerIds);
    }
    return new Response(null, { status: 302, headers: { location: back.toString() } });
  }

  return [route("GET", path, ask), route("POST", path, answer)];
}

/** Issues tokens for a code or a refresh token. Throws the refusal of anything else. */
export async function exchangeTokens(grants: Grants, form: URLSearchParams): Promise<TokenAnswer> {
  const isRefresh = form.get("grant_type") === "refresh_token";
  if (!isRefresh && form.get("grant_type") !== "authorization_code") throw oauthError("unsupported_grant_type");
  const answer = await (isRefresh ? grants.refresh(form.get("refresh_token") ?? "") : grants.exchange(form));
  if (!answer) throw oauthError("invalid_grant");
  return answer;
}
