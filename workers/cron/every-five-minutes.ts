import { sealAuditTrail } from "~/modules/audit-seals/seals.commands.server";
import { pollAccounting } from "~/modules/integrations/poll.commands.server";
import type { Services } from "~/services";

/** Seals what was written to the audit trail since the last run, and asks accounting systems for what changed. */
export async function sealAndPoll(services: Services): Promise<void> {
  const sealed = await sealAuditTrail(services);
  if (sealed > 0) services.log.info("audit.sealed", { sealed });
  const asked = await pollAccounting(services);
  if (asked > 0) services.log.info("accounting.polled", { asked });
}
