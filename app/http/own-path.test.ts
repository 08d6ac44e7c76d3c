import { expect, test } from "vitest";
import { ownPath } from "./own-path.server";

test.each(["/", "/payees?q=a%20b&status=x", "/verifications/1#notes"])("%s is a path of ours", (path) => {
  expect(ownPath(path)).toBe(path);
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
  expect(ownPath(path)).toBeUndefined();
});
