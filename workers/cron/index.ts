import type { Services } from "~/services";
import { sealAndPoll } from "./every-five-minutes";
import { sendDueWork } from "./every-minute";
import { runHourly } from "./hourly";
import { keepHouse } from "./nightly";

/** The schedules of wrangler.toml. A run finds all due work and never counts on having run before. */
export const EVERY_MINUTE = "* * * * *";

const SCHEDULES: Record<string, (services: Services) => Promise<void>> = {
  [EVERY_MINUTE]: sendDueWork,
  "*/5 * * * *": sealAndPoll,
  "7 * * * *": runHourly,
  "23 16 * * *": keepHouse,
};

export const isSchedule = (cron: string): boolean => Object.hasOwn(SCHEDULES, cron);

/** @throws Error for a schedule nobody wrote */
export async function runSchedule(cron: string, services: Services): Promise<void> {
  const run = SCHEDULES[cron];
  if (!run) throw new Error(`no work is scheduled at ${cron}`);
  await run(services);
}
