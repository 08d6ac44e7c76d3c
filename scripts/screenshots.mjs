// npm run screenshots: every public page, wide and narrow, light and dark, as PNG files in screenshots/ (not in git).
// Starts a copy of the app of its own; with an address (npm run screenshots -- http://127.0.0.1:8787) takes that one.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { launchBrowser } from "./lib/browser.mjs";
import { main, ROOT, say } from "./lib/console.mjs";
import { newStateDir, removeStateDir, startCopy } from "./lib/copy.mjs";
import { ensureInstalled } from "./lib/install.mjs";

const OUT = path.join(ROOT, "screenshots");
const VARIANTS = [
  { width: 1440, height: 900, scheme: "light" },
  { width: 1440, height: 900, scheme: "dark" },
  { width: 390, height: 844, scheme: "light" },
  { width: 390, height: 844, scheme: "dark" },
];
/** Runs `work` against a fresh copy of the app, and ends that copy. */
async function withApp(work) {
  const stateDir = newStateDir();
  const app = await startCopy(stateDir);
  try {
    await work(app.origin);
  } finally {
    await app.stop();
    removeStateDir(stateDir);
  }
}

/** The site map knows every page; the page for a wrong address is in no map. */
async function listPaths(origin) {
  const map = await (await fetch(`${origin}/sitemap.xml`)).text();
  return [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address).pathname).concat("/not-found");
}

async function takeAll(origin) {
  const browser = await launchBrowser();
  const paths = await listPaths(origin);
  mkdirSync(OUT, { recursive: true });
  for (const { width, height, scheme } of VARIANTS) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
    const page = await context.newPage();
    for (const pathname of paths) {
      const name = pathname.slice(1).replaceAll("/", "-") || "home";
      await page.goto(origin + pathname, { waitUntil: "networkidle" });
      await page.screenshot({ path: path.join(OUT, `${name}-${width}-${scheme}.png`), fullPage: true });
    }
    say("screenshot", `${paths.length} pages at ${width} px, ${scheme}`);
    await context.close();
  }
  await browser.close();
  say("screenshot", `in ${path.relative(process.cwd(), OUT)}`);
}

await main(async () => {
  ensureInstalled();
  const given = process.argv[2];
  await (given ? takeAll(given.replace(/\/$/, "")) : withApp(takeAll));
});
