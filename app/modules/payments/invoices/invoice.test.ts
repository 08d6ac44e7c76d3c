import { expect, test } from "vitest";
import { shownStanding } from "./invoice";

const same = { status: "read", verdict: "same_account", isStopped: false, decision: null } as const;

test.each(["warn", "note"])("an account that nobody verified is not green where its rule is a %s", (level) => {
  const findings = [{ code: "payee_not_verified", level }];
  expect(shownStanding({ ...same, findings }).tone).toBe("pending");
});

test("the verified account of which nothing else is found is green", () => {
  expect(shownStanding({ ...same, findings: [] }).tone).toBe("verified");
  expect(shownStanding({ ...same, findings: [{ code: "document_kind", level: "note" }] }).tone).toBe("verified");
});
