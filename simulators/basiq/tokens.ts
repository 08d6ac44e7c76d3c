import type { SimulatedCall, SimulatorContext } from "../party";
import { badRequest, basiqError, notFound } from "./errors";
import type { BasiqState, Token } from "./state";

const TOKEN_SECONDS = 3_600;

export interface Tokens {
  /** POST /token */
  answer(call: SimulatedCall): Response;
  issue(scope: Token["scope"], userId?: string): string;
  /** The user whose consent pages a token opens; undefined when it opens none (any more). */
  clientUser(token: string): string | undefined;
  /** Undefined when the call carries a valid server token, else the refusal. */
  refuse(call: SimulatedCall): Response | undefined;
}

export function createTokens(state: BasiqState, context: SimulatorContext): Tokens {
  const now = () => context.now();

  function issue(scope: Token["scope"], userId?: string): string {
    for (const [token, { expiresAt }] of Object.entries(state.tokens)) {
      if (expiresAt < now() - TOKEN_SECONDS * 1000) delete state.tokens[token];
    }
    const token = `${scope === "SERVER_ACCESS" ? "server" : "client"}-${context.randomId()}`;
    state.tokens[token] = { scope, userId, expiresAt: now() + TOKEN_SECONDS * 1000 };
    context.save();
    return token;
  }

  function answer(call: SimulatedCall): Response {
    const { headers } = call.request;
    const version = headers.get("basiq-version");
    if (!version) return badRequest(call, "Required header basiq-version was not supplied.", "basiq-version");
    if (version !== "3.0") return badRequest(call, "Unsupported basiq-version.", "basiq-version");
    if (headers.get("authorization") !== `Basic ${context.secrets.basiqApiKey}`) {
      return notFound(call, "Unable to authenticate. Please, check your API key");
    }
    const form = new URLSearchParams(call.body);
    const scope = form.get("scope") ?? "SERVER_ACCESS";
    if (scope === "SERVER_ACCESS") return granted(issue(scope));
    if (scope !== "CLIENT_ACCESS") return badRequest(call, "Provided scope is not valid.", "scope");
    const userId = form.get("userId") ?? "";
    if (!Object.hasOwn(state.users, userId)) return notFound(call, "User does not exist.");
    return granted(issue(scope, userId));
  }

  return {
    answer,
    issue,
    clientUser(token) {
      const known = Object.hasOwn(state.tokens, token) ? state.tokens[token] : undefined;
      return known && known.expiresAt > now() ? known.userId : undefined;
    },
    refuse(call) {
      const bearer = /^Bearer (\S+)$/.exec(call.request.headers.get("authorization") ?? "")?.[1] ?? "";
      const token = Object.hasOwn(state.tokens, bearer) ? state.tokens[bearer] : undefined;
      if (!token) return basiqError(call, 401, { code: "unauthorized-access", detail: "Invalid authorization token." });
      if (token.expiresAt <= now())
        return basiqError(call, 403, { code: "forbidden-access", detail: "Token has expired" });
      if (token.scope === "SERVER_ACCESS") return undefined;
      return basiqError(call, 403, { code: "forbidden-access", detail: "Access to this resource is forbidden" });
    },
  };
}

function granted(token: string): Response {
  return Response.json({ access_token: token, token_type: "Bearer", expires_in: TOKEN_SECONDS });
}
