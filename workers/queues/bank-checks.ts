import { advanceBankCheck, giveUpBankCheck } from "~/modules/bank-checks/bank-check.commands.server";
import { followBankEvent, giveUpBankEvent } from "~/modules/bank-checks/bank-check-events.commands.server";
import type { JobHandlers } from "./run-jobs";

export const bankCheckHandlers: JobHandlers = {
  bank_check: { run: advanceBankCheck, giveUp: giveUpBankCheck },
  bank_event: { run: followBankEvent, giveUp: giveUpBankEvent },
};
