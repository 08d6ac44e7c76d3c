import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { CHECK_OUTCOMES } from "~/kernel/enums";
import {
  countLookalikes,
  type FlagFacts,
  findReviewFlags,
  flagsNeedingReason,
  hasRedFlag,
  missingEvidence,
  primaryAction,
  REVIEW_FLAGS,
  redBesideAnswer,
  reviewFlagsOf,
} from "./review-flags";

const NOW = Date.UTC(2026, 10, 20);

const facts = ({
  payee,
  ...over
}: Partial<Omit<FlagFacts, "payee">> & { payee?: Partial<FlagFacts["payee"]> } = {}) => ({
  outcome: "match" as const,
  nameMatchScore: 100,
  disputedByPayeeAt: null,
  createdAt: NOW - DAY_MS,
  lookalikes: 0,
  similarNames: 0,
  formerHolders: 0,
  resultData: null,
  accountName: "Coastline Timber Pty Ltd",
  ...over,
  payee: {
    name: "Coastline Timber",
    bankDetailsChangedAt: null,
    renamedAt: null,
    contactChangedAt: null,
    disputedAt: null,
    whitelisted: false,
    ...payee,
  },
});

describe("what a verification carries, and what the page puts first", () => {
  test.each([
    ["an exact name", facts(), [], "approve"],
    ["the lowest exact score", facts({ nameMatchScore: 95 }), [], "approve"],
    ["a close name", facts({ outcome: "close_match", nameMatchScore: 94 }), ["name_close"], "none"],
    ["the lowest close score", facts({ outcome: "close_match", nameMatchScore: 70 }), ["name_close"], "none"],
    ["another name", facts({ outcome: "no_match", nameMatchScore: 69 }), ["name_mismatch"], "reject"],
    [
      "another name by its score, whatever the bank called it",
      facts({ nameMatchScore: 69 }),
      ["name_mismatch"],
      "reject",
    ],
    [
      "a name that the bank calls close and keeps to itself",
      facts({ outcome: "close_match", nameMatchScore: null }),
      ["name_close"],
      "none",
    ],
    ["a name that the bank confirms and keeps to itself", facts({ nameMatchScore: null }), [], "approve"],
    ["an exact name of a check that has not ended", facts({ outcome: null }), [], "approve"],
    ["another name without a score", facts({ outcome: "no_match", nameMatchScore: null }), ["name_mismatch"], "reject"],
    [
      "another institution than the BSB's",
      facts({ resultData: { institutionDiffers: true } }),
      ["institution_differs"],
      "none",
    ],
    ["the BSB's own institution", facts({ resultData: { institutionDiffers: false } }), [], "approve"],
    ["nothing compared", facts({ outcome: null, nameMatchScore: null }), ["unchecked"], "check"],
    ["a bank that did not answer", facts({ outcome: "unable", nameMatchScore: null }), ["unchecked"], "check"],
    ["a dispute", facts({ disputedByPayeeAt: NOW }), ["disputed"], "reject"],
    ["a similar name is no reason to reject", facts({ similarNames: 3 }), ["similar_name"], "none"],
    ["a similar name beside a look-alike", facts({ lookalikes: 1, similarNames: 3 }), ["lookalike"], "reject"],
    ["a look-alike", facts({ lookalikes: 1 }), ["lookalike"], "reject"],
    ["another payee's former account", facts({ formerHolders: 1 }), ["former_account"], "reject"],
    [
      "an account in another name than the payee's",
      facts({ accountName: "Zephyr Mining NL" }),
      ["name_of_payee_differs"],
      "none",
    ],
    [
      "an account in another name that nobody checked",
      facts({ outcome: null, nameMatchScore: null, accountName: "Zephyr Mining NL" }),
      ["name_of_payee_differs", "unchecked"],
      "check",
    ],
    ["a payee whose name is close to the account's", facts({ accountName: "Coast-line Timbers P/L" }), [], "approve"],
    ["a closed account", facts({ outcome: "account_closed", nameMatchScore: null }), ["account_closed"], "reject"],
    ["changed details", facts({ payee: { bankDetailsChangedAt: NOW - DAY_MS } }), ["changed_details"], "none"],
    [
      "details changed and trusted since",
      facts({ payee: { bankDetailsChangedAt: NOW - DAY_MS, whitelisted: true } }),
      [],
      "approve",
    ],
    ["another name", facts({ payee: { renamedAt: NOW - DAY_MS } }), ["renamed"], "none"],
    [
      "another name, and trusted since",
      facts({ payee: { renamedAt: NOW - DAY_MS, whitelisted: true } }),
      [],
      "approve",
    ],
    [
      "a dispute of details that it had before",
      facts({ payee: { disputedAt: NOW - 2 * DAY_MS } }),
      ["disputed_before"],
      "reject",
    ],
    [
      "a dispute of these details, which is the payee's too",
      facts({ disputedByPayeeAt: NOW, payee: { disputedAt: NOW } }),
      ["disputed"],
      "reject",
    ],
    ["details changed after it was opened", facts({ payee: { bankDetailsChangedAt: NOW } }), [], "approve"],
    [
      "a contact changed 30 days before it was opened",
      facts({ payee: { contactChangedAt: NOW - 31 * DAY_MS } }),
      ["contact_changed"],
      "none",
    ],
    [
      "a contact changed since, however long it waits",
      facts({ createdAt: NOW - 90 * DAY_MS, payee: { contactChangedAt: NOW - 50 * DAY_MS } }),
      ["contact_changed"],
      "none",
    ],
    [
      "contact and bank details changed, the contact first",
      facts({ payee: { bankDetailsChangedAt: NOW - DAY_MS, contactChangedAt: NOW - 20 * DAY_MS } }),
      ["contact_and_bank_changed", "changed_details", "contact_changed"],
      "reject",
    ],
    [
      "contact and bank details changed 30 days apart, long before it was opened",
      facts({ payee: { bankDetailsChangedAt: NOW - 90 * DAY_MS, contactChangedAt: NOW - 120 * DAY_MS } }),
      ["contact_and_bank_changed", "changed_details"],
      "reject",
    ],
    [
      "contact and bank details changed more than 30 days apart",
      facts({ payee: { bankDetailsChangedAt: NOW - 90 * DAY_MS, contactChangedAt: NOW - 120 * DAY_MS - 1 } }),
      ["changed_details"],
      "none",
    ],
    [
      "the contact changed while changed details wait, however long",
      facts({
        createdAt: NOW - 90 * DAY_MS,
        payee: { bankDetailsChangedAt: NOW - 90 * DAY_MS, contactChangedAt: NOW },
      }),
      ["contact_and_bank_changed", "changed_details", "contact_changed"],
      "reject",
    ],
    [
      "both changed and trusted since, within 30 days of it",
      facts({
        payee: { bankDetailsChangedAt: NOW - 20 * DAY_MS, contactChangedAt: NOW - 25 * DAY_MS, whitelisted: true },
      }),
      ["contact_and_bank_changed", "contact_changed"],
      "reject",
    ],
    [
      "both changed and trusted since, the later one 30 days before it was opened",
      facts({
        payee: { bankDetailsChangedAt: NOW - 31 * DAY_MS, contactChangedAt: NOW - 45 * DAY_MS, whitelisted: true },
      }),
      ["contact_and_bank_changed"],
      "reject",
    ],
    [
      "both changed and trusted since, long ago",
      facts({
        payee: { bankDetailsChangedAt: NOW - 40 * DAY_MS, contactChangedAt: NOW - 45 * DAY_MS, whitelisted: true },
      }),
      [],
      "approve",
    ],
    ["a contact changed before that", facts({ payee: { contactChangedAt: NOW - 31 * DAY_MS - 1 } }), [], "approve"],
    [
      "changed details that nobody checked",
      facts({ outcome: null, nameMatchScore: null, payee: { bankDetailsChangedAt: NOW - DAY_MS } }),
      ["changed_details", "unchecked"],
      "check",
    ],
  ])("%s", (_case, subject, flags, primary) => {
    const found = findReviewFlags(subject);
    expect(found).toEqual(flags);
    expect(primaryAction(found)).toBe(primary);
  });
});

const anyFacts = fc.record({
  outcome: fc.option(fc.constantFrom(...CHECK_OUTCOMES)),
  nameMatchScore: fc.option(fc.integer({ min: 0, max: 100 })),
  disputedByPayeeAt: fc.option(fc.integer({ min: 0, max: NOW })),
  createdAt: fc.integer({ min: 0, max: NOW }),
  lookalikes: fc.integer({ min: 0, max: 3 }),
  similarNames: fc.integer({ min: 0, max: 3 }),
  formerHolders: fc.integer({ min: 0, max: 2 }),
  accountName: fc.constantFrom("Coastline Timber", "Coastline Timber Pty Ltd", "Zephyr Mining NL"),
  resultData: fc.option(fc.record({ institutionDiffers: fc.boolean() })),
  payee: fc.record({
    name: fc.constantFrom("Coastline Timber", "Zephyr Mining"),
    bankDetailsChangedAt: fc.option(fc.integer({ min: 0, max: NOW })),
    renamedAt: fc.option(fc.integer({ min: 0, max: NOW })),
    disputedAt: fc.option(fc.integer({ min: 0, max: NOW })),
    contactChangedAt: fc.option(fc.integer({ min: 0, max: NOW })),
    whitelisted: fc.boolean(),
  }),
});

test("approving is never put first where anything speaks for a second look", () => {
  fc.assert(
    fc.property(anyFacts, (subject) => {
      const flags = findReviewFlags(subject);
      return (primaryAction(flags) === "approve") === (flags.length === 0);
    }),
  );
});

test("flags come in one order, gravest first, each once", () => {
  fc.assert(
    fc.property(anyFacts, (subject) => {
      const flags = findReviewFlags(subject);
      expect(flags).toEqual(REVIEW_FLAGS.filter((flag) => flags.includes(flag)));
      expect(flagsNeedingReason(flags).every((flag) => flags.includes(flag))).toBe(true);
    }),
  );
});

test("whatever is red asks an approval for a reason, and rejecting is put first", () => {
  fc.assert(
    fc.property(anyFacts, (subject) => {
      const flags = findReviewFlags(subject);
      if (!hasRedFlag(flags)) return;
      expect(flagsNeedingReason(flags)).not.toEqual([]);
      expect(primaryAction(flags)).toBe("reject");
      expect(missingEvidence(flags, { policy: "flagged", hasReason: false, hasProof: false })).toBe("reason");
    }),
  );
});

test.each([
  ["nothing speaks against it", "flagged", [], {}, undefined],
  ["a reason is always asked for", "always_reason", [], {}, "reason"],
  ["a reason is always asked for, and given", "always_reason", [], { hasReason: true }, undefined],
  ["a red flag", "flagged", ["lookalike"], {}, "reason"],
  ["a red flag, with a reason", "flagged", ["lookalike"], { hasReason: true }, undefined],
  ["a red flag, with a confirmed call", "flagged", ["lookalike"], { hasProof: true }, undefined],
  ["an account in another name", "flagged", ["name_of_payee_differs"], {}, "reason"],
  ["a close name", "flagged", ["name_close"], {}, undefined],
  ["no bank was asked, and a check is asked for", "check_or_call_back", ["unchecked"], {}, "check_or_call_back"],
  ["the same with a reason alone", "check_or_call_back", ["unchecked"], { hasReason: true }, "check_or_call_back"],
  ["the same with a confirmed call", "check_or_call_back", ["unchecked"], { hasProof: true }, undefined],
  [
    "the bank has another name, and a check is asked for",
    "check_or_call_back",
    ["name_mismatch"],
    { hasReason: true },
    "check_or_call_back",
  ],
  [
    "the account is closed, and a check is asked for",
    "check_or_call_back",
    ["account_closed"],
    { hasReason: true },
    "check_or_call_back",
  ],
  [
    "another institution answered",
    "check_or_call_back",
    ["institution_differs"],
    { hasReason: true },
    "check_or_call_back",
  ],
  [
    "the bank has another name, and the payee confirmed in a call",
    "check_or_call_back",
    ["name_mismatch"],
    { hasProof: true },
    undefined,
  ],
  ["the bank has a close name", "check_or_call_back", ["name_close"], {}, undefined],
  ["a check was made, and a red flag stands", "check_or_call_back", ["lookalike"], {}, "reason"],
  ["no bank was asked, and nobody asks for it", "flagged", ["unchecked"], {}, undefined],
] as const)("what an approval lacks: %s", (_, policy, flags, given, missing) => {
  expect(missingEvidence(flags, { policy, hasReason: false, hasProof: false, ...given })).toBe(missing);
});

test("a look-alike is told from a payee of a merely similar name", () => {
  const found = ["similar_name", "same_name", "similar_name", "email_domain", "similar_name"];
  expect(countLookalikes(found.map((reason) => ({ reason })))).toEqual({ lookalikes: 2, similarNames: 3 });
});

test("flags are read from the audit trail in their order, and what is no flag is left out", () => {
  expect(reviewFlagsOf(["unchecked", "gone_since", "disputed"])).toEqual(["disputed", "unchecked"]);
  expect(reviewFlagsOf("disputed")).toEqual([]);
  expect(reviewFlagsOf(undefined)).toEqual([]);
});

test("of the red flags a bank's own answer says two, and about all others nothing", () => {
  expect(redBesideAnswer(REVIEW_FLAGS)).toEqual([
    ...["disputed", "disputed_before", "former_account", "lookalike", "contact_and_bank_changed"],
  ]);
});
