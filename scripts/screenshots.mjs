// npm run screenshots: every public page, wide and narrow, light and dark, as PNG files in screenshots/ (not in git).
// Starts a copy of the app of its own; with an address (npm run screenshots -- http://127.0.0.1:8787) takes that one.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { main, ROOT, say } from "./lib/console.mjs";
import { ensureInstalled } from "./lib/install.mjs";

const OUT = path.join(ROOT, "screenshots");
const PLACE = { PORT: "8797", SIMULATORS_PORT: "8798" };
const VARIANTS = [
  { width: 1440, height: 900, scheme: "light" },
  { width: 1440, height: 900, scheme: "dark" },
  { width: 390, height: 844, scheme: "light" },
  { width: 390, height: 844, scheme: "dark" },
];
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
const SYSTEM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

async function findBrowser() {
  const found = [process.env.CHROME_PATH, ...SYSTEM].find((file) => file && existsSync(file));
  if (found) return found;
  const { default: carried } = await import("@sparticuz/chromium");
  return carried.executablePath();
}

/** Runs `work` against a fresh copy of the app, and ends that copy. */
async function withApp(work) {
  const stateDir = mkdtempSync(path.join(tmpdir(), "payeeproof-screenshots-"));
  const app = spawn(process.execPath, ["scripts/local.mjs", "start"], {
    cwd: ROOT,
    env: { ...process.env, ...PLACE, STATE_DIR: stateDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => app.on("exit", resolve));
  try {
    await new Promise((resolve, reject) => {
      app.stdout.on("data", (chunk) => /^Ready /m.test(String(chunk)) && resolve());
      ended.then(() => reject(new Error("the app did not start")));
    });
    await work(`http://127.0.0.1:${PLACE.PORT}`);
  } finally {
    app.kill("SIGTERM");
    await ended;
    rmSync(stateDir, { recursive: true, force: true });
  }
}

/** The site map knows every page; the page for a wrong address is in no map. */
async function listPaths(origin) {
  const map = await (await fetch(`${origin}/sitemap.xml`)).text();
  return [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address).pathname).concat("/not-found");
}

async function takeAll(origin) {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ARGUMENTS });
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
