import { expect, test } from "vitest";
import { isOwnWork, type ReviewCase, refuseReview } from "./review";

const details = { accountName: "Acme Pty Ltd", bsb: "062000", accountNumber: "12345678" };
const aCase = (change: Partial<ReviewCase> = {}, payee: Partial<ReviewCase["payee"]> = {}): ReviewCase => ({
  ...details,
  status: "pending",
  requestedById: "requester",
  payee: { ...details, createdById: "creator", bankDetailsChangedById: null, ...payee },
  ...change,
});
const approve = { approved: true, addToGlobalWhitelist: false } as const;
const reject = { approved: false, reason: "Manual rejection" } as const;
const alone = { secondPersonRequired: false };
const withSecond = { secondPersonRequired: true };

test.each(["verified", "rejected", "failed"] as const)("a %s verification cannot be decided again", (status) => {
  expect(refuseReview(aCase({ status }), approve, "anybody", alone)).toBe("already_decided");
  expect(refuseReview(aCase({ status }), reject, "anybody", alone)).toBe("already_decided");
});

test("without the policy anybody may approve, the requester too", () => {
  expect(refuseReview(aCase(), approve, "requester", alone)).toBeUndefined();
});

test.each([
  ["requester", null, "second_person_required"],
  ["creator", null, "second_person_required"],
  ["creator", "editor", undefined],
  ["editor", "editor", "second_person_required"],
  ["somebody else", "editor", undefined],
])("with the policy %s, details last changed by %s: %s", (userId, bankDetailsChangedById, expected) => {
  expect(refuseReview(aCase({}, { bankDetailsChangedById }), approve, userId, withSecond)).toBe(expected);
});

test("nobody's own work is what the system asked for and entered", () => {
  expect(isOwnWork(aCase({ requestedById: null }, { createdById: null }), "anybody")).toBe(false);
});

test.each([["accountName"], ["bsb"], ["accountNumber"]] as const)(
  "details that were submitted before %s changed cannot be approved, but rejected",
  (field) => {
    const stale = aCase({}, { [field]: "something else" });
    expect(refuseReview(stale, approve, "anybody", alone)).toBe("details_changed");
    expect(refuseReview(stale, reject, "anybody", withSecond)).toBeUndefined();
  },
);
