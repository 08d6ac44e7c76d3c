import { describe, expect, test } from "vitest";
import { CHECK_OUTCOMES, type CheckOutcome, VERIFICATION_STATUSES } from "~/kernel/enums";
import { VERDICTS, type VerdictName } from "~/kernel/verdicts";
import { findReviewFlags, hasRedFlag, primaryAction, REVIEW_FLAGS, type ReviewFlag } from "./review-flags";
import {
  type HeadlineFacts,
  headlineBesideAnswer,
  headlineOf,
  headlineOfFlag,
  isWaitingForPayee,
  progressOf,
} from "./verdict";
import { describeVerification } from "./verification-words";

const payee = {
  name: "Coastline Timber",
  bankDetailsChangedAt: null,
  renamedAt: null,
  contactChangedAt: null,
  disputedAt: null,
  whitelisted: false,
};
const SCORES = [null, 0, 69, 70, 94, 95, 100];
const OUTCOMES = [null, ...CHECK_OUTCOMES];

const pending = { status: "pending" as const, reasonCode: null, isWaiting: false, check: null };

/** Every state of a verification that a verdict can distinguish. */
const STATES = VERIFICATION_STATUSES.flatMap((status) =>
  OUTCOMES.flatMap((outcome) =>
    SCORES.flatMap((nameMatchScore) =>
      [null, 1].flatMap((disputedByPayeeAt) =>
        [0, 1].flatMap((lookalikes) =>
          [0, 1].flatMap((formerHolders) =>
            ["Coastline Timber Pty Ltd", "Zephyr Mining NL"].flatMap((accountName) =>
              [true, false].map((isWaiting) => {
                const resultData = { institutionDiffers: outcome === "match" && lookalikes === 0 && isWaiting };
                const seen = { outcome, nameMatchScore, disputedByPayeeAt, lookalikes, similarNames: 0, formerHolders };
                const facts = { ...seen, accountName, resultData, createdAt: 1, payee };
                return { ...pending, status, outcome, isWaiting, flags: findReviewFlags(facts), facts };
              }),
            ),
          ),
        ),
      ),
    ),
  ),
);

test("every state has one verdict with a word", () => {
  for (const state of STATES) expect(headlineOf(state).word).not.toBe("");
});

test("a pending verification always says what to do next", () => {
  for (const state of STATES) if (state.status === "pending") expect(headlineOf(state).next).not.toBe("");
});

test("it only says that the names match where a bank said so and no check raised a doubt", () => {
  for (const state of STATES) {
    if (headlineOf(state).name !== "matches") continue;
    expect(state.flags).toEqual([]);
    expect(state.facts.disputedByPayeeAt).toBeNull();
  }
});

test("what could not be checked never reads as a negative", () => {
  for (const state of STATES) {
    const { facts } = state;
    const isClean =
      facts.disputedByPayeeAt === null &&
      facts.lookalikes === 0 &&
      facts.formerHolders === 0 &&
      facts.nameMatchScore === null &&
      !state.flags.includes("name_of_payee_differs");
    if (state.status !== "pending" || state.outcome !== "unable" || !isClean) continue;
    expect(["could_not_check", "waiting"]).toContain(headlineOf(state).name);
  }
});

type Row = [
  what: string,
  flags: ReviewFlag[],
  outcome: CheckOutcome | null,
  name: VerdictName,
  word: string,
  tone: "verified" | "pending" | "review" | "neutral",
  next: RegExp,
];

const CONTACT_KNOWN_BEFORE = /using a contact (that )?you (already )?had/;

/** Which fact outweighs which, most serious first: the word, the colour and what to do. */
const TABLE: Row[] = [
  ["a dispute", ["disputed"], "match", "disputed", "Disputed", "review", /^Reject/],
  [
    "a closed account",
    ["account_closed"],
    "account_closed",
    "account_closed",
    "Account closed",
    "review",
    /new details/,
  ],
  ["another name", ["name_mismatch"], "no_match", "does_not_match", "Does not match", "review", /or reject/],
  [
    "another payee's former account under an exact name",
    ["former_account"],
    "match",
    "former_account",
    "Another payee's former account",
    "review",
    /^Compare it with that payee, and ask why/,
  ],
  [
    "another payee's former account that nobody checked",
    ["former_account", "unchecked"],
    null,
    "former_account",
    "Another payee's former account",
    "review",
    CONTACT_KNOWN_BEFORE,
  ],
  [
    "another payee's former account after contact and bank changed",
    ["former_account", "contact_and_bank_changed", "changed_details", "contact_changed"],
    "match",
    "former_account",
    "Another payee's former account",
    "review",
    CONTACT_KNOWN_BEFORE,
  ],
  ["a similar name", ["similar_name"], "match", "similar_name", "Similar name", "pending", /^Compare it/],
  ["a look-alike", ["lookalike"], "match", "lookalike", "Look-alike", "review", /^Compare it/],
  [
    "contact and bank changed under an exact name",
    ["contact_and_bank_changed", "changed_details", "contact_changed"],
    "match",
    "contact_and_bank_changed",
    "Contact and bank changed",
    "review",
    /^Call the payee using a contact that you had before the changes, or reject/,
  ],
  [
    "contact and bank changed while the bank is asked",
    ["contact_and_bank_changed", "changed_details", "contact_changed", "unchecked"],
    null,
    "contact_and_bank_changed",
    "Contact and bank changed",
    "review",
    /^Call/,
  ],
  ["a close name", ["name_close"], "close_match", "close", "Close match", "pending", /^Compare the names/],
  [
    "an account in another name than the payee's under an exact name",
    ["name_of_payee_differs"],
    "match",
    "name_of_payee_differs",
    "Payee name differs",
    "pending",
    /^Ask why the account is in a different name/,
  ],
  [
    "an account in another name that nobody checked",
    ["name_of_payee_differs", "unchecked"],
    null,
    "name_of_payee_differs",
    "Payee name differs",
    "pending",
    /^Ask why the account is in a different name .* No bank has answered yet\.$/,
  ],
  [
    "an account in another name about which the bank could not answer",
    ["name_of_payee_differs", "unchecked"],
    "unable",
    "name_of_payee_differs",
    "Payee name differs",
    "pending",
    /No bank has answered yet\.$/,
  ],
  ["changed details under an exact name", ["changed_details"], "match", "matches", "Matches", "verified", /the change/],
  ["a new contact under an exact name", ["contact_changed"], "match", "matches", "Matches", "verified", /the change/],
  ["an exact name and nothing else", [], "match", "matches", "Matches", "verified", /^Approve it, if/],
  ["another name under an exact name", ["renamed"], "match", "matches", "Matches", "verified", /the change/],
  ["a dispute before", ["disputed_before"], "match", "disputed", "Disputed", "review", /^Reject, unless/],
  [
    "another institution without a match",
    ["institution_differs"],
    null,
    "matches",
    "Matches",
    "verified",
    /^Approve it/,
  ],
  [
    "another institution",
    ["institution_differs"],
    "match",
    "close",
    "Close match",
    "pending",
    /^Ask the payee which bank/,
  ],
  ["no answer", ["unchecked"], "unable", "could_not_check", "Could not check", "neutral", /^Try the check again/],
];

test.each(TABLE)("%s", (_, flags, outcome, name, word, tone, next) => {
  const headline = headlineOf({ ...pending, flags, outcome });
  expect(headline).toMatchObject({ name, word, tone, isRed: tone === "review" });
  expect(headline.next).toMatch(next);
});

describe("green never stands under red, whatever holds at the same time", () => {
  /**
   * Sets of flags, including those that cannot occur together in the database: all sets with up to four flags, and all
   * that lack up to four.
   */
  const subsets = Array.from({ length: 2 ** REVIEW_FLAGS.length }, (_, bits) =>
    REVIEW_FLAGS.filter((_flag, at) => bits & (2 ** at)),
  ).filter(({ length }) => length <= 4 || length >= REVIEW_FLAGS.length - 4);
  const checks = [null, { step: "awaiting_payee" as const, returnedAt: null, silentSince: null }];
  const all = subsets.flatMap((flags) =>
    OUTCOMES.flatMap((outcome) =>
      checks.map((check) => {
        const facts: HeadlineFacts = { ...pending, flags, outcome, check, isWaiting: check !== null };
        return { facts, headline: headlineOf(facts) };
      }),
    ),
  );
  const APPROVAL = /approv|matches|verified|confirms the name|no other problem|exact|trust/i;

  test("a red flag makes the headline red, and neither its word nor its next step suggests approval", () => {
    for (const { facts, headline } of all) {
      const isRed = hasRedFlag(facts.flags);
      if (headline.isRed !== isRed || (headline.tone === "review") !== isRed) expect.fail(JSON.stringify(facts));
      if (!isRed) continue;
      if (APPROVAL.test(`${headline.word} ${headline.next}`)) expect.fail(JSON.stringify(headline));
      if (primaryAction(facts.flags) !== "reject") expect.fail(JSON.stringify(facts));
    }
  });

  test("it is green only where nothing but a change of one kind is known beside an answer", () => {
    // An answer from a different institution turns a match into a close match; that flag never occurs without a match.
    const harmless: readonly ReviewFlag[] = ["changed_details", "renamed", "contact_changed", "institution_differs"];
    for (const { facts, headline } of all) {
      if (headline.tone !== "verified") continue;
      if (facts.flags.some((flag) => !harmless.includes(flag)) || facts.isWaiting) expect.fail(JSON.stringify(facts));
    }
  });

  test("what the bank said is not green either, and stays what it said", () => {
    const words = {
      ...{ verifiedName: null, institutions: { verified: null, ofBsb: null }, isConfirmedByPayee: false },
      ...{ lookalikes: [], formerHolders: [], ownFormerAccount: null, isTrusted: false, decisionReason: null },
      ...{ payeeName: "Coastline Timber", accountName: "Coastline Timber" },
    };
    for (const flags of subsets) {
      const { answer } = describeVerification({ ...pending, outcome: "match", flags, ...words });
      if (answer.title !== "The names match" || (answer.tone === "verified" && hasRedFlag(flags)))
        expect.fail(JSON.stringify(flags));
    }
  });
});

test("the red verdicts are those of the red flags, and no other open one is red", () => {
  const open = (Object.keys(VERDICTS) as VerdictName[]).filter(
    (name) => !(VERIFICATION_STATUSES as readonly string[]).includes(name),
  );
  expect(open.filter((name) => VERDICTS[name].tone === "review").sort()).toEqual([
    "account_closed",
    "contact_and_bank_changed",
    "disputed",
    "does_not_match",
    "former_account",
    "lookalike",
  ]);
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
  ["a link that expires at this moment", { verificationTokenExpiresAt: 5 }, false],
  ["a link without an end", { verificationTokenExpiresAt: null }, false],
])("%s: a person is waited for: %s", (_, facts, expected) => {
  expect(isWaitingForPayee({ ...sent, ...facts }, 5)).toBe(expected);
});

test.each([
  ["the details", ["changed_details"], "Changed"],
  ["the name", ["renamed"], "Renamed"],
  ["the details and the name", ["changed_details", "renamed"], "Changed"],
  ["the contact", ["contact_changed"], "Contact changed"],
  ["nothing", [], null],
] as const)("what was changed stands beside an open verdict and no decided one: %s", (_, flags, changed) => {
  expect(headlineOf({ ...pending, outcome: "match", flags }).changed).toBe(changed);
  const decided = headlineOf({ ...pending, status: "rejected", outcome: "match", flags: [...flags, "disputed"] });
  expect([decided.change, decided.changed, decided.isRed, decided.next]).toEqual([null, null, false, ""]);
});

test("a flag of a payee without an open verification has its own headline", () => {
  expect(headlineOfFlag("disputed").name).toBe("disputed");
  expect(headlineOfFlag("unchecked").name).toBe("not_checked");
});

test("what speaks against paying beside the bank's answer is said once, in its order; the answer's own reasons are not", () => {
  const answer = { outcome: "match" as const, reasonCode: null };
  expect(headlineBesideAnswer({ ...answer, flags: ["name_mismatch", "name_close"] })).toBeNull();
  expect(headlineBesideAnswer({ ...answer, flags: ["disputed_before", "former_account", "name_close"] })).toEqual({
    word: "Disputed",
    next: "Reject, unless you have confirmed the details another way.",
    why: "The payee disputed its bank details before, and no one has decided about it since; the account was another payee's before.",
  });
});

test("a check that could not be made is tried again only where that may end otherwise", () => {
  const next = (reasonCode: string | null) =>
    headlineOf({ ...pending, flags: ["unchecked"], outcome: "unable", reasonCode }).next;
  expect(next("provider_timeout")).toMatch(/^Try the check again/);
  expect(next("name_withheld")).toBe("Confirm the details another way before you decide.");
});

test.each([
  ["starting", null, null, "starting"],
  ["awaiting_payee", null, null, "asked"],
  ["at_bank", null, null, "led_to_bank"],
  ["at_bank", 1, null, "been_at_bank"],
  ["at_bank", 1, 2, "provider_silent"],
  ["finished", 1, 2, null],
  ["finished", 1, null, null],
] as const)("how far a check is that is %s", (step, returnedAt, silentSince, progress) => {
  const check = { step, returnedAt, silentSince };
  expect(progressOf(check)).toBe(progress);
  const open = { ...pending, flags: [], outcome: null, check };
  expect(headlineOf({ ...open, isWaiting: false }).next).toBe(VERDICTS.matches.next);
});
