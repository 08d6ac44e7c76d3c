import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { findWebKit } from "../../scripts/lib/drivers.mjs";
import { newTag } from "../support/journey";
import { findRow } from "../support/presses";
import { makeOffice, SUPPLIERS, signInBy } from "./an-office";
import { overhear } from "./overhear";
import type { Session } from "./webdriver";
import { openWebKit } from "./webkit";

/** Lists in Safari's engine: a press on a row opens that row's record. Below 1,024 px rows are cards. */

const { origin } = inject("app");
const WIDTHS = [390, 1_024, 1_440];
const HEIGHT = 900;
const LISTS = ["/payees", "/verifications", "/verifications/pending", "/payments", "/payments/files"];

let webkit: Session;
let way: Awaited<ReturnType<typeof overhear>>;

beforeAll(async () => {
  if (!findWebKit().found) return;
  const email = `sam@${newTag()}.example`;
  await makeOffice(origin, email);
  way = await overhear(origin);
  webkit = await openWebKit();
  await signInBy(webkit, way.origin, email);
});

afterAll(async () => {
  await webkit?.close();
  way?.close();
});

async function open(list: string) {
  await webkit.visit(way.origin + list);
  await webkit.until(
    `rows on ${list}`,
    (rows) => document.querySelectorAll("a[data-row]").length === rows,
    SUPPLIERS.length,
  );
}

describe.runIf(findWebKit().found).each(WIDTHS)("at %d px", (width) => {
  beforeAll(() => webkit.resize(width, HEIGHT));

  test.each(LISTS)("a press in the middle of a row of %s opens that row's record", async (list) => {
    way.trouble.length = 0;
    await open(list);
    // Neither the first nor the last: either could be the one that lies over all others.
    const row = await webkit.run(findRow, 2);
    await webkit.press(row);
    await webkit.until(`the record of ${row.name}`, (path) => location.pathname === path, row.path);
    await webkit.until(
      `the name ${row.name}`,
      (name) => document.querySelector("main")?.innerText.includes(name) === true,
      row.name,
    );
    expect(way.trouble).toEqual([]);
  });
});
