import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { compareWithRegister, findConcerns } from "./register";
import type { RegisterEntry } from "./register.port";

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
  expect(compareWithRegister(payee, anEntry(given)).matchType).toBe("exact");
});

test.each([
  ["nothing", anEntry(), []],
  ["an unknown ABN", null, ["not_found"]],
  ["a cancelled ABN", anEntry({ isActive: false }), ["cancelled"]],
  ["another name", anEntry({ entityName: "KESTREL FREIGHT PTY LTD" }), ["other_name"]],
  ["a new ABN", anEntry({ statusFrom: new Date(NOW - 89 * DAY_MS).toISOString().slice(0, 10) }), ["new_registration"]],
  ["an ABN of 91 days", anEntry({ statusFrom: new Date(NOW - 91 * DAY_MS).toISOString().slice(0, 10) }), []],
  ["no date", anEntry({ statusFrom: null }), []],
])("%s: what a person should look at", (_, entry, concerns) => {
  expect(concernsOf(entry)).toEqual(concerns);
});
