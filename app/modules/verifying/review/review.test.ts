import { expect, test } from "vitest";
import { type ReviewCase, type Reviewer, refuseReview } from "./review";

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
