import { expect, test } from "vitest";
import { formatRecoveryCode, parseRecoveryCode, parseTotp } from "./proof.server";

test("a code is shown in four groups, and read back however it is typed", () => {
  const shown = formatRecoveryCode("ABCDEFGHIJKLMNOPQRST");
  expect(shown).toBe("ABCD-EFGH-IJKL-MNOP");
  for (const typed of [shown, shown.toLowerCase(), " abcd efgh ijkl mnop ", "ABCDEFGHIJKLMNOP"]) {
    expect(parseRecoveryCode(typed)).toBe("ABCDEFGHIJKLMNOP");
  }
});

test.each(["", "123456", "ABCD-EFGH-IJKL-MNO", "ABCD-EFGH-IJKL-MNOPQ", "ABCD-EFGH-IJKL-MN01", "ÄBCDEFGHIJKLMNOP"])(
  "%j is no recovery code",
  (text) => {
    expect(parseRecoveryCode(text)).toBeUndefined();
  },
);

test.each([
  ["123456", "123456"],
  [" 123 456 ", "123456"],
  ["012-345", "012345"],
  ["12345", undefined],
  ["1234567", undefined],
  ["12345a", undefined],
  ["１２３４５６", undefined],
])("%j is read as %j", (text, code) => {
  expect(parseTotp(text)).toBe(code);
});
