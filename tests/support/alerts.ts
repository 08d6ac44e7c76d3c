import { trailCursors } from "@db/schema";
import { eq } from "drizzle-orm";
import { raiseAlerts } from "~/modules/alerts/trail.commands.server";
import { ALERTS_CURSOR } from "~/modules/alerts/trail.queries.server";
import type { Services } from "~/services";

/** Reads the audit trail to its end: one run stops after a number of pages, and other tests wrote many. */
export async function raiseAllAlerts(services: Services): Promise<void> {
  const readPosition = async () => {
    const [cursor] = await services.db.select().from(trailCursors).where(eq(trailCursors.name, ALERTS_CURSOR));
    return cursor?.position;
  };
  for (let before: number | undefined = -1; before !== (await readPosition()); ) {
    before = await readPosition();
    await raiseAlerts(services);
  }
}
