import type { Actor } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import { isId } from "~/kernel/ids";
import { cleanLine } from "~/kernel/text";
import { findListedPayees, listPayees } from "~/modules/payees/payee-list.server";
import type { ReadServices, Services } from "~/services";
import { type PayeeChoice, toPayeeChoice } from "./new-payment.view";
import { paymentConstraints } from "./payment-form.server";

/** Payees offered at once; others are found by typing more. */
const MAX_CHOICES = 12;
const MAX_QUERY = 200;

export type NewPaymentStep =
  | { step: "choose"; q: string; choices: PayeeChoice[]; hasMore: boolean }
  | { step: "payee"; payee: PayeeChoice; constraints: typeof paymentConstraints.payee }
  | { step: "account"; constraints: typeof paymentConstraints.account };

/**
 * Where the address stands on the way to a payment: a payee chosen (`payeeId`), an account to type (`to=account`), or
 * payees to choose from (`q`).
 *
 * @throws AppError 404 for a payee that is missing or another organisation's
 */
export async function getPaymentStep(
  services: ReadServices & Pick<Services, "clock">,
  actor: Actor,
  params: URLSearchParams,
): Promise<NewPaymentStep> {
  const now = services.clock.now();
  const payeeId = params.get("payeeId");
  if (payeeId !== null) {
    if (!isId(payeeId)) throw notFound();
    const [payee] = await findListedPayees(services, actor, [payeeId]);
    if (!payee) throw notFound();
    return { step: "payee", payee: toPayeeChoice(payee, now), constraints: paymentConstraints.payee };
  }
  if (params.get("to") === "account") return { step: "account", constraints: paymentConstraints.account };
  const q = cleanLine((params.get("q") ?? "").slice(0, MAX_QUERY));
  const { payees, next } = await listPayees(services, actor, { q });
  const choices = payees.slice(0, MAX_CHOICES).map((payee) => toPayeeChoice(payee, now));
  return { step: "choose", q, choices, hasMore: payees.length > MAX_CHOICES || next !== undefined };
}
