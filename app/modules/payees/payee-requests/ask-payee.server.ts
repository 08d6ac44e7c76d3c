import { payeeRequests } from "@db/database";
import { AppError } from "~/kernel/app-error";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { type IdempotentRequest, runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import { isOutsideRefusal, outsideError } from "~/modules/messages/notifications/outside-messages";
import type { Actor, WriteServices } from "~/services-and-actor";
import { getRequest, isRequest, type NewRequest, newRequestLink, requestIsOpen } from "./payee-request.server";

type Asked = { requestId: string };

/**
 * Asks a new payee for its details by sending it a link to a form. Repeating the idempotency key returns the request
 * that it created.
 * @throws AppError 402 SUBSCRIPTION_REQUIRED; 403 EMAIL_NOT_CONFIRMED; 409 IDEMPOTENCY_CONFLICT; 429
 */
export function askPayee(
  services: WriteServices,
  actor: Actor,
  input: { request: NewRequest; idempotencyKey?: string },
): Promise<Asked> {
  const { request, idempotencyKey: key } = input;
  return runOnce(services, actor, { operation: "ask payee for details", key, input: request }, (once) =>
    writeRequest(services, actor, request, once),
  );
}

async function writeRequest(
  services: WriteServices,
  actor: Actor,
  input: NewRequest,
  request: IdempotentRequest | undefined,
): Promise<Asked> {
  const { db, clock, ids } = services;
  const { organizationId, userId } = actor;
  await requireLiveSubscription(services, organizationId);
  const { conditions, part, row, to } = await newRequestLink(services, actor, input);
  const id = ids.next();
  const added = { id, organizationId, requestedById: userId, ...input, ...row, createdAt: clock.now() };
  const result = await runCommand(services, actor, {
    conditions,
    statements: [db.insert(payeeRequests).values(added)],
    parts: [part],
    audit: [{ action: "payee_request.sent", entityId: id, details: { name: input.name, channel: row.channel, to } }],
    request,
    answer: { requestId: id },
  });
  if (!result.ok) throw outsideError(result.refused);
  return result.answer;
}

/**
 * Sends the payee a new link, which replaces the earlier one.
 * @throws AppError 404; 402; 403 EMAIL_NOT_CONFIRMED; 409 CHANGED_MEANWHILE once it is answered or cancelled; 429
 */
export async function resendRequest(services: WriteServices, actor: Actor, requestId: string): Promise<void> {
  const found = await getRequest(services, actor, requestId);
  if (found.status !== "open") throw closedMeanwhile();
  await requireLiveSubscription(services, actor.organizationId);
  const { conditions, part, row, to } = await newRequestLink(services, actor, found);
  const details = { name: found.name, channel: row.channel, to };
  const result = await runCommand(services, actor, {
    conditions: [requestIsOpen(services, found), ...conditions],
    statements: [services.db.update(payeeRequests).set(row).where(isRequest(found))],
    parts: [part],
    audit: [{ action: "payee_request.resent", entityId: requestId, details }],
  });
  if (result.ok) return;
  throw isOutsideRefusal(result.refused) ? outsideError(result.refused) : closedMeanwhile();
}

/** Cancels a request: its link takes no more details. @throws AppError 404; 409 CHANGED_MEANWHILE once answered */
export async function cancelRequest(services: WriteServices, actor: Actor, requestId: string): Promise<void> {
  const found = await getRequest(services, actor, requestId);
  if (found.status === "cancelled") return;
  const closed = { status: "cancelled", closedAt: services.clock.now() } as const;
  const { ok } = await runCommand(services, actor, {
    conditions: [requestIsOpen(services, found)],
    statements: [services.db.update(payeeRequests).set(closed).where(isRequest(found))],
    audit: [{ action: "payee_request.cancelled", entityId: requestId, details: { name: found.name } }],
  });
  if (!ok) throw closedMeanwhile();
}

const closedMeanwhile = () =>
  new AppError(
    "CHANGED_MEANWHILE",
    "This request was answered, cancelled or sent again in the meantime. Look again, then decide.",
  );
