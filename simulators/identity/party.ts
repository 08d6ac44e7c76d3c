import { html, page, seeOther } from "../html";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, type Route, route } from "../routes";
import { directoryRoutes } from "./directory";
import { createSigner, type Lie } from "./tokens";

/** How each provider reports that an address is verified, and where: in the token, or at the userinfo endpoint. */
const TENANTS = {
  microsoft: { name: "Microsoft Entra ID", verified: { xms_edov: true }, unverified: {}, isThin: false },
  google: { name: "Google", verified: { email_verified: true }, unverified: { email_verified: false }, isThin: false },
  okta: { name: "Okta", verified: { email_verified: true }, unverified: { email_verified: false }, isThin: true },
} as const;
type Tenant = keyof typeof TENANTS;

export const CLIENT_ID = "payeeproof";
export const CLIENT_SECRET = "simulated-client-secret";

const LIES: Readonly<Record<Lie, string>> = {
  none: "The truth",
  unverified: "The address is not verified",
  other_issuer: "A token of another issuer",
  mixed_up: "An answer that names another issuer (RFC 9207)",
  wrong_nonce: "A nonce of another sign-in",
  wrong_audience: "A token for another application",
  other_party: "A token that another party asked for (azp)",
  two_audiences: "A token for several applications, asked for by nobody in particular",
  unsigned: "A token without a signature (alg none)",
  own_secret: "A token signed with the client secret (HS256)",
  unknown_key: "A token signed with a key that nobody knows",
  expired: "A token that expired an hour ago",
};

type Person = {
  email: string;
  sub: string;
  firstName: string;
  lastName: string;
  isRemoved: boolean;
  usesTwoFactors: boolean;
};

type State = {
  people: Record<string, Record<string, Person>>;
  codes: Record<
    string,
    { tenant: Tenant; email: string; lie: Lie; nonce: string; challenge: string; redirectUri: string }
  >;
  /** Access tokens and their users. */
  tokens: Record<string, { tenant: Tenant; email: string; lie: Lie }>;
};

const isTenant = (text: string | undefined): text is Tenant => text !== undefined && Object.hasOwn(TENANTS, text);
const isLie = (text: string): text is Lie => Object.hasOwn(LIES, text);

const refused = (error: string, status = 400) => Response.json({ error }, { status });

/** A session at the provider: whoever signed in there last in this browser. */
const cookieOf = ({ request }: SimulatedCall, tenant: Tenant): string | undefined => {
  const found = new RegExp(`(?:^|; )idp-${tenant}=([^;]*)`).exec(request.headers.get("cookie") ?? "");
  return found?.[1] ? decodeURIComponent(found[1]) : undefined;
};

/** The state that all parts of the providers share. */
type Providers = ReturnType<typeof createProviders>;

function createProviders(context: SimulatorContext) {
  const state = context.slice<State>("identity", () => ({ people: {}, codes: {}, tokens: {} }));
  return {
    context,
    state,
    signer: createSigner(context),
    issuerOf: (tenant: Tenant) => `${context.publicOrigin}/identity/${tenant}`,
    peopleOf(tenant: Tenant) {
      state.people[tenant] ??= {};
      return state.people[tenant];
    },
  };
}

type Answer = (call: SimulatedCall, tenant: Tenant) => Response | Promise<Response>;

const at = (method: string, below: string, run: Answer): Route =>
  route(method, `/:tenant${below}`, (call, { tenant }) =>
    isTenant(tenant) ? run(call, tenant) : refused("not_found", 404),
  );

/** The pages at which a person signs in, and the way back to the app. */
function signInRoutes({ context, state, issuerOf, peopleOf }: Providers): Route[] {
  function back(query: URLSearchParams, tenant: Tenant, given: Record<string, string>, headers: HeadersInit = {}) {
    const url = new URL(query.get("redirect_uri") ?? "");
    const answer = { ...given, state: query.get("state") ?? "", ...(given.iss ? {} : { iss: issuerOf(tenant) }) };
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
    return new Response(null, { status: 302, headers: { ...headers, location: url.href } });
  }

  /** Checks the app's request; an invalid one is never redirected back to the app. */
  function problemOf(query: URLSearchParams): string | undefined {
    if (query.get("client_id") !== CLIENT_ID) return "unknown client_id";
    if (query.get("response_type") !== "code") return "unsupported response_type";
    if (!(query.get("redirect_uri") ?? "").startsWith(`${context.appOrigin}/auth/company/`))
      return "redirect_uri is not registered";
    if (query.get("code_challenge_method") !== "S256" || !query.get("code_challenge"))
      return "code_challenge is needed";
    return (query.get("scope") ?? "").split(" ").includes("openid") ? undefined : "the scope openid is needed";
  }

  function admit(query: URLSearchParams, tenant: Tenant, { email }: Person, lie: Lie) {
    const code = context.randomId();
    state.codes[code] = {
      tenant,
      email,
      lie,
      nonce: query.get("nonce") ?? "",
      challenge: query.get("code_challenge") ?? "",
      redirectUri: query.get("redirect_uri") ?? "",
    };
    context.save();
    const cookie = `idp-${tenant}=${encodeURIComponent(email)}; Path=/identity; HttpOnly; SameSite=Lax`;
    const given: Record<string, string> = lie === "mixed_up" ? { iss: "https://another-provider.example" } : {};
    return back(query, tenant, { code, ...given }, { "set-cookie": cookie });
  }

  function ask(call: SimulatedCall, tenant: Tenant): Response {
    const query = call.url.searchParams;
    const problem = problemOf(query);
    if (problem) return page("The app asked wrongly", html`<p>${problem}</p>`, 400);
    const signedIn = cookieOf(call, tenant);
    const person = signedIn === undefined ? undefined : peopleOf(tenant)[signedIn];
    if (query.get("prompt") === "none") {
      return person && !person.isRemoved
        ? admit(query, tenant, person, "none")
        : back(query, tenant, { error: "login_required" });
    }
    return signInPage(tenant, query, person);
  }

  function answer(call: SimulatedCall, tenant: Tenant): Response {
    const query = call.url.searchParams;
    if (problemOf(query)) return refused("invalid_request");
    const form = new URLSearchParams(call.body);
    if (form.get("answer") === "cancel") return back(query, tenant, { error: "access_denied" });
    const email = (form.get("email") ?? "").trim().toLowerCase();
    const people = peopleOf(tenant);
    const known = people[email];
    if (known?.isRemoved) return page("Signed out", html`<p>${email} has been removed from the company.</p>`, 403);
    const person = {
      email,
      sub: form.get("sub") || (known?.sub ?? context.randomId()),
      firstName: form.get("firstName") ?? "",
      lastName: form.get("lastName") ?? "",
      isRemoved: false,
      usesTwoFactors: form.get("usesTwoFactors") === "on",
    };
    people[email] = person;
    const lie = form.get("lie") ?? "";
    return admit(query, tenant, person, isLie(lie) ? lie : "none");
  }

  return [at("GET", "/authorize", ask), at("POST", "/authorize", answer)];
}

function signInPage(tenant: Tenant, query: URLSearchParams, person?: Person): Response {
  const lies = Object.entries(LIES).map(([value, text]) => html`<option value="${value}">${text}</option>`);
  const email = query.get("login_hint") ?? person?.email ?? "";
  return page(
    `${TENANTS[tenant].name}: sign in`,
    html`<form method="post" action="/identity/${tenant}/authorize?${query.toString()}">
<p><label>Email <input name="email" type="email" value="${email}" required></label></p>
<p><label>First name <input name="firstName" value="${person?.firstName ?? "Mira"}"></label> <label>Last name <input name="lastName" value="${person?.lastName ?? "Okafor"}"></label></p>
<p><label><input type="checkbox" name="usesTwoFactors"> With a second factor</label></p>
<p><label>What the provider says <select name="lie">${lies}</select></label></p>
<p><button name="answer" value="allow">Sign in</button> <button name="answer" value="cancel" class="quiet">Cancel</button></p></form>`,
  );
}

function claimsOf(tenant: Tenant, { email, firstName, lastName }: Person, lie: Lie) {
  const { verified, unverified } = TENANTS[tenant];
  const names = { name: `${firstName} ${lastName}`.trim(), given_name: firstName, family_name: lastName };
  return { email, ...names, ...(lie === "unverified" ? unverified : verified) };
}

/** The endpoints that the app itself calls: metadata, keys, tokens and userinfo. */
function tokenRoutes({ context, state, signer, issuerOf, peopleOf }: Providers): Route[] {
  function document(tenant: Tenant): Response {
    const issuer = issuerOf(tenant);
    return Response.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["pairwise"],
      id_token_signing_alg_values_supported: ["RS256", "none", "HS256"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    });
  }

  async function token(call: SimulatedCall, tenant: Tenant): Promise<Response> {
    const form = new URLSearchParams(call.body);
    const [, basic = ""] = /^Basic (.+)$/.exec(call.request.headers.get("authorization") ?? "") ?? [];
    const given = basic
      ? atob(basic).split(":").map(decodeURIComponent).join(":")
      : `${form.get("client_id")}:${form.get("client_secret")}`;
    if (given !== `${CLIENT_ID}:${CLIENT_SECRET}`) return refused("invalid_client", 401);
    const code = form.get("code") ?? "";
    const grant = state.codes[code];
    delete state.codes[code];
    const verifier = new TextEncoder().encode(form.get("code_verifier") ?? "");
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", verifier)).toString("base64url");
    const isRight =
      grant?.tenant === tenant && grant.redirectUri === form.get("redirect_uri") && grant.challenge === digest;
    const person = isRight ? peopleOf(tenant)[grant.email] : undefined;
    if (!grant || !person) return refused("invalid_grant");
    const access_token = context.randomId();
    state.tokens[access_token] = { tenant, email: person.email, lie: grant.lie };
    context.save();
    const { isThin } = TENANTS[tenant];
    const id_token = await signer.idToken(tenant, grant.lie, {
      iss: issuerOf(tenant),
      aud: CLIENT_ID,
      sub: person.sub,
      nonce: grant.nonce,
      ...(person.usesTwoFactors ? { amr: ["pwd", "mfa"] } : {}),
      ...(isThin ? {} : claimsOf(tenant, person, grant.lie)),
    });
    return Response.json({
      access_token,
      id_token,
      token_type: "Bearer",
      expires_in: 3600,
      scope: "openid email profile",
    });
  }

  function userinfo({ request }: SimulatedCall, tenant: Tenant): Response {
    const [, given = ""] = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
    const found = state.tokens[given];
    const person = found?.tenant === tenant ? peopleOf(tenant)[found.email] : undefined;
    if (!found || !person) return refused("invalid_token", 401);
    return Response.json({ sub: person.sub, ...claimsOf(tenant, person, found.lie) });
  }

  return [
    at("GET", "/.well-known/openid-configuration", (_call, tenant) => document(tenant)),
    at("GET", "/keys", async (_call, tenant) => Response.json(await signer.keys(tenant))),
    at("POST", "/token", token),
    at("GET", "/userinfo", userinfo),
  ];
}

/** Who has signed in, and a company's actions on its people. */
function pageRoutes({ context, signer, issuerOf, peopleOf }: Providers): Route[] {
  function front(): Response {
    const tenants = (Object.keys(TENANTS) as Tenant[]).map((tenant) => {
      const rows = Object.values(peopleOf(tenant)).map(
        ({ email, isRemoved }) =>
          html`<tr><td>${email}</td><td>${isRemoved ? "removed" : "there"}</td><td><form method="post" action="/identity/${tenant}/people"><input type="hidden" name="email" value="${email}"><button name="intent" value="${isRemoved ? "restore" : "remove"}" class="quiet">${isRemoved ? "Put back" : "Remove from the company"}</button></form></td></tr>`,
      );
      return html`<h2>${TENANTS[tenant].name}</h2><p>Issuer: <code>${issuerOf(tenant)}</code></p>
<form method="post" action="/identity/${tenant}/rotate"><button class="quiet">Change its keys</button></form>
<table><tbody>${rows}</tbody></table>`;
    });
    return page(
      "Identity providers",
      html`<p>Client id <code>${CLIENT_ID}</code>, client secret <code>${CLIENT_SECRET}</code>. <a href="/identity/directory">Play the directory (SCIM)</a></p>${tenants}`,
    );
  }

  function changePerson(call: SimulatedCall, tenant: Tenant): Response {
    const form = new URLSearchParams(call.body);
    const person = peopleOf(tenant)[form.get("email") ?? ""];
    if (person) person.isRemoved = form.get("intent") === "remove";
    context.save();
    return seeOther("/identity");
  }

  async function rotate(_call: SimulatedCall, tenant: Tenant): Promise<Response> {
    await signer.rotate(tenant);
    return seeOther("/identity");
  }

  return [route("GET", "", front), at("POST", "/people", changePerson), at("POST", "/rotate", rotate)];
}

/** Microsoft, Google and Okta, and whoever signs in there, including false claims. */
export function identityParty(context: SimulatorContext): Party {
  const providers = createProviders(context);
  return {
    name: "identity",
    links: [{ href: "/identity", text: "Sign-in at a company's provider: Microsoft, Google and Okta, lies included" }],
    isAppCall: ({ path }) => /\/(\.well-known\/openid-configuration|token|keys|userinfo)$/.test(path),
    app: createRoutes(
      [...directoryRoutes(context), ...pageRoutes(providers), ...tokenRoutes(providers), ...signInRoutes(providers)],
      () => refused("not_found", 404),
    ),
    errorAnswer: (status) => refused("temporarily_unavailable", status),
    summarise: ({ path }) => (path.endsWith("/token") ? "(a secret)" : ""),
  };
}
