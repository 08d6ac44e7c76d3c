import { expect, test } from "vitest";
import { CHECK_OUTCOMES } from "~/kernel/enums";
import {
  canRetry,
  describeReason,
  explainOutcome,
  REASONS,
  type ReasonCode,
  wouldRepeat,
  wouldRepeatConfirmationOfPayee,
} from "./outcomes";

const CODES = Object.keys(REASONS) as ReasonCode[];

test("every outcome has a sentence, with and without a reason, and unknown reasons are passed over", () => {
  for (const outcome of CHECK_OUTCOMES) {
    expect(explainOutcome(outcome, null)).toMatch(/^[A-Z].*\.$/);
    expect(explainOutcome(outcome, "from_another_room")).toBe(explainOutcome(outcome, null));
    for (const code of CODES) expect(explainOutcome(outcome, code)).toMatch(/^[A-Z].*\.$/);
  }
});

test("a comparison with an identity is told together with its outcome", () => {
  const sentence = explainOutcome("no_match", "compared_with_identity");
  expect(sentence).toContain(explainOutcome("no_match", null));
  expect(sentence).toContain(REASONS.compared_with_identity.fact);
});

test("what could not be checked never sounds like a word against the payee", () => {
  const unable: ReasonCode[] = ["name_withheld", "number_masked", "link_expired", "provider_timeout", "job_failed"];
  for (const code of [...unable, "provider_unavailable" as const, "payee_unreachable" as const]) {
    expect(explainOutcome("unable", code)).not.toMatch(/fraud|suspicious|wrong|false|fail(ed)? verification/i);
  }
});

test("a retry is offered where it can help", () => {
  const helps = CODES.filter((code) => canRetry(code));
  expect(helps).toEqual([
    "account_state_unclear",
    "account_not_shared",
    "not_owned",
    "consent_refused",
    "consent_withdrawn",
    "consent_expired",
    "link_expired",
    "provider_timeout",
    "provider_unavailable",
    "job_failed",
    "payee_unreachable",
    "name_confirmed",
    "name_close_withheld",
    "name_not_confirmed",
    "bank_stricter",
    "names_stricter",
    "account_limit",
    "requester_limit",
    "provider_busy",
    "answer_lost",
    "answer_unclear",
    "bank_unable_now",
  ]);
  expect(canRetry(null)).toBe(true);
  expect(canRetry("toString")).toBe(true);
  expect(describeReason("toString")).toBeUndefined();
  expect(describeReason("link_expired")).toBe(REASONS.link_expired);
});

test.each([
  ["a reason that stays of a check by consent", "unable", "name_withheld", true, false],
  ["a reason that stays of a check at once", "unable", "bsb_not_found", false, true],
  ["a reason that passes", "unable", "provider_timeout", false, false],
  ["no reason", "unable", null, false, false],
  ["a reason of another time", "unable", "from_another_room", false, false],
  ["an answer of the bank, whatever its reason", "no_match", "name_withheld", false, false],
  ["an answer at once, whatever its reason", "no_match", "bsb_not_found", false, false],
  ["no answer yet", null, null, false, false],
] as const)("asking again would only repeat what was found with %s", (_, outcome, reasonCode, byConsent, atOnce) => {
  expect([wouldRepeat({ outcome, reasonCode }), wouldRepeatConfirmationOfPayee({ outcome, reasonCode })]).toEqual([
    byConsent,
    atOnce,
  ]);
});
