import { expect, test } from "vitest";
import { auditHref, parseAuditFilter, writeAuditFilter } from "./audit-filter";

const id = "01a1f7a1-d6dc-7eef-947d-78ff5c9506b9";

test.each([
  [`user:${id}`, { by: "user", userId: id }],
  ["action:payee.added", { by: "action", action: "payee.added" }],
  [`payee:${id}`, { by: "entity", type: "payee", id }],
  [`verification:${id}`, { by: "entity", type: "verification", id }],
])("%s is read, and written the same", (text, filter) => {
  const parsed = parseAuditFilter(text);
  expect(parsed).toEqual(filter);
  expect(parsed && writeAuditFilter(parsed)).toBe(text);
});

test.each([
  [null],
  [""],
  ["user"],
  ["user:1"],
  ["action:payee.exploded"],
  ["action:toString"],
  [`session:${id}`],
  [`constructor:${id}`],
])("%s narrows nothing", (text) => {
  expect(parseAuditFilter(text)).toBeUndefined();
});

test("an address keeps filter and key", () => {
  expect(auditHref(undefined)).toBe("/audit");
  expect(auditHref({ by: "action", action: "payee.added" }, "x")).toBe("/audit?by=action%3Apayee.added&cursor=x");
});
