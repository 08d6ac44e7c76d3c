import * as z from "zod";

/** All that a message may hold. An unknown version is not ours to guess at. */
const messageSchema = z.object({ jobId: z.uuid(), v: z.literal(1) });

export function parseMessage(body: unknown): { jobId: string } | undefined {
  return messageSchema.safeParse(body).data;
}
