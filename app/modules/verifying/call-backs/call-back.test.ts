import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { changeToConfirm, listPhones, whyNoProof } from "./call-back";

const NOW = 1_000 * DAY_MS;
const ago = (days: number) => NOW - days * DAY_MS;
const OLD = "+61293744000";
const NEW = "+61412345678";
const payee = { phone: NEW, createdAt: ago(400), createdBy: "Mira Okafor" };
const swap = { oldValue: OLD, newValue: NEW, createdAt: ago(3), userName: "Sam Reed" };

test("every number stands with when and by whom it was set, the present one first", () => {
  expect(listPhones(payee, [swap])).toEqual([
    { number: NEW, setAt: ago(3), setBy: "Sam Reed", isCurrent: true, isChange: true },
    { number: OLD, setAt: ago(400), setBy: "Mira Okafor", isCurrent: false, isChange: false },
  ]);
});

test("a payee without a phone, or whose phone was taken away, has no present number", () => {
  expect(listPhones({ ...payee, phone: null }, [])).toEqual([]);
  const gone = { oldValue: OLD, newValue: null, createdAt: ago(1), userName: null };
  expect(listPhones({ ...payee, phone: null }, [gone])).toMatchObject([{ number: OLD, isCurrent: false }]);
});

test("a number put back counts from when it was put back", () => {
  const back = { oldValue: NEW, newValue: OLD, createdAt: ago(1), userName: "Sam Reed" };
  const phones = listPhones({ ...payee, phone: OLD }, [swap, back]);
  expect(phones.find(({ number }) => number === OLD)).toMatchObject({ setAt: ago(1), isChange: true });
});

const BY_ANOTHER = { isOwnWork: false, changedAt: null };

test.each([
  ["the number of before the change", OLD, "on_file", undefined],
  ["the new number as on file", NEW, "on_file", "recently_changed"],
  ["the new number, said to be from the website", NEW, "website", "recently_changed"],
  ["the new number, said to be from a contract", NEW, "contract", "recently_changed"],
  ["a stranger's number as on file", "+61295550000", "on_file", "not_on_file"],
  ["a number from the website", "+61295550000", "website", undefined],
] as const)("%s", (_, number, source, expected) => {
  expect(whyNoProof({ ...BY_ANOTHER, number, source }, listPhones(payee, [swap]), NOW)).toBe(expected);
});

test("a change is too young for 30 days, and a number that came with the payee proves nothing as on file", () => {
  const at = (days: number) => listPhones(payee, [{ ...swap, createdAt: ago(days) }]);
  expect(whyNoProof({ ...BY_ANOTHER, number: NEW, source: "on_file" }, at(29.9), NOW)).toBe("recently_changed");
  expect(whyNoProof({ ...BY_ANOTHER, number: NEW, source: "on_file" }, at(30), NOW)).toBeUndefined();
  const young = listPhones({ ...payee, createdAt: ago(2) }, []);
  expect(whyNoProof({ ...BY_ANOTHER, number: NEW, source: "on_file" }, young, NOW)).toBe("recently_entered");
  expect(whyNoProof({ ...BY_ANOTHER, number: NEW, source: "website" }, young, NOW)).toBeUndefined();
});

const STRANGE = "+61295550000";
/** The payee has had the phone for 400 days; the bank details changed 10 days ago. */
const KNOWN = listPhones({ phone: OLD, createdAt: ago(400), createdBy: null }, []);
const ADDED_SINCE = listPhones({ phone: OLD, createdAt: ago(400), createdBy: null }, [
  { oldValue: null, newValue: OLD, createdAt: ago(60), userName: null },
]);

test.each([
  ["a colleague calls the number from before the change", OLD, "on_file", false, ago(10), KNOWN, undefined],
  ["the clerk who changed the account calls the right number", OLD, "on_file", true, ago(10), KNOWN, "own_work"],
  ["a colleague calls a number found on the web", STRANGE, "website", false, ago(10), KNOWN, "not_on_file"],
  ["a colleague calls a number from a contract", STRANGE, "contract", false, ago(10), KNOWN, "not_on_file"],
  ["the number came on file long after the change", OLD, "website", false, ago(90), ADDED_SINCE, "not_on_file"],
  ["the number came on file long before the change", OLD, "on_file", false, ago(10), ADDED_SINCE, undefined],
  ["a colleague calls a new payee's number from its website", STRANGE, "website", false, null, KNOWN, undefined],
  ["the clerk who added the payee calls it", STRANGE, "website", true, null, KNOWN, "own_work"],
] as const)("is it proof when %s?", (_, number, source, isOwnWork, changedAt, phones, expected) => {
  expect(whyNoProof({ number, source, isOwnWork, changedAt }, phones, NOW)).toBe(expected);
});

test.each([
  ["a change that waits", { createdAt: 5, payee: { bankDetailsChangedAt: 5, whitelisted: false } }, 5],
  ["a payee that never changed", { createdAt: 5, payee: { bankDetailsChangedAt: null, whitelisted: false } }, null],
  ["changed details that are trusted", { createdAt: 9, payee: { bankDetailsChangedAt: 5, whitelisted: true } }, null],
  [
    "a verification of before the change",
    { createdAt: 4, payee: { bankDetailsChangedAt: 5, whitelisted: false } },
    null,
  ],
])("%s is a change to confirm from then: %s", (_, verification, expected) => {
  expect(changeToConfirm(verification)).toBe(expected);
});
