import { payees } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { type IdempotentRequest, runOnce } from "~/modules/core/commands/idempotency.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { lastDecisionOf } from "~/modules/payees/verifications/verification.server";
import type { ReadServices, Services, WriteServices } from "~/services";
import { openOrAcceptVouching, prepareVerification } from "./open-verification.server";
import { findPendingVerification, getPayee, payeeIsUnchanged } from "./payee.server";

type Starting = WriteServices & Pick<Services, "secrets">;
type Started = { verificationId: string };

/**
 * Opens a new verification of a payee's current details. The same key again is answered with the verification it opened.
 * @throws AppError 404; 402 SUBSCRIPTION_REQUIRED; 409 VERIFICATION_PENDING with `verificationId`, EDIT_CONFLICT,
 * IDEMPOTENCY_CONFLICT
 */
export function startVerification(
  services: Starting,
  actor: Actor,
  payeeId: string,
  idempotencyKey?: string,
): Promise<Started> {
  const asked = { operation: "start verification", key: idempotencyKey, input: payeeId };
  return runOnce(services, actor, asked, (request) => writeVerification(services, actor, payeeId, request));
}

async function writeVerification(
  services: Starting,
  actor: Actor,
  payeeId: string,
  request: IdempotentRequest | undefined,
): Promise<Started> {
  const payee = await getPayee(services, actor, payeeId);
  await requireNonePending(services, actor, payeeId);
  await requireLiveSubscription(services, actor.organizationId);
  const [policy, prepared] = await Promise.all([
    findPolicy(services, actor.organizationId),
    prepareVerification(services, actor, { payeeId, details: payee, cause: "requested" }),
  ]);
  const wasRejected = policy.acceptVouching && (await findLastDecision(services, actor, payeeId)) === "rejected";
  const known = { payee, wasRejected };
  const result = await runCommand(services, actor, {
    conditions: [payeeIsUnchanged(services, actor.organizationId, payee)],
    uniques: { verification_pending: "verifications" },
    parts: openOrAcceptVouching(services, actor, prepared, { policy, known }),
    request,
    answer: { verificationId: prepared.verificationId },
  });
  if (result.ok) return result.answer;
  await requireNonePending(services, actor, payeeId);
  throw new AppError("EDIT_CONFLICT", 409, "Someone changed this payee at the same moment. Check it, then try again.");
}

async function findLastDecision({ db }: ReadServices, { organizationId }: Actor, payeeId: string) {
  const [row] = await db
    .select({ status: lastDecisionOf(organizationId, payees.id) })
    .from(payees)
    .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payeeId)));
  return row?.status ?? null;
}

async function requireNonePending(services: ReadServices, actor: Actor, payeeId: string): Promise<void> {
  const verificationId = await findPendingVerification(services, actor, payeeId);
  if (verificationId === undefined) return;
  throw new AppError("VERIFICATION_PENDING", 409, "A verification of this payee is already waiting for a decision.", {
    extra: { verificationId },
  });
}
