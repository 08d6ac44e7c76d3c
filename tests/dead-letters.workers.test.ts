import { env } from "cloudflare:workers";
import { outbox, providerCalls } from "@db/database";
import { eq, inArray } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { JOB_KINDS, NO_JOB } from "~/modules/core/commands/job";
import { DEAD_LETTERS, QUEUES } from "~/modules/core/operations/figures.server";
import { peek } from "./support/payees";

/** The queue itself: what lands in it is delivered to the built Worker. */

test("what lands in the queue of dead letters counts as a try of its job, and is noted for the operator", async () => {
  // The Worker's own lines.
  for (const level of ["warn", "error"] as const) vi.spyOn(console, level).mockImplementation(() => {});
  const { DEAD_LETTERS: queue } = env as unknown as { DEAD_LETTERS: Queue };
  const noted = inArray(providerCalls.party, [DEAD_LETTERS, QUEUES["dead-letters"]]);
  await peek.delete(providerCalls).where(noted);
  const id = crypto.randomUUID();
  const { maxAttempts } = JOB_KINDS.bank_questions;
  await peek
    .insert(outbox)
    .values({ id, queue: "jobs", kind: "bank_questions", attempts: maxAttempts - 1, dueAt: 0, createdAt: 0 });
  await queue.sendBatch([{ body: { jobId: NO_JOB, v: 1 } }, { body: { jobId: id, v: 1 } }]);
  await expect.poll(() => peek.select().from(providerCalls).where(noted), { timeout: 60_000 }).toHaveLength(2);
  expect(await peek.select().from(providerCalls).where(eq(providerCalls.party, DEAD_LETTERS))).toMatchObject([
    { lastError: `job ${id}`, lastFailedAt: expect.any(Number) },
  ]);
  expect(await peek.select().from(outbox).where(eq(outbox.id, id))).toMatchObject([
    { status: "failed", lastError: "the queue could not deliver it" },
  ]);
  vi.restoreAllMocks();
});
