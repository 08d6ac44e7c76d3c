import { api, json } from "~/http/responses.server";
import { AppError, notFound } from "~/kernel/app-error";
import { readOperations } from "~/modules/core/operations/operations-page.server";

/**
 * GET /healthz/status -> the service's figures (docs/operations/watch.md), for a monitor with one of STATUS_TOKENS. If
 * none is configured, the call does not exist.
 */
export const { loader, action } = api({
  GET: async ({ services, request }) => {
    const { config, secrets } = services;
    if (config.statusTokens.length === 0) throw notFound();
    const given = /^bearer (.+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1] ?? "";
    // Compares digests, so that the time taken reveals nothing about the secret.
    const [asked, ...known] = await Promise.all([given, ...config.statusTokens].map(secrets.hashToken));
    if (asked === undefined || !known.includes(asked))
      throw new AppError("INVALID_TOKEN", "This call needs a token of STATUS_TOKENS.");
    return json(await readOperations(services), { headers: { "Cache-Control": "no-store" } });
  },
});
