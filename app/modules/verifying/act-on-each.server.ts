import * as z from "zod";
import { AppError, type ErrorCode } from "~/kernel/app-error";
import { isId } from "~/kernel/ids";
import { sendPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import { rejectionReason, reviewVerification } from "~/modules/verifying/review/review.server";
import type { Actor, Services } from "~/services-and-actor";
import { assigneeId, assignVerification } from "./assign.server";

/** Applies an action to several verifications of the queue, one at a time, with a result for each. Pure. */

/** Approving is not among these actions: an approval requires one person to look at one verification. */
export const BULK_INTENTS = ["assign", "verify-basiq", "send-link", "reject"] as const;
export type BulkIntent = (typeof BULK_INTENTS)[number];

/** The size of one page of the queue. */
export const BULK_MAX = 50;

export type BulkResult = {
  id: string;
  name: string;
  isDone: boolean;
  text: string;
  /** The error code of a refusal; null if the action was done. */
  code: ErrorCode | null;
};

const DONE: Readonly<Record<BulkIntent, string>> = {
  assign: "Assigned",
  "verify-basiq": "The bank check was started",
  "send-link": "A link is on its way",
  reject: "Rejected",
};

export const doneResult = (id: string, name: string, intent: BulkIntent): BulkResult => ({
  id,
  name,
  isDone: true,
  text: DONE[intent],
  code: null,
});

/** A refusal as a result; a message about a form field is shown for the whole item. */
export const refusedResult = (id: string, name: string, error: AppError): BulkResult => ({
  id,
  name,
  isDone: false,
  text: [...new Set([...Object.values(error.fieldErrors ?? {}).flat(), error.message])][0] ?? error.message,
  code: error.code,
});

/** "3 of 4 done", with the refusals listed first. */
export function sumUp(results: readonly BulkResult[]): { title: string; results: BulkResult[] } {
  const done = results.filter(({ isDone }) => isDone);
  const refused = results.filter(({ isDone }) => !isDone);
  return { title: `${done.length} of ${results.length} done`, results: [...refused, ...done] };
}

const NO_ITEM = "Name at least one verification";

const many = {
  ids: z
    .array(z.string({ error: NO_ITEM }).refine(isId, "This is not the id of a verification"), { error: NO_ITEM })
    .min(1, NO_ITEM)
    .max(BULK_MAX, `At most ${BULK_MAX} at once`)
    .transform((ids) => [...new Set(ids)]),
};

/** Body of POST /api/verifications/bulk. Bulk approval does not exist. */
export const bulkReviewSchema = z.discriminatedUnion(
  "act",
  [
    z.object({ act: z.literal("assign"), ...many, assigneeId }),
    z.object({ act: z.literal("verify-basiq"), ...many }),
    z.object({ act: z.literal("send-link"), ...many }),
    z.object({ act: z.literal("reject"), ...many, reason: rejectionReason }),
  ],
  { error: 'Send what to do: "assign", "verify-basiq", "send-link" or "reject"' },
);

export type BulkReview = z.infer<typeof bulkReviewSchema>;

/** An action on several verifications. Approving is none of them: one person looks at one verification. */
export type BulkAct =
  | { intent: "assign"; assignee: string | null }
  | { intent: "verify-basiq" }
  | { intent: "send-link" }
  | { intent: "reject"; reason: string };

type Asked = {
  ids: readonly string[];
  act: BulkAct;
  /** An idempotency key: repeating the request with it acts only once on each verification. */
  key?: string;
};

/**
 * Acts on one after another, each with the command for a single verification. A refusal does not stop the others.
 * @throws any error that is not a refusal
 */
export async function actOnEach(services: Services, actor: Actor, { ids, act, key }: Asked): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  for (const id of ids) {
    let name = "A verification that no longer exists";
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
