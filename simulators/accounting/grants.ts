import type { SimulatorContext } from "../party";

/** A person's consent to an app, and its tokens. Used by every simulated accounting system. */
export type Grant = { id: string; scopes: string[]; ledgerIds: string[]; isRevoked: boolean; createdAt: number };
type Code = { grantId: string; redirectUri: string; challenge: string | null; expiresAt: number };
type Access = { grantId: string; expiresAt: number };
type Refresh = { grantId: string; expiresAt: number; replacedAt: number | null };

export type GrantState = {
  grants: Record<string, Grant>;
  codes: Record<string, Code>;
  access: Record<string, Access>;
  refresh: Record<string, Refresh>;
};

export const noGrants = (): GrantState => ({ grants: {}, codes: {}, access: {}, refresh: {} });

export type GrantRules = {
  accessSeconds: number;
  /** A refresh token expires after this time without use. */
  refreshMs: number;
  /** How long a replaced refresh token is still accepted, so that a lost answer does no harm. */
  graceMs: number;
  codeMs: number;
  /** The scope that is required for a refresh token; null: none is required. */
  refreshScope: string | null;
  /** The format of the system's tokens; random words by default. */
  tokens?(grant: Grant, expiresAt: number): Promise<{ access_token: string; id_token?: string }>;
};

export type TokenAnswer = {
  access_token: string;
  id_token?: string;
  refresh_token?: string;
  expires_in: number;
  grant: Grant;
};

export type Asking = { scopes: string[]; ledgerIds: string[]; redirectUri: string; challenge: string | null };

const base64Url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** The code challenge of a verifier (RFC 7636, S256). */
const challengeOf = async (verifier: string) =>
  base64Url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));

/** A withdrawn grant does not count. */
const living = (state: GrantState, grantId: string): Grant | undefined => {
  const grant = state.grants[grantId];
  return grant && !grant.isRevoked ? grant : undefined;
};

function createIssuer(state: GrantState, context: SimulatorContext, rules: GrantRules) {
  return async (grant: Grant): Promise<TokenAnswer> => {
    const now = context.now();
    for (const [token, { expiresAt }] of Object.entries(state.access)) if (expiresAt < now) delete state.access[token];
    const expiresAt = now + rules.accessSeconds * 1000;
    const tokens = (await rules.tokens?.(grant, expiresAt)) ?? { access_token: `access-${context.randomId()}` };
    state.access[tokens.access_token] = { grantId: grant.id, expiresAt };
    const answer: TokenAnswer = { ...tokens, expires_in: rules.accessSeconds, grant };
    if (rules.refreshScope === null || grant.scopes.includes(rules.refreshScope)) {
      const refreshToken = `refresh-${context.randomId()}`;
      state.refresh[refreshToken] = { grantId: grant.id, expiresAt: now + rules.refreshMs, replacedAt: null };
      answer.refresh_token = refreshToken;
    }
    context.save();
    return answer;
  };
}

/** Codes are used once, refresh tokens rotate with each use, and everything ends with its grant. */
export function createGrants(state: GrantState, context: SimulatorContext, rules: GrantRules) {
  const issue = createIssuer(state, context, rules);

  /** Records a person's consent. @returns the code that the app exchanges for tokens */
  function authorise({ scopes, ledgerIds, redirectUri, challenge }: Asking): string {
    const id = context.randomId();
    state.grants[id] = { id, scopes, ledgerIds, isRevoked: false, createdAt: context.now() };
    const code = `code-${context.randomId()}`;
    state.codes[code] = { grantId: id, redirectUri, challenge, expiresAt: context.now() + rules.codeMs };
    context.save();
    return code;
  }

  /** Undefined: the code is unknown, used, expired, for another address, or its verifier is wrong. */
  async function exchange(form: URLSearchParams): Promise<TokenAnswer | undefined> {
    const code = form.get("code") ?? "";
    const known = state.codes[code];
    delete state.codes[code];
    context.save();
    if (!known || known.expiresAt <= context.now() || known.redirectUri !== form.get("redirect_uri")) return undefined;
    if (known.challenge !== null && known.challenge !== (await challengeOf(form.get("code_verifier") ?? ""))) {
      return undefined;
    }
    const grant = living(state, known.grantId);
    return grant && issue(grant);
  }

  return { authorise, exchange, refresh: createRefresh(state, context, rules), ...createChecks(state, context) };
}

/** Undefined: the token is unknown, was replaced too long ago, was not used for too long, or its grant has ended. */
function createRefresh(state: GrantState, context: SimulatorContext, rules: GrantRules) {
  const issue = createIssuer(state, context, rules);
  return async (token: string): Promise<TokenAnswer | undefined> => {
    const known = state.refresh[token];
    const now = context.now();
    if (!known || known.expiresAt <= now) return undefined;
    if (known.replacedAt !== null && known.replacedAt + rules.graceMs <= now) return undefined;
    const grant = living(state, known.grantId);
    if (!grant) return undefined;
    known.replacedAt ??= now;
    return issue(grant);
  };
}

function createChecks(state: GrantState, context: SimulatorContext) {
  function revoke(grantId: string): void {
    const grant = state.grants[grantId];
    if (grant) grant.isRevoked = true;
    context.save();
  }
  return {
    revoke,
    /** Ends the grant of a refresh token. */
    revokeBy: (refreshToken: string) => revoke(state.refresh[refreshToken]?.grantId ?? ""),
    /** The grant of a call's bearer token. */
    of(request: Request): Grant | "expired" | undefined {
      const token = /^Bearer (\S+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
      const known = state.access[token];
      const grant = known && living(state, known.grantId);
      if (!known || !grant) return undefined;
      return known.expiresAt > context.now() ? grant : "expired";
    },
  };
}

export type Grants = ReturnType<typeof createGrants>;
