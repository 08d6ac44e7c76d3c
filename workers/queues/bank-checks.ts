import { advanceBankCheck, giveUpBankCheck } from "~/modules/verifying/bank-checks/advance-bank-check.server";
import { followBankEvent, giveUpBankEvent } from "~/modules/verifying/bank-checks/bank-events.server";
import { deleteLater } from "~/modules/verifying/bank-checks/forget-provider-user.server";
import { deleteProviderData, deleteUnclaimedUser } from "~/modules/verifying/bank-checks/provider-data.server";
import type { JobHandler, JobHandlers } from "./run-jobs";

const runBankCheck: JobHandler["run"] = async (services, job) => {
  if ((await advanceBankCheck(services, job)) === "over") await deleteProviderData(services, job);
};

export const bankCheckHandlers: JobHandlers = {
  bank_check: { run: runBankCheck, giveUp: giveUpBankCheck },
  bank_event: { run: followBankEvent, giveUp: giveUpBankEvent },
  bank_user: { run: deleteUnclaimedUser, giveUp: (services, job, error) => deleteLater(services, job, { error }) },
};
