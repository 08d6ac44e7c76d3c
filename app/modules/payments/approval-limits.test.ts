import { expect, test } from "vitest";
import { ORGANIZATION_ROLES } from "~/kernel/enums";
import { approvalLimitOf, highestLimitOf, NO_LIMITS, selectResponsiblePeople } from "./approval-limits.server";
import { type Colleague, describeApprovers, whoMayApprove } from "./approvers.server";
import { asksForPasskey } from "./payment";

const SAM: Colleague = { userId: "sam", name: "Sam Ito", role: "member" };
const KIM: Colleague = { userId: "kim", name: "Kim Lee", role: "admin" };
const ROS: Colleague = { userId: "ros", name: "Ros Webb", role: "read_only" };
const approval = { enteredBy: new Set(["sam"]), requestedById: null, recordedBy: ["alex"] };

test.each([
  ["a second person is required", { approval, limits: NO_LIMITS, amount: 100 }, [KIM]],
  ["no second person is required", { approval: null, limits: NO_LIMITS, amount: 100 }, [SAM, KIM]],
  [
    "the amount is above what members may approve",
    { approval: null, limits: { ...NO_LIMITS, memberLimitCents: 99 }, amount: 100 },
    [KIM],
  ],
  [
    "the amount is just what members may approve",
    { approval: null, limits: { ...NO_LIMITS, memberLimitCents: 100 }, amount: 100 },
    [SAM, KIM],
  ],
  [
    "the amount is above every limit",
    { approval: null, limits: { ...NO_LIMITS, memberLimitCents: 99, adminLimitCents: 99 }, amount: 100 },
    [],
  ],
])("who may approve when %s; people who only read never do", (_, asked, expected) => {
  expect(whoMayApprove([SAM, KIM, ROS], asked)).toEqual(expected);
});

test.each([
  [[SAM], "Sam Ito may approve it."],
  [[SAM, KIM], "Sam Ito or Kim Lee may approve it."],
  [[SAM, KIM, ROS, SAM], "Sam Ito, Kim Lee, Ros Webb or 1 other person may approve it."],
  [[SAM, KIM, ROS, SAM, KIM], "Sam Ito, Kim Lee, Ros Webb or 2 other people may approve it."],
  [
    [],
    "No one else in your organisation may approve it now. An administrator can invite a second person or raise an approval limit.",
  ],
])("%j in a sentence", (people, sentence) => {
  expect(describeApprovers(people)).toBe(sentence);
});

const LIMITS = { ...NO_LIMITS, memberLimitCents: 500_000, adminLimitCents: 2_000_000 };

test("an admin has the limit of admins, and everybody else that of members", () => {
  const limits = ORGANIZATION_ROLES.map((role) => [role, approvalLimitOf(LIMITS, role)]);
  expect(Object.fromEntries(limits)).toEqual({ admin: 2_000_000, member: 500_000, read_only: 500_000 });
  expect(approvalLimitOf(LIMITS, null)).toBe(500_000);
});

const BY_KIM = { by: "trust", people: ["kim"] } as const;
const BY_PAYMENTS = { by: "payments", people: ["kim", "alex"] } as const;

test.each([
  ["a person approved the line", { approvedById: "sam", trusted: BY_KIM, recordedById: "ros" }, "approval", ["sam"]],
  [
    "one trusted the payee and another recorded it",
    { approvedById: null, trusted: BY_KIM, recordedById: "ros" },
    "trust",
    ["kim", "ros"],
  ],
  [
    "payments that people approved made the payee trusted",
    { approvedById: null, trusted: BY_PAYMENTS, recordedById: "ros" },
    "payments",
    ["kim", "alex", "ros"],
  ],
  ["no person recorded it", { approvedById: null, trusted: BY_KIM, recordedById: null }, "trust", ["kim"]],
  ["a rule trusts the payee", { approvedById: null, trusted: undefined, recordedById: "ros" }, "trust", []],
] as const)("who stands behind a payment where %s", (_, asked, by, people) => {
  expect(selectResponsiblePeople(asked)).toEqual({ by, people });
});

test.each([
  ["a member alone", ["member"], LIMITS, 500_000],
  ["a member and an admin, the higher of both", ["member", "admin"], LIMITS, 2_000_000],
  ["a member who may approve nothing", ["member"], { ...LIMITS, memberLimitCents: 0 }, 0],
  ["a member beside an admin without a limit", ["member", "admin"], { ...LIMITS, adminLimitCents: null }, undefined],
  ["somebody who has left, as a member", [undefined], LIMITS, 500_000],
  [
    "the same where only admins are limited, as an admin",
    [undefined],
    { ...LIMITS, memberLimitCents: null },
    2_000_000,
  ],
  [
    "the same where nobody is limited",
    [undefined],
    { ...LIMITS, memberLimitCents: null, adminLimitCents: null },
    undefined,
  ],
  ["nobody", [], LIMITS, undefined],
] as const)("what people behind a payment may approve together: %s", (_, roles, limits, expected) => {
  expect(highestLimitOf(roles, limits)).toBe(expected);
});

const PASSKEY = { passkeyForApprovals: true, passkeyAboveCents: 100_000 };

test.each([
  ["at the amount", "approve", 100_000, PASSKEY, 0, false],
  ["a cent above it", "approve", 100_001, PASSKEY, 0, true],
  ["a cent above it with what was paid today", "approve", 60_000, PASSKEY, 40_001, true],
  ["at the amount with what was paid today", "approve", 60_000, PASSKEY, 40_000, false],
  ["a rejection", "reject", 100_001, PASSKEY, 0, false],
  ["none is asked for", "approve", 100_001, { ...PASSKEY, passkeyForApprovals: false }, 0, false],
] as const)(
  "a passkey signs an approval above an amount: %s",
  (_, decision, amount, policy, sameDayCents, expected) => {
    expect(asksForPasskey(decision, { amount }, policy, sameDayCents)).toBe(expected);
  },
);
