import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { findWebKit } from "../../scripts/lib/drivers.mjs";
import { findRow } from "../support/presses";
import { overhear } from "./overhear";
import { expectNone, expectWhole, HEIGHT, KEPT, lookAt, openSite, SUPPLIERS, signInBy } from "./site";
import type { Session } from "./webdriver";
import { goingOn, openWebKit } from "./webkit";

/** Every page in WebKit, and a press on a row of every list; nothing is logged to its console. */

const place = inject("app");
/** In a narrow window, rows are cards and are tapped. */
const ROW_WIDTHS = [390, 834, 1_024, 1_440];
const LISTS = [
  ...["/payees", "/verifications", "/verifications/all", "/verifications/pending"],
  ...["/payments", "/payments/files", "/invoices"],
];

type Walk = {
  webkit: Session;
  way: Awaited<ReturnType<typeof overhear>>;
  site: Awaited<ReturnType<typeof openSite>>;
  /** Who is signed in. */
  who?: string;
};

const seen = new Set<string>();

/** Pages of expired or invented links must respond correctly too. */
const isOfUnknown = (line: string) => /^GET \/(\S+\/unknown|nowhere|bank-consent)\S*: 40[04]$/.test(line);

const windowOf = ({ webkit, way, site }: Walk) => ({
  widths: [1_440, 1_024, 390],
  pictured: site.pictured,
  visit: (address: string) => webkit.visit(way.origin + address),
  evaluate: (expression: string) => webkit.evaluate<string[]>(`(${layOutAnew})(), ${expression}`),
  resize: (width: number) => webkit.resize(width, HEIGHT),
  async keep(picture: string) {
    await webkit.run(layOutAnew);
    // The window may still show the page at its previous width.
    await webkit.run(() => {
      const drawn = () => document.documentElement.setAttribute("data-drawn", "");
      requestAnimationFrame(() => requestAnimationFrame(drawn));
    });
    await webkit.until("a page that is drawn", () => document.documentElement.hasAttribute("data-drawn"));
    writeFileSync(path.join(KEPT, `${picture}-webkit.png`), await webkit.picture());
  },
});

/** In the page: forces a new layout, because WebKit keeps the width of some boxes after the window becomes narrower. */
function layOutAnew() {
  const { style } = document.body;
  style.display = "none";
  void document.body.offsetWidth;
  style.display = "";
}

const inBrowser = goingOn<Walk>({
  open: async () => ({ site: await openSite(place), way: await overhear(place.origin), webkit: await openWebKit() }),
  async close({ webkit, way }) {
    way.close();
    await webkit.close();
  },
});

/** A test with a signed-in person, or with a visitor. */
const walk = (who: (site: Walk["site"]) => string | undefined, look: (walk: Walk) => Promise<void>) => () =>
  inBrowser.run(async (walk) => {
    const asked = who(walk.site);
    if (walk.who && walk.who !== asked) await walk.webkit.forgetCookies();
    if (asked && walk.who !== asked) await signInBy(walk.webkit, walk.way.origin, asked);
    walk.who = asked;
    walk.way.trouble.length = 0;
    await look(walk);
  });

const nobody = () => undefined;
const sam = ({ email }: Walk["site"]) => email;

/** Results only count once the whole walk has succeeded: a repeated walk checks everything again. */
async function expectNoProblems(walk: Walk, starts: readonly string[], follow = false) {
  const now = new Set(seen);
  expectNone(await lookAt(windowOf(walk), starts, now, follow));
  for (const kind of now) seen.add(kind);
}

describe.runIf(findWebKit().found)("in WebKit", () => {
  beforeAll(() => {
    mkdirSync(KEPT, { recursive: true });
  });
  afterAll(inBrowser.end);

  test(
    "what a page prints is heard, and what its policy refuses",
    walk(nobody, async ({ webkit, way }) => {
      await webkit.visit(`${way.origin}/pricing`);
      await webkit.run(() => {
        console.error("told on purpose");
        setTimeout(() => {
          throw new Error("thrown on purpose");
        });
        const image = document.createElement("img");
        image.src = "http://elsewhere.example/a.png";
        document.body.appendChild(image);
      });
      await expect.poll(() => way.trouble.join("\n")).toMatch(/refused by the policy: .*elsewhere\.example/);
      await expect.poll(() => way.trouble.join("\n")).toMatch(/thrown on purpose/);
      await expect.poll(() => way.trouble.join("\n")).toContain("/pricing: told on purpose");
    }),
  );

  test(
    "every public page is pressed where it is drawn, fits, and prints nothing",
    walk(nobody, async (walk) => {
      await expectNoProblems(walk, walk.site.signedOut);
      expect(walk.way.trouble.filter((line) => !isOfUnknown(line))).toEqual([]);
    }),
  );

  test(
    "every page of the product is pressed where it is drawn, fits, and prints nothing",
    walk(sam, async (walk) => {
      await expectNoProblems(walk, walk.site.signedIn, true);
      expect(walk.way.trouble).toEqual([]);
    }),
  );

  describe.each(ROW_WIDTHS)("at %d px", (width) => {
    test.each(LISTS)("a press in the middle of a row of %s opens that row's record", (list) =>
      walk(sam, async ({ webkit, way }) => {
        await webkit.resize(width, HEIGHT);
        await webkit.visit(way.origin + list);
        const isLong = list !== "/invoices";
        await webkit.until(
          `rows on ${list}`,
          (rows) => document.querySelectorAll("a[data-row], a[data-item]").length >= rows,
          isLong ? SUPPLIERS.length : 1,
        );
        // Neither the first nor the last: either could be the one that lies over all others.
        const row = await webkit.run(findRow, isLong ? 2 : 0);
        await webkit.press(row, width < 1_000 ? "touch" : "mouse");
        await webkit.until(`the record of ${row.name}`, (path) => location.pathname === path, row.path);
        await webkit.until(
          `the name ${row.name}`,
          (name) => document.querySelector("main")?.innerText.includes(name) === true,
          row.name,
        );
        expect(way.trouble).toEqual([]);
      })(),
    );
  });

  test(
    "every page of the platform's administrators, too",
    walk(
      ({ superAdmin }) => superAdmin,
      async (walk) => {
        await expectNoProblems(walk, walk.site.ofPlatform);
        expect(walk.way.trouble).toEqual([]);
        expectWhole(seen);
      },
    ),
  );
});
