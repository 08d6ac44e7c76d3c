import { advanceBankCheck, giveUpBankCheck } from "~/modules/bank-checks/advance-bank-check.commands.server";
import { endDeadBankCheck } from "~/modules/bank-checks/bank-check.statements.server";
import { followBankEvent, giveUpBankEvent } from "~/modules/bank-checks/bank-events.commands.server";
import { deleteLater } from "~/modules/bank-checks/forget-provider-user.server";
import { deleteProviderData, deleteUnclaimedUser } from "~/modules/bank-checks/provider-data.commands.server";
import type { DeadLetterEndings } from "~/modules/commands/dead-letters.commands.server";
import type { Services } from "~/services";
import type { JobHandler, JobHandlers } from "./run-jobs";

const runBankCheck: JobHandler["run"] = async (services, job) => {
  if ((await advanceBankCheck(services, job)) === "over") await deleteProviderData(services, job);
};

export const bankCheckHandlers: JobHandlers = {
  bank_check: { run: runBankCheck, giveUp: giveUpBankCheck },
  bank_event: { run: followBankEvent, giveUp: giveUpBankEvent },
  bank_user: { run: deleteUnclaimedUser, giveUp: (services, job, error) => deleteLater(services, job, { error }) },
};

/** What follows when the queue could not deliver a job; of other kinds nothing does. */
export const deadLetterEndings: DeadLetterEndings<Services> = { bank_check: endDeadBankCheck };
