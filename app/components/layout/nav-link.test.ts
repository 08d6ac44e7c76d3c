import { expect, test } from "vitest";
import { findCurrent, isCurrent } from "~/components/layout/nav-link";

test.each([
  ["/verifications", "/verifications", true],
  ["/verifications/pending", "/verifications", true],
  ["/verifications-old", "/verifications", false],
  ["/payees", "/verifications", false],
  ["/", "/", true],
  ["/features", "/", false],
])("on %s the link to %s is current: %s", (pathname, to, current) => {
  expect(isCurrent(pathname, to)).toBe(current);
});

test("of two links above a page the nearer one is current", () => {
  const items = [
    { label: "Payments", to: "/payments" },
    { label: "Payment files", to: "/payments/files" },
  ];
  expect(findCurrent("/payments/files/1", items)?.label).toBe("Payment files");
  expect(findCurrent("/payments/new", items)?.label).toBe("Payments");
  expect(findCurrent("/payees", items)).toBeUndefined();
});
