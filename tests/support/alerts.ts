import { trailCursors } from "@db/schema";
import { raiseAlerts } from "~/modules/alerts/trail.commands.server";
import type { NotifyServices } from "~/services";

/** Reads the audit trail to its end: one run stops after a number of pages, and other tests wrote many. */
export async function raiseAllAlerts(services: NotifyServices): Promise<void> {
  const read = async () => JSON.stringify(await services.db.select().from(trailCursors));
  for (let before = ""; before !== (await read()); ) {
    before = await read();
    await raiseAlerts(services);
  }
}
