import { expect, test } from "vitest";
import { readPageFilter } from "./file-lines.server";
import { sumsOf } from "./file-page.server";
import { groupByReason, isTickable, linesHref } from "./payment-file";

const aLine = (line: number, amount: number, rules: string[], isDecidedIndividually = false) => ({
  ...{ line, amount, isDecidedIndividually, status: "held" as const, paymentId: null },
  reasons: rules.map((rule) => ({
    rule,
    level: rule === "duplicate_payment" ? ("warn" as const) : ("hold" as const),
    message: "",
    isGrave: isDecidedIndividually && rule !== "payee_not_trusted",
    link: null,
  })),
});

test("held lines stand under what holds them, the gravest of it, the largest sum first; a warning is no reason", () => {
  const groups = groupByReason([
    aLine(1, 100, ["payee_not_trusted"]),
    aLine(2, 900, ["duplicate_payment", "payee_not_trusted", "details_changed"], true),
    aLine(3, 200, ["payee_not_trusted", "details_changed"]),
    aLine(4, 50, []),
  ]);
  expect(groups.map(({ rule, lines, cents }) => [rule, lines.map(({ line }) => line), cents])).toEqual([
    ["details_changed", [2], 900],
    ["payee_not_trusted", [1, 3], 300],
    ["", [4], 50],
  ]);
});

test("a reason against the account stands above a larger sum that only waits for a person", () => {
  const groups = groupByReason([
    aLine(1, 900, ["first_payment_limit"]),
    aLine(2, 100, ["details_changed"], true),
    aLine(3, 200, ["payee_disputed"], true),
  ]);
  expect(groups.map(({ rule }) => rule)).toEqual(["payee_disputed", "details_changed", "first_payment_limit"]);
});

test("what is decided one by one, was sent on or is rejected cannot be ticked with others", () => {
  const [group] = groupByReason([
    aLine(1, 1, ["details_changed"]),
    aLine(2, 1, ["details_changed"], true),
    { ...aLine(3, 1, ["details_changed"]), paymentId: "p" as never },
  ]);
  expect(group?.lines.filter(isTickable).map(({ line }) => line)).toEqual([1]);
  expect(group?.tickable).toBe(1);
  expect(isTickable({ status: "rejected", paymentId: null, isDecidedIndividually: false })).toBe(false);
});

test("the address keeps whose lines are ticked; one that is no list ticks nothing", () => {
  const href = linesHref("f", { tab: "held", tick: ["details_changed", "payee_not_trusted"] });
  const read = (query: string) => readPageFilter(new URL(query, "http://app.test").searchParams).tick;
  expect(read(href)).toEqual(["details_changed", "payee_not_trusted"]);
  expect(read("/?tick=Robert'); DROP")).toEqual([]);
  expect(read("/")).toEqual([]);
});

test("held, approved, rejected and cleared are the whole file", () => {
  const file = { totalCents: 1_000, heldCents: 300, authorisedCents: 600 };
  const sums = sumsOf(file, [{ totalCents: 250 }, { totalCents: 50 }]);
  expect(sums).toEqual({ heldCents: 300, approvedCents: 300, rejectedCents: 100, clearedCents: 300 });
});
