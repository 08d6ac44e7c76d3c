import { expect, test } from "vitest";
import type { ApprovalEvidence } from "~/kernel/enums";
import { REVIEW_FLAGS, type ReviewFlag } from "~/modules/payees/verifications/review-flags";
import { VERDICTS, type VerdictName } from "~/modules/payees/verifications/verdict";
import { toApproving } from "./review";

const approving = (
  flags: readonly ReviewFlag[],
  name: VerdictName,
  approvalEvidence: ApprovalEvidence = "flagged",
  isArchived = false,
) =>
  toApproving(
    flags,
    {
      verdict: {
        ...VERDICTS[name],
        name,
        isRed: VERDICTS[name].tone === "review",
        change: null,
        changed: null,
        evidence: [],
      },
      calls: [],
      deciders: null,
    },
    { isOwn: false, secondPersonRequired: false, approvalEvidence, graded: null, isArchived },
  );

test("one key approves where nothing speaks against the details", () => {
  expect(approving([], "matches").isOneKey).toBe(true);
});

test.each(REVIEW_FLAGS)("one key does not approve what is flagged: %s", (flag) => {
  expect(approving([flag], "matches")).toMatchObject({ isOneKey: false, confirm: { label: expect.any(String) } });
});

test.each(Object.keys(VERDICTS) as VerdictName[])("one key never approves a red verdict: %s", (name) => {
  expect(approving([], name).isOneKey).toBe(VERDICTS[name].tone !== "review");
});

test("an archived payee is not approved: the page says why in place of the form", () => {
  expect(approving([], "matches", "flagged", true).bar?.text).toBe(
    "This payee is archived, so its bank details cannot be approved. Put it back into use first, or reject them.",
  );
});

test("one key does not approve where the organisation always asks for a reason", () => {
  expect(approving([], "matches", "always_reason").isOneKey).toBe(false);
});
