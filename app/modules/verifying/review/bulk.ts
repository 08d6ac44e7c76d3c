import type { AppError } from "~/kernel/app-error";
import type { ErrorCode } from "~/kernel/error-code";

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
