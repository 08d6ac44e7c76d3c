// npm run build: the Worker, the browser's files and the simulators.
// npm run build -- --production: and build/production, what `npm run deploy` uploads, for `npm run serve`.
import { main } from "./lib/console.mjs";
import { ensureInstalled } from "./lib/install.mjs";

await main(async () => {
  ensureInstalled();
  const { buildForProduction, ensureBuilt } = await import("./lib/build.mjs");
  await (process.argv.includes("--production") ? buildForProduction() : ensureBuilt({ force: true }));
});
