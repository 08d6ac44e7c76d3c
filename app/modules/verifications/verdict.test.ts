import { expect, test } from "vitest";
import { CHECK_OUTCOMES, VERIFICATION_STATUSES } from "~/kernel/enums";
import { findReviewFlags } from "./review-flags";
import { isWaitingForPayee, VERDICTS, verdictOf } from "./verdict";

const payee = {
  bankDetailsChangedAt: null,
  renamedAt: null,
  contactChangedAt: null,
  disputedAt: null,
  whitelisted: false,
};
const SCORES = [null, 0, 69, 70, 94, 95, 100];

/** Every state that a verification can be in, as far as a verdict looks at it. */
const STATES = VERIFICATION_STATUSES.flatMap((status) =>
  [null, ...CHECK_OUTCOMES].flatMap((outcome) =>
    SCORES.flatMap((nameMatchScore) =>
      [null, 1].flatMap((disputedByPayeeAt) =>
        [0, 1].flatMap((lookalikes) =>
          [true, false].map((isWaiting) => {
            const resultData = { institutionDiffers: outcome === "match" && lookalikes === 0 && isWaiting };
            const facts = { outcome, nameMatchScore, disputedByPayeeAt, lookalikes, resultData, createdAt: 1, payee };
            return { status, outcome, isWaiting, flags: findReviewFlags(facts), facts };
          }),
        ),
      ),
    ),
  ),
);

test("every state has one verdict with a word", () => {
  for (const state of STATES) expect(VERDICTS[verdictOf(state)].word).not.toBe("");
});

test("a pending verification always says what to do next", () => {
  for (const state of STATES) if (state.status === "pending") expect(VERDICTS[verdictOf(state)].next).not.toBe("");
});

test("it only says that the names match where a bank said so and no check raised a doubt", () => {
  for (const state of STATES) {
    if (verdictOf(state) !== "matches") continue;
    expect(state.flags).toEqual([]);
    expect(state.facts.disputedByPayeeAt).toBeNull();
  }
});

test("what could not be checked never reads as a negative", () => {
  for (const state of STATES) {
    const { facts } = state;
    const isClean = facts.disputedByPayeeAt === null && facts.lookalikes === 0 && facts.nameMatchScore === null;
    if (state.status !== "pending" || state.outcome !== "unable" || !isClean) continue;
    expect(["could_not_check", "waiting"]).toContain(verdictOf(state));
  }
});

const sent = {
  outcome: null,
  isCheckRunning: false,
  notificationSentAt: 1,
  verifiedByPayeeAt: null,
  disputedByPayeeAt: null,
  verificationTokenExpiresAt: 10,
};

test.each([
  ["a link that still works", {}, true],
  ["a link that has expired", { verificationTokenExpiresAt: 5 }, false],
  ["a confirmed link", { verifiedByPayeeAt: 3 }, false],
  ["a disputed link", { disputedByPayeeAt: 3 }, false],
  ["a bank that has answered", { outcome: "unable" as const }, false],
  ["a check that is started again", { outcome: "unable" as const, isCheckRunning: true }, true],
  ["nobody asked", { notificationSentAt: null }, false],
])("%s: a person is waited for: %s", (_, facts, expected) => {
  expect(isWaitingForPayee({ ...sent, ...facts }, 5)).toBe(expected);
});
