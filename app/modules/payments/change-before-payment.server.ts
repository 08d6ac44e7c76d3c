import type { Actor } from "~/kernel/actor";
import { DAY_MS } from "~/kernel/dates";
import { CONTACT_AND_BANK_WINDOW_DAYS } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { type ChangeStory, describeLastChange, isOfVerified, type StoredChange } from "~/modules/payees/change-story";
import { getPayee } from "~/modules/payees/payee.server";
import { listChanges } from "~/modules/payees/payee-page.server";
import type { Services } from "~/services";
import { isOpenPayment } from "./payment";
import type { PaymentDetail } from "./payment.server";
import { formerPayeeOf } from "./unknown-account";

/** How the payee of a payment came to its present bank details or its name, and the number on which to ask about it. */
export type ChangeBeforePayment = { story: ChangeStory; phone: string | null };

/**
 * Null once the payment is over, or when neither the payee's bank details nor its name were ever changed. A payment to a payee's former account
 * is asked about that payee.
 */
export async function findChangeBefore(
  services: Pick<Services, "db" | "clock">,
  actor: Actor,
  { payeeId: paidTo, status, reasons }: Pick<PaymentDetail, "payeeId" | "status" | "reasons">,
): Promise<ChangeBeforePayment | null> {
  const payeeId = paidTo ?? formerPayeeOf(reasons);
  if (payeeId === null || !isOpenPayment(status)) return null;
  const changes = await listChanges(services, actor, payeeId);
  const story = describeLastChange(changes, { timeZone: actor.timeZone, now: services.clock.now() });
  if (!story) return null;
  const { phone } = await getPayee(services, actor, payeeId);
  const known = phoneBefore(changes, phone);
  return { story, phone: known && formatPhone(known) };
}

/** The number that was known before the person who changed the bank details or the name could have changed it too. */
export function phoneBefore(changes: readonly StoredChange[], phone: string | null): string | null {
  const changedAt = changes.find(isOfVerified)?.createdAt;
  if (changedAt === undefined) return phone;
  const from = changedAt - CONTACT_AND_BANK_WINDOW_DAYS * DAY_MS;
  // Newest first: the last of them is the first change since then.
  const first = changes.filter(({ field, createdAt }) => field === "phone" && createdAt >= from).at(-1);
  return first ? first.oldValue : phone;
}
