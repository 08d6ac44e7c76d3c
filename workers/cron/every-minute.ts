import { raiseAlerts } from "~/modules/alerts/trail.commands.server";
import { sweepDueJobs } from "~/modules/commands/outbox.commands.server";
import { countTrail } from "~/modules/reports/count-trail.commands.server";
import { raiseWebhooks } from "~/modules/webhook-endpoints/raise-webhooks.commands.server";
import type { Services } from "~/services";

/** Sends what was never sent, was lost with a queue, or whose consumer died; then tells people what has happened, and counts it for the reports. */
export async function sendDueWork(services: Services): Promise<void> {
  const sent = await sweepDueJobs(services);
  if (sent > 0) services.log.info("sweep", { sent });
  const raised = await raiseAlerts(services);
  if (raised > 0) services.log.info("alerts", { raised });
  await countTrail(services);
  const told = await raiseWebhooks(services);
  if (told > 0) services.log.info("webhooks", { told });
}
