import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { sendPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import { type BulkResult, doneResult, refusedResult } from "~/modules/verifying/review/bulk";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { Services } from "~/services";
import { assignVerification } from "./assign.server";

/** What is done to each of several verifications. Nothing here approves: that is one person looking at one item. */
export type BulkAct =
  | { intent: "assign"; assignee: string | null }
  | { intent: "verify-basiq" }
  | { intent: "send-link" }
  | { intent: "reject"; reason: string };

type Asked = {
  ids: readonly string[];
  act: BulkAct;
  /** With it the same request acts once on each. */
  key?: string;
};

/**
 * One after the other, each through the command of the single item: what one refuses, the others are not asked.
 * @throws whatever is no refusal
 */
export async function actOnEach(services: Services, actor: Actor, { ids, act, key }: Asked): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  for (const id of ids) {
    let name = "A verification that is not there any more";
    try {
      name = (await getVerification(services, actor, id)).payee.name;
      await actOn(services, actor, id, { act, idempotencyKey: key && `${key}-${id.slice(-12)}` });
      results.push(doneResult(id, name, act.intent));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push(refusedResult(id, name, error));
    }
  }
  return results;
}

type One = { act: BulkAct; idempotencyKey: string | undefined };

async function actOn(services: Services, actor: Actor, verificationId: string, { act, idempotencyKey }: One) {
  switch (act.intent) {
    case "assign":
      return assignVerification(services, actor, { verificationId, assigneeId: act.assignee });
    case "verify-basiq":
      await startBankDataCheck(services, actor, { verificationId });
      return;
    case "send-link":
      return sendPayeeLink(services, actor, { verificationId, idempotencyKey });
    case "reject": {
      const review = { approved: false, reason: act.reason } as const;
      await reviewVerification(services, actor, { verificationId, review, idempotencyKey });
    }
  }
}
