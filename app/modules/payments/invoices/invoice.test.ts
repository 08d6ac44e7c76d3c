import { expect, test } from "vitest";
import { headlineOf, shownStanding } from "./invoice";

const same = { status: "read", verdict: "same_account", isStopped: false, decision: null } as const;

test.each(["warn", "note"])("an account that nobody verified is not green where its rule is a %s", (level) => {
  const findings = [{ code: "payee_not_verified", level }];
  expect(shownStanding({ ...same, findings }).tone).toBe("pending");
});

test("the verified account of which nothing else is found is green", () => {
  expect(shownStanding({ ...same, findings: [] }).tone).toBe("verified");
  expect(shownStanding({ ...same, findings: [{ code: "document_kind", level: "note" }] }).tone).toBe("verified");
});

test("warnings beside the verified account are said in the headline too", () => {
  const standing = { ...same, findings: [{ code: "reply_to_elsewhere", level: "warn" }] };
  expect(headlineOf(standing)).toEqual({ title: "Same account as the verified one, with warnings", tone: "pending" });
});

test("an account that a person whitelisted without a verification is not called the verified one", () => {
  const standing = { ...same, findings: [{ code: "payee_whitelisted_only", level: "note" }] };
  expect(shownStanding(standing)).toEqual({ word: "Same account, not verified", tone: "pending" });
  expect(headlineOf(standing).title).toBe("Same account as the payee’s, which was whitelisted without a verification");
});

test("bank details that could not be read beside the verified account are said in the headline, not only below", () => {
  const standing = { ...same, verdict: "unreadable", isStopped: true } as const;
  const title = (code: string) => headlineOf({ ...standing, findings: [{ code, level: "stop" }] }).title;
  expect(title("unread_account")).toBe("Stop: it names bank details that could not be read");
  expect(title("authentication_failed")).toBe("The bank details could not be read");
});

test("an invoice with only an IBAN is not said to have no bank account", () => {
  const standing = { ...same, verdict: "unreadable", findings: [{ code: "foreign_account", level: "warn" }] } as const;
  expect(headlineOf(standing)).toEqual({
    title: "It names bank details for payments from abroad, which are not compared",
    tone: "pending",
  });
});
