import { followCustomer, giveUpFollowing } from "~/modules/billing/card-events.commands.server";
import { giveUpPasswordReset, sendPasswordReset } from "~/modules/identity/password/password-reset.commands.server";
import {
  giveUpMessage,
  sendPromisedMail,
  sendPromisedSms,
} from "~/modules/notifications/notifications.commands.server";
import type { JobHandlers } from "./run-jobs";

export const alertHandlers: JobHandlers = {
  billing_sync: { run: followCustomer, giveUp: giveUpFollowing },
  password_reset: { run: sendPasswordReset, giveUp: giveUpPasswordReset },
  mail: { run: sendPromisedMail, giveUp: giveUpMessage },
  sms: { run: sendPromisedSms, giveUp: giveUpMessage },
};
