import {
  giveUpMessage,
  sendPromisedMail,
  sendPromisedSms,
} from "~/modules/notifications/notifications.commands.server";
import type { JobHandlers } from "./run-jobs";

export const alertHandlers: JobHandlers = {
  mail: { run: sendPromisedMail, giveUp: giveUpMessage },
  sms: { run: sendPromisedSms, giveUp: giveUpMessage },
};
