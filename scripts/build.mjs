import { main } from "./lib/console.mjs";
import { ensureInstalled } from "./lib/install.mjs";

await main(async () => {
  ensureInstalled();
  const { ensureBuilt } = await import("./lib/build.mjs");
  await ensureBuilt({ force: true });
});
