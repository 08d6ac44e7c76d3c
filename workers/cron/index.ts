import type { Services } from "~/services";
import { sendDueWork } from "./every-minute";

/** The schedules of wrangler.toml. A run finds all due work and never counts on having run before. */
const SCHEDULES: Record<string, (services: Services) => Promise<void>> = {
  "* * * * *": sendDueWork,
};

/** @throws Error for a schedule nobody wrote */
export async function runSchedule(cron: string, services: Services): Promise<void> {
  const run = SCHEDULES[cron];
  if (!run) throw new Error(`no work is scheduled at ${cron}`);
  await run(services);
}
