import { expect, test } from "vitest";
import { isCurrent } from "~/components/layout/nav-link";

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
