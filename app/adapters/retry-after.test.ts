import { expect, test } from "vitest";
import { parseRetryAfter } from "./http-client";

const NOW = Date.UTC(2026, 10, 20, 1, 0, 0);

test.each([
  ["0", 0],
  ["120", 120_000],
  ["Fri, 20 Nov 2026 01:00:30 GMT", 30_000],
  ["Fri, 20 Nov 2026 00:59:00 GMT", 0],
  ["99999999", 24 * 60 * 60 * 1000],
  ["soon", undefined],
  ["", undefined],
  [null, undefined],
])("Retry-After %j is %j ms", (header, expected) => {
  expect(parseRetryAfter(header, NOW)).toBe(expected);
});
