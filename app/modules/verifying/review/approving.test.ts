import { expect, test } from "vitest";
import type { ApprovalEvidence } from "~/kernel/enums";
import { VERDICTS, type VerdictName } from "~/kernel/verdicts";
import { REVIEW_FLAGS, type ReviewFlag } from "~/modules/payees/verifications/review-flags";
import { toApproving } from "./review";

const approving = (
  flags: readonly ReviewFlag[],
  name: VerdictName,
  approvalEvidence: ApprovalEvidence = "flagged",
  isArchived = false,
  reader: Partial<Parameters<typeof toApproving>[2]> & { deciders?: readonly string[] } = {},
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
      hasProof: false,
      deciders: reader.deciders ?? null,
    },
    { isOwn: false, secondPersonRequired: false, approvalEvidence, graded: null, isArchived, ...reader },
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
    "This payee is archived, so its bank details cannot be approved. Restore the payee first, or reject them.",
  );
});

test("one key does not approve where the organisation always asks for a reason", () => {
  expect(approving([], "matches", "always_reason").isOneKey).toBe(false);
});

const own = { isOwn: true, secondPersonRequired: true };

test("who would approve their own work reads who can in place of the form, and may where no second person is required", () => {
  const bar = approving([], "matches", "flagged", false, { ...own, deciders: ["Kim"] }).bar;
  expect(bar?.title).toBe("A second person approves");
  expect(bar?.text).toMatch(
    /another person has to approve it\. Kim can approve this\. Anyone who can .* can reject it\.$/,
  );
  const alone = approving([], "matches", "flagged", false, { ...own, deciders: [] }).bar;
  expect(alone?.text).toMatch(
    /Nobody else in your organisation can approve this\. An admin can invite a second person\.$/,
  );
  const mayApprove = approving([], "matches", "flagged", false, { isOwn: true });
  expect([mayApprove.bar, mayApprove.note]).toEqual([
    null,
    "You would approve your own work. The audit trail will say so.",
  ]);
  expect(approving([], "matches", "flagged", false, { secondPersonRequired: true }).bar).toBeNull();
});

test("where a bank check or a call-back comes first, no form offers an approval without", () => {
  expect(approving(["unchecked"], "not_checked", "check_or_call_back").bar?.title).toBe(
    "A bank check or a call-back comes first",
  );
  expect(approving(["unchecked"], "not_checked").bar).toBeNull();
  expect(approving(["name_mismatch"], "does_not_match", "check_or_call_back").bar?.text).toMatch(
    /The bank's answer does not confirm these details: call the payee and record the call, or reject\.$/,
  );
});

test("the form asks for a reason and says why, or leaves it open", () => {
  const hint = (flags: ReviewFlag[], evidence?: ApprovalEvidence) => approving(flags, "matches", evidence).confirm;
  expect(hint([])).toBeNull();
  expect(hint(["lookalike", "former_account"])).toMatchObject({
    isRequired: true,
    hint: expect.stringMatching(
      /^Needed because .* you know; the account was another payee's before\. Say how you know/,
    ),
  });
  expect(hint([], "always_reason")?.hint).toMatch(/^Needed here\. Say how you know/);
  expect(hint(["name_close"])).toMatchObject({ isRequired: false, hint: expect.stringMatching(/^For example, who/) });
});

test("what an approval is recorded and certified as is said before it, where no bank and no call stands behind it", () => {
  const graded = { name: "person", text: "Approved by a person, no bank was asked" } as const;
  expect(approving([], "matches", "flagged", false, { graded }).note).toBe(
    "Approved now, it is recorded and certified as: approved by a person, no bank was asked.",
  );
  expect(approving([], "matches", "flagged", false, { graded, isOwn: true }).note).toMatch(
    /^You would .* so\. Approved now/,
  );
  const byBank = { name: "bank_instant", text: "Confirmed by the bank" } as const;
  expect(approving([], "matches", "flagged", false, { graded: byBank }).note).toBeNull();
});
