import * as z from "zod";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { ErrorCode } from "~/kernel/error-code";
import { isId } from "~/kernel/ids";
import { sendPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import { rejectionReason, reviewVerification } from "~/modules/verifying/review/review.server";
import type { Services } from "~/services";
import { assigneeId, assignVerification } from "./assign.server";

/** What is done with several items of the queue at once, one by one, with an answer for each. Pure. */

/** Nothing here approves: an approval is one person looking at one item. */
export const BULK_INTENTS = ["assign", "verify-basiq", "send-link", "reject"] as const;
export type BulkIntent = (typeof BULK_INTENTS)[number];

/** As many as a page of the queue has. */
export const BULK_MAX = 50;

export type BulkResult = {
  id: string;
  name: string;
  isDone: boolean;
  text: string;
  /** Why it was refused, for programs; null where it was done. */
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

/** A refusal in its own words; what belongs to a field is said of the item. */
export const refusedResult = (id: string, name: string, error: AppError): BulkResult => ({
  id,
  name,
  isDone: false,
  text: [...new Set([...Object.values(error.fieldErrors ?? {}).flat(), error.message])][0] ?? error.message,
  code: error.code,
});

/** "3 of 4 done", with what was refused first. */
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

/** Body of POST /api/verifications/bulk. Nothing approves several at once. */
export const bulkReviewSchema = z.discriminatedUnion(
  "act",
  [
    z.object({ act: z.literal("assign"), ...many, assigneeId }),
    z.object({ act: z.literal("verify-basiq"), ...many }),
    z.object({ act: z.literal("send-link"), ...many }),
    z.object({ act: z.literal("reject"), ...many, reason: rejectionReason }),
  ],
  { error: 'Say what to do: "assign", "verify-basiq", "send-link" or "reject"' },
);

export type BulkReview = z.infer<typeof bulkReviewSchema>;

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
 * One after another, each through the command for a single item. A refusal of one does not stop the others.
 * @throws every error but a refusal
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
