import { expect, test } from "vitest";
import { safeRedirectPath } from "./responses.server";

test.each(["/", "/payees?q=a%20b&status=x", "/verifications/1#notes"])("%s is safe to redirect to", (path) => {
  expect(safeRedirectPath(path)).toBe(path);
});

test.each([
  "",
  "payees",
  "//evil.example",
  "/\\evil.example",
  "/a\\b",
  "/\t/evil.example",
  "/\n/evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  `/${"a".repeat(2_001)}`,
  null,
  42,
])("%j is not", (path) => {
  expect(safeRedirectPath(path)).toBeUndefined();
});
