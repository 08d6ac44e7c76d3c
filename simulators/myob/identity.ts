import type { Grants } from "../accounting/grants";
import { html, page } from "../html";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import type { MyobState } from "./state";

export const MYOB_CLIENT_ID = "myob-simulator";

/** What a key made after 12 March 2025 may ask for; the older scope of the whole company file is refused. */
const SCOPES = new Set([
  "sme-company-file",
  "sme-company-settings",
  "sme-contacts-supplier",
  "sme-contacts-customer",
  "sme-contacts-employee",
  "sme-purchases",
  "sme-banking",
  "sme-general-ledger",
  "sme-sales",
]);

const oauthError = (error: string) => Response.json({ error }, { status: 400 });

function problemOf(query: URLSearchParams, appOrigin: string): string | undefined {
  if (query.get("response_type") !== "code") return "unsupported_response_type";
  if (query.get("client_id") !== MYOB_CLIENT_ID) return "unauthorized_client";
  if (!(query.get("redirect_uri") ?? "").startsWith(`${appOrigin}/`)) return "invalid redirect_uri";
  if (query.get("prompt") !== "consent") return "prompt=consent is needed";
  const asked = (query.get("scope") ?? "").split(" ").filter(Boolean);
  return asked.length === 0 || asked.some((scope) => !SCOPES.has(scope)) ? "invalid_scope" : undefined;
}

const askedWrongly = (problem: string) => page("MYOB: the app asked wrongly", html`<p>${problem}</p>`, 400);

/** The consent page, on which an administrator picks one company file, and the token endpoint. */
export function identityRoutes(state: MyobState, context: SimulatorContext, grants: Grants): Route[] {
  function consentPage({ url: { searchParams: query } }: SimulatedCall): Response {
    const problem = problemOf(query, context.appOrigin);
    if (problem) return askedWrongly(problem);
    const choices = state.files.map(({ id, name }) => html`<option value="${id}">${name}</option>`);
    return page(
      "MYOB: allow access",
      html`<p>PayeeProof wants access to: ${query.get("scope") ?? ""}</p>
<form method="post" action="/myob/oauth2/account/authorize?${query.toString()}">
<label>Company file <select name="businessId">${choices}</select></label>
<button name="answer" value="allow">Allow access</button> <button name="answer" value="cancel" class="quiet">Deny</button></form>`,
    );
  }

  function answerConsent({ url: { searchParams: query }, body }: SimulatedCall): Response {
    const problem = problemOf(query, context.appOrigin);
    if (problem) return askedWrongly(problem);
    const form = new URLSearchParams(body);
    const redirectUri = query.get("redirect_uri") ?? "";
    const businessId = form.get("businessId") ?? "";
    const back = new URL(redirectUri);
    back.searchParams.set("state", query.get("state") ?? "");
    if (form.get("answer") !== "allow" || !state.files.some(({ id }) => id === businessId)) {
      back.searchParams.set("error", "access_denied");
    } else {
      const scopes = (query.get("scope") ?? "").split(" ");
      back.searchParams.set(
        "code",
        grants.authorise({ scopes, ledgerIds: [businessId], redirectUri, challenge: null }),
      );
      back.searchParams.set("businessId", businessId);
    }
    return new Response(null, { status: 302, headers: { location: back.toString() } });
  }

  async function token({ body }: SimulatedCall): Promise<Response> {
    const form = new URLSearchParams(body);
    const isClient =
      form.get("client_id") === MYOB_CLIENT_ID && form.get("client_secret") === context.secrets.myobClientSecret;
    if (!isClient) return oauthError("invalid_client");
    const isRefresh = form.get("grant_type") === "refresh_token";
    if (!isRefresh && form.get("grant_type") !== "authorization_code") return oauthError("unsupported_grant_type");
    const answer = isRefresh ? grants.refresh(form.get("refresh_token") ?? "") : await grants.exchange(form);
    if (!answer) return oauthError("invalid_grant");
    const { grant, expires_in, ...tokens } = answer;
    // MYOB writes the seconds as text.
    return Response.json({
      ...tokens,
      expires_in: String(expires_in),
      token_type: "bearer",
      scope: grant.scopes.join(" "),
    });
  }

  return [
    route("GET", "/oauth2/account/authorize", consentPage),
    route("POST", "/oauth2/account/authorize", answerConsent),
    route("POST", "/oauth2/v1/authorize", token),
  ];
}
