import { expect, test } from "vitest";
import { type ReviewCase, type Reviewer, refuseEvidence, refuseReview, whoCanSentence } from "./review";

const details = { accountName: "Acme Pty Ltd", bsb: "062000", accountNumber: "12345678" };
const aCase = (change: Partial<ReviewCase> = {}, payee: Partial<ReviewCase["payee"]> = {}): ReviewCase => ({
  ...details,
  status: "pending",
  payee: { ...details, archivedAt: null, ...payee },
  ...change,
});
const approve = { approved: true, addToGlobalWhitelist: false } as const;
const reject = { approved: false, reason: "Manual rejection" } as const;
const alone: Reviewer = { secondPersonRequired: false, isOwn: false };
const withSecond: Reviewer = { secondPersonRequired: true, isOwn: false };

test.each(["verified", "rejected", "failed"] as const)("a %s verification cannot be decided again", (status) => {
  expect(refuseReview(aCase({ status }), approve, alone)).toBe("already_decided");
  expect(refuseReview(aCase({ status }), reject, alone)).toBe("already_decided");
});

test("an archived payee cannot be approved by anybody, but rejected", () => {
  const archived = aCase({}, { archivedAt: 1 });
  expect(refuseReview(archived, approve, alone)).toBe("payee_archived");
  expect(refuseReview(archived, reject, alone)).toBeUndefined();
});

test("without the policy any person may approve their own work", () => {
  expect(refuseReview(aCase(), approve, { ...alone, isOwn: true })).toBeUndefined();
});

test("where a second person is required nobody approves their own work, but may reject it", () => {
  expect(refuseReview(aCase(), approve, { secondPersonRequired: true, isOwn: true })).toBe("second_person_required");
  expect(refuseReview(aCase(), reject, { secondPersonRequired: true, isOwn: true })).toBeUndefined();
  expect(refuseReview(aCase(), approve, withSecond)).toBeUndefined();
});

test.each([["accountName"], ["bsb"], ["accountNumber"]] as const)(
  "details that were submitted before %s changed cannot be approved, but rejected",
  (field) => {
    const stale = aCase({}, { [field]: "something else" });
    expect(refuseReview(stale, approve, alone)).toBe("details_changed");
    expect(refuseReview(stale, reject, withSecond)).toBeUndefined();
  },
);

const restore = { ...reject, restoreFormer: true } as const;

test.each([
  ["own details, where a second person is required", restore, withSecond, true, "second_person_to_restore"],
  ["own details, where none is required", restore, alone, true, undefined],
  ["a colleague's details", restore, withSecond, false, undefined],
  ["nothing, by who entered the former details", reject, withSecond, true, undefined],
] as const)("a rejection that restores %s", (_, review, reviewer, isOwnToRestore, refused) => {
  expect(refuseReview(aCase(), review, { ...reviewer, isOwnToRestore })).toBe(refused);
});

test("an approval without what it needs is refused with what is missing", () => {
  const nothing = { policy: "flagged", hasReason: false, hasProof: false } as const;
  const refusal = (flags: Parameters<typeof refuseEvidence>[0], given: object = {}) => {
    const error = refuseEvidence(flags, { ...nothing, ...given });
    return error && { code: error.code, status: error.status, message: error.message, ...error.extra };
  };
  expect(refusal([])).toBeUndefined();
  expect(refusal(["lookalike", "name_close"])).toEqual({
    ...{ code: "REASON_REQUIRED", status: 409, flags: ["lookalike"] },
    message:
      "Say how you confirmed the details, or record a call-back, before you approve: its name, account number or email domain is easily mistaken for one that you know.",
  });
  expect(refusal([], { policy: "always_reason" })?.message).toMatch(
    /before you approve: your organisation always asks\.$/,
  );
  expect(refusal(["unchecked"], { policy: "check_or_call_back", hasReason: true })).toMatchObject({
    ...{ code: "REASON_REQUIRED", status: 409, flags: ["unchecked"], requires: "check_or_call_back" },
  });
  expect(refusal(["name_mismatch"], { policy: "check_or_call_back", hasReason: true })?.message).toMatch(
    /does not confirm/,
  );
});

test.each([
  [[], "Nobody else in your organisation can approve this. An admin can invite a second person."],
  [["Kim"], "Kim can approve this."],
  [["A", "B", "C", "D", "E"], "A, B, C, D, E can approve this."],
  [["A", "B", "C", "D", "E", "F"], "A, B, C, D, E and 1 more can approve this."],
])("%j in a sentence", (names, sentence) => {
  expect(whoCanSentence(names, "approve this")).toBe(sentence);
});
