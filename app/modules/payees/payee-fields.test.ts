import fc from "fast-check";
import { expect, test } from "vitest";
import { newPayeeSchema, payeePatchSchema, whitelistSchema } from "./payee-fields.server";

const typed = { name: " Acme ", accountName: "Acme  Pty Ltd", bsb: "062-000", accountNumber: "1234 5678" };

const errorsOf = (given: object): Record<string, string[]> => {
  const result = newPayeeSchema.safeParse({ ...typed, ...given });
  const errors: Record<string, string[]> = {};
  for (const { path, message } of result.error?.issues ?? []) {
    const field = path.join(".");
    errors[field] = [...(errors[field] ?? []), message];
  }
  return errors;
};

test("what people type is stored in one form", () => {
  const contact = {
    abn: "51 824 753 556",
    email: " Pay@Acme.Example ",
    phone: "0412 345 678",
    address: "1 King St\r\nSydney ",
  };
  expect(newPayeeSchema.parse({ ...typed, ...contact })).toEqual({
    name: "Acme",
    accountName: "Acme Pty Ltd",
    bsb: "062000",
    accountNumber: "12345678",
    abn: "51824753556",
    email: "pay@acme.example",
    phone: "+61412345678",
    address: "1 King St\nSydney",
  });
});

test.each(["062-000", "062 000", "062000", " 062-000 "])("the BSB may be written %s", (bsb) => {
  expect(newPayeeSchema.parse({ ...typed, bsb }).bsb).toBe("062000");
});

test("what is not known may be absent, empty or null", () => {
  const none = { abn: null, email: null, phone: null, address: null };
  const empty = { abn: "", email: " ", phone: "", address: "" };
  for (const given of [{}, none, empty]) expect(newPayeeSchema.parse({ ...typed, ...given })).toMatchObject(none);
});

test.each([
  ["abn", "5182475355", "ABN must be at least 11 characters"],
  ["abn", "51824753557", "This is not a valid ABN: its check digits do not match. Look for a mistyped digit."],
  ["abn", "12345678901", "This is not a valid ABN: its check digits do not match. Look for a mistyped digit."],
  ["abn", "518247535560", "An ABN has exactly 11 digits"],
  ["bsb", "06200", "A BSB has 6 digits, such as 062-000"],
  ["bsb", "", "Enter the BSB"],
  ["bsb", undefined, "Enter the BSB"],
  ["bsb", 62000, "Enter the BSB"],
  ["accountNumber", "123", "An account number has 4 to 9 digits, and they are not all zeros"],
  ["accountNumber", "1234567890", "An account number has 4 to 9 digits, and they are not all zeros"],
  ["accountNumber", "0000", "An account number has 4 to 9 digits, and they are not all zeros"],
  ["accountNumber", "12a45", "An account number has 4 to 9 digits, and they are not all zeros"],
  ["accountName", "", "Enter the account name"],
  ["accountName", "\u200b", "Enter the account name"],
  ["accountName", "A", "The account name must have 2 to 140 characters"],
  ["accountName", "A".repeat(141), "The account name must have 2 to 140 characters"],
  ["accountName", "Acme\u0000", "The account name contains characters that cannot be stored"],
  ["name", "A", "The payee name must have 2 to 140 characters"],
  ["email", "pay@", "Please enter a valid email address"],
  ["phone", "12", "Enter a phone number that exists, such as 0412 345 678 or +64 21 123 4567"],
  ["address", "x".repeat(301), "The address has at most 300 characters, and no control characters"],
] as const)("%s %j is refused with its own sentence", (field, value, sentence) => {
  expect(errorsOf({ [field]: value })).toEqual({ [field]: [sentence] });
});

test("two and 140 characters are a name", () => {
  expect(errorsOf({ accountName: "Li" })).toEqual({});
  expect(errorsOf({ accountName: "A".repeat(140) })).toEqual({});
});

test("whatever is sent is either refused with a sentence or stored in the one form", () => {
  const anything = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.constant(undefined),
    fc.array(fc.string()),
  );
  fc.assert(
    fc.property(anything, anything, anything, anything, (name, bsb, accountNumber, abn) => {
      const result = newPayeeSchema.safeParse({ ...typed, name, bsb, accountNumber, abn });
      if (!result.success)
        return result.error.issues.every((issue) => issue.message.length > 5 && issue.path.length > 0);
      const { data } = result;
      return (
        /^\d{6}$/.test(data.bsb) && /^\d{4,9}$/.test(data.accountNumber) && (data.abn ?? "00000000000").length === 11
      );
    }),
  );
});

test("an edit through the API leaves absent fields alone, and null takes a value away", () => {
  expect(payeePatchSchema.parse({})).toEqual({});
  expect(payeePatchSchema.parse({ email: null, name: "Acme" })).toEqual({ email: null, name: "Acme" });
  expect(payeePatchSchema.safeParse({ bsb: null }).success).toBe(false);
  expect(payeePatchSchema.safeParse({ version: 0 }).success).toBe(false);
});

test("trust by hand needs a reason that says something", () => {
  expect(whitelistSchema.safeParse({}).success).toBe(false);
  expect(whitelistSchema.safeParse({ reason: " ok " }).success).toBe(false);
  expect(whitelistSchema.parse({ reason: " Called them " })).toEqual({ reason: "Called them" });
});
