// Fifty prepared verifications decided by keyboard, one key each; rows of the queue above the fold at 1440 x 900.

import { launchBrowser } from "../scripts/lib/browser.mjs";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { fill, verificationId, withDatabase } from "./fill.mjs";
import { median, row } from "./lib.mjs";
import { startApp } from "./local-app.mjs";

const ITEMS = 50;
const VIEW = { width: 1440, height: 900 };

/** Every prepared item has a bank's answer with exactly the name that was given; its reader goes on from one to the next. */
const prepare = (stateDir) =>
  withDatabase(stateDir, async (db) => {
    await db.prepare("UPDATE users SET reviewNext = 1, reviewKeys = 1 WHERE email = 'alex@harbour.example'").run();
    await db
      .prepare(
        `UPDATE verifications SET outcome = 'match', nameMatchScore = 100, matchType = 'exact', nameMatch = 1, method = 'basiq',
          verifiedName = accountName, nameDifferences = '[]',
          resultData = json_object('source', 'basiq', 'bsb', bsb, 'accountNumber', accountNumber, 'checkedAt', 1)
        WHERE id LIKE '02000000-%'`,
      )
      .run();
  });

const stateDir = newStateDir();
await (await startApp(stateDir)).stop();
await fill(stateDir, 0, ITEMS);
await prepare(stateDir);
const app = await startApp(stateDir);
const browser = await launchBrowser();
try {
  const context = await browser.newContext({ viewport: VIEW });
  const [name, value] = app.cookie.split("=");
  await context.addCookies([{ name, value, url: app.origin }]);
  const page = await context.newPage();

  await page.goto(`${app.origin}/verifications/pending?match=exact`);
  const bottoms = await page
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((tr) => tr.getBoundingClientRect().bottom));
  row(
    "rows of the queue above the fold",
    bottoms.filter((bottom) => bottom <= VIEW.height).length,
    "goal: 14, at 1440 x 900",
  );

  await page.goto(`${app.origin}/verifications/${verificationId(0)}?match=exact`);
  await page.locator("#review-keys-title").waitFor({ state: "attached" });
  const taken = [];
  let keys = 0;
  for (let item = 0; item < ITEMS; item++) {
    const heading = page.getByRole("heading", { level: 1 });
    const before = await heading.textContent();
    const begun = performance.now();
    await page.keyboard.press("a");
    keys++;
    // The next item, ready for its key; after the last one the list.
    await page.waitForFunction((text) => {
      const isNext = document.querySelector("h1")?.textContent !== text;
      const button = document.querySelector("button[name=intent][value=approve]");
      return isNext && (button?.disabled === false || location.pathname.endsWith("/pending"));
    }, before);
    taken.push(performance.now() - begun);
  }
  const left = await (
    await fetch(`${app.origin}/api/verifications/pending`, { headers: { Cookie: app.cookie } })
  ).json();
  const open = (left.verifications ?? left).filter(({ id }) => id.startsWith("02000000-")).length;
  if (open > 0) throw new Error(`${open} of ${ITEMS} were not decided`);
  const seconds = taken.reduce((sum, ms) => sum + ms, 0) / 1000;
  row(`keys to decide ${ITEMS} prepared items`, keys, "goal: one for each");
  row(
    `seconds to decide ${ITEMS} prepared items, no waiting in between`,
    seconds.toFixed(1),
    `${median(taken).toFixed(0)} ms each`,
  );
} finally {
  await browser.close();
  await app.stop();
  removeStateDir(stateDir);
}
