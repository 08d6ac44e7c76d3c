import { commit } from "@db/commit";
import { isConstraintError } from "@db/errors";
import { verifications } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { requireLiveSubscription } from "~/modules/billing/subscription.queries.server";
import { findFirstAnswer, hashRequest, type IdempotentCall, keepAnswer } from "~/modules/commands/idempotency.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import type { Services } from "~/services";
import { openOrAccept, prepareVerification } from "./open-verification.server";
import { findPendingVerification, getPayee } from "./payee.queries.server";
import { whileUnchanged } from "./payees.statements.server";

type Started = { verificationId: string };

/**
 * Opens a new verification of a payee's current details. The same key again is answered with the verification it opened.
 * @throws AppError 404; 402 SUBSCRIPTION_REQUIRED; 409 VERIFICATION_PENDING with `verificationId`, EDIT_CONFLICT,
 * IDEMPOTENCY_CONFLICT
 */
export async function startVerification(
  services: Pick<Services, "db" | "clock" | "ids" | "secrets">,
  actor: Actor,
  payeeId: string,
  idempotencyKey?: string,
): Promise<Started> {
  const call = await toCall(services, actor, payeeId, idempotencyKey);
  const first = call && (await findFirstAnswer<Started>(services, call));
  if (first) return first;
  const payee = await getPayee(services, actor, payeeId);
  await requireNonePending(services, actor, payeeId);
  await requireLiveSubscription(services, actor.organizationId);
  const [policy, prepared] = await Promise.all([
    findPolicy(services, actor.organizationId),
    prepareVerification(services, actor, { payeeId, details: payee, cause: "requested" }),
  ]);
  const { verificationId } = prepared;
  const statements = [
    whileUnchanged(services, actor.organizationId, payee),
    ...openOrAccept(services, actor, prepared, policy),
    ...(call ? [keepAnswer(services, call, { verificationId })] : []),
  ];
  try {
    await commit(services.db, statements, () => wasOpened(services, actor, verificationId));
  } catch (error) {
    if (!isConstraintError(error)) throw error;
    const repeated = call && (await findFirstAnswer<Started>(services, call));
    if (repeated) return repeated;
    await requireNonePending(services, actor, payeeId);
    throw new AppError("EDIT_CONFLICT", 409, "The payee was changed at the same moment. Look again, then try again.");
  }
  return { verificationId };
}

async function toCall(
  services: Pick<Services, "secrets">,
  actor: Actor,
  payeeId: string,
  key: string | undefined,
): Promise<IdempotentCall | undefined> {
  if (key === undefined) return undefined;
  const requestHash = await hashRequest(services, "start verification", [actor.userId, payeeId]);
  return { organizationId: actor.organizationId, key, requestHash };
}

type Reading = Pick<Services, "db">;

async function requireNonePending(services: Reading, actor: Actor, payeeId: string): Promise<void> {
  const verificationId = await findPendingVerification(services, actor, payeeId);
  if (verificationId === undefined) return;
  throw new AppError("VERIFICATION_PENDING", 409, "A verification of this payee is already waiting for a decision.", {
    extra: { verificationId },
  });
}

async function wasOpened({ db }: Reading, actor: Actor, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.organizationId, actor.organizationId), eq(verifications.id, id)));
  return rows.length > 0;
}
