import { advanceBankCheck, giveUpBankCheck } from "~/modules/verifications/bank-check.commands.server";
import { followBankEvent, giveUpBankEvent } from "~/modules/verifications/bank-check-events.commands.server";
import type { JobHandlers } from "./run-jobs";

export const bankCheckHandlers: JobHandlers = {
  bank_check: { run: advanceBankCheck, giveUp: giveUpBankCheck },
  bank_event: { run: followBankEvent, giveUp: giveUpBankEvent },
};
