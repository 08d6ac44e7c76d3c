// npm run screenshots: every public page, wide and narrow, light and dark, as PNG files in screenshots/ (not in git).
// npm run screenshots -- help: the pictures of the help page, in public/pictures, from the organisation of `npm start`.
// Starts a copy of the app of its own; with an address (npm run screenshots -- http://127.0.0.1:8787) takes that one.
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { launchBrowser } from "./lib/browser.mjs";
import { main, ROOT, say } from "./lib/console.mjs";
import { newStateDir, removeStateDir, startCopy } from "./lib/copy.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { readSecrets } from "./lib/local-env.mjs";

const OUT = path.join(ROOT, "screenshots");
const VARIANTS = [
  { width: 1440, height: 900, scheme: "light" },
  { width: 1440, height: 900, scheme: "dark" },
  { width: 390, height: 844, scheme: "light" },
  { width: 390, height: 844, scheme: "dark" },
];
const PICTURES = path.join(ROOT, "public/pictures");
/** The sizes that `components/marketing/screenshot.tsx` shows. */
const PICTURE = { width: 1120, height: 700 };

/** Runs `work` on a fresh copy of the app, and stops the copy. */
async function withApp(work, options) {
  const stateDir = newStateDir();
  const app = await startCopy(stateDir, options);
  try {
    await work(app.origin, stateDir);
  } finally {
    await app.stop();
    removeStateDir(stateDir);
  }
}

/** The site map lists every page except the not-found page. */
async function listPaths(origin) {
  const map = await (await fetch(`${origin}/sitemap.xml`)).text();
  return [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address).pathname).concat("/not-found");
}

/** Waits for what a picture shows: the heading, the fonts, and every image, those further down included. */
async function waitUntilDrawn(page) {
  await page.locator("h1").first().waitFor();
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = "eager";
    await Promise.all([document.fonts.ready, ...Array.from(document.images, (image) => image.decode())]);
  });
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
      await page.goto(origin + pathname);
      await waitUntilDrawn(page);
      await page.screenshot({ path: path.join(OUT, `${name}-${width}-${scheme}.png`), fullPage: true });
    }
    say("screenshot", `${paths.length} pages at ${width} px, ${scheme}`);
    await context.close();
  }
  await browser.close();
  say("screenshot", `in ${path.relative(process.cwd(), OUT)}`);
}

const SUPPLIERS = `Name,Account name,BSB,Account number,Email
Cedar Hill Glazing,Cedar Hill Glazing Pty Ltd,062-000,40516273,accounts@cedarhill.example
Lantern Electrical,Lantern Electrical Pty Ltd,033-002,51627384,office@lantern.example
Marram Surveyors,Marram Surveyors Pty Ltd,999-999,62738495,accounts@marram.example
Quoll Plant Hire,Quoll Plant Hire Pty Ltd,012-003,1234,hire@quoll.example`;

/** Opens the target of the page's first link below a path, by its id. */
async function openFirst(page, below) {
  const hrefs = await page.locator(`main a[href^="${below}"]`).evaluateAll((links) => links.map(({ href }) => href));
  const found = hrefs.find((href) => /\/[0-9a-f-]{36}(?:[?#]|$)/.test(href));
  if (!found) throw new Error(`the page has no link below ${below}`);
  await page.goto(found);
}

/** For each help subject, the steps from an administrator's first page to its screenshot. */
const HELP = {
  review: async (page, origin) => {
    await page.goto(`${origin}/verifications/pending`);
    await openFirst(page, "/verifications/");
  },
  "pay-run": async (page, origin) => {
    await page.goto(`${origin}/payments/files`);
    await openFirst(page, "/payments/files/");
  },
  import: async (page, origin) => {
    await page.goto(`${origin}/payees/import`);
    const file = { name: "suppliers.csv", mimeType: "text/csv", buffer: Buffer.from(SUPPLIERS) };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.locator("main form button[type=submit]").first().click();
    await page.waitForURL(/\/payees\/import\/[0-9a-f-]{36}/);
    await page.getByRole("heading", { name: "What would happen" }).first().scrollIntoViewIfNeeded();
  },
  health: (page, origin) => page.goto(`${origin}/payees/health`),
  alerts: (page, origin) => page.goto(`${origin}/alerts`),
  connections: (page, origin) => page.goto(`${origin}/integrations/xero`),
};

async function takeHelp(origin, stateDir) {
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport: PICTURE, colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(`${origin}/auth`);
  await page.getByRole("textbox", { name: "Email" }).fill("alex@harbour.example");
  await page.getByLabel("Password", { exact: true }).fill(readSecrets(stateDir).DEMO_PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL(/\/dashboard/);
  mkdirSync(PICTURES, { recursive: true });
  for (const [name, open] of Object.entries(HELP)) {
    await open(page, origin);
    await waitUntilDrawn(page);
    const file = path.join(PICTURES, `${name}.jpg`);
    await page.screenshot({ path: file, type: "jpeg", quality: 60 });
    say("screenshot", `${name}, ${Math.round(statSync(file).size / 1024)} KB`);
  }
  await browser.close();
}

await main(async () => {
  ensureInstalled();
  const given = process.argv[2];
  if (given === "help") return withApp(takeHelp, { hasExample: true });
  await (given ? takeAll(given.replace(/\/$/, "")) : withApp(takeAll));
});
