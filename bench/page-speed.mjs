// How long a person waits on a phone: largest paint, blocked time, shifts and bytes of the signed-in pages of the
// example organisation, measured by the browser itself, with the slow connection and slow processor of Lighthouse's
// mobile run.
import { launchBrowser } from "../scripts/lib/browser.mjs";
import { newStateDir, removeStateDir, startCopy } from "../scripts/lib/copy.mjs";
import { median, row } from "./lib.mjs";
import { signIn } from "./local-app.mjs";

/**
 * github.com/GoogleChrome/lighthouse, docs/throttling.md: 150 ms, 1.6 Mbit/s down, 750 kbit/s up, and a processor four
 * times slower.
 */
const SLOW = {
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
  offline: false,
};
const SLOWER = Number(process.env.SLOWER ?? 4);
const RUNS = Number(process.env.RUNS ?? 3);
const PHONE = { width: 412, height: 823 };
const SETTLE_MS = 1_500;

const PAGES = ["/dashboard", "/verifications", "/verifications/pending", "item", "/payees", "/payments", "/reports"];

/** Starts before the page's own scripts; read once the page has been quiet for a while. */
function watch() {
  window.__seen = { lcp: 0, blocked: 0, shift: 0, what: "" };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      window.__seen.lcp = entry.startTime;
      window.__seen.what = `${entry.element?.tagName ?? ""} ${(entry.element?.textContent ?? "").slice(0, 40)}`;
    }
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      const [paint] = performance.getEntriesByName("first-contentful-paint");
      if (paint && startTime >= paint.startTime) window.__seen.blocked += Math.max(0, duration - 50);
    }
  }).observe({ type: "longtask", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.__seen.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}

async function open(page, address) {
  let bytes = 0;
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(address, { waitUntil: "networkidle" });
  await page.waitForTimeout(SETTLE_MS);
  const seen = await page.evaluate(() => window.__seen);
  await session.detach();
  return { ...seen, bytes };
}

const stateDir = newStateDir();
const copy = process.env.ORIGIN
  ? { origin: process.env.ORIGIN, stateDir: process.env.STATE_DIR, stop: async () => {} }
  : await startCopy(stateDir, { hasExample: true });
const browser = await launchBrowser();
try {
  const [name, value] = (await signIn(copy)).split("=");
  const newContext = async () => {
    const context = await browser.newContext({ viewport: PHONE, deviceScaleFactor: 2, isMobile: true });
    await context.addCookies([{ name, value, url: copy.origin }]);
    await context.addInitScript(watch);
    return context;
  };
  const finding = await newContext();
  const finder = await finding.newPage();
  await finder.goto(`${copy.origin}/verifications`);
  const item = await finder.locator("a[data-item]").first().getAttribute("href");
  await finding.close();
  for (const each of PAGES) {
    const address = copy.origin + (each === "item" ? item : each);
    const [first, later] = [[], []];
    for (let run = 0; run < RUNS; run++) {
      const context = await newContext();
      const page = await context.newPage();
      first.push(await open(page, address));
      later.push(await open(page, address));
      await context.close();
    }
    const of = (seen, what) => median(seen.map((one) => one[what]));
    const label = each === "item" ? "a review" : each;
    row(
      `${label} on a phone, largest paint at the first visit`,
      `${(of(first, "lcp") / 1000).toFixed(2)} s`,
      `goal: 1.8 s; ${Math.round(of(first, "bytes") / 1024)} KiB; ${first[0].what.trim()}`,
    );
    row(
      `${label} on a phone, largest paint later`,
      `${(of(later, "lcp") / 1000).toFixed(2)} s`,
      `goal: 0.8 s; ${Math.round(of(later, "bytes") / 1024)} KiB`,
    );
    row(
      `${label} on a phone, blocked after the first paint`,
      `${Math.round(of(first, "blocked"))} ms`,
      `goal: 50 ms; layout shift ${Math.max(...first.map(({ shift }) => shift)).toFixed(3)}, goal: 0`,
    );
  }
} finally {
  await browser.close();
  await copy.stop();
  removeStateDir(stateDir);
}
