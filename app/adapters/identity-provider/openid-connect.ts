import * as oauth from "oauth4webapi";
import { readLimitedText } from "~/adapters/http-client";
import { UpstreamError } from "~/kernel/app-error";
import {
  type IdentityProvider,
  NotSignedIn,
  type ProviderAnswer,
  type ProviderAsking,
  type ProviderClient,
} from "~/ports/identity-provider";
import type { Clock } from "~/services-and-actor";
import { DEFAULT_TIMEOUT_MS, type Fetch, MAX_ANSWER_BYTES } from "../http-client";
import { findAddressProblem } from "../public-address";

export type OpenIdConnectOptions = {
  fetch: Fetch;
  clock: Clock;
  /** The resolver for `findAddressProblem`, because customers choose their provider's address. */
  resolverUrl: string;
  /** On a developer's machine and in tests: any address is allowed, even without TLS. */
  isLocal: boolean;
};

const PARTY = "identity provider";
const SCOPE = "openid email profile";

/** Asymmetric signatures (RFC 7518, RFC 8037): never "none", and no HMAC with our own secret. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA", "Ed25519"];

/** The tolerated clock difference. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** A provider names people in at most 255 characters (OpenID Connect Core, section 2). */
const MAX_SUBJECT_LENGTH = 255;

/** Errors of a sign-in without prompts (OpenID Connect Core, section 3.1.2.6). */
const ASKS_PERSON = new Set([
  "login_required",
  "interaction_required",
  "consent_required",
  "account_selection_required",
]);

/**
 * Any provider with a document at `/.well-known/openid-configuration`. The document and keys are fetched for each
 * sign-in, so that a changed key works at once.
 */
export function createOpenIdConnect(options: OpenIdConnectOptions): IdentityProvider {
  const { clock, isLocal } = options;

  function httpOf() {
    const signal = AbortSignal.timeout(DEFAULT_TIMEOUT_MS);
    return {
      [oauth.customFetch]: (url: string, init: RequestInit) => exchange(options, new Request(url, init), signal),
      [oauth.allowInsecureRequests]: isLocal,
    };
  }
  type Http = ReturnType<typeof httpOf>;

  async function discover(issuer: string, http: Http) {
    const url = new URL(issuer);
    const response = await oauth.discoveryRequest(url, http);
    const server = await oauth.processDiscoveryResponse(url, response);
    for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const)
      requireWebAddress(server[name]);
    const supported = server.id_token_signing_alg_values_supported ?? ["RS256"];
    const allowed = supported.filter((algorithm) => ALGORITHMS.includes(algorithm));
    if (allowed.length === 0) throw new NotSignedIn("not_trusted", "it does not sign with a key pair");
    return { ...server, id_token_signing_alg_values_supported: allowed };
  }

  function requireWebAddress(address: string | undefined): void {
    const protocol = address !== undefined && URL.canParse(address) ? new URL(address).protocol : undefined;
    if (protocol === "https:" || (isLocal && protocol === "http:")) return;
    throw new NotSignedIn("not_trusted", "its document lacks an address, or has one that is not https");
  }

  async function finish(
    { clientId, clientSecret, issuer }: ProviderClient,
    { state, nonce, codeVerifier, returnUrl }: ProviderAsking,
    query: URLSearchParams,
  ): Promise<ProviderAnswer> {
    const http = httpOf();
    const server = await discover(issuer, http);
    const skewMs = clock.now() - Date.now();
    const client: oauth.Client = {
      client_id: clientId,
      [oauth.clockSkew]: Math.round(skewMs / 1000),
      [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    };
    const code = oauth.validateAuthResponse(server, client, query, state);
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    // The secret is URL-encoded in the header (RFC 6749, section 2.3.1), which not every provider decodes.
    const proof = methods.includes("client_secret_post")
      ? oauth.ClientSecretPost(clientSecret)
      : oauth.ClientSecretBasic(clientSecret);
    const sent = await oauth.authorizationCodeGrantRequest(server, client, proof, code, returnUrl, codeVerifier, http);
    const checks = { expectedNonce: nonce, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, sent, checks);
    await oauth.validateApplicationLevelSignature(server, sent, http);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (!claims || claims.sub.length > MAX_SUBJECT_LENGTH) throw new NotSignedIn("not_trusted", "it names nobody");
    // The library only checks this for tokens with several audiences.
    if (claims.azp !== undefined && claims.azp !== clientId) {
      throw new NotSignedIn("not_trusted", "its token was made for another party");
    }
    const more = claims.email === undefined ? await askMore(server, client, tokens.access_token, claims.sub) : {};
    return toAnswer(server.issuer, { ...more, ...claims });

    /** Some providers keep the token small and give the rest at the userinfo endpoint. */
    async function askMore(at: oauth.AuthorizationServer, by: oauth.Client, accessToken: string, subject: string) {
      if (at.userinfo_endpoint === undefined) return {};
      requireWebAddress(at.userinfo_endpoint);
      const response = await oauth.userInfoRequest(at, by, accessToken, http);
      return oauth.processUserInfoResponse(at, by, subject, response);
    }
  }

  return {
    lookUp: (issuer) => naming(async () => (await discover(issuer, httpOf())).issuer),
    signInUrl: ({ issuer, clientId }, { state, nonce, codeVerifier, returnUrl }, { silently, email }) =>
      naming(async () => {
        const server = await discover(issuer, httpOf());
        const url = new URL(server.authorization_endpoint ?? "");
        const asked = {
          client_id: clientId,
          redirect_uri: returnUrl,
          response_type: "code",
          scope: SCOPE,
          state,
          nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: "S256",
          ...(silently ? { prompt: "none" } : {}),
          ...(email === undefined ? {} : { login_hint: email }),
        };
        for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
        return url.href;
      }),
    readAnswer: (client, asking, query) => naming(() => finish(client, asking, query)),
  };
}

async function exchange(options: OpenIdConnectOptions, request: Request, signal: AbortSignal): Promise<Response> {
  const { fetch, isLocal } = options;
  try {
    const problem = isLocal ? undefined : await findAddressProblem(options, new URL(request.url).hostname, signal);
    if (problem !== undefined) throw new NotSignedIn("not_trusted", problem);
    const response = await fetch(new Request(request, { redirect: "manual", signal }));
    const read = await readLimitedText(response, MAX_ANSWER_BYTES);
    if ("problem" in read) throw new UpstreamError(PARTY, "malformed", read.problem);
    if (response.status === 429 || response.status >= 500) {
      throw new UpstreamError(PARTY, "unavailable", `HTTP ${response.status}`, { httpStatus: response.status });
    }
    const { status, headers } = response;
    return new Response(read.text === "" ? null : read.text, { status, headers });
  } catch (error) {
    if (error instanceof UpstreamError || error instanceof NotSignedIn) throw error;
    const kind = signal.aborted ? "timeout" : "unreachable";
    throw new UpstreamError(PARTY, kind, "there was no answer", { cause: error });
  }
}

/** Maps the library's errors to the port's. */
async function naming<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UpstreamError || error instanceof NotSignedIn) throw error;
    if (error instanceof oauth.AuthorizationResponseError) {
      throw new NotSignedIn(ASKS_PERSON.has(error.error) ? "asks_person" : "refused", error.error, { cause: error });
    }
    if (error instanceof oauth.ResponseBodyError) {
      throw new NotSignedIn("refused", `it answered ${error.error}`, { cause: error });
    }
    if (!(error instanceof Error)) throw error;
    throw new NotSignedIn("not_trusted", error.message, { cause: error });
  }
}

type Claims = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

function toAnswer(issuer: string, claims: Claims & { sub: string }): ProviderAnswer {
  const names = textOf(claims.name).split(/\s+/);
  const amr = Array.isArray(claims.amr) ? claims.amr : [];
  return {
    subject: claims.sub,
    email: textOf(claims.email) || null,
    isEmailVerified: saysVerified(issuer, claims),
    firstName: textOf(claims.given_name) || (names[0] ?? ""),
    lastName: textOf(claims.family_name) || (textOf(claims.given_name) === "" ? names.slice(1).join(" ") : ""),
    usedTwoFactors: amr.includes("mfa"),
  };
}

const GOOGLE = "https://accounts.google.com";
/** Entra ID of every national cloud: learn.microsoft.com/entra/identity-platform/authentication-national-cloud */
const MICROSOFT = /^https:\/\/(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn)\//;

/**
 * Whether the provider says that the address is the person's.
 *
 * - Entra ID, and any provider that behaves like it, sends no `email_verified`, and its `email` may be anything that an
 *   administrator typed. Its optional claim `xms_edov` says that the tenant's owner verified the address's domain
 *   (learn.microsoft.com, "Migrate away from using email claims for user identification or authorization").
 * - A Google account may have a company's address without being the company's: only `hd` says so
 *   (developers.google.com/identity/openid-connect/openid-connect#obtainuserinfo).
 * - All other providers send `email_verified` (OpenID Connect Core, section 5.1).
 */
export function saysVerified(issuer: string, claims: Claims): boolean {
  const isOwnDomain = [true, 1, "1", "true", "True"].some((yes) => claims.xms_edov === yes);
  if (MICROSOFT.test(issuer)) return isOwnDomain;
  if (claims.email_verified !== true && !isOwnDomain) return false;
  if (issuer !== GOOGLE) return true;
  const domain = textOf(claims.email).toLowerCase().split("@").at(-1);
  return domain !== "" && textOf(claims.hd).toLowerCase() === domain;
}
