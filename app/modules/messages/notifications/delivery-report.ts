import type { DeliveryStatus } from "~/kernel/enums";

/** What a provider reports of a message that it took. Pure. */

export type EmailReport = {
  /** The provider's id of the email. */
  messageId: string;
  to: string;
  /** `bounced`: the mailbox refused it for good. `failed`: it did not arrive, and another may. */
  outcome: "delivered" | "bounced" | "complained" | "failed";
  /** The provider's words; null for none. */
  detail: string | null;
};

export type SmsReport = {
  /** The provider's id of the text message. */
  messageId: string;
  isDelivered: boolean;
  /** The provider's error code, such as "30003"; null for none. */
  code: string | null;
};

export const STATUS_OF: Readonly<Record<EmailReport["outcome"], DeliveryStatus>> = {
  delivered: "delivered",
  bounced: "failed",
  complained: "complained",
  failed: "failed",
};

/** A later status takes the place of an earlier one, whatever order the reports arrive in. */
export const EARLIER_THAN: Readonly<Record<DeliveryStatus, readonly DeliveryStatus[]>> = {
  sent: [],
  delivered: ["sent"],
  failed: ["sent", "delivered"],
  complained: ["sent", "delivered", "failed"],
};
