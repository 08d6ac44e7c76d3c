import { expect, test } from "vitest";
import { matchNames } from "~/modules/name-match";
import { storedInstantAnswer } from "~/modules/payees/verifications/account-questions.server";
import {
  REASONS,
  type ReasonCode,
  wouldRepeat,
  wouldRepeatConfirmationOfPayee,
} from "~/modules/payees/verifications/outcomes";
import { statusAfterOutcome } from "~/modules/payees/verifications/verification";
import { compareWithInstantAnswer, problemOf } from "~/modules/verifying/bank-checks/compare-with-instant-answer";
import type { InstantAnswer } from "~/ports/instant-bank-data";

const NOW = 1_764_000_000_000;
const ACME = { accountName: "Acme Plumbing Pty Ltd", bsb: "062000", accountNumber: "12345678" };
const EXACT = "ACME PLUMBING PTY LTD";
const CLOSE = "ACME PLUMBING";
const OTHER = "ZEPHYRINE VANTONGEREN";

const said = (verdict: "match" | "close_match" | "no_match", name: string | null): InstantAnswer => ({ verdict, name });

test("the three names stand for the three classes", () => {
  const classOf = (name: string) => matchNames(ACME.accountName, name).matchType;
  expect([EXACT, CLOSE, OTHER].map(classOf)).toEqual(["exact", "fuzzy", "none"]);
});

test.each([
  // the bank's verdict, the name on its account -> outcome, reason, the range of the score
  ["match", EXACT, "match", null, 95, 100],
  ["match", CLOSE, "close_match", "names_stricter", 70, 94],
  ["match", OTHER, "no_match", "names_stricter", 0, 69],
  ["close_match", EXACT, "close_match", "bank_stricter", 94, 94],
  ["close_match", CLOSE, "close_match", null, 70, 94],
  ["close_match", OTHER, "no_match", "names_stricter", 0, 69],
  ["no_match", EXACT, "no_match", "bank_stricter", 69, 69],
  ["no_match", CLOSE, "no_match", "bank_stricter", 69, 69],
  ["no_match", OTHER, "no_match", null, 0, 69],
] as const)("the bank says %s of %s: %s", (verdict, name, outcome, reasonCode, least, most) => {
  const result = compareWithInstantAnswer(ACME, said(verdict, name), NOW);
  expect(result).toMatchObject({ outcome, reasonCode });
  expect(result.match?.score).toBeGreaterThanOrEqual(least);
  expect(result.match?.score).toBeLessThanOrEqual(most);
  expect(result.match?.matchType).toBe({ match: "exact", close_match: "fuzzy", no_match: "none" }[outcome]);
  const { bsb, accountNumber } = ACME;
  expect(result.match?.differences).toEqual(matchNames(ACME.accountName, name).differences);
  const kept = { source: "cop", bankVerdict: verdict, accountName: name, bsb, accountNumber, checkedAt: NOW };
  expect(result.resultData).toEqual(kept);
});

test.each([
  [said("match", null), "match", "name_confirmed", "pending"],
  [said("close_match", null), "close_match", "name_close_withheld", "pending"],
  [said("no_match", null), "no_match", "name_not_confirmed", "pending"],
  [{ verdict: "account_closed", name: null }, "account_closed", "account_closed", "failed"],
  [{ verdict: "account_not_found", name: null }, "no_match", "account_not_found", "failed"],
  [{ verdict: "unable", problem: "bank_not_confirmed" }, "unable", "bank_not_confirmed", "pending"],
  [{ verdict: "unable", problem: "bsb_not_found" }, "unable", "bsb_not_found", "pending"],
  [{ verdict: "unable", problem: "account_limit" }, "unable", "account_limit", "pending"],
  [{ verdict: "unable", problem: "requester_limit" }, "unable", "requester_limit", "pending"],
  [{ verdict: "unable", problem: "details_not_accepted" }, "unable", "details_not_accepted", "pending"],
  [{ verdict: "unable", problem: "bank_unable_now" }, "unable", "bank_unable_now", "pending"],
] as const)("%j has no score: %s, %s, then %s", (answer, outcome, reasonCode, status) => {
  const result = compareWithInstantAnswer(ACME, answer, NOW);
  expect(result).toMatchObject({ outcome, reasonCode, match: null, resultData: { source: "cop", checkedAt: NOW } });
  expect(statusAfterOutcome(result.outcome, result.reasonCode)).toBe(status);
});

test.each([
  ["timeout", "answer_lost"],
  ["unreachable", "answer_lost"],
  ["rate_limited", "provider_busy"],
  ["unavailable", "answer_lost"],
  ["malformed", "answer_unclear"],
  ["wrong_tenant", "answer_unclear"],
  ["rejected", "details_not_accepted"],
] as const)("a provider that is %s: %s", (kind, reasonCode) => {
  expect(problemOf(kind)).toBe(reasonCode);
});

test("only where the reason stays does asking at once again say nothing new, and it never closes the way by consent", () => {
  const stays: ReasonCode[] = ["bank_not_confirmed", "bsb_not_found", "details_not_accepted"];
  const codes = Object.keys(REASONS) as ReasonCode[];
  expect(
    codes.filter((reasonCode) => wouldRepeatConfirmationOfPayee({ outcome: "unable", reasonCode })).sort(),
  ).toEqual(["account_not_found", ...stays].sort());
  for (const reasonCode of stays) expect(wouldRepeat({ outcome: "unable", reasonCode })).toBe(false);
  expect(wouldRepeatConfirmationOfPayee({ outcome: "unable", reasonCode: "name_withheld" })).toBe(false);
  expect(wouldRepeatConfirmationOfPayee({ outcome: "match", reasonCode: null })).toBe(false);
});

test("a stored answer leads to the same result again; a result without one has none", () => {
  for (const answer of [said("match", EXACT), said("close_match", EXACT), said("no_match", null)]) {
    const result = compareWithInstantAnswer(ACME, answer, NOW);
    const stored = storedInstantAnswer(result.resultData);
    const again = stored && compareWithInstantAnswer(ACME, stored, NOW);
    expect(again).toEqual(result);
  }
  const unable = compareWithInstantAnswer(ACME, { verdict: "unable", problem: "account_limit" }, NOW);
  expect(storedInstantAnswer(unable.resultData)).toBeUndefined();
  expect(storedInstantAnswer({ source: "basiq", accountName: EXACT, checkedAt: NOW })).toBeUndefined();
});
