import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import type { RegisterEntry } from "~/ports/business-register";
import { compareWithRegister, findConcerns, registerSentence, toRegisterView } from "./register";

const NOW = Date.UTC(2026, 10, 20);
const anEntry = (given: Partial<RegisterEntry> = {}): RegisterEntry => ({
  abn: "53004085616",
  entityName: "WATTLE CREEK ELECTRICAL PTY LTD",
  isActive: true,
  statusFrom: "2010-07-01",
  entityType: "Australian Private Company",
  acn: null,
  gstFrom: null,
  businessNames: [],
  state: "NSW",
  postcode: "2000",
  ...given,
});
const payee = { name: "Wattle Creek Electrical", accountName: "Wattle Creek Electrical Pty Ltd" };
const concernsOf = (entry: RegisterEntry | null) => findConcerns(payee, { entry, fetchedAt: NOW }, NOW);

test("the register's name is compared with both names of the payee", () => {
  expect(compareWithRegister(payee, anEntry())).toMatchObject({ matchType: "exact" });
});

test.each([
  ["a business name", { entityName: "SMITH, JOHN", businessNames: ["Wattle Creek Electrical"] }],
  ["the name of a trust", { entityName: "The Trustee for Wattle Creek Electrical" }],
])("%s is a name too", (_, given) => {
  expect(compareWithRegister(payee, anEntry(given))?.matchType).toBe("exact");
});

test.each([
  ["nothing", anEntry(), []],
  ["an unknown ABN", null, ["not_found"]],
  ["a cancelled ABN", anEntry({ isActive: false }), ["cancelled"]],
  ["another name", anEntry({ entityName: "KESTREL FREIGHT PTY LTD" }), ["other_name"]],
  ["an individual whose name is withheld", anEntry({ entityName: null }), []],
  ["a new ABN", anEntry({ statusFrom: new Date(NOW - 89 * DAY_MS).toISOString().slice(0, 10) }), ["new_registration"]],
  ["an ABN of 91 days", anEntry({ statusFrom: new Date(NOW - 91 * DAY_MS).toISOString().slice(0, 10) }), []],
  ["no date", anEntry({ statusFrom: null }), []],
])("%s: what a person should look at", (_, entry, concerns) => {
  expect(concernsOf(entry)).toEqual(concerns);
});

test.each([
  ["no ABN", null, undefined, null],
  ["an ABN that was not looked up", "53004085616", undefined, "Business register: not looked up yet."],
  ["an ABN that the register does not have", "53004085616", null, "The business register has no such ABN."],
  ["an active ABN", "53004085616", anEntry(), "Business register: WATTLE CREEK ELECTRICAL PTY LTD. The ABN is active."],
  [
    "an active ABN of an individual without a name",
    "53004085616",
    anEntry({ entityName: null }),
    "Business register: no name is given. The ABN is active.",
  ],
  [
    "a cancelled ABN of another business",
    "53004085616",
    anEntry({ isActive: false, entityName: "KESTREL FREIGHT PTY LTD" }),
    "Business register: KESTREL FREIGHT PTY LTD. The ABN is cancelled. The register knows this ABN under a different name.",
  ],
])("%s in a sentence", (_, abn, entry, sentence) => {
  const answer = entry === undefined ? undefined : { entry, fetchedAt: NOW };
  expect(registerSentence({ ...payee, abn }, answer, NOW)).toBe(sentence);
});

test("the age of a registration is told, with GST, kind, names and the closest of them; a date that cannot be read is left out", () => {
  const viewOf = (given: Partial<RegisterEntry>) =>
    toRegisterView(payee, { entry: anEntry(given), fetchedAt: NOW }, { now: NOW, showDate: () => "a day" });
  expect(viewOf({})).toMatchObject({ statusFrom: "a day", statusAge: "16 years ago" });
  expect(viewOf({ gstFrom: "2011-07-01", businessNames: ["Wattle", "Creek"] })).toMatchObject({
    facts: [
      { term: "Closest to the payee's name", value: "WATTLE CREEK ELECTRICAL PTY LTD, score 99 of 100" },
      { term: "GST", value: "Registered since a day" },
      { term: "Kind", value: "Australian Private Company, NSW 2000" },
      { term: "Business names", value: "Wattle, Creek" },
    ],
  });
  expect(viewOf({ statusFrom: "soon" })).toMatchObject({ statusFrom: null, statusAge: null });
});
