import { expect, test } from "vitest";
import { completes, emailChangeState } from "./email-change.server";

const open = { endedAt: null, expiresAt: 100, oldConfirmedAt: null, newConfirmedAt: null };

test.each([
  [open, "old", 99, "open"],
  [open, "new", 99, "open"],
  [open, "new", 100, "expired"],
  [{ ...open, oldConfirmedAt: 5 }, "old", 99, "waiting"],
  [{ ...open, oldConfirmedAt: 5 }, "new", 99, "open"],
  [{ ...open, newConfirmedAt: 5 }, "new", 99, "waiting"],
  [{ ...open, newConfirmedAt: 5 }, "new", 100, "expired"],
  [{ ...open, endedAt: 5 }, "old", 99, "ended"],
  [{ ...open, endedAt: 5 }, "old", 200, "ended"],
] as const)("%j from the %s mailbox at %i is %s", (change, mailbox, now, state) => {
  expect(emailChangeState(change, mailbox, now)).toBe(state);
});

test.each([
  ["old", null, null, false],
  ["old", null, 5, true],
  ["new", null, null, false],
  ["new", 5, null, true],
] as const)("a yes from the %s mailbox (old said %j, new said %j) is the last: %s", (mailbox, old, fresh, isLast) => {
  expect(completes({ oldConfirmedAt: old, newConfirmedAt: fresh }, mailbox)).toBe(isLast);
});
