import { commit } from "@db/commit";
import { isConstraintError } from "@db/errors";
import { payees } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { requireLiveSubscription } from "~/modules/billing/subscription.queries.server";
import { findFirstAnswer, hashRequest, type IdempotentCall, keepAnswer } from "~/modules/commands/idempotency.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import type { Services } from "~/services";
import { requireFreeAccount } from "./duplicate-payee.server";
import { openOrAccept, prepareVerification } from "./open-verification.server";
import type { PayeeDetails } from "./payee";
import { fingerprintPayee } from "./payee-fingerprint.server";
import { insertPayee, whileAccountIsFree } from "./payees.statements.server";

type Adding = Pick<Services, "db" | "clock" | "ids" | "secrets">;

export type AddedPayee = { payeeId: string; verificationId: string };

/**
 * Adds a payee and opens its verification with everything known of the account. The same key again is answered with the
 * payee it made; an account that the organisation has is answered with the payee that has it.
 *
 * @throws AppError 402 SUBSCRIPTION_REQUIRED; 409 DUPLICATE_PAYEE with `payeeId`, IDEMPOTENCY_CONFLICT
 */
export async function addPayee(
  services: Adding,
  actor: Actor,
  input: { details: PayeeDetails; idempotencyKey?: string },
): Promise<AddedPayee> {
  const { organizationId } = actor;
  const { details } = input;
  const call = await toCall(services, actor, input);
  const first = call && (await findFirstAnswer<AddedPayee>(services, call));
  if (first) return first;
  await requireLiveSubscription(services, organizationId);
  await requireFreeAccount(services, organizationId, details);

  const payeeId = services.ids.next();
  const [digests, policy, prepared] = await Promise.all([
    fingerprintPayee(services, details),
    findPolicy(services, organizationId),
    prepareVerification(services, actor, { payeeId, details, cause: "payee_added" }),
  ]);
  const answer = { payeeId, verificationId: prepared.verificationId };
  const statements = [
    whileAccountIsFree(services, organizationId, details),
    ...insertPayee(services, actor, { id: payeeId, details, ...digests }),
    recordAudit(services, actor, {
      action: "payee.added",
      entityType: "payee",
      entityId: payeeId,
      details: { ...details, accountNumber: maskAccountNumber(details.accountNumber) },
    }),
    ...openOrAccept(services, actor, prepared, policy),
    ...(call ? [keepAnswer(services, call, answer)] : []),
  ];
  try {
    await commit(services.db, statements, () => payeeExists(services, actor, payeeId));
  } catch (error) {
    if (!isConstraintError(error)) throw error;
    const repeated = call && (await findFirstAnswer<AddedPayee>(services, call));
    if (repeated) return repeated;
    await requireFreeAccount(services, organizationId, details);
    throw error;
  }
  return answer;
}

async function toCall(
  services: Adding,
  actor: Actor,
  input: { details: PayeeDetails; idempotencyKey?: string },
): Promise<IdempotentCall | undefined> {
  const { idempotencyKey: key, details } = input;
  if (!key) return undefined;
  const requestHash = await hashRequest(services, "add payee", [actor.userId, details]);
  return { organizationId: actor.organizationId, key, requestHash };
}

async function payeeExists({ db }: Adding, { organizationId }: Actor, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: payees.id })
    .from(payees)
    .where(and(eq(payees.organizationId, organizationId), eq(payees.id, id)));
  return rows.length > 0;
}
