import { readCursor } from "~/modules/core/trail-reading.server";
import { raiseAlerts } from "~/modules/messages/alerts/trail.server";
import type { Services } from "~/services-and-actor";

/**
 * Raises the alerts for the whole audit trail. One run stops after a number of pages, and other tests wrote many
 * entries.
 */
export async function raiseAllAlerts(services: Services): Promise<void> {
  const readPosition = () => readCursor(services, "alerts");
  for (let before = -1; before !== (await readPosition()); ) {
    before = await readPosition();
    await raiseAlerts(services);
  }
}
