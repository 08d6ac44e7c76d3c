import type { Clock } from "~/services";
import type { HttpClient } from "../http-client";
import { tokenSchema } from "./basiq-schema";

/** Tokens live an hour; the provider advises to renew at half of that. */
const RENEW_AFTER_MS = 30 * 60 * 1000;
const BASIQ_VERSION = "3.0";

export interface BasiqTokens {
  /** The token of our server, kept in memory until it is half an hour old. */
  serverToken(): Promise<string>;
  /** Forgets `token`, if it is still the one kept. */
  forget(token: string): void;
  /** A token that lets one payee use the consent pages. Never kept. */
  clientToken(providerUserId: string): Promise<string>;
}

/** Buys access tokens with the API key (POST /token). `apiKey` is sent as it was issued: it is base64 already. */
export function createBasiqTokens(options: {
  client: HttpClient;
  clock: Clock;
  baseUrl: string;
  apiKey: string;
}): BasiqTokens {
  const { client, clock } = options;
  let kept: { token: string; renewAt: number } | undefined;
  let underway: Promise<string> | undefined;

  function requestToken(form: Record<string, string>) {
    return client.callJson(
      {
        method: "POST",
        url: `${options.baseUrl}/token`,
        headers: {
          authorization: `Basic ${options.apiKey}`,
          "basiq-version": BASIQ_VERSION,
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams(form).toString(),
      },
      tokenSchema,
    );
  }

  async function renew(): Promise<string> {
    const askedAt = clock.now();
    const { access_token, expires_in } = await requestToken({ scope: "SERVER_ACCESS" });
    kept = { token: access_token, renewAt: askedAt + Math.min(RENEW_AFTER_MS, (expires_in * 1000) / 2) };
    return access_token;
  }

  return {
    async serverToken() {
      if (kept && clock.now() < kept.renewAt) return kept.token;
      underway ??= renew().finally(() => {
        underway = undefined;
      });
      return underway;
    },
    forget(token) {
      if (kept?.token === token) kept = undefined;
    },
    async clientToken(providerUserId) {
      const { access_token } = await requestToken({ scope: "CLIENT_ACCESS", userId: providerUserId });
      return access_token;
    },
  };
}
