import { sweepDueJobs } from "~/modules/commands/outbox.commands.server";
import type { Services } from "~/services";

/** Sends what was never sent, was lost with a queue, or whose consumer died. */
export async function sendDueWork(services: Services): Promise<void> {
  const sent = await sweepDueJobs(services);
  if (sent > 0) services.log.info("sweep", { sent });
}
