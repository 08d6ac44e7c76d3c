import type { Actor } from "~/kernel/actor";
import { showTime } from "~/kernel/shown-time";
import { findPolicy } from "~/modules/accounts/organizations/policies/policy.server";
import { getPayee } from "~/modules/payees/payee.queries.server";
import type { Services } from "~/services";
import { stillReturned } from "./returned-payment";
import { findNewestReturned } from "./returned-payment.server";

/** The payment that came back, as the payee's page says it; null when the last that is known of the payee is better. */
export async function findReturnToShow(services: Pick<Services, "db" | "clock">, actor: Actor, payeeId: string) {
  const newest = await findNewestReturned(services, actor, payeeId);
  if (!newest) return null;
  const [payee, { timeZone }] = await Promise.all([
    getPayee(services, actor, payeeId),
    findPolicy(services, actor.organizationId),
  ]);
  if (!stillReturned(newest, payee)) return null;
  const { id, amount, reference, reason, returnedAt } = newest;
  const at = showTime(returnedAt, { timeZone, now: services.clock.now() });
  return { paymentId: id, amount, reference, reason, at };
}
