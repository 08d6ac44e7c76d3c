import { giveUpBillingSync, syncCustomer } from "~/modules/accounts/billing/sync-billing.server";
import { giveUpPasswordReset, sendPasswordReset } from "~/modules/accounts/identity/password.server";
import { giveUpNote, writeNote } from "~/modules/connections/notes.server";
import { syncAccounting } from "~/modules/connections/sync.server";
import { giveUpSync } from "~/modules/connections/sync-failures.server";
import { finishJob } from "~/modules/core/commands/outbox.server";
import { giveUpLookUp, lookUpRequested } from "~/modules/directories/look-up.server";
import { giveUpChangeNotice, sendChangeNotice } from "~/modules/messages/notifications/change-notices.server";
import { giveUpMessage, sendQueuedEmail, sendQueuedSms } from "~/modules/messages/notifications/notifications.server";
import { deliverWebhook, giveUpWebhook } from "~/modules/messages/webhook-endpoints/deliver.server";
import { tellOwners } from "~/modules/payees/bsb-updates/tell-owners.server";
import { giveUpImport, runImport } from "~/modules/payees/imports/run-import.server";
import { continueHealthRun, giveUpHealthRun } from "~/modules/payees/payee-health/health.server";
import { checkPaymentFile, giveUpPaymentFile } from "~/modules/payments/payment-files/check-file.server";
import { giveUpRemittances, sendRemittances } from "~/modules/payments/send-remittances.server";
import { advanceBulkCheck, giveUpBulkCheck } from "~/modules/verifying/bulk-checks/advance-bulk-check.server";
import type { JobHandlers } from "./run-jobs";

export const jobHandlers: JobHandlers = {
  accounting_note: { run: writeNote, giveUp: giveUpNote },
  accounting_sync: { run: syncAccounting, giveUp: giveUpSync },
  billing_sync: { run: syncCustomer, giveUp: giveUpBillingSync },
  bsb_closures: { run: tellOwners, giveUp: (services, job, error) => finishJob(services, job, "failed", error) },
  bulk_check: { run: advanceBulkCheck, giveUp: giveUpBulkCheck },
  payment_file_check: { run: checkPaymentFile, giveUp: giveUpPaymentFile },
  payee_health: { run: continueHealthRun, giveUp: giveUpHealthRun },
  payee_import: { run: runImport, giveUp: giveUpImport },
  password_reset: { run: sendPasswordReset, giveUp: giveUpPasswordReset },
  register_lookup: { run: lookUpRequested, giveUp: giveUpLookUp },
  email: { run: sendQueuedEmail, giveUp: giveUpMessage },
  safety_email: { run: sendQueuedEmail, giveUp: giveUpMessage },
  safety_sms: { run: sendQueuedSms, giveUp: giveUpMessage },
  change_notice: { run: sendChangeNotice, giveUp: giveUpChangeNotice },
  remittance: { run: sendRemittances, giveUp: giveUpRemittances },
  webhook: { run: deliverWebhook, giveUp: giveUpWebhook },
  sms: { run: sendQueuedSms, giveUp: giveUpMessage },
};
