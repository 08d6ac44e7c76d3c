import { expect, test } from "vitest";
import { type Colleague, describeApprovers, whoMayApprove } from "./approvers.server";
import { NO_LIMITS } from "./payment-facts/payment-limits.server";

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
