import type { Grants } from "../accounting/grants";
import { html, page } from "../html";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import type { XeroState } from "./state";

export const XERO_CLIENT_ID = "xero-simulator";

/** What an app of 2026 may ask for: the older, wider scopes are refused (apps created from 2 March 2026). */
const SCOPES = new Set([
  "openid",
  "profile",
  "email",
  "offline_access",
  "accounting.contacts",
  "accounting.contacts.read",
  "accounting.invoices",
  "accounting.invoices.read",
  "accounting.payments",
  "accounting.payments.read",
  "accounting.settings.read",
]);

const oauthError = (error: string, status = 400) => Response.json({ error }, { status });

/** The consent page and the token endpoints. */
export function identityRoutes(state: XeroState, context: SimulatorContext, grants: Grants): Route[] {
  return [...consentRoutes(state, context, grants), ...tokenRoutes(state, context, grants)];
}

/** A word where the app asks wrongly: such a request never goes back to the app. */
function problemOf(query: URLSearchParams, appOrigin: string): string | undefined {
  if (query.get("response_type") !== "code") return "unsupported_response_type";
  if (query.get("client_id") !== XERO_CLIENT_ID) return "unauthorized_client";
  if (!(query.get("redirect_uri") ?? "").startsWith(`${appOrigin}/`)) return "invalid redirect_uri";
  const asked = (query.get("scope") ?? "").split(" ").filter(Boolean);
  const unknown = asked.filter((scope) => !SCOPES.has(scope));
  if (asked.length === 0 || unknown.length > 0) return `invalid_scope ${unknown.join(" ")}`;
  if (query.has("code_challenge") && query.get("code_challenge_method") !== "S256") return "invalid_request";
  return undefined;
}

const askedWrongly = (problem: string) => page("Xero: the app asked wrongly", html`<p>${problem}</p>`, 400);

function consentRoutes(state: XeroState, context: SimulatorContext, grants: Grants): Route[] {
  function consentPage({ url: { searchParams: query } }: SimulatedCall): Response {
    const problem = problemOf(query, context.appOrigin);
    if (problem) return askedWrongly(problem);
    const scopes = (query.get("scope") ?? "").split(" ");
    const choices = state.tenants.map(
      (tenant, index) =>
        html`<label><input type="checkbox" name="tenantId" value="${tenant.tenantId}"${index === 0 ? html` checked` : undefined}> ${tenant.name}</label>`,
    );
    return page(
      "Xero: allow access",
      html`<p>PayeeProof wants access to your data in Xero:</p><ul>${scopes.map((scope) => html`<li>${scope}</li>`)}</ul>
<form method="post" action="/xero/authorize?${query.toString()}"><fieldset><legend>Organisations</legend>${choices}</fieldset>
<button name="answer" value="allow">Allow access</button> <button name="answer" value="cancel" class="quiet">Cancel</button></form>`,
    );
  }

  function answerConsent({ url: { searchParams: query }, body }: SimulatedCall): Response {
    const problem = problemOf(query, context.appOrigin);
    if (problem) return askedWrongly(problem);
    const form = new URLSearchParams(body);
    const redirectUri = query.get("redirect_uri") ?? "";
    const back = new URL(redirectUri);
    back.searchParams.set("state", query.get("state") ?? "");
    const ledgerIds = form.getAll("tenantId").filter((id) => state.tenants.some(({ tenantId }) => tenantId === id));
    if (form.get("answer") !== "allow" || ledgerIds.length === 0) back.searchParams.set("error", "access_denied");
    else {
      const scopes = (query.get("scope") ?? "").split(" ");
      const challenge = query.get("code_challenge");
      back.searchParams.set("code", grants.authorise({ scopes, ledgerIds, redirectUri, challenge }));
    }
    return new Response(null, { status: 302, headers: { location: back.toString() } });
  }

  return [route("GET", "/authorize", consentPage), route("POST", "/authorize", answerConsent)];
}

function tokenRoutes(state: XeroState, context: SimulatorContext, grants: Grants): Route[] {
  const isClient = ({ request }: SimulatedCall) =>
    request.headers.get("authorization") === `Basic ${btoa(`${XERO_CLIENT_ID}:${context.secrets.xeroClientSecret}`)}`;

  async function token(call: SimulatedCall): Promise<Response> {
    if (!isClient(call)) return oauthError("invalid_client");
    const form = new URLSearchParams(call.body);
    const grantType = form.get("grant_type");
    if (grantType !== "authorization_code" && grantType !== "refresh_token")
      return oauthError("unsupported_grant_type");
    const answer =
      grantType === "refresh_token" ? grants.refresh(form.get("refresh_token") ?? "") : await grants.exchange(form);
    if (!answer) return oauthError("invalid_grant");
    const { grant, ...tokens } = answer;
    if (grantType === "authorization_code") connect(grant.id, grant.ledgerIds);
    return Response.json({ ...tokens, token_type: "Bearer", scope: grant.scopes.join(" ") });
  }

  function connect(grantId: string, tenantIds: readonly string[]): void {
    for (const tenantId of tenantIds) {
      state.connections.push({ id: context.randomId(), grantId, tenantId, createdAt: context.now() });
    }
    context.save();
  }

  function revoke(call: SimulatedCall): Response {
    if (!isClient(call)) return oauthError("invalid_client");
    const refreshToken = new URLSearchParams(call.body).get("token") ?? "";
    const grantId = state.refresh[refreshToken]?.grantId;
    grants.revokeBy(refreshToken);
    state.connections = state.connections.filter((connection) => connection.grantId !== grantId);
    context.save();
    return new Response(null, { status: 200 });
  }

  return [route("POST", "/identity/connect/token", token), route("POST", "/identity/connect/revocation", revoke)];
}
