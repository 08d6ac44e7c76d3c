import { AppError } from "~/kernel/app-error";
import type { NotificationChannel } from "~/kernel/enums";
import { isMobile } from "~/kernel/phone";

/** Where a payee's link goes. */
export type PayeeContact = { channel: NotificationChannel; to: string };

type Reachable = { email: string | null; phone: string | null };

const mobileOf = ({ phone }: Reachable) => (phone !== null && isMobile(phone) ? phone : undefined);

/** By email where there is one, else as a text message to a mobile; with a channel given, only by that one. */
export function findPayeeContact(payee: Reachable, channel?: NotificationChannel): PayeeContact | undefined {
  if (payee.email !== null && channel !== "sms") return { channel: "email", to: payee.email };
  const mobile = mobileOf(payee);
  return mobile !== undefined && channel !== "email" ? { channel: "sms", to: mobile } : undefined;
}

/** @throws AppError 409 PAYEE_CONTACT_REQUIRED */
export function requirePayeeContact(payee: Reachable, channel?: NotificationChannel): PayeeContact {
  const contact = findPayeeContact(payee, channel);
  if (contact) return contact;
  const missing = { email: "an email address", sms: "a mobile number", any: "an email address or a mobile number" };
  throw new AppError("PAYEE_CONTACT_REQUIRED", 409, `Add ${missing[channel ?? "any"]} to the payee first.`);
}

/** Both ways to reach the payee, as the bank-data provider wants them. */
export function toBankDataContact(payee: Reachable): { email?: string; mobile?: string } {
  return { email: payee.email ?? undefined, mobile: mobileOf(payee) };
}
