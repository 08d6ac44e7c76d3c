import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import type { RegisterEntry } from "~/ports/business-register";
import { findFindings, type HealthFacts, pointsOf, scoreOf } from "./health";

const NOW = Date.UTC(2026, 10, 20);

const healthy: HealthFacts = {
  payee: {
    name: "Wattle Creek",
    accountName: "Wattle Creek Pty Ltd",
    bsb: "062000",
    accountNumber: "12345678",
    email: "accounts@wattle.example",
    phone: null,
    abn: "53004085616",
    whitelisted: true,
    whitelistedAt: NOW,
  },
  verifiedAt: NOW - 30 * DAY_MS,
  directory: { mnemonic: "CBA", name: "Sydney", electronic: true, status: "open", successorBsb: null },
  register: undefined,
  lookalikes: [],
  sameAbn: [],
  isStaffAccount: false,
  now: NOW,
  reverifyAfterMonths: 12,
};

const entry: RegisterEntry = {
  abn: "53004085616",
  entityName: "WATTLE CREEK PTY LTD",
  isActive: true,
  statusFrom: null,
  entityType: "",
  acn: null,
  gstFrom: null,
  businessNames: [],
  state: null,
  postcode: null,
};
const registered = (given: Partial<RegisterEntry> | null) => ({
  register: { entry: given && { ...entry, ...given }, fetchedAt: NOW },
});
const payee = (given: Partial<HealthFacts["payee"]>) => ({ payee: { ...healthy.payee, ...given } });
const directory = (given: Partial<NonNullable<HealthFacts["directory"]>>) => ({
  directory: {
    mnemonic: "CBA",
    name: "Sydney",
    electronic: true,
    status: "open" as const,
    successorBsb: null,
    ...given,
  },
});
const lookalike = { payeeId: "p2", name: "Wattle Crek", reason: "similar_name" as const, detail: "A similar name." };

test.each<[string, Partial<HealthFacts>, string[]]>([
  ["nothing is wrong", {}, []],
  ["the register agrees", registered({}), []],
  ["never verified", { verifiedAt: null, ...payee({ whitelisted: false }) }, ["never_verified"]],
  ["trusted by hand", { verifiedAt: null }, []],
  ["trusted by hand long ago", { verifiedAt: null, ...payee({ whitelistedAt: NOW - 400 * DAY_MS }) }, ["stale"]],
  ["verified long ago", { verifiedAt: NOW - 400 * DAY_MS }, ["stale"]],
  ["verified a year ago to the day", { verifiedAt: NOW - 365 * DAY_MS }, []],
  ["a merged BSB", directory({ status: "merged", successorBsb: "062005" }), ["bsb_closed"]],
  ["a closed BSB without direct entry", directory({ status: "closed", electronic: false }), ["bsb_closed"]],
  ["a BSB without direct entry", directory({ electronic: false }), ["bsb_unusable"]],
  ["a BSB that the directory does not have", { directory: null }, ["bsb_unusable"]],
  ["no directory is loaded", { directory: undefined }, []],
  ["an ABN that the register does not have", registered(null), ["abn_bad"]],
  ["a cancelled ABN", registered({ isActive: false }), ["abn_bad"]],
  ["another name in the register", registered({ entityName: "KESTREL FREIGHT PTY LTD" }), ["register_name"]],
  ["an answer about an ABN that was removed", { ...registered(null), ...payee({ abn: null }) }, []],
  ["a look-alike", { lookalikes: [lookalike] }, ["lookalike"]],
  ["the same ABN twice", { sameAbn: ["Other"] }, ["same_abn"]],
  ["no contact", payee({ email: null }), ["no_contact"]],
  ["an account of the staff", { isStaffAccount: true }, ["staff_account"]],
])("%s", (_, given, kinds) => {
  expect(findFindings({ ...healthy, ...given }).map(({ kind }) => kind)).toEqual(kinds);
});

test("a successor is named, and a look-alike too", () => {
  expect(findFindings({ ...healthy, ...directory({ status: "merged", successorBsb: "062005" }) })[0]?.detail).toBe(
    "062-000 is merged. Its accounts are now under 062-005.",
  );
  expect(findFindings({ ...healthy, lookalikes: [lookalike] })[0]?.detail).toBe("Wattle Crek: A similar name.");
});

test("a payee loses points for what was found, never below nil, and the score is the average", () => {
  expect(pointsOf([])).toBe(100);
  expect(
    pointsOf([
      { kind: "never_verified", detail: "" },
      { kind: "no_contact", detail: "" },
    ]),
  ).toBe(50);
  const all = ["never_verified", "bsb_closed", "abn_bad", "staff_account"] as const;
  expect(pointsOf(all.map((kind) => ({ kind, detail: "" })))).toBe(0);
  expect(scoreOf({ pointsSum: 150, payeeCount: 2 })).toBe(75);
  expect(scoreOf({ pointsSum: 0, payeeCount: 0 })).toBeNull();
});
