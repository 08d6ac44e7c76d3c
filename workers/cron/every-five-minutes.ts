import { sealAuditTrail } from "~/modules/audit-seals/seals.commands.server";
import type { Services } from "~/services";

/** Seals what was written to the audit trail since the last run. */
export async function sealNewEntries(services: Services): Promise<void> {
  const sealed = await sealAuditTrail(services);
  if (sealed > 0) services.log.info("audit.sealed", { sealed });
}
