import { expect, test } from "vitest";
import { ACCOUNT, aPayment } from "../../../tests/support/payment-facts";
import type { PaymentFacts } from "./facts";
import { describeImpact, describeImpacts, impactsOf } from "./rule-impact";

/** A payment to an account that belongs to no payee: `payee_not_trusted` finds it. */
const unknown = (given: Partial<PaymentFacts> = {}): PaymentFacts =>
  aPayment({ amount: 10_000, givenName: "Acme", account: { ...ACCOUNT, accountName: "Acme" }, payee: null, ...given });

test("a rule is counted whatever its level, and alone where no other rule holds", () => {
  const both = unknown({ isStaffAccount: true, amount: 5_000 });
  const impacts = impactsOf([unknown(), both], {});
  expect(impacts.payee_not_trusted).toEqual({ count: 2, cents: 15_000, onlyCount: 1, onlyCents: 10_000 });
  expect(impacts.staff_account).toEqual({ count: 1, cents: 5_000, onlyCount: 0, onlyCents: 0 });
  expect(impacts.many_changes).toEqual({ count: 0, cents: 0, onlyCount: 0, onlyCents: 0 });
});

test("a rule that is off holds nothing, so others hold alone", () => {
  const impacts = impactsOf([unknown({ isStaffAccount: true })], { payee_not_trusted: "off" });
  expect(impacts.staff_account).toMatchObject({ count: 1, onlyCount: 1 });
  // If the rule were turned on again, another rule would hold the payment too.
  expect(impacts.payee_not_trusted).toMatchObject({ count: 1, onlyCount: 0 });
});

test.each([
  [
    { count: 2, cents: 15_000, onlyCount: 0, onlyCents: 0 },
    "Found in 2 payments of the last 90 days ($150.00). Other rules hold all of them, so they are held at any level.",
  ],
  [
    { count: 2, cents: 15_000, onlyCount: 1, onlyCents: 10_000 },
    "Found in 2 payments of the last 90 days ($150.00). Nothing else holds 1 of them ($100.00): at Hold it is held, at Warn it goes through with a warning, at Off there is no warning.",
  ],
  [
    { count: 1, cents: 15_000, onlyCount: 0, onlyCents: 0 },
    "Found in 1 payment of the last 90 days ($150.00). Other rules hold it, so it is held at any level.",
  ],
  [
    { count: 1, cents: 15_000, onlyCount: 1, onlyCents: 15_000 },
    "Found in 1 payment of the last 90 days ($150.00). Nothing else holds it ($150.00): at Hold it is held, at Warn it goes through with a warning, at Off there is no warning.",
  ],
  [
    { count: 3, cents: 15_000, onlyCount: 2, onlyCents: 10_000 },
    "Found in 3 payments of the last 90 days ($150.00). Nothing else holds 2 of them ($100.00): at Hold they are held, at Warn they go through with a warning, at Off there is no warning.",
  ],
])("%j is said as %s", (impact, sentence) => {
  expect(describeImpact(impact).join(" ")).toBe(sentence);
});

test("a rule has its sentences where it found something", () => {
  const said = describeImpacts([unknown(), unknown()], {});
  expect(Object.keys(said)).not.toContain("many_changes");
  expect(said.payee_not_trusted?.join(" ")).toMatch(/^Found in 2 payments .* Nothing else holds them /);
});
