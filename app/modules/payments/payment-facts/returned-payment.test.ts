import { expect, test } from "vitest";
import { stillReturned } from "./payees.server";

const returned = { id: "p", returnedAt: 500, reason: "The account is closed" };

test.each([
  ["nothing else happened", { lastPaymentDate: null, bankDetailsChangedAt: null }, true],
  ["one went through before", { lastPaymentDate: 400, bankDetailsChangedAt: 100 }, true],
  ["one went through since", { lastPaymentDate: 600, bankDetailsChangedAt: null }, false],
  ["the bank details changed since", { lastPaymentDate: 400, bankDetailsChangedAt: 501 }, false],
])("a payment that came back is the last known of the payee when %s: %j", (_, payee, isLast) => {
  expect(stillReturned(returned, payee)).toEqual(isLast ? returned : null);
});

test("a payee none of whose payments failed has none that came back", () => {
  expect(stillReturned(null, { lastPaymentDate: 1, bankDetailsChangedAt: null })).toBeNull();
});
