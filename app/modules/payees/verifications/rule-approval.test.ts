import { describe, expect, test } from "vitest";
import { CHECK_OUTCOMES } from "~/kernel/enums";
import {
  barToRule,
  barToVouching,
  flagsOnOpening,
  REVIEW_FLAGS,
  type ReviewFlag,
  RULE_BARS,
  type RuleSubject,
} from "./review-flags";

const NOW = 1_700_000_000_000;
const ALLOWS = { autoApproveExact: true, secondPersonRequired: false };
const VOUCHING = { acceptVouching: true, secondPersonRequired: false };
const EXACT = { outcome: "match", matchType: "exact" } as const;

const UNTOUCHED = {
  disputedAt: null,
  draftSince: null,
  takenOffWhitelistAt: null,
  archivedAt: null,
};

type Given = Partial<Omit<RuleSubject, "payee">> & { payee?: Partial<RuleSubject["payee"]> };

const subject = ({ payee, ...given }: Given = {}): RuleSubject => ({
  flags: [],
  wasRejected: false,
  ...given,
  payee: { ...UNTOUCHED, ...payee },
});

describe("an exact answer about a new payee that nothing speaks against approves itself, and nothing else does", () => {
  test.each<[string, Given, (typeof RULE_BARS)[number] | undefined]>([
    ["a new payee", {}, undefined],
    ["an account in another name", { flags: ["name_of_payee_differs"] }, "flagged"],
    ["changed bank details", { flags: ["changed_details"] }, "flagged"],
    ["a draft of the payee's own", { payee: { draftSince: 1 } }, "draft"],
    ["a dispute", { payee: { disputedAt: 1 } }, "disputed"],
    ["a payee that a person took off the whitelist", { payee: { takenOffWhitelistAt: 1 } }, "taken_off"],
    ["an archived payee", { payee: { archivedAt: 1 } }, "archived"],
    ["a payee that a person rejected before", { wasRejected: true }, "rejected_before"],
  ])("%s", (_, given, bar) => {
    expect(barToRule(EXACT, subject(given), ALLOWS)).toBe(bar);
    expect(barToVouching(subject(given), VOUCHING)).toBe(bar);
  });

  test.each(REVIEW_FLAGS)("the flag %s leaves it to a person", (flag) => {
    expect(barToRule(EXACT, subject({ flags: [flag] }), ALLOWS)).toBe("flagged");
  });

  test.each([
    ["a rule that is switched off", { autoApproveExact: false, secondPersonRequired: false }, "policy_off"],
    ["a second person", { autoApproveExact: true, secondPersonRequired: true }, "second_person"],
    ["neither", { autoApproveExact: false, secondPersonRequired: true }, "policy_off"],
  ] as const)("the organisation's policy: %s", (_, policy, bar) => {
    expect(barToRule(EXACT, subject(), policy)).toBe(bar);
    const { autoApproveExact: acceptVouching, secondPersonRequired } = policy;
    expect(barToVouching(subject(), { acceptVouching, secondPersonRequired })).toBe(bar);
  });
});

/** Every combination of the values that the result depends on. */
function* everyCase() {
  const flagLists: ReviewFlag[][] = [[], ...REVIEW_FLAGS.map((flag) => [flag]), [...REVIEW_FLAGS]];
  const yesOrNo = [false, true];
  for (const outcome of CHECK_OUTCOMES)
    for (const matchType of ["exact", "fuzzy", "none", null] as const)
      for (const flags of flagLists)
        for (const [draft, disputed, takenOff, archived] of combinations(4))
          for (const wasRejected of yesOrNo)
            for (const autoApproveExact of yesOrNo)
              for (const secondPersonRequired of yesOrNo) {
                const payee = {
                  draftSince: draft ? 1 : null,
                  disputedAt: disputed ? 1 : null,
                  takenOffWhitelistAt: takenOff ? 1 : null,
                  archivedAt: archived ? 1 : null,
                };
                yield {
                  answer: { outcome, matchType },
                  subject: subject({ flags, payee, wasRejected }),
                  policy: { autoApproveExact, secondPersonRequired },
                };
              }
}

const combinations = (count: number): boolean[][] =>
  Array.from({ length: 2 ** count }, (_, bits) => Array.from({ length: count }, (__, at) => ((bits >> at) & 1) === 1));

test("of every combination exactly one kind is approved, and any other names the first thing that stands against it", () => {
  let approved = 0;
  let seen = 0;
  for (const { answer, subject: of, policy } of everyCase()) {
    const holds: Record<(typeof RULE_BARS)[number], boolean> = {
      not_exact: answer.outcome !== "match" || answer.matchType === "fuzzy" || answer.matchType === "none",
      name_withheld: answer.outcome === "match" && answer.matchType === null,
      flagged: of.flags.length > 0,
      draft: of.payee.draftSince !== null,
      disputed: of.payee.disputedAt !== null,
      taken_off: of.payee.takenOffWhitelistAt !== null,
      archived: of.payee.archivedAt !== null,
      rejected_before: of.wasRejected,
      policy_off: !policy.autoApproveExact,
      second_person: policy.secondPersonRequired,
    };
    const bar = barToRule(answer, of, policy);
    expect(bar).toBe(RULE_BARS.find((name) => holds[name]));
    seen += 1;
    if (bar === undefined) approved += 1;
  }
  expect(seen).toBe(CHECK_OUTCOMES.length * 4 * (REVIEW_FLAGS.length + 2) * 16 * 2 * 2 * 2);
  expect(approved).toBe(1);
});

test("on opening, nothing compared yet is no flag; a change before and a look-alike are", () => {
  const payee = {
    name: "Wattle",
    bankDetailsChangedAt: null,
    renamedAt: null,
    contactChangedAt: null,
    disputedAt: null,
    whitelisted: false,
  };
  const same = { formerHolders: 0, accountName: "Wattle" };
  expect(flagsOnOpening({ ...same, createdAt: NOW, lookalikes: 0, similarNames: 0, payee })).toEqual([]);
  expect(flagsOnOpening({ ...same, createdAt: NOW, lookalikes: 1, similarNames: 0, payee })).toEqual(["lookalike"]);
  const changed = { ...payee, bankDetailsChangedAt: NOW - 1 };
  expect(flagsOnOpening({ ...same, createdAt: NOW, lookalikes: 0, similarNames: 0, payee: changed })).toEqual([
    "changed_details",
  ]);
  const renamed = { ...payee, renamedAt: NOW - 1 };
  expect(flagsOnOpening({ ...same, createdAt: NOW, lookalikes: 0, similarNames: 0, payee: renamed })).toEqual([
    "renamed",
  ]);
  const named = (accountName: string) =>
    flagsOnOpening({
      ...same,
      accountName,
      createdAt: NOW,
      lookalikes: 0,
      similarNames: 0,
      payee: { ...payee, name: "Riverbend Timber" },
    });
  expect(named("Riverbend Timbers Pty Ltd")).toEqual([]);
  expect(named("B Miller")).toEqual(["name_of_payee_differs"]);
});
