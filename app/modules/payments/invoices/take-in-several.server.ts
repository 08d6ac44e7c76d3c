import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { type ReadingInvoices, type TakenIn, takeInInvoice } from "./take-in-invoice.server";

/** How long a person waits for all of them; what is not read by then the queue reads. */
const WAIT_MS = 6_000;

export type TakenInvoices = { taken: TakenIn[]; refused: { name: string; message: string }[] };

/**
 * Takes in the files of one post, each for itself: one that is no invoice refuses no other.
 * @throws AppError where none is taken in, as the first refusal says it
 */
export async function takeInSeveral(
  services: ReadingInvoices,
  actor: Actor,
  documents: readonly { name: string; bytes: Uint8Array<ArrayBuffer> }[],
): Promise<TakenInvoices> {
  const until = services.clock.now() + WAIT_MS;
  const answer: TakenInvoices = { taken: [], refused: [] };
  let first: AppError | undefined;
  for (const { name, bytes } of documents) {
    const waitMs = Math.max(0, Math.min(until - services.clock.now(), 4_000));
    try {
      const invoice = { fileName: name, bytes, source: "upload" as const };
      answer.taken.push(await takeInInvoice(services, actor, invoice, waitMs));
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500 || error.status === 402) throw error;
      first ??= error;
      answer.refused.push({ name, message: error.message });
    }
  }
  if (answer.taken.length === 0 && first) throw first;
  return answer;
}
