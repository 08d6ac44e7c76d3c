// Fifty prepared verifications, six of them frauds, decided by keyboard by somebody who presses A for each of them and
// types a sentence where the page requires one; rows of the queue that fit on the screen at 1440 x 900, and names that
// are cut off.

import { launchBrowser } from "../scripts/lib/browser.mjs";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { fill, payeeId, verificationId, withDatabase } from "./fill.mjs";
import { median, row } from "./lib.mjs";
import { startApp } from "./local-app.mjs";

const ITEMS = 50;
const VIEW = { width: 1440, height: 900 };
const LONG_NAME = "Southern Highlands Electrical and Communications Contractors Pty Ltd";

const lookalike = (reason, detail) =>
  `evidence = json_set(evidence, '$.lookalikes', json_array(json_object('payeeId', '${payeeId(1)}', 'name', 'Bench Supplies 000001 Pty Ltd', 'reason', '${reason}', 'detail', '${detail}')))`;

/** The bank gave the right name for most of them: only what the organisation already knows reveals the frauds. */
const FRAUDS = new Map([
  [
    4,
    lookalike(
      "email_domain",
      "The email domain bench1.example is easily mistaken for benchl.example, which this payee uses.",
    ),
  ],
  [
    11,
    `evidence = json_set(evidence, '$.formerHolders', json_array(json_object('payeeId', '${payeeId(2)}', 'name', 'Bench Supplies 000002 Pty Ltd', 'until', '2026-01-01T00:00:00.000Z', 'isArchived', json('false'))))`,
  ],
  [19, "disputedByPayeeAt = createdAt + 1"],
  [27, "outcome = 'no_match', nameMatchScore = 31, matchType = 'none', nameMatch = 0, verifiedName = 'J CITIZEN'"],
  [36, "outcome = 'account_closed', nameMatchScore = NULL, matchType = 'none', nameMatch = NULL, verifiedName = NULL"],
  [44, lookalike("account_number_slip", "One digit of the account number differs from that of this payee.")],
]);

/** Every prepared item except the frauds has a bank's answer with exactly the given name. */
const prepare = (stateDir) =>
  withDatabase(stateDir, async (db) => {
    const run = (text) => db.prepare(text).run();
    await run("UPDATE users SET reviewNext = 1, reviewKeys = 1 WHERE email = 'alex@harbour.example'");
    await run(`UPDATE verifications SET outcome = 'match', nameMatchScore = 100, matchType = 'exact', nameMatch = 1,
      method = 'basiq', verifiedName = accountName, nameDifferences = '[]',
      evidence = json_object('institution', NULL, 'unusualAccountLength', json('false'),
        'vouching', json_object('exact', 0, 'close', 0, 'different', 0), 'lookalikes', json_array()),
      resultData = json_object('source', 'basiq', 'bsb', bsb, 'accountNumber', accountNumber, 'checkedAt', 1)
      WHERE id LIKE '02000000-%'`);
    for (const [number, change] of FRAUDS) {
      await run(`UPDATE verifications SET ${change} WHERE id = '${verificationId(number)}'`);
    }
    await run(`UPDATE payees SET name = '${LONG_NAME}', accountName = '${LONG_NAME}' WHERE id = '${payeeId(0)}'`);
    await run(
      `UPDATE verifications SET accountName = '${LONG_NAME}', verifiedName = '${LONG_NAME}' WHERE id = '${verificationId(0)}'`,
    );
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

  await page.goto(`${app.origin}/verifications/pending`);
  const shown = await page.locator("tbody tr").evaluateAll((rows) =>
    rows.map((tr) => {
      const link = tr.querySelector("a[data-row]");
      const cut = [link, link.parentElement].some(
        (each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0,
      );
      return { bottom: tr.getBoundingClientRect().bottom, cut };
    }),
  );
  row(
    "rows of the queue above the fold",
    shown.filter(({ bottom }) => bottom <= VIEW.height).length,
    "goal: 14, at 1440 x 900",
  );
  row("names of payees that are cut", shown.filter(({ cut }) => cut).length, `goal: 0 of ${shown.length}`);

  const firstHref = await page.locator("tbody a[data-row]").first().getAttribute("href");
  await page.goto(app.origin + firstHref);
  await page.locator("#review-keys-title").waitFor({ state: "attached" });
  const taken = [];
  let keys = 0;
  const press = async (key) => {
    await page.keyboard.press(key);
    keys++;
  };
  for (let item = 0; item < ITEMS; item++) {
    const before = await page.evaluate(() => location.pathname);
    const begun = performance.now();
    await press("a");
    // One key approved the item, or the page asks why: then the script reads the reasons against it and rejects it with
    // a sentence.
    const asks = await page.waitForFunction(
      (path) => (location.pathname !== path ? "gone" : document.activeElement?.id === "approve-reason" && "asks"),
      before,
    );
    if ((await asks.jsonValue()) === "asks") {
      await press("Escape");
      await page.evaluate(() => document.activeElement.blur());
      await press("r");
      await page.keyboard.type("Called the number on file: they do not know this account.");
      await press("Control+Enter");
    }
    // Waits for the next item, or after the last one for the list.
    await page.waitForFunction((path) => {
      const button = document.querySelector("button[name=intent][value=approve]");
      return location.pathname !== path && (button?.disabled === false || location.pathname.endsWith("/pending"));
    }, before);
    taken.push(performance.now() - begun);
  }
  const ends = await readEnds(app);
  const wrong = ends.filter(({ number, status }) => (status === "rejected") !== FRAUDS.has(number)).length;
  if (ends.length !== ITEMS) throw new Error(`${ITEMS - ends.length} of ${ITEMS} were not decided`);
  const seconds = taken.reduce((sum, ms) => sum + ms, 0) / 1000;
  row(
    `wrong decisions of ${ITEMS}, ${FRAUDS.size} of them frauds`,
    wrong,
    "goal: 0, by A at each, and a sentence where the page asks",
  );
  row(`keys to decide ${ITEMS} prepared items`, keys, "goal: one for each, and a sentence's for a fraud");
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

/** How each prepared item ended, as the API says. */
async function readEnds({ origin, cookie }) {
  const ends = [];
  for (let number = 0; number < ITEMS; number++) {
    const answer = await fetch(`${origin}/api/verifications/${verificationId(number)}`, {
      headers: { Cookie: cookie },
    });
    const body = await answer.json();
    const { status } = body.verification ?? body;
    if (status !== "pending") ends.push({ number, status });
  }
  return ends;
}
