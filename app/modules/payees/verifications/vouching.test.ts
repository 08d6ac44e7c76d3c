import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { type Asker, countVouchers, type Voucher } from "./evidence";

const NOW = Date.parse("2026-11-20T00:00:00Z");
const NOBODY: Asker = { domains: [], people: [] };
let vouchers = 0;

/** An organisation whose vouching counts: each has its own domain and person, and vouched in a different week. */
function aVoucher(given: Partial<Voucher> = {}): Voucher {
  const n = ++vouchers;
  return {
    accountName: "Acme Pty Ltd",
    vouchedAt: NOW - n * 8 * DAY_MS,
    organizationCreatedAt: NOW - 400 * DAY_MS,
    isLive: true,
    hasPaid: true,
    isBankVerified: true,
    domains: [`d${n}.example`],
    people: [`p${n}`],
    ...given,
  };
}

const count = (vouching: Voucher[], asker = NOBODY) =>
  countVouchers("Acme Pty Ltd", { vouchers: vouching, asker }, NOW);

test("vouching is counted by how the names compare", () => {
  const names = ["ACME PTY LTD", "Acme Pty Limited", "Acme", "Zephyr Holdings"];
  expect(count(names.map((accountName) => aVoucher({ accountName })))).toEqual({
    exact: 2,
    close: 1,
    different: 1,
    leftOut: 0,
  });
  expect(count([])).toEqual({ exact: 0, close: 0, different: 0, leftOut: 0 });
});

test.each<[string, Partial<Voucher>]>([
  ["has never paid an invoice", { hasPaid: false }],
  ["is 60 days old", { organizationCreatedAt: NOW - 60 * DAY_MS }],
  ["relies on something other than its bank check", { isBankVerified: false }],
  ["has no confirmed domain", { domains: [] }],
  ["is closed, or its subscription has ended", { isLive: false }],
  ["does not say since when it trusts the account", { vouchedAt: null }],
])("an organisation that %s is left out", (_, given) => {
  expect(count([aVoucher(given), aVoucher()])).toMatchObject({ exact: 1, leftOut: 1 });
});

test("a single voucher is counted by the name that it has, close or different", () => {
  expect(count([aVoucher({ accountName: "Acme" })])).toEqual({ exact: 0, close: 1, different: 0, leftOut: 0 });
  expect(count([aVoucher({ accountName: "Zephyr" })])).toEqual({ exact: 0, close: 0, different: 1, leftOut: 0 });
});

test("an organisation of 61 days counts", () => {
  expect(count([aVoucher({ organizationCreatedAt: NOW - 61 * DAY_MS })])).toMatchObject({ exact: 1, leftOut: 0 });
});

test("attack: three organisations of one domain count as one", () => {
  const ring = Array.from({ length: 3 }, () => aVoucher({ domains: ["mules.example"] }));
  expect(count(ring)).toMatchObject({ exact: 1, leftOut: 2 });
});

test("attack: three organisations with one person behind them count as one", () => {
  const ring = Array.from({ length: 3 }, (_, n) => aVoucher({ people: ["the same", `and ${n}`] }));
  expect(count(ring)).toMatchObject({ exact: 1, leftOut: 2 });
});

test("attack: an organisation of the asker's own people or domain does not count", () => {
  const asker: Asker = { domains: ["asker.example"], people: ["me"] };
  const own = [aVoucher({ people: ["me"] }), aVoucher({ domains: ["asker.example", "other.example"] })];
  expect(count([...own, aVoucher()], asker)).toMatchObject({ exact: 1, leftOut: 2 });
});

test("attack: organisations that all vouched within a week count as one", () => {
  const at = (day: number) => aVoucher({ vouchedAt: NOW - day * DAY_MS });
  expect(count([at(100), at(97), at(93)])).toMatchObject({ exact: 1, leftOut: 2 });
  expect(count([at(100), at(97), at(92)])).toMatchObject({ exact: 3, leftOut: 0 });
});

test("every voucher is counted or left out, once", () => {
  const some = fc.record({
    accountName: fc.constantFrom("Acme Pty Ltd", "Acme", "Zephyr"),
    vouchedAt: fc.option(fc.integer({ min: NOW - 400 * DAY_MS, max: NOW })),
    organizationCreatedAt: fc.integer({ min: NOW - 400 * DAY_MS, max: NOW }),
    isLive: fc.boolean(),
    hasPaid: fc.boolean(),
    isBankVerified: fc.boolean(),
    domains: fc.subarray(["a", "b", "c"]),
    people: fc.subarray(["x", "y", "z"]),
  });
  fc.assert(
    fc.property(fc.array(some, { maxLength: 8 }), (all) => {
      const { exact, close, different, leftOut = 0 } = count(all);
      expect(exact + close + different + leftOut).toBe(all.length);
    }),
  );
});
