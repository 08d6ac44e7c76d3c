import { describe, expect, test } from "vitest";
import type { FormerTrust } from "~/kernel/payee";
import { REVIEW_FLAGS, type ReviewFlag } from "~/modules/payees/verifications/review-flags";
import { judgeRestoring, type RestoringEvidence, type RestoringSubject, restoringSentence } from "./review";

const FORMER: FormerTrust = {
  name: "Borealis Mining",
  accountName: "Borealis Mining Pty Ltd",
  bsb: "062000",
  accountNumber: "12345678",
  whitelistedAt: 1,
  whitelistedById: "dana",
  whitelistedReason: "Called",
  whitelistGlobal: false,
  bankDetailsChangedAt: null,
  bankDetailsChangedById: null,
  renamedAt: null,
};

const payee = (given: Partial<RestoringSubject> = {}): RestoringSubject => ({
  name: "Borealis Mining",
  accountName: "Borealis Mining Pty Ltd",
  bsb: "033001",
  accountNumber: "99887766",
  formerTrust: FORMER,
  disputedAt: null,
  takenOffWhitelistAt: null,
  archivedAt: null,
  ...given,
});

const evidence = (given: Partial<RestoringEvidence> = {}): RestoringEvidence => ({
  flags: ["changed_details", "unchecked"],
  policy: "flagged",
  isConfirmed: true,
  hasLaterHolder: false,
  ...given,
});

const SAME = { bsb: FORMER.bsb, accountNumber: FORMER.accountNumber };
const { name: _, ...WITHOUT_NAME } = FORMER;

describe("what a rejection that restores the former details does", () => {
  test.each<[string, Partial<RestoringSubject>, Partial<RestoringEvidence>, unknown]>([
    ["other bank details", {}, {}, { noTrust: null, asksFor: null }],
    ["another name", { ...SAME, name: "B Miller" }, {}, { noTrust: null, asksFor: null }],
    ["a payee that was never trusted", { formerTrust: null }, {}, undefined],
    ["a payee that has them again", SAME, {}, undefined],
    ["a dispute since", { disputedAt: 1 }, {}, { noTrust: "disputed", asksFor: null }],
    ["a removal from the whitelist since", { takenOffWhitelistAt: 1 }, {}, { noTrust: "taken_off", asksFor: null }],
    ["an archived payee", { archivedAt: 1 }, {}, { noTrust: "archived", asksFor: null }],
    ["trust from before names were kept", { formerTrust: WITHOUT_NAME }, {}, { noTrust: "name_not_kept" }],
    ["a dispute and a removal", { disputedAt: 1, takenOffWhitelistAt: 1 }, {}, { noTrust: "disputed" }],
    ["a contact that was changed too", {}, { flags: ["changed_details", "contact_changed"] }, { asksFor: null }],
    ["a look-alike of another payee", {}, { flags: ["lookalike"] }, { noTrust: null, asksFor: ["lookalike"] }],
    [
      "a contact and bank details that were changed close together",
      {},
      { flags: ["changed_details", "contact_changed", "contact_and_bank_changed"] },
      { noTrust: null, asksFor: ["contact_and_bank_changed"] },
    ],
    [
      "an account that another payee had in between",
      {},
      { hasLaterHolder: true },
      { noTrust: null, asksFor: ["former_account"] },
    ],
    ["an organisation that always asks", {}, { policy: "always_reason" }, { noTrust: null, asksFor: [] }],
    [
      "an organisation that asks for a bank or a call, which there was",
      {},
      { policy: "check_or_call_back" },
      { noTrust: null, asksFor: null },
    ],
    [
      "an organisation that asks for a bank or a call, which there never was",
      {},
      { policy: "check_or_call_back", isConfirmed: false },
      { noTrust: "never_confirmed", asksFor: null },
    ],
    ["details that nobody confirmed, where nobody asks", {}, { isConfirmed: false }, { noTrust: null, asksFor: null }],
    [
      "a dispute, where a reason is asked too",
      { disputedAt: 1 },
      { policy: "always_reason" },
      { noTrust: "disputed", asksFor: null },
    ],
  ])("%s", (_case, of, given, expected) => {
    const judged = judgeRestoring(payee(of), evidence(given));
    if (expected === undefined) expect(judged).toBeUndefined();
    else expect(judged).toMatchObject(expected as object);
  });

  test.each(
    REVIEW_FLAGS.filter((flag) => !["lookalike", "contact_changed", "contact_and_bank_changed"].includes(flag)),
  )("the flag %s is about the account that is rejected, and asks nothing of the former one", (flag: ReviewFlag) => {
    expect(judgeRestoring(payee(), evidence({ flags: [flag] }))).toMatchObject({ noTrust: null, asksFor: null });
  });
});

test.each<[string, Partial<RestoringSubject>, Partial<RestoringEvidence>, string]>([
  ["trusted again", {}, {}, "The payee is then trusted again with 062-000 •••••678, Borealis Mining Pty Ltd."],
  [
    "under its former name",
    { name: "B Miller" },
    {},
    "The payee is then trusted again with 062-000 •••••678, Borealis Mining Pty Ltd under the name Borealis Mining.",
  ],
  [
    "disputed",
    { disputedAt: 1 },
    {},
    "062-000 •••••678, Borealis Mining Pty Ltd is put back, and waits for a decision. The payee is not trusted again: it disputed its bank details, and that stays on record until someone decides about it.",
  ],
  [
    "with a reason",
    {},
    { policy: "always_reason" },
    "The payee is then trusted again with 062-000 •••••678, Borealis Mining Pty Ltd. Say in the reason how you confirmed the former details, because restoring them approves them: your organisation always asks.",
  ],
])("what is said before it is done: %s", (_case, of, given, sentence) => {
  const subject = payee(of);
  const judged = judgeRestoring(subject, evidence(given));
  expect(judged && restoringSentence(judged, subject.name)).toBe(sentence);
});
