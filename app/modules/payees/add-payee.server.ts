import type { Condition } from "@db/database";
import { maskAccountNumber } from "~/kernel/bank-account";
import type { PayeeDetails } from "~/kernel/payee";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { atOneInstant, type CommandAudit, runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import { fingerprintPayee } from "~/modules/core/payee-keys";
import type { Actor, WriteServices } from "~/services-and-actor";
import { openOrAcceptVouching, prepareVerification } from "./open-verification.server";
import { accountIsFree, accountTaken, insertPayees } from "./payee.server";

/**
 * Adds a payee and opens its verification with everything known about the account. Repeating the idempotency key
 * returns the payee that it created. If the organisation already has the account, the error names the payee that has
 * it.
 *
 * @returns the new ids; `isRepeated`: this is the first answer to the key, repeated
 * @throws AppError 402 SUBSCRIPTION_REQUIRED; 409 DUPLICATE_PAYEE with `payeeId`, IDEMPOTENCY_CONFLICT
 */
export async function addPayee(
  services: WriteServices,
  actor: Actor,
  { details, idempotencyKey: key }: { details: PayeeDetails; idempotencyKey?: string },
): Promise<{ payeeId: string; verificationId: string; isRepeated: boolean }> {
  const { organizationId } = actor;
  const payeeId = services.ids.next();
  const answer = await runOnce(services, actor, { operation: "add payee", key, input: details }, async (request) => {
    const [digests, policy, prepared] = await Promise.all([
      fingerprintPayee(services, details),
      findPolicy(services, organizationId),
      prepareVerification(services, actor, { payeeId, details, cause: "payee_added" }),
      requireLiveSubscription(services, organizationId),
    ]);
    const still = atOneInstant(services);
    const result = await openOrAcceptVouching(still, actor, prepared, { policy }, ({ conditions, parts }) =>
      runCommand(still, actor, {
        ...payeeToAdd(still, actor, { id: payeeId, details, ...digests }, conditions),
        parts,
        request,
        answer: { payeeId, verificationId: prepared.verificationId },
      }),
    );
    if (!result.ok) throw await accountTaken(services, organizationId, details);
    return result.answer;
  });
  return { ...answer, isRepeated: answer.payeeId !== payeeId };
}

/** What every command that adds a payee with its verification writes. */
export function payeeToAdd<Name extends string>(
  services: WriteServices,
  actor: Actor,
  payee: Parameters<typeof insertPayees>[2][number],
  conditions: readonly Condition<Name>[],
) {
  const { id, details } = payee;
  const masked = { ...details, accountNumber: maskAccountNumber(details.accountNumber) };
  return {
    conditions: [accountIsFree(actor.organizationId, details), ...conditions],
    uniques: { account_taken: "payees" },
    statements: insertPayees(services, actor, [payee]),
    audit: [{ action: "payee.added", entityId: id, details: masked }] satisfies CommandAudit[],
  };
}
