import fc from "fast-check";
import { expect, test } from "vitest";
import { maskEmails } from "./email";

test.each([
  [{ email: "mira@harbour.example" }, { email: "m•••@harbour.example" }],
  [
    { email: { from: "a@b.example", to: "jo.w@c.example" } },
    { email: { from: "a•••@b.example", to: "j•••@c.example" } },
  ],
  [{ changes: [{ field: "email", to: "x@y.example" }] }, { changes: [{ field: "email", to: "x•••@y.example" }] }],
  [{ note: "please write to\nmira@harbour.example  today" }, { note: "please write to\nm•••@harbour.example  today" }],
  [
    { reason: "@ 10:30, call back", count: 3, none: null },
    { reason: "@ 10:30, call back", count: 3, none: null },
  ],
  [null, null],
])("addresses in %j are masked, everything else stays", (details, masked) => {
  expect(maskEmails(details)).toEqual(masked);
});

test("what has no address is the same object, and masking again changes nothing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const once = maskEmails(value);
      expect(maskEmails(once)).toEqual(once);
      if (!JSON.stringify(value).includes("@")) expect(once).toBe(value);
    }),
  );
});
