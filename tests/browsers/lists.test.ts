import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { aDirectEntryFile } from "../support/aba-files";
import { apiClient } from "../support/api-client";
import { newTag, PASSWORD } from "../support/journey";
import { findCovered, findRow } from "../support/presses";
import type { Session } from "./webdriver";
import { openWebKit } from "./webkit";

/** Lists in Safari's engine: what is under the pointer is what is drawn there, and a row opens its own record. */

const { origin } = inject("app");
/** Below 1,024 px rows are cards; WebKit's own small browser cannot be as narrow as a phone. */
const WIDTHS = [834, 1_024, 1_100, 1_440];
const HEIGHT = 900;
const LISTS = ["/payees", "/verifications", "/verifications/pending", "/payments", "/payments/files"];
const SUPPLIERS = ["Albany Awnings", "Broome Bricks", "Cairns Catering", "Dubbo Drains", "Esperance Energy"];

let webkit: Session;

beforeAll(async () => {
  const email = `sam@${newTag()}.example`;
  await makeLists(email);
  webkit = await openWebKit();
  await webkit.visit(`${origin}/auth`);
  await webkit.type("main [name=email]", email);
  await webkit.type("main [name=password]", `${PASSWORD}\uE007`);
  await webkit.until("the dashboard", () => location.pathname === "/dashboard");
});

afterAll(async () => {
  await webkit?.close();
});

/** An organisation with payees, verifications, payments and files. */
async function makeLists(email: string): Promise<void> {
  const client = apiClient(origin);
  const person = { email, firstName: "Sam", password: PASSWORD, newOrganization: { name: `Office of ${email}` } };
  expect((await client.post("/api/register", person)).status).toBe(201);
  for (const [at, name] of SUPPLIERS.entries()) {
    const payee = { name, accountName: `${name} Pty Ltd`, bsb: "062-000", accountNumber: `6600000${at}` };
    const { body } = await client.post("/api/payees", payee);
    const payment = { payeeId: body.payee.id, amount: 10_000 + at, reference: `R-${at}` };
    expect((await client.post("/api/payments", payment)).status).toBe(201);
    const line = { title: `${name} Pty Ltd`, accountNumber: payee.accountNumber, amount: 500, reference: `F-${at}` };
    await client.send(`/api/payment-files?name=run-${at}.aba`, aDirectEntryFile([line]));
  }
}

async function open(list: string) {
  await webkit.visit(origin + list);
  await webkit.until(
    `rows on ${list}`,
    (rows) => document.querySelectorAll("a[data-row]").length === rows,
    SUPPLIERS.length,
  );
}

describe.each(WIDTHS)("at %d px", (width) => {
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
