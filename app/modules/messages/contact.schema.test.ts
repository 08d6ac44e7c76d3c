import { expect, test } from "vitest";
import { contactCallSchema, contactFormSchema } from "./contact.server";

const good = {
  firstName: "Mira",
  lastName: "Okafor",
  email: "Mira.Okafor@Harbour.Example",
  company: "Harbour Joinery",
  phone: "02 5550 0142",
  interest: "demo",
  message: "We would like to see it.",
};

const messagesOf = (input: unknown) => {
  const result = contactFormSchema.safeParse(input);
  return result.success ? {} : Object.fromEntries(result.error.issues.map((issue) => [issue.path[0], issue.message]));
};

test("every rule answers with the specification's sentence", () => {
  const empty = Object.fromEntries(Object.keys(good).map((name) => [name, ""]));
  expect(messagesOf(empty)).toEqual({
    firstName: "First name is required",
    lastName: "Last name is required",
    email: "Invalid email address",
    company: "Company name is required",
    phone: "Valid phone number is required",
    interest: "Please select an option",
    message: "Message must be at least 10 characters",
    privacy: "You must agree to the privacy policy",
  });
  expect(messagesOf({})).toEqual(messagesOf(empty));
});

test.each([
  ["firstName", "M", "Mo"],
  ["lastName", "O", "Ng"],
  ["email", "mira@harbour", "mira@harbour.example"],
  ["company", "H", "HJ"],
  ["phone", "1234567", "12345678"],
  ["interest", "everything", "other"],
  ["message", "Too short", "Just right"],
] as const)("%s: %j is refused and %j is taken", (field, refused, taken) => {
  expect(contactCallSchema.safeParse({ ...good, [field]: refused }).success).toBe(false);
  expect(contactCallSchema.safeParse({ ...good, [field]: taken }).success).toBe(true);
});

test("the call needs no consent, the form does", () => {
  expect(contactCallSchema.safeParse(good).success).toBe(true);
  expect(messagesOf(good)).toEqual({ privacy: "You must agree to the privacy policy" });
  expect(messagesOf({ ...good, privacy: "on" })).toEqual({});
});

test("blanks do not make a name long enough, and what is stored is clean", () => {
  expect(contactCallSchema.safeParse({ ...good, firstName: " M " }).success).toBe(false);
  const clean = contactCallSchema.parse({
    ...good,
    company: "  Harbour\u200b   Joinery ",
    message: "One line\r\n\r\n\r\n\r\nTwo",
  });
  expect(clean).toMatchObject({ email: "mira.okafor@harbour.example", company: "Harbour Joinery" });
  expect(clean.message).toBe("One line\n\nTwo");
});

test("what no database gives back unchanged, and what is far too long, is refused", () => {
  for (const message of ["A bell \u0007 in the middle", "half a pair \ud83d here", "x".repeat(5_001)]) {
    expect(contactCallSchema.safeParse({ ...good, message }).success).toBe(false);
  }
});
