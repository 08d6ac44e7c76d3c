import { columnsOf, organizations } from "@db/database";
import { eq } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { SUBSCRIPTION_ENDED } from "~/kernel/messages";
import { appPaths } from "~/kernel/paths/app";
import type { TimedServices } from "~/services-and-actor";
import { isLive } from "./subscription";

/**
 * Requires a live subscription or a running trial.
 * @throws AppError 402 SUBSCRIPTION_REQUIRED
 */
export async function requireLiveSubscription(services: TimedServices, organizationId: string): Promise<void> {
  const [row] = await services.db
    .select(columnsOf(organizations, "subscriptionStatus", "trialEndsAt", "firstPaidAt"))
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (row && isLive(row, services.clock.now())) return;
  throw new AppError("SUBSCRIPTION_REQUIRED", SUBSCRIPTION_ENDED, { extra: { href: appPaths.subscription } });
}
