import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { describeChange, type StoredChange } from "./change-story";

const NOW = Date.UTC(2026, 10, 20, 3, 0);
const zone = { timeZone: "Australia/Sydney", now: NOW };

const aChange = (field: string, from: string | null, to: string | null, more: Partial<StoredChange> = {}) => ({
  field,
  oldValue: from,
  newValue: to,
  userName: "Alex Marsh",
  createdAt: NOW,
  ...more,
});

test("an edit is told line by line in the order people read bank details, with the number masked", () => {
  const story = describeChange(
    [aChange("accountNumber", "12345678", "87654321"), aChange("bsb", "062000", "083004")],
    zone,
  );
  expect(story?.lines).toEqual([
    { field: "BSB", from: "062-000, Commonwealth Bank of Australia", to: "083-004, National Australia Bank" },
    { field: "Account number", from: "•••••678", to: "•••••321" },
  ]);
  expect(story).toMatchObject({ by: "Alex Marsh", contact: null });
});

test.each<[string, StoredChange[], number]>([
  ["never changed", [], 0],
  ["only the contact changed", [aChange("email", "a@old.example", "b@new.example")], 0],
  [
    "an earlier edit is not mixed in",
    [aChange("bsb", "1", "2"), aChange("accountNumber", "1", "2", { createdAt: NOW - 1 })],
    1,
  ],
  ["nor another person's edit", [aChange("bsb", "1", "2"), aChange("accountNumber", "1", "2", { userName: "Sam" })], 1],
])("%s", (_, changes, lines) => {
  expect(describeChange(changes, zone)?.lines.length ?? 0).toBe(lines);
});

test.each([
  [-30 * DAY_MS, true],
  [-31 * DAY_MS, false],
])("a change of contact %d ms from the bank details is part of the story: %s", (distance, isTold) => {
  const contact = aChange("phone", null, "+61412345678", { createdAt: NOW + distance, userName: null });
  const story = describeChange([aChange("bsb", "062000", "083004"), contact], zone);
  expect(story?.contact !== null).toBe(isTold);
  if (isTold) expect(story?.contact).toMatchObject({ by: "PayeeProof", lines: [{ from: "none", to: "0412 345 678" }] });
});
