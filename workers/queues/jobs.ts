import { followCustomer, giveUpFollowing } from "~/modules/billing/card-events.commands.server";
import {
  giveUpPasswordReset,
  sendPasswordReset,
} from "~/modules/identity/password/ask-for-password-reset.commands.server";
import { giveUpImport, runImport } from "~/modules/imports/run-import.commands.server";
import { giveUpMessage, sendQueuedEmail, sendQueuedSms } from "~/modules/notifications/notifications.commands.server";
import { checkPaymentFile, giveUpPaymentFile } from "~/modules/payment-files/check-file.commands.server";
import type { JobHandlers } from "./run-jobs";

export const jobHandlers: JobHandlers = {
  billing_sync: { run: followCustomer, giveUp: giveUpFollowing },
  payment_file_check: { run: checkPaymentFile, giveUp: giveUpPaymentFile },
  payee_import: { run: runImport, giveUp: giveUpImport },
  password_reset: { run: sendPasswordReset, giveUp: giveUpPasswordReset },
  email: { run: sendQueuedEmail, giveUp: giveUpMessage },
  sms: { run: sendQueuedSms, giveUp: giveUpMessage },
};
