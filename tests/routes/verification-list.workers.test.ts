import { V7Generator } from "uuidv7";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { DAY_MS } from "~/kernel/dates";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import * as listPage from "~/routes/_app+/verifications.all";
import * as csv from "~/routes/_app+/verifications.export[.]csv";
import { aMember } from "../support/factories";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";
import { aPendingVerification, changeVerification } from "../support/verifications";

const list = routeOf("/api/verifications");

/** Three verifications on three days: one approved by a colleague, one that could not be checked, one untouched. */
async function aList() {
  const made = testServices();
  // Ids carry the time, as they do outside of tests.
  const generator = new V7Generator();
  const next = () => generator.generateOrResetCore(made.clock.now(), 10_000).toString();
  const services = { ...made, ids: { ...made.ids, next } };
  const actor = await aMember(services);
  const organization = { id: actor.organizationId, name: actor.organizationName };
  const colleague = await aMember(services, { organization, firstName: "Dana" });
  const approved = await aPendingVerification(services, actor, {
    payee: { name: "Alder", accountName: "Alder Pty Ltd" },
  });
  const review = { approved: true, addToGlobalWhitelist: false } as const;
  await reviewVerification(services, colleague, { verificationId: approved.verificationId, review });
  services.clock.advance(DAY_MS);
  const silent = await aPendingVerification(services, actor, { payee: { name: "=Birch()" } });
  await changeVerification(services, silent, { outcome: "unable", method: "basiq" });
  services.clock.advance(DAY_MS);
  await aPendingVerification(services, actor, { payee: { name: "Cedar" }, requestedById: null });
  const stranger = await aMember(services);
  await aPendingVerification(services, stranger, { payee: { name: "Foreign" } });
  const namesOf = async (query: string) => {
    const { rows } = await listPage.loader(await routeArgs(services, actor, `/verifications${query}`));
    return rows.map(({ payeeName }) => payeeName);
  };
  return { services, actor, colleague, approved, silent, namesOf };
}

test("the list has every verification of the organisation, newest first, decided ones too", async () => {
  const { services, actor, namesOf, approved } = await aList();
  expect(await namesOf("")).toEqual(["Cedar", "=Birch()", "Alder"]);
  const page = await listPage.loader(await routeArgs(services, actor, "/verifications/all?status=verified"));
  expect(page.rows).toMatchObject([{ status: "verified", decidedBy: "Dana Okafor", requestedBy: "Mira Okafor" }]);
  expect(JSON.stringify(page)).not.toContain(approved.details.accountNumber);
});

test("filters narrow it, together and each by itself, and what is not understood narrows nothing", async () => {
  const { colleague, actor, namesOf } = await aList();
  expect(await namesOf("?status=pending")).toEqual(["Cedar", "=Birch()"]);
  expect(await namesOf("?outcome=unable")).toEqual(["=Birch()"]);
  expect(await namesOf("?outcome=none")).toEqual(["Cedar", "Alder"]);
  expect(await namesOf("?method=basiq")).toEqual(["=Birch()"]);
  expect(await namesOf(`?person=${colleague.userId}`)).toEqual(["Alder"]);
  expect(await namesOf(`?person=${actor.userId}`)).toEqual(["=Birch()", "Alder"]);
  expect(await namesOf("?status=pending&outcome=none&method=manual")).toEqual(["Cedar"]);
  expect(await namesOf("?from=2026-11-21&to=2026-11-21")).toEqual(["=Birch()"]);
  expect(await namesOf("?to=2026-11-20")).toEqual(["Alder"]);
  expect(await namesOf("?status=lost&person=%27&from=yesterday&method=%00")).toHaveLength(3);
});

test("the CSV has exactly what is filtered, masked, and no cell that a spreadsheet would carry out", async () => {
  const { services, actor, silent } = await aList();
  const read = async (query: string) =>
    (await csv.loader(await routeArgs(services, actor, `/verifications/export.csv${query}`))) as Response;
  const all = await read("");
  expect(all.headers.get("Content-Type")).toContain("text/csv");
  expect((await all.text()).trimEnd().split("\r\n")).toHaveLength(4);
  const text = await (await read("?outcome=unable")).text();
  expect(text).toContain("'=Birch()");
  expect(text).not.toContain(silent.details.accountNumber);
  expect(text.trimEnd().split("\r\n")).toHaveLength(2);
});

test("the call answers a page with its cursor, and the pages of the list hold everything once", async () => {
  const { services, actor } = await aList();
  for (let i = 0; i < 55; i++) await aPendingVerification(services, actor, { payee: { name: `Payee ${i}` } });
  const answer = await list.loader(await routeArgs(services, actor, "/api/verifications?status=pending"));
  expect(await answer.json()).toMatchObject({ nextCursor: null, verifications: { length: 57 } });
  const first = await listPage.loader(await routeArgs(services, actor, "/verifications/all"));
  expect(first.rows).toHaveLength(50);
  const second = await listPage.loader(await routeArgs(services, actor, first.nextHref ?? ""));
  expect(second.rows).toHaveLength(8);
  expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(58);
});

test("both calls answer each verification with its verdict and what speaks against it, as its own page does", async () => {
  const { services, actor, approved, silent } = await aList();
  const rowOf = async (loader: typeof list.loader, path: string, id: string) => {
    const answer = await loader(await routeArgs(services, actor, path));
    const { verifications } = await answer.json<{ verifications: { id: string }[] }>();
    return verifications.find((row) => row.id === id);
  };
  const one = routeOf("/api/verifications/{id}");
  for (const { verificationId: id } of [approved, silent]) {
    const path = `/api/verifications/${id}`;
    const own = await (await one.loader(await routeArgs(services, actor, path, { id }))).json<{
      verdict: { name: string; word: string; tone: string };
      flags: string[];
    }>();
    const { name, word, tone } = own.verdict;
    const found = await rowOf(list.loader, "/api/verifications", id);
    expect(found).toMatchObject({ verdict: { name, word, tone }, flags: own.flags });
  }
  const pending = routeOf("/api/verifications/pending");
  expect(await rowOf(pending.loader, "/api/verifications/pending", silent.verificationId)).toMatchObject({
    verdict: { name: "name_of_payee_differs", tone: "pending" },
    flags: ["name_of_payee_differs", "unchecked"],
  });
});
