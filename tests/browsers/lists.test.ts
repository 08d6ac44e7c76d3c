import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { findWebKit } from "../../scripts/lib/drivers.mjs";
import { newTag } from "../support/journey";
import { findCovered, findRow } from "../support/presses";
import { makeOffice, SUPPLIERS, signInBy } from "./an-office";
import type { Session } from "./webdriver";
import { openWebKit } from "./webkit";

/** Lists in Safari's engine: what is under the pointer is what is drawn there, and a row opens its own record. */

const { origin } = inject("app");
/** Below 1,024 px rows are cards; WebKit's own small browser cannot be as narrow as a phone. */
const WIDTHS = [834, 1_024, 1_100, 1_440];
const HEIGHT = 900;
const LISTS = ["/payees", "/verifications", "/verifications/pending", "/payments", "/payments/files"];

let webkit: Session;

beforeAll(async () => {
  const email = `sam@${newTag()}.example`;
  await makeOffice(origin, email);
  webkit = await openWebKit();
  await signInBy(webkit, origin, email);
});

afterAll(async () => {
  await webkit?.close();
});

async function open(list: string) {
  await webkit.visit(origin + list);
  await webkit.until(
    `rows on ${list}`,
    (rows) => document.querySelectorAll("a[data-row]").length === rows,
    SUPPLIERS.length,
  );
}

describe.runIf(findWebKit().found).each(WIDTHS)("at %d px", (width) => {
  beforeAll(() => webkit.resize(width, HEIGHT));

  test.each(LISTS)("nothing lies over the links, buttons, fields and rows of %s", async (list) => {
    await open(list);
    expect(await webkit.run(findCovered)).toEqual([]);
  });

  test.each(LISTS)("a press in the middle of a row of %s opens that row's record", async (list) => {
    for (const index of [0, 2]) {
      await open(list);
      const row = await webkit.run(findRow, index);
      await webkit.press(row);
      await webkit.until(`the record of ${row.name}`, (path) => location.pathname === path, row.path);
      await webkit.until(
        `the name ${row.name}`,
        (name) => document.querySelector("main")?.innerText.includes(name) === true,
        row.name,
      );
    }
  });
});
