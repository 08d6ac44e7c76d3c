import { followCustomer, giveUpFollowing } from "~/modules/billing/card-events.commands.server";
import {
  giveUpMessage,
  sendPromisedMail,
  sendPromisedSms,
} from "~/modules/notifications/notifications.commands.server";
import type { JobHandlers } from "./run-jobs";

export const alertHandlers: JobHandlers = {
  billing_sync: { run: followCustomer, giveUp: giveUpFollowing },
  mail: { run: sendPromisedMail, giveUp: giveUpMessage },
  sms: { run: sendPromisedSms, giveUp: giveUpMessage },
};
