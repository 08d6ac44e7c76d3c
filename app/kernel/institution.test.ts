import { expect, test } from "vitest";
import { type DirectoryEntry, describeInstitution } from "./bank-account";

const entry = (given: Partial<DirectoryEntry> = {}): DirectoryEntry => ({
  mnemonic: "CBA",
  name: "Sydney, 48 Martin Place",
  electronic: true,
  status: "open",
  successorBsb: null,
  ...given,
});

const CBA = { mnemonic: "CBA", name: "Commonwealth Bank of Australia" };

test("without a directory the prefix tells the institution, and an unknown prefix tells nothing", () => {
  expect(describeInstitution("062000")).toEqual(CBA);
  expect(describeInstitution("999999")).toBeNull();
});

test("a directory adds the branch, and misses a BSB that it does not have", () => {
  expect(describeInstitution("062000", entry())).toEqual({ ...CBA, branch: "Sydney, 48 Martin Place" });
  expect(describeInstitution("062000", null)).toEqual({ ...CBA, problem: "The BSB directory does not have this BSB." });
  expect(describeInstitution("999999", null)).toBeNull();
});

test.each([
  [{ status: "closed" }, "This BSB is closed."],
  [{ status: "closed", successorBsb: "062005" }, "This BSB is closed. Its accounts are now under 062-005."],
  [
    { status: "merged", successorBsb: "062005" },
    "This BSB was merged into another. Its accounts are now under 062-005.",
  ],
  [{ electronic: false }, "This BSB does not take direct entry payments."],
  [{ electronic: false, status: "closed" }, "This BSB is closed."],
] as const)("a BSB that cannot be paid says why: %j", (given, problem) => {
  expect(describeInstitution("062000", entry(given))?.problem).toBe(problem);
});
