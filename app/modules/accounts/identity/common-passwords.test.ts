import fc from "fast-check";
import { expect, test } from "vitest";
import { brokenPasswordRules } from "~/kernel/fields.schema.server";
import { isCommonPassword } from "./password.server";

test.each([
  "Password1!",
  "P@ssw0rd",
  "P@ssw0rd123!",
  "Pa$$w0rd1",
  "Passw0rd!",
  "!Password1",
  "Welcome2026!",
  "Welcome@123",
  "Summer2026!",
  "5ummer!2026",
  "Qwerty123!",
  "Qwertyuiop1!",
  "1q2w3e4R!",
  "1qaz@WSX",
  "Abcd1234!",
  "Admin@123",
  "Letmein-1",
  "Liverpool1!",
  "Sydney#2000",
  "Aaaaaaa1!",
  "Passpass1!",
  "Trustno1!",
  "PayeeProof1!",
  "ＰＡＳＳＷＯＲＤ１!",
])("%s is tried first", (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test.each([
  "Correct-horse-7",
  "Correct-horse-battery-9",
  "Wrong-horse-77",
  "Summer-in-Darwin-2",
  "xK9#vTq2mZ",
  "Ich-mag-3-Birnen",
  "Password-of-the-Heron-4",
])("%s is not", (password) => {
  expect(brokenPasswordRules(password)).toEqual([]);
  expect(isCommonPassword(password)).toBe(false);
});

const DECORATION = fc.stringMatching(/^[0-9!#.?*]{0,6}$/);

test("no ending and no beginning of six characters saves a common word", () => {
  const words = fc.constantFrom("Password", "wELCOME", "Summer", "Melbourne", "Qwerty");
  fc.assert(
    fc.property(DECORATION, words, DECORATION, (before, word, after) => {
      expect(isCommonPassword(before + word + after)).toBe(true);
    }),
  );
});
