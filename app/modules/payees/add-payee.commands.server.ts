import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { allInOrder } from "~/kernel/all-in-order";
import type { PayeeDetails } from "~/kernel/payee";
import { fingerprintPayee } from "~/modules/account-fingerprints/payee-fingerprint.server";
import { requireLiveSubscription } from "~/modules/billing/subscription.queries.server";
import { type IdempotentRequest, runOnce } from "~/modules/commands/idempotency.server";
import { runCommand } from "~/modules/commands/run-command.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import type { Services, WriteServices } from "~/services";
import { accountTaken, requireFreeAccount } from "./duplicate-payee.server";
import { openOrAcceptVouching, prepareVerification } from "./open-verification.server";
import { accountIsFree, insertPayees } from "./payee.statements.server";

type Adding = WriteServices & Pick<Services, "secrets">;

export type AddedPayee = { payeeId: string; verificationId: string };

/**
 * Adds a payee and opens its verification with everything known of the account. The same key again is answered with the
 * payee it made; an account that the organisation has is answered with the payee that has it.
 *
 * @throws AppError 402 SUBSCRIPTION_REQUIRED; 409 DUPLICATE_PAYEE with `payeeId`, IDEMPOTENCY_CONFLICT
 */
export function addPayee(
  services: Adding,
  actor: Actor,
  input: { details: PayeeDetails; idempotencyKey?: string },
): Promise<AddedPayee> {
  const { details, idempotencyKey: key } = input;
  return runOnce(services, actor, { operation: "add payee", key, input: details }, (request) =>
    writePayee(services, actor, details, request),
  );
}

async function writePayee(
  services: Adding,
  actor: Actor,
  details: PayeeDetails,
  request: IdempotentRequest | undefined,
): Promise<AddedPayee> {
  const { organizationId } = actor;
  const payeeId = services.ids.next();
  const [, , digests, policy, prepared] = await allInOrder([
    requireLiveSubscription(services, organizationId),
    requireFreeAccount(services, organizationId, details),
    fingerprintPayee(services, details),
    findPolicy(services, organizationId),
    prepareVerification(services, actor, { payeeId, details, cause: "payee_added" }),
  ]);
  const result = await runCommand(services, actor, {
    conditions: [accountIsFree(organizationId, details)],
    uniques: { account_taken: "payees" },
    statements: insertPayees(services, actor, [{ id: payeeId, details, ...digests }]),
    parts: openOrAcceptVouching(services, actor, prepared, policy),
    audit: [
      {
        action: "payee.added",
        entityType: "payee",
        entityId: payeeId,
        details: { ...details, accountNumber: maskAccountNumber(details.accountNumber) },
      },
    ],
    request,
    answer: { payeeId, verificationId: prepared.verificationId },
  });
  if (!result.ok) throw await accountTaken(services, organizationId, details);
  return result.answer;
}
