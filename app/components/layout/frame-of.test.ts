import { expect, test } from "vitest";
import { frameOf } from "~/routes/$";

test.each([
  ["/", true, "public"],
  ["/dashboard", true, "signed-in"],
  ["/dashboard", false, "public"],
  ["/payees/verify", true, "signed-in"],
  ["/payeesomething", true, "public"],
  ["/verify/abc", true, "own"],
  ["/verifications/pending", true, "signed-in"],
  ["/auth", false, "own"],
  ["/bank-consent/return", false, "own"],
  ["/nowhere", true, "public"],
] as const)("%s (signed in: %s) stands in the %s frame", (pathname, isSignedIn, frame) => {
  expect(frameOf(pathname, isSignedIn)).toBe(frame);
});
