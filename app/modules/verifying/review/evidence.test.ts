import { expect, test } from "vitest";
import type { Evidence } from "~/modules/payees/verifications/verification";
import { toEvidenceLines } from "./review-known";

const NOTHING: Evidence = {
  institution: null,
  unusualAccountLength: false,
  vouching: { exact: 0, close: 0, different: 0 },
  lookalikes: [],
};

const BANK = { name: "Commonwealth Bank", branch: "Sydney" } as NonNullable<Evidence["institution"]>;

const vouching = (counts: Partial<Evidence["vouching"]>) => ({ ...NOTHING.vouching, ...counts });

test.each<[string, Partial<Evidence>, string[]]>([
  ["an unknown BSB", {}, ["No institution is known for this BSB"]],
  ["a known BSB", { institution: BANK }, ["Commonwealth Bank, Sydney: The institution this BSB belongs to."]],
  [
    "a BSB with a problem",
    { institution: { ...BANK, problem: "This BSB is closed." } as typeof BANK },
    ["Commonwealth Bank, Sydney: This BSB is closed."],
  ],
  [
    "an unusual length",
    { unusualAccountLength: true },
    ["Unusual account number length: Account numbers at this institution are usually longer or shorter."],
  ],
  ["no vouching", {}, ["No other organisation has vouched for this account yet"]],
  [
    "one that vouches",
    { vouching: vouching({ exact: 1 }) },
    ["1 organisation trusts this account under the same name"],
  ],
  [
    "vouching that differs",
    { vouching: vouching({ close: 2, different: 3 }) },
    [
      "2 organisations trust this account under a similar name",
      "3 organisations trust this account under a different name",
    ],
  ],
  [
    "one left out",
    { vouching: vouching({ leftOut: 1 }) },
    [
      "Not counted: 1: Another organisation trusts this account but is too new, unpaid or too closely related to be counted.",
    ],
  ],
  [
    "several left out",
    { vouching: vouching({ leftOut: 2 }) },
    [
      "Not counted: 2: Other organisations trust this account but are too new, unpaid or too closely related to be counted.",
    ],
  ],
])("%s", (_, known, expected) => {
  const lines = toEvidenceLines({ ...NOTHING, ...known }, "Australia/Sydney");
  const said = lines.map(({ title, detail }) => (detail === null ? title : `${title}: ${detail}`));
  expect(said).toEqual(expect.arrayContaining(expected));
});

test("vouching under another name is never said beside 'no other organisation'", () => {
  const titles = toEvidenceLines({ ...NOTHING, vouching: vouching({ different: 1 }) }, "Australia/Sydney").map(
    ({ title }) => title,
  );
  expect(titles).not.toContain("No other organisation has vouched for this account yet");
});

test("a look-alike names the payee and leads to it", () => {
  const lookalikes = [{ payeeId: "p1", name: "Coastline Timber", reason: "same_name" as const, detail: "Same name." }];
  expect(toEvidenceLines({ ...NOTHING, lookalikes }, "Australia/Sydney").at(-1)).toEqual({
    tone: "pending",
    icon: "copy",
    title: "Looks like",
    detail: "Same name.",
    payee: { name: "Coastline Timber", href: "/payees/p1" },
  });
});

test("another payee's former account comes first, with the payee; the payee's own is told in other words", () => {
  const until = "2026-11-22T13:00:00.000Z";
  const formerHolders = [{ payeeId: "q", name: "Cassowary Cleaning", until, isArchived: false }];
  const of = (evidence: Partial<Evidence>) => toEvidenceLines({ ...NOTHING, ...evidence }, "Australia/Sydney");
  expect(of({ formerHolders })[0]).toEqual({
    tone: "review",
    icon: "copy",
    title: "Former account of",
    detail: "Its account until 23 Nov 2026.",
    payee: { name: "Cassowary Cleaning", href: "/payees/q" },
  });
  const archived = of({ formerHolders: [{ payeeId: "q", name: "Cassowary Cleaning", until, isArchived: true }] })[0];
  expect(archived?.detail).toBe("It was archived on 23 Nov 2026 and still has the account.");
  expect(of({ ownUntil: until }).at(-1)).toMatchObject({
    tone: "neutral",
    title: "The payee went back to one of its former accounts: it had this one until 23 Nov 2026.",
  });
});
