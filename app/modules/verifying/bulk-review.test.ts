import { expect, test } from "vitest";
import { bulkReviewSchema } from "./act-on-each.server";

const ids = ["01a1f2b3-0b58-7d03-9a6e-2b7e9d0c5f21"];

test.each([
  ["bank checks", { act: "verify-basiq", ids }, true],
  ["rejecting with a reason", { act: "reject", ids, reason: "Not ours" }, true],
  ["rejecting without one", { act: "reject", ids }, false],
  ["assigning to nobody in particular", { act: "assign", ids, assigneeId: null }, true],
  ["nothing to act on", { act: "send-link", ids: [] }, false],
  [
    "more than a page",
    { act: "send-link", ids: Array.from({ length: 51 }, (_, n) => ids[0]?.slice(0, -2) + String(n + 10)) },
    false,
  ],
  ["approving, which is one person looking at one item", { act: "approve", ids, approved: true }, false],
])("%s at once", (_, body, isAllowed) => {
  expect(bulkReviewSchema.safeParse(body).success).toBe(isAllowed);
});
