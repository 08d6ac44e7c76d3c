import { expect, test } from "vitest";
import { type AuditRow, FIRST_PREV_HASH, sealText, toExportedEntry } from "./entry";

const row: AuditRow = {
  id: "0190a0b0-0000-7000-8000-000000000001",
  userId: null,
  organizationId: "0190a0b0-0000-7000-8000-00000000000a",
  action: "payee.edited",
  entityType: "payee",
  entityId: "0190a0b0-0000-7000-8000-0000000000aa",
  details: { new: "•••••678", old: null, "10": 1, "9": [true, { b: 1, a: "“x”" }] },
  ipAddress: "203.0.113.7",
  userAgent: null,
  requestId: "r-1",
  createdAt: 1_795_000_000_123,
};

test("what is hashed is the hash before, a line end and the entry in canonical JSON", () => {
  const expected =
    `${"0".repeat(64)}\n` +
    '{"action":"payee.edited","createdAt":"2026-11-18T11:06:40.123Z",' +
    '"details":{"10":1,"9":[true,{"a":"“x”","b":1}],"new":"•••••678","old":null},' +
    '"entityId":"0190a0b0-0000-7000-8000-0000000000aa","entityType":"payee",' +
    '"id":"0190a0b0-0000-7000-8000-000000000001","ipAddress":"203.0.113.7",' +
    '"organizationId":"0190a0b0-0000-7000-8000-00000000000a","requestId":"r-1","seq":1,"userAgent":null,"userId":null}';
  expect(sealText(row, 1, FIRST_PREV_HASH)).toBe(expected);
});

test("every field of an entry is under its seal", () => {
  const sealed = sealText(row, 1, FIRST_PREV_HASH);
  for (const field of Object.keys(toExportedEntry(row, 1))) {
    const changed = field === "createdAt" ? { createdAt: row.createdAt + 1 } : { [field]: "changed" };
    const other =
      field === "seq" ? sealText(row, 2, FIRST_PREV_HASH) : sealText({ ...row, ...changed }, 1, FIRST_PREV_HASH);
    expect(other).not.toBe(sealed);
  }
});
