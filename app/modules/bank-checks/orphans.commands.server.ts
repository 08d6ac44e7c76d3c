import { HOUR_MS } from "~/kernel/dates";
import type { Services } from "~/services";
import { ORPHAN_AFTER_MS } from "./bank-check";
import { findCheckOfProviderUser } from "./bank-check.queries.server";

/** Longer than a day, so that an outage of some runs loses nobody. */
const LOOK_BACK_MS = 26 * HOUR_MS;
/** A run of a schedule may make about a thousand calls; the next run goes on. */
const MAX_LOOKED_AT = 300;

/**
 * Deletes users at the provider that no check of ours names: the answer to their making was lost, or a crash came before
 * our commit. A younger one may be ours before our commit is. Trouble with one stops no other.
 *
 * @returns how many were deleted
 */
export async function deleteOrphans(services: Pick<Services, "db" | "clock" | "log" | "bankData">): Promise<number> {
  const { clock, log, bankData } = services;
  const now = clock.now();
  const created = await bankData.listCreatedUsers(now - LOOK_BACK_MS);
  const old = created.filter(({ createdAt }) => now - createdAt >= ORPHAN_AFTER_MS).slice(0, MAX_LOOKED_AT);
  let deleted = 0;
  for (const { providerUserId } of old) {
    if (await findCheckOfProviderUser(services, providerUserId)) continue;
    try {
      await bankData.deleteUser(providerUserId);
      deleted++;
    } catch (error) {
      log.warn("bank_check.orphan_kept", { providerUserId, error: String(error) });
    }
  }
  return deleted;
}
