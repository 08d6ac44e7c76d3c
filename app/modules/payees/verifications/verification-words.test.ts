import { expect, test } from "vitest";
import { BANK_CHECK_STEPS, CHECK_OUTCOMES, type CheckOutcome, VERIFICATION_STATUSES } from "~/kernel/enums";
import { REASONS, type ReasonCode } from "./outcomes";
import { findReviewFlags } from "./review-flags";
import { describeVerification, type WordFacts } from "./verification-words";

const UNCHANGED = {
  bankDetailsChangedAt: null,
  renamedAt: null,
  contactChangedAt: null,
  disputedAt: null,
  whitelisted: false,
};
/** What may have changed before it was opened: nothing, the contact, or the bank details as well. */
const CHANGES = [
  UNCHANGED,
  { ...UNCHANGED, contactChangedAt: 1 },
  { ...UNCHANGED, contactChangedAt: 1, bankDetailsChangedAt: 1 },
  { ...UNCHANGED, renamedAt: 1 },
  { ...UNCHANGED, disputedAt: 1 },
];

/** The possible results of a check: outcome, reason and score. */
const RESULTS: readonly [
  CheckOutcome | null,
  (ReasonCode | "details_edited" | "payee_renamed" | null)[],
  (number | null)[],
][] = [
  [null, [null, "details_edited", "payee_renamed"], [null]],
  ["match", [null, "compared_with_identity"], [100, 95]],
  ["match", ["name_confirmed"], [null]],
  ["close_match", [null, "compared_with_identity", "bank_stricter", "names_stricter"], [86, 70]],
  ["close_match", ["name_close_withheld"], [null]],
  ["no_match", [null, "compared_with_identity", "bank_stricter", "names_stricter"], [40]],
  ["no_match", ["name_not_confirmed", "account_not_found"], [null]],
  ["account_closed", [null, "account_closed"], [null, 86, 40]],
  ["account_not_shared", [null, "account_not_shared", "account_number_slip", "bsb_differs", "not_owned"], [null]],
  ["consent_refused", [null, "consent_refused", "consent_withdrawn", "consent_expired"], [null]],
  [
    "unable",
    [
      null,
      "name_withheld",
      "number_masked",
      "account_state_unclear",
      "link_expired",
      "provider_timeout",
      "provider_unavailable",
      "job_failed",
      "payee_unreachable",
      "payee_disputed",
      "bank_not_confirmed",
      "bsb_not_found",
      "details_not_accepted",
      "account_limit",
      "requester_limit",
      "provider_busy",
      "answer_lost",
      "answer_unclear",
      "bank_unable_now",
    ],
    [null],
  ],
];

test("every outcome and every reason is among the results", () => {
  expect(new Set(RESULTS.map(([outcome]) => outcome))).toEqual(new Set([null, ...CHECK_OUTCOMES]));
  const codes = new Set(RESULTS.flatMap(([, reasons]) => reasons));
  expect(Object.keys(REASONS).filter((code) => !codes.has(code as ReasonCode))).toEqual([]);
});

const results = RESULTS.flatMap(([outcome, codes, scores]) =>
  codes.flatMap((reasonCode) =>
    scores.flatMap((nameMatchScore) =>
      (nameMatchScore === null ? [false] : [false, true]).map((institutionDiffers) => ({
        outcome,
        reasonCode,
        nameMatchScore,
        institutionDiffers,
      })),
    ),
  ),
);

const OTHER_PAYEES = [
  { lookalikes: [], formerHolders: [] },
  { lookalikes: ["The name is that of Coast One Timber."], formerHolders: [] },
  { lookalikes: [], formerHolders: ["This account was Cassowary Cleaning's until 23 Nov 2026."] },
];

const RUNNING = BANK_CHECK_STEPS.flatMap((step) =>
  [null, 1].flatMap((returnedAt) => [null, 2].map((silentSince) => ({ step, returnedAt, silentSince }))),
);

/**
 * Computed once for all variants, because the flags do not depend on whether a check is in progress or the payee is
 * trusted, and comparing names is the slowest part.
 */
const flagged = results.flatMap(({ nameMatchScore, institutionDiffers, ...result }) =>
  [null, 1].flatMap((disputedByPayeeAt) =>
    OTHER_PAYEES.flatMap(({ lookalikes, formerHolders }) =>
      CHANGES.map((payee) => {
        const flags = findReviewFlags({
          ...result,
          nameMatchScore,
          disputedByPayeeAt,
          lookalikes: lookalikes.length,
          similarNames: 0,
          formerHolders: formerHolders.length,
          resultData: { institutionDiffers },
          createdAt: 1,
          accountName: "Coastline Timber Pty Ltd",
          payee: { name: "Coastline Timber", ...payee },
        });
        const verifiedName = nameMatchScore === null ? null : "COAST1INE TIMBER";
        return { ...result, lookalikes, formerHolders, flags, verifiedName };
      }),
    ),
  ),
);

function* everyState(): Generator<WordFacts> {
  for (const status of VERIFICATION_STATUSES)
    for (const facts of flagged)
      for (const check of status === "pending" ? [null, ...RUNNING] : [null, ...RUNNING.slice(0, 1)])
        for (const isTrusted of [true, false])
          yield {
            ...facts,
            status,
            check,
            isTrusted,
            ownFormerAccount: null,
            institutions: { verified: "Riverbend Mutual", ofBsb: "Westpac" },
            isWaiting: check !== null,
            isConfirmedByPayee: isTrusted,
            payeeName: "Coastline Timber",
            accountName: "Coastline Timber Pty Ltd",
            decisionReason: null,
          };
}

type Words = ReturnType<typeof describeVerification>;

/** Everything that the page would say about the state, as one string. */
function saidOf({ status }: WordFacts, { verdict, answer, absent, ending }: Words): string {
  const head = status === "pending" ? [verdict.word, verdict.next, ...verdict.evidence] : [];
  return [...head, answer.title, answer.fact, answer.next, absent, ending?.title, ending?.text]
    .filter(Boolean)
    .join(" | ");
}

/** One state for each text, and for each combination that the tests below distinguish. */
const TOLD = new Map<string, { facts: WordFacts; words: Words; said: string }>();
for (const facts of everyState()) {
  const words = describeVerification(facts);
  const said = saidOf(facts, words);
  const apart = [facts.status, facts.outcome, facts.reasonCode, facts.check?.step, facts.check?.returnedAt];
  const key = [...apart, words.ending === null, words.verdict.next, said].join("|");
  if (!TOLD.has(key)) TOLD.set(key, { facts, words, said });
}
const told = [...TOLD.values()];

/** Pairs of sentences that cannot both be true. */
const CONTRADICTIONS: readonly [RegExp, RegExp][] = [
  [/could not get an answer/i, /bank confirmed|bank holds|bank says/i],
  [/names match/i, /names do not match|names are close/i],
  [/No bank has answered/i, /bank holds|bank says|bank confirmed/i],
  [/No bank gave an answer/i, /bank says|bank confirmed/i],
  [/Approve, if/i, /not their details|different name|closed/i],
  [/is on the whitelist/i, /has left the whitelist/i],
  [/Approve, if/i, /was Cassowary Cleaning's|Whoever changed both|easily taken/i],
  [/bank confirms the name/i, /different name|not their details|account is closed|names are close/i],
  [/said that the details are theirs/i, /said that these are not their details/i],
  [/Try the check again/i, /Confirm the details another way before/i],
];

test("no state is told with two sentences that contradict each other", () => {
  for (const { facts, said } of told) {
    for (const [one, other] of CONTRADICTIONS) {
      if (one.test(said) && other.test(said)) expect.fail(`${JSON.stringify(facts)} says: ${said}`);
    }
  }
});

test("what is decided is told in the past: nothing is left to be done", () => {
  for (const { facts, words, said } of told) {
    if (facts.status === "pending") continue;
    if (/\b(ask the payee|try again|before you decide|so far|yet|wait for)\b/i.test(said)) expect.fail(said);
    if (words.ending === null) expect.fail(said);
  }
});

test("a pending one never speaks of an ending, and always says what to do next", () => {
  for (const { facts, words, said } of told)
    if (facts.status === "pending" && (words.ending !== null || words.verdict.next === "")) expect.fail(said);
});

test("a check that could not be finished never speaks against the payee", () => {
  for (const { facts, words, said } of told) {
    if (facts.outcome !== "unable" || facts.reasonCode === "account_closed") continue;
    if (/fraud|suspicious|wrong/i.test(`${words.answer.title} ${words.answer.fact}`)) expect.fail(said);
  }
});

const open: WordFacts = {
  status: "pending",
  outcome: null,
  reasonCode: null,
  flags: ["unchecked"],
  verifiedName: null,
  institutions: { verified: null, ofBsb: null },
  check: null,
  isWaiting: false,
  isConfirmedByPayee: false,
  lookalikes: [],
  formerHolders: [],
  ownFormerAccount: null,
  isTrusted: false,
  payeeName: "Coastline Timber",
  accountName: "Coastline Timber Pty Ltd",
  decisionReason: null,
};

test.each<[string, Partial<WordFacts>, string]>([
  ["nothing asked", {}, "No bank has answered about these details so far."],
  [
    "a check under way",
    { check: { step: "at_bank", returnedAt: 1, silentSince: null } },
    "The payee has been at their bank. The bank's answer usually comes within minutes.",
  ],
  [
    "a name the bank withheld",
    { outcome: "unable", reasonCode: "name_withheld" },
    "The bank confirmed the account but gave no name for it.",
  ],
  [
    "an outage",
    { outcome: "unable", reasonCode: "provider_unavailable" },
    "The bank data provider or the payee's bank could not be reached.",
  ],
  ["approved without a check", { status: "verified" }, "No bank gave an answer about these details."],
])("%s reads: %s", (_, facts, sentence) => {
  expect(describeVerification({ ...open, ...facts }).answer.fact).toBe(sentence);
});

test("that the payee has been at the bank, and that its answer is near, is only said once they are back from it", () => {
  for (const { facts, said } of told) {
    if (facts.status !== "pending" || facts.check === null) continue;
    const isBack = facts.check.step === "at_bank" && facts.check.returnedAt !== null;
    if (/has been at their bank|bank's answer|within minutes/.test(said) && !isBack) expect.fail(said);
  }
});

test.each([
  ["starting", null, /is starting/, /^Wait a moment/],
  ["awaiting_payee", null, /has not continued to their bank yet/, /send the link again after 2 days/],
  ["at_bank", null, /^The payee continued to their bank and may not have finished there\.$/, /to finish at their bank/],
  ["at_bank", 1, /^The payee has been at their bank\./, /Wait for the bank's answer/],
] as const)("a check that is %s, returned %s, says what is known and what to do", (step, returnedAt, fact, next) => {
  const words = describeVerification({ ...open, isWaiting: true, check: { step, returnedAt, silentSince: null } });
  expect(words.answer.fact).toMatch(fact);
  expect(words.verdict.next).toMatch(next);
});

test("while the provider does not answer, a check that runs says so, and that we keep trying", () => {
  for (const running of RUNNING.filter(({ step }) => step !== "finished")) {
    const words = describeVerification({ ...open, isWaiting: true, check: { ...running, silentSince: 2 } });
    expect(words.answer.fact).toMatch(/^The bank data provider does not answer; we keep trying\./);
    expect(words.verdict.next).toMatch(/we keep trying/);
  }
});

test("a failed one says why, from the reason, the decision or the outcome", () => {
  const failed = { ...open, status: "failed" as const };
  const textOf = (facts: Partial<WordFacts>) => describeVerification({ ...failed, ...facts }).ending?.text;
  expect(textOf({ outcome: "account_closed", reasonCode: "account_closed" })).toBe(
    "The bank says that this account is closed.",
  );
  expect(textOf({ reasonCode: "details_edited", decisionReason: "The payee's bank details were changed" })).toBe(
    "The payee's bank details were changed.",
  );
  expect(textOf({ outcome: "consent_refused" })).toContain("chose not to share");
  expect(textOf({})).toBe("The bank details could not be verified.");
});

test.each([
  ["details_edited", "Verification Closed"],
  ["payee_archived", "Verification Closed"],
  ["account_closed", "Verification Failed"],
  ["consent_refused", "Verification Failed"],
])("one that ended as %s is told as: %s", (reasonCode, title) => {
  expect(describeVerification({ ...open, status: "failed", reasonCode }).ending?.title).toBe(title);
});

test("the next step fits the facts", () => {
  const nextOf = (facts: Partial<WordFacts>) => describeVerification({ ...open, ...facts }).verdict.next;
  expect(nextOf({ outcome: "unable", reasonCode: "name_withheld" })).not.toContain("again");
  expect(nextOf({ outcome: "unable", reasonCode: "provider_unavailable" })).toContain("Try the check again");
  expect(nextOf({ outcome: "match", flags: ["changed_details"] })).toContain("about the change");
  expect(nextOf({ outcome: "match", flags: [] })).toContain("Approve");
  expect(nextOf({ outcome: "match", flags: ["institution_differs"] })).toContain("which bank holds the account");
  expect(nextOf({ outcome: "close_match", flags: ["name_close", "institution_differs"] })).toContain("names");
});

test("whose account it was, and that the payee went back to its own, are told in different words", () => {
  const was = "This account was Cassowary Cleaning's until 23 Nov 2026.";
  const flagged = { ...open, outcome: "match" as const, flags: ["former_account" as const], formerHolders: [was] };
  const { verdict, answer } = describeVerification(flagged);
  expect(verdict).toMatchObject({ word: "Another payee's former account", tone: "review", icon: "copy", isRed: true });
  expect(verdict.evidence).toEqual([was]);
  expect(answer).toMatchObject({ title: "The names match", tone: "neutral" });

  const back = "The payee went back to one of its former accounts: it had this one until 3 Mar 2026.";
  const own = describeVerification({ ...open, outcome: "match", flags: [], ownFormerAccount: back }).verdict;
  expect(own).toMatchObject({ word: "Matches", tone: "verified", isRed: false, evidence: [back] });
});

test("an account in another name than the payee's says both names", () => {
  const accountName = "Zephyr Mining NL";
  const { verdict } = describeVerification({
    ...open,
    outcome: "match",
    flags: ["name_of_payee_differs"],
    accountName,
  });
  expect(verdict).toMatchObject({ word: "Payee name differs", tone: "pending" });
  expect(verdict.evidence).toEqual([
    'The payee is called "Coastline Timber", and the account is in the name "Zephyr Mining NL".',
  ]);
});

test("another institution than the BSB's is told as evidence", () => {
  const { verdict } = describeVerification({
    ...open,
    outcome: "match",
    flags: ["institution_differs"],
    institutions: { verified: "Riverbend Mutual", ofBsb: "Westpac" },
  });
  expect(verdict.name).toBe("close");
  expect(verdict.evidence.join(" ")).toContain(
    "Riverbend Mutual says that it holds this account, but the BSB belongs to Westpac.",
  );
});
