import type { Statement } from "@db/client";
import { isUniqueError } from "@db/errors";
import { idempotencyKeys } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import type { Services } from "~/services";

/** A creating call's key (header `Idempotency-Key`, or a form's hidden field) and what it asked for. */
export type IdempotentCall = { organizationId: string; key: string; requestHash: string };

/** Digest of what was asked, so that a key cannot be used for something else. */
export async function hashRequest(
  services: Pick<Services, "secrets">,
  operation: string,
  input: unknown,
): Promise<string> {
  return services.secrets.hashToken(`${operation}\n${JSON.stringify(input)}`);
}

/**
 * The first answer to this key, if there is one.
 * @throws AppError 409 IDEMPOTENCY_CONFLICT when the key was used for something else
 */
export async function findFirstAnswer<T>(services: Pick<Services, "db">, call: IdempotentCall): Promise<T | undefined> {
  const [row] = await services.db
    .select({ requestHash: idempotencyKeys.requestHash, response: idempotencyKeys.response })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.organizationId, call.organizationId), eq(idempotencyKeys.key, call.key)));
  if (!row) return undefined;
  if (row.requestHash !== call.requestHash) {
    throw new AppError("IDEMPOTENCY_CONFLICT", 409, "This Idempotency-Key was already used for a different request.");
  }
  return row.response as T;
}

/** Keeps the answer, in the batch that creates: a second call with the key fails on its UNIQUE (`isRepeatedCall`). */
export function keepAnswer(
  services: Pick<Services, "db" | "clock">,
  call: IdempotentCall,
  response: unknown,
): Statement {
  return services.db.insert(idempotencyKeys).values({ ...call, response, createdAt: services.clock.now() });
}

/** Whether a batch failed because another call with the same key committed first. */
export function isRepeatedCall(error: unknown): boolean {
  return isUniqueError(error, "idempotency_keys");
}
