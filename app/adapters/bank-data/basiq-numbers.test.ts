import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toNumbers } from "./basiq";

const given = (account: Partial<Parameters<typeof toNumbers>[0]>) =>
  toNumbers({ accountNo: null, bsb: null, unmaskedAccNum: null, maskedNumber: null, ...account });

describe("numbers of a shared account", () => {
  test.each([
    [
      "open banking fields",
      { bsb: "062000", unmaskedAccNum: "12345678", accountNo: "06200012345678" },
      { bsb: "062000", accountNumber: "12345678", combinedNumber: "06200012345678" },
    ],
    [
      "open banking fields alone",
      { bsb: "062000", unmaskedAccNum: "12345678" },
      { bsb: "062000", accountNumber: "12345678", combinedNumber: "06200012345678" },
    ],
    [
      "both in one",
      { accountNo: "600000157441965" },
      { bsb: "600000", accountNumber: "157441965", combinedNumber: "600000157441965" },
    ],
    [
      "both in one, written with separators",
      { accountNo: "062-000 1234 5678" },
      { bsb: "062000", accountNumber: "12345678", combinedNumber: "06200012345678" },
    ],
    [
      "leading zeros",
      { bsb: "012-003", unmaskedAccNum: "000123456" },
      { bsb: "012003", accountNumber: "000123456", combinedNumber: "012003000123456" },
    ],
    [
      "the BSB repeated in the unmasked number",
      { bsb: "062000", unmaskedAccNum: "06200012345678" },
      { bsb: "062000", accountNumber: "12345678", combinedNumber: "06200012345678" },
    ],
    [
      "an account number without any BSB",
      { accountNo: "12345678" },
      { bsb: undefined, accountNumber: "12345678", combinedNumber: undefined },
    ],
    [
      "a BSB and an account number in accountNo",
      { bsb: "062000", accountNo: "12345678" },
      { bsb: "062000", accountNumber: "12345678", combinedNumber: "06200012345678" },
    ],
    ["masked by x", { accountNo: "xxxx1234" }, { bsb: undefined, visibleDigits: "1234" }],
    ["masked by capital X and blanks", { accountNo: "XXXXXX 1234" }, { bsb: undefined, visibleDigits: "1234" }],
    ["masked by stars", { accountNo: "****567" }, { bsb: undefined, visibleDigits: "567" }],
    [
      "masked after its BSB",
      { bsb: "062000", accountNo: "062-000 xxxx1234" },
      { bsb: "062000", visibleDigits: "1234" },
    ],
    ["only a masked number", { maskedNumber: "xxxx9876" }, { bsb: undefined, visibleDigits: "9876" }],
    [
      "a mask that shows nothing",
      { accountNo: "****", maskedNumber: "xxxx" },
      { bsb: undefined, visibleDigits: undefined },
    ],
    ["nothing", {}, { bsb: undefined, visibleDigits: undefined }],
    ["all zeros", { bsb: "062000", unmaskedAccNum: "00000000" }, { bsb: "062000", visibleDigits: undefined }],
    ["longer than any account", { accountNo: "1234567890123456" }, { bsb: undefined, visibleDigits: undefined }],
    [
      "a combination under another BSB",
      { bsb: "062000", accountNo: "73300012345678" },
      { bsb: "062000", visibleDigits: undefined },
    ],
  ])("%s", (_, account, expected) => {
    expect(given(account)).toEqual(expected);
  });

  test("a BSB and an account number written as one are split again", () => {
    const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));
    fc.assert(
      fc.property(
        digits(6, 6),
        digits(4, 9).filter((number) => !/^0+$/.test(number)),
        (bsb, accountNumber) => {
          expect(given({ accountNo: bsb + accountNumber })).toEqual({
            bsb,
            accountNumber,
            combinedNumber: bsb + accountNumber,
          });
        },
      ),
    );
  });

  test("a masked number never yields an account number", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[x*X]{1,8}[0-9]{0,4}$/), (accountNo) => {
        expect(given({ accountNo }).accountNumber).toBeUndefined();
      }),
    );
  });
});
