import type { Statement } from "@db/client";
import { isUniqueError } from "@db/errors";
import { idempotencyKeys } from "@db/schema";
import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import { isId } from "~/kernel/ids";
import { isStorable } from "~/kernel/text";
import type { Clock, ReadServices, Services } from "~/services";

/**
 * The same services with a clock that stands still. A command that compares times between its own rows ("opened since
 * the details changed") must write one instant everywhere: a real clock moves on while it reads.
 */
export function atOneInstant<S extends { clock: Clock }>(services: S): S {
  const now = services.clock.now();
  return { ...services, clock: { ...services.clock, now: () => now } };
}

/** A creating call's key (header `Idempotency-Key`, or a form's hidden field) and a digest of what it asked for. */
export type IdempotentRequest = { organizationId: string; key: string; requestHash: string };

type Asking = { userId: string | null; organizationId: string };

/**
 * Runs a creating command once per key: a key that was answered before is given the first answer. The command passes
 * `request` on to `runCommand`, which keeps the answer. The key belongs to this person, operation and input.
 *
 * @throws AppError 409 IDEMPOTENCY_CONFLICT when the key was used for something else
 */
export async function runOnce<Answer>(
  services: Pick<Services, "db" | "secrets">,
  actor: Asking,
  asked: { operation: string; key: string | undefined; input: unknown },
  run: (request: IdempotentRequest | undefined) => Promise<Answer>,
): Promise<Answer> {
  if (!asked.key) return run(undefined);
  const request = await toIdempotentRequest(services, actor, { ...asked, key: asked.key });
  return (await findAnswer<Answer>(services, request)) ?? run(request);
}

async function toIdempotentRequest(
  { secrets }: Pick<Services, "secrets">,
  { userId, organizationId }: Asking,
  { operation, key, input }: { operation: string; key: string; input: unknown },
): Promise<IdempotentRequest> {
  const requestHash = await secrets.hashToken(`${operation}\n${JSON.stringify([userId, input])}`);
  return { organizationId, key, requestHash };
}

/**
 * The first answer to this key, if there is one.
 * @throws AppError 409 IDEMPOTENCY_CONFLICT when the key was used for something else
 */
export async function findAnswer<Answer>(
  { db }: ReadServices,
  { organizationId, key, requestHash }: IdempotentRequest,
): Promise<Answer | undefined> {
  const [row] = await db
    .select({ requestHash: idempotencyKeys.requestHash, response: idempotencyKeys.response })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.organizationId, organizationId), eq(idempotencyKeys.key, key)));
  if (!row) return undefined;
  if (row.requestHash !== requestHash) {
    throw new AppError("IDEMPOTENCY_CONFLICT", 409, "This Idempotency-Key was already used for a different request.");
  }
  return row.response as Answer;
}

/** Keeps the answer in the batch that creates: a second request with the key fails on its UNIQUE (`isRepeatedRequest`). */
export function saveAnswer(
  { db, clock }: Pick<Services, "db" | "clock">,
  request: IdempotentRequest,
  response: unknown,
): Statement {
  return db.insert(idempotencyKeys).values({ ...request, response, createdAt: clock.now() });
}

/** Whether a batch failed because another request with the same key was written first. */
export function isRepeatedRequest(error: unknown): boolean {
  return isUniqueError(error, "idempotency_keys");
}

const MAX_KEY = 200;

/** `Idempotency-Key`, or a form's hidden field. */
export const idempotencyKeySchema = z
  .string()
  .min(1, "The key is empty")
  .max(MAX_KEY, `A key has at most ${MAX_KEY} characters`)
  .refine(isStorable, "The key contains characters that cannot be stored");

/** The hidden field of a form that must not be carried out twice; anything that is no id of ours is left out. */
export const submissionSchema = z.object({ submissionId: z.string().refine(isId).optional().catch(undefined) });
