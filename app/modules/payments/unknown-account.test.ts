import { expect, test } from "vitest";
import { stepForUnknownAccount } from "./payment";

const aReason = (evidence: Record<string, unknown>) => ({
  rule: "payee_not_trusted",
  level: "hold" as const,
  message: "",
  evidence,
});
const held = { status: "held" as const, payeeId: null, reasons: [aReason({ accountName: "Riverbend Timber" })] };
const add = { label: "Add as payee and verify", href: "/form" };

test.each([
  ["an unknown account is added", held, add],
  [
    "a payee's former account leads to that payee, and is not added",
    { ...held, reasons: [aReason({ formerPayeeId: "p1" })] },
    { label: "See how the payee's account changed", href: "/payees/p1" },
  ],
  ["a payee's account needs neither", { ...held, payeeId: "p1" }, null],
  ["nor does a payment that was decided", { ...held, status: "rejected" as const }, null],
])("%s", (_, payment, step) => {
  expect(stepForUnknownAccount(payment, "/form")).toEqual(step);
});

test("a person who may not add payees is not offered it", () => {
  expect(stepForUnknownAccount(held, null)).toBeNull();
});
