import type { ApiScope } from "~/modules/accounts/identity/api-token";

/**
 * What each call asks of an API token: a scope; `any` token; or `session`: signed-in people only, because the call is
 * about the person's own sign-in, organisation or money. `open` calls ask nobody who they are.
 */
export type ScopeRule = ApiScope | "any" | "session" | "open";

type Rules = { read?: ScopeRule; write?: ScopeRule };

const both = (noun: "payees" | "verifications" | "payments"): Rules => ({
  read: `${noun}:read`,
  write: `${noun}:write`,
});

/** The first that matches the path decides; a path without a rule is closed to tokens. */
const SCOPES: readonly (readonly [path: RegExp, rules: Rules])[] = [
  [/^\/api\/user$/, { read: "any" }],
  [/^\/api\/(login|register|logout|select-organization|forgot-password|reset-password)$/, { write: "session" }],
  [/^\/api\/billing\//, { read: "session", write: "session" }],
  [/^\/api\/(contact|name-match)$/, { write: "open" }],
  [/^\/api\/verify\//, { read: "open", write: "open" }],
  [/^\/api\/organizations\//, { read: "open" }],
  [/^\/api\/(openapi[.]json|docs)(\/|$)/, { read: "open" }],
  [/^\/api\/(payees|payments)\/[^/]+\/evidence(\.pdf)?$/, { read: "audit:read" }],
  [/^\/api\/payees\/[^/]+\/verifications$/, both("verifications")],
  [/^\/api\/(payees|payee-requests|imports)(\/|$)/, both("payees")],
  [/^\/api\/(verifications|bulk-checks)(\/|$)/, both("verifications")],
  [/^\/api\/(payments|payment-files)(\/|$)/, both("payments")],
  [/^\/api\/reports\//, { read: "audit:read" }],
  [/^\/api\/audit(\/|$)/, { read: "audit:read" }],
  // Where data goes, and what holds payments: a person decides, never a token that may have been copied.
  [/^\/api\/(integrations|webhook-endpoints|webhook-deliveries)(\/|$)/, { read: "session", write: "session" }],
];

const READS = new Set(["GET", "HEAD"]);

/** What a call asks of an API token; undefined for a call that no rule is written for. */
export function scopeRule(method: string, path: string): ScopeRule | undefined {
  const rules = SCOPES.find(([pattern]) => pattern.test(path))?.[1];
  return READS.has(method) ? rules?.read : rules?.write;
}
