import { AppError } from "~/kernel/app-error";
import { readOperations } from "~/modules/core/operations/operations-page.server";
import type { Services } from "~/services";
import { json } from "./api.server";

/**
 * The service's figures, for a monitor that has the secret. Without a secret in the environment there is no such call.
 * @throws AppError 404, 401 INVALID_TOKEN
 */
export async function answerStatusCall(services: Services, request: Request): Promise<Response> {
  const { config, secrets } = services;
  if (config.statusTokens.length === 0) throw new AppError("NOT_FOUND", 404, "There is no such page.");
  const given = /^bearer (.+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1] ?? "";
  // Digests are compared: how long that takes says nothing of the secret.
  const [asked, ...known] = await Promise.all([given, ...config.statusTokens].map((token) => secrets.hashToken(token)));
  if (asked === undefined || !known.includes(asked))
    throw new AppError("INVALID_TOKEN", 401, "This call needs a token of STATUS_TOKENS.");
  return json(await readOperations(services), { headers: { "Cache-Control": "no-store" } });
}
