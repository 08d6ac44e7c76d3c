// npm run schedule: runs every schedule of wrangler.toml in the application on this machine, once and in order.
// npm run schedule -- "7 * * * *": only that one.
import path from "node:path";
import { experimental_readRawConfig as readRawConfig } from "wrangler";
import { main, ROOT, say } from "./lib/console.mjs";
import { readPlace } from "./lib/local-env.mjs";

await main(async () => {
  const { appOrigin } = readPlace();
  const { rawConfig } = readRawConfig({ config: path.join(ROOT, "wrangler.toml") });
  const [only] = process.argv.slice(2);
  for (const cron of only ? [only] : (rawConfig.triggers?.crons ?? [])) {
    const address = `${appOrigin}/__local/scheduled?cron=${encodeURIComponent(cron)}`;
    const response = await fetch(address).catch(() => {
      throw new Error(`nothing answers on ${appOrigin}: start the app first`);
    });
    if (!response.ok) throw new Error(`${cron}: ${response.status} ${(await response.text()).trim()}`);
    say("schedule", `${cron}: done`);
  }
});
