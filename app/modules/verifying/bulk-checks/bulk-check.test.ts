import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { MESSAGES_PER_DAY } from "~/kernel/limits";
import { type BulkChoice, judgePayee, roomNow, timeInWords } from "./bulk-check";

const NOW = 1_000 * DAY_MS;
const account = { accountName: "Acme", bsb: "062000", accountNumber: "12345678" };
const payee = {
  ...account,
  email: "a@acme.example",
  mobile: null,
  archivedAt: null,
  disputedAt: null,
  whitelisted: false,
  whitelistedAt: null,
  lastPaymentDate: NOW - 10 * DAY_MS,
  renamedAt: null,
  latest: null,
  verified: null,
};
const choice: BulkChoice = { filter: "all", verified: "never", paid: "year" };
const judge = (given: Partial<Parameters<typeof judgePayee>[0]>, chosen: Partial<BulkChoice> = {}) =>
  judgePayee({ ...payee, ...given }, { ...choice, ...chosen }, { now: NOW, reverifyAfterMonths: 12 });

const approved = (days: number, details = account) => ({ ...details, completedAt: NOW - days * DAY_MS });

test.each([
  ["never verified and paid this year", {}, {}, "ask"],
  ["paid more than a year ago", { lastPaymentDate: NOW - 366 * DAY_MS }, {}, "not_chosen"],
  ["never paid", { lastPaymentDate: null }, {}, "not_chosen"],
  ["never paid, where that does not matter", { lastPaymentDate: null }, { paid: "any" }, "ask"],
  ["verified", { verified: approved(5) }, {}, "not_chosen"],
  ["verified under former details", { verified: approved(5, { ...account, bsb: "062001" }) }, {}, "ask"],
  ["verified before it was given another name", { verified: approved(5), renamedAt: NOW - 4 * DAY_MS }, {}, "ask"],
  ["verified under its name", { verified: approved(5), renamedAt: NOW - 5 * DAY_MS - 1 }, {}, "not_chosen"],
  ["verified in the moment of the renaming", { verified: approved(5), renamedAt: NOW - 5 * DAY_MS }, {}, "ask"],
  ["trusted by hand", { whitelisted: true, whitelistedAt: NOW }, {}, "not_chosen"],
  ["verified 13 months ago, asked for stale ones", { verified: approved(396) }, { verified: "stale" }, "ask"],
  ["verified 11 months ago, asked for stale ones", { verified: approved(335) }, { verified: "stale" }, "not_chosen"],
  ["never verified, asked for stale ones", {}, { verified: "stale" }, "not_chosen"],
  ["verified, asked for all", { verified: approved(5) }, { verified: "any" }, "ask"],
  ["without a contact", { email: null }, {}, "no_contact"],
  ["with a mobile only", { email: null, mobile: "+61412345678" }, {}, "ask"],
  ["archived", { archivedAt: NOW }, {}, "not_chosen"],
  ["in dispute", { disputedAt: NOW }, {}, "under_way"],
  ["asked already", { latest: { status: "pending", method: "basiq", outcome: null } }, {}, "under_way"],
  ["with a result", { latest: { status: "pending", method: "basiq", outcome: "match" } }, {}, "under_way"],
  ["with a bank that gave no answer", { latest: { status: "pending", method: "basiq", outcome: "unable" } }, {}, "ask"],
  ["pending and not asked", { latest: { status: "pending", method: "manual", outcome: null } }, {}, "ask"],
] as const)("a payee %s", (_, given, chosen, expected) => {
  expect(judge(given, chosen)).toBe(expected);
});

test("a fifth of the day's messages is left for people, and what is on its way counts", () => {
  expect(roomNow({ perDay: 50, sent: 10 })).toBe(30);
  expect(roomNow({ perDay: 50, sent: 10 }, 8)).toBe(22);
  expect(roomNow({ perDay: 50, sent: 45 })).toBe(0);
});

test.each([
  [5, { perDay: 1_000, sent: 0 }, "about a minute"],
  [300, { perDay: 1_000, sent: 0 }, "about 5 minutes"],
  [16, { perDay: 20, sent: 0 }, "about a minute"],
  [17, { perDay: 20, sent: 0 }, "about 2 days"],
  [2_000, { perDay: 1_000, sent: 800 }, "about 4 days"],
])("%i payees with %o take %s", (payees, allowance, words) => {
  expect(timeInWords(payees, allowance)).toBe(words);
});

test("a new customer's 996 payees are asked within the first week: in three days of the trial, at once with a card", () => {
  expect(timeInWords(996, { perDay: MESSAGES_PER_DAY.trial, sent: 0 })).toBe("about 3 days");
  expect(timeInWords(996, { perDay: MESSAGES_PER_DAY.withCard, sent: 0 })).toBe("about 17 minutes");
});
