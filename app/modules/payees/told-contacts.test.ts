import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { contactsSince, MAX_TOLD, recentContacts } from "./payee-edit";

const changed = (field: string, oldValue: string | null) => ({ field, oldValue, createdAt: 1 });

test("former contacts are told beside the present one, each once, by email and by mobile", () => {
  const payee = { email: "new@x.example", phone: "+61412000002" };
  const changes = [
    changed("email", "real@x.example"),
    changed("phone", "+61412000001"),
    changed("email", "real@x.example"),
    changed("email", null),
  ];
  expect(recentContacts(payee, changes)).toEqual({
    emails: ["new@x.example", "real@x.example"],
    mobiles: ["+61412000002", "+61412000001"],
  });
});

test("a landline gets no text message", () => {
  expect(recentContacts({ email: null, phone: "+61298765432" }, [])).toEqual({ emails: [], mobiles: [] });
});

test("a row of quick changes does not push the real payee out", () => {
  const changes = Array.from({ length: 30 }, (_, n) => changed("email", `contact-${n}@x.example`));
  const { emails } = recentContacts({ email: "last@x.example", phone: null }, changes);
  expect(emails).toHaveLength(MAX_TOLD);
  expect(emails).toContain("contact-0@x.example");
});

test("former contacts are told for 30 days", () => {
  const now = Date.UTC(2026, 10, 20);
  expect(now - contactsSince(now)).toBe(30 * DAY_MS);
});
