import { verificationCalls } from "@db/schema";
import type { Actor } from "~/kernel/actor";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { runOnce } from "~/modules/core/commands/idempotency.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { findBankDetailsEditors } from "~/modules/payees/second-person.server";
import { alreadyDecided } from "~/modules/payees/verifications/undecided.server";
import { isOpen } from "~/modules/payees/verifications/verification";
import { getVerification, verificationIsPending } from "~/modules/payees/verifications/verification.server";
import type { NotifyServices } from "~/services";
import { changeToConfirm, whyNoProof } from "./call-back";
import type { CallInput } from "./call-back.server";
import { listKnownPhones } from "./call-back.server";

export type RecordCallInput = { verificationId: string; call: CallInput; idempotencyKey?: string };

/**
 * Records a call to the payee about a pending verification. Whether it counts as proof is judged now and kept: a call
 * to a number that was changed lately, or by the person who entered the details, is recorded and proves nothing.
 *
 * @throws AppError 404; 409 ALREADY_DECIDED, IDEMPOTENCY_CONFLICT
 * @returns the id of the call
 */
export async function recordCall(services: NotifyServices, actor: Actor, input: RecordCallInput): Promise<string> {
  const { verificationId, call, idempotencyKey: key } = input;
  const { organizationId } = actor;
  const asked = { operation: "record-call", key, input: [verificationId, call] };
  const { id } = await runOnce(services, actor, asked, async (request) => {
    const verification = await getVerification(services, actor, verificationId);
    if (!isOpen(verification.status)) throw await refuse(services, actor, verificationId);
    const [phones, enteredBy] = await Promise.all([
      listKnownPhones(services, actor, verification.payee.id),
      findBankDetailsEditors(services, actor, verification.payee),
    ]);
    const called = { ...call, isOwnWork: enteredBy.has(actor.userId), changedAt: changeToConfirm(verification) };
    const noProof = whyNoProof(called, phones, services.clock.now()) ?? null;
    const row = { ...call, spokeTo: call.spokeTo ?? null, note: call.note ?? null, noProof };
    const callId = services.ids.next();
    const result = await runCommand(services, actor, {
      conditions: [verificationIsPending(services, organizationId, verificationId)],
      statements: [
        services.db.insert(verificationCalls).values({
          ...row,
          id: callId,
          organizationId,
          verificationId,
          calledById: actor.userId,
          createdAt: services.clock.now(),
        }),
      ],
      audit: [
        {
          action: "verification.call_recorded",
          entityType: "verification",
          entityId: verificationId,
          details: { callId, payeeId: verification.payee.id, ...row },
        },
      ],
      request,
      answer: { id: callId },
    });
    if (!result.ok) throw await refuse(services, actor, verificationId);
    return result.answer;
  });
  return id;
}

async function refuse(services: NotifyServices, actor: Actor, verificationId: string) {
  const [now, { timeZone }] = await Promise.all([
    getVerification(services, actor, verificationId),
    findPolicy(services, actor.organizationId),
  ]);
  return alreadyDecided(now, timeZone);
}
