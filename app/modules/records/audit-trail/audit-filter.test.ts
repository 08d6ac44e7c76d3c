import { expect, test } from "vitest";
import { AUDIT_AREAS, areaOf } from "~/modules/core/audit/areas";
import { AUDIT_ACTIONS } from "~/modules/records/audit-trail/audit-sentence";
import { auditHref, isDay, readAuditFilter } from "./audit-filter";

const id = "01a1f7a1-d6dc-7eef-947d-78ff5c9506b9";

const read = (query: string) => readAuditFilter(new URLSearchParams(query));

test.each([
  [`person=${id}`, { person: id }],
  ["action=payee.added", { action: "payee.added" }],
  [`thing=payee:${id}`, { thing: { type: "payee", id } }],
  [`thing=payment_file:${id}`, { thing: { type: "payment_file", id } }],
  [`payee=${id}`, { payee: id }],
  ["area=payments", { area: "payments" }],
  ["area=payees&action=payee.added", { area: "payees", action: "payee.added" }],
  ["from=2026-02-28&to=2026-03-01", { from: "2026-02-28", to: "2026-03-01" }],
  [`person=${id}&action=payee.edited&from=2026-02-28`, { person: id, action: "payee.edited", from: "2026-02-28" }],
])("%s is read, and written so that it reads the same", (query, filter) => {
  expect(read(query)).toEqual(filter);
  expect(read(auditHref(read(query)).split("?")[1] ?? "")).toEqual(filter);
});

test.each([
  [`by=user:${id}`, { person: id }],
  ["by=action:payee.added", { action: "payee.added" }],
  [`by=payment:${id}`, { thing: { type: "payment", id } }],
])("the former %s is still understood", (query, filter) => {
  expect(read(query)).toEqual(filter);
});

test("where another area is chosen beside an act, the area counts", () => {
  expect(read("area=payments&action=payee.added")).toEqual({ area: "payments" });
});

test("every act belongs to an area, and no area has more acts than a person reads in one list", () => {
  const acts = Object.keys(AUDIT_ACTIONS);
  expect(acts.filter((action) => areaOf(action) === undefined)).toEqual([]);
  for (const area of Object.keys(AUDIT_AREAS))
    expect(acts.filter((action) => areaOf(action) === area).length).toBeLessThan(100);
});

test.each([
  [""],
  ["payee=Acme"],
  ["area=everything"],
  ["area=toString"],
  ["by="],
  ["person=1"],
  ["by=user:1"],
  ["action=payee.exploded"],
  ["action=toString"],
  [`thing=session:${id}`],
  [`thing=constructor:${id}`],
  ["thing=payee"],
  ["from=yesterday&to=2026-02-30"],
])("%s narrows nothing", (query) => {
  expect(read(query)).toEqual({});
});

test("an address keeps filter and key", () => {
  expect(auditHref({})).toBe("/audit");
  expect(auditHref({ action: "payee.added" }, { cursor: "x" })).toBe("/audit?action=payee.added&cursor=x");
});

test.each([
  ["2026-02-28", true],
  ["2024-02-29", true],
  ["2026-02-29", false],
  ["2026-13-01", false],
  ["26-01-01", false],
])("%s is a day: %s", (text, is) => {
  expect(isDay(text)).toBe(is);
});
