import { type ArrivingMail, receiveMail } from "~/modules/payments/invoices/receive-mail.server";
import type { Services } from "~/services";

/** What of the platform's message is used here. */
export type RoutedMail = Pick<ForwardableEmailMessage, "from" | "to" | "raw" | "rawSize" | "setReject">;

/**
 * Takes in an email to an address for invoices, or refuses it, so that its sender's server says so. A failure of ours is
 * thrown: the platform then tells the sender's server, and nothing is lost without a word.
 * @returns whether something was kept
 */
export async function receiveEmail(message: RoutedMail, services: Services): Promise<boolean> {
  const { from, to, raw, rawSize: size } = message;
  const mail: ArrivingMail = { from, to, raw, size };
  const received = await receiveMail(services, mail);
  if (received.isRefused) {
    services.log.info("email.refused", { reason: received.reason });
    message.setReject(received.reason);
    return false;
  }
  const { invoiceId, organizationId } = received;
  services.log.info("email.received", { invoiceId, organizationId });
  return true;
}
