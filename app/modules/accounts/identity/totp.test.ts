import { generateTOTP, getTOTPAuthUri, verifyTOTP } from "@epic-web/totp";
import { expect, test } from "vitest";
import { fromBase32, toBase32 } from "~/kernel/encodings";
import { findTotpStep, newTotpSecret, totpCode, totpStep, totpUri } from "./proof.server";

const SECRET = toBase32(new TextEncoder().encode("12345678901234567890"));
const WRONG = "000000";

// RFC 6238, appendix B, the last six of its eight digits.
test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at %i seconds the code is %s", async (seconds, code) => {
  expect(await totpCode(SECRET, totpStep(seconds * 1000))).toBe(code);
});

test("the library's codes are taken, and ours by the library", async () => {
  const secret = newTotpSecret();
  const { otp } = await generateTOTP({ secret, algorithm: "SHA-1" });
  expect(await findTotpStep(secret, otp, Date.now())).toBeTypeOf("number");
  const ours = await totpCode(secret, totpStep(Date.now()));
  expect(await verifyTOTP({ otp: ours, secret })).not.toBeNull();
});

test.each(["robin@harbour.example", "r+b&c d@bücher.example"])("the address of the QR code for %s", (accountName) => {
  const secret = newTotpSecret();
  const options = { secret, accountName, issuer: "PayeeProof", digits: 6, period: 30 };
  expect(totpUri(secret, accountName)).toBe(getTOTPAuthUri({ ...options, algorithm: "SHA-1" }));
});

test.each([
  [-1, true],
  [0, true],
  [1, true],
  [-2, false],
  [2, false],
])("a code of %i steps from now is taken: %s", async (distance, isTaken) => {
  const now = 1_111_111_109_000;
  const step = totpStep(now) + distance;
  const found = await findTotpStep(SECRET, await totpCode(SECRET, step), now);
  expect(found).toBe(isTaken ? step : undefined);
});

test("a wrong code belongs to no step", async () => {
  expect(await findTotpStep(SECRET, WRONG, 1_111_111_109_000)).toBeUndefined();
  expect(await findTotpStep(SECRET, "", 1_111_111_109_000)).toBeUndefined();
});

test("a secret has 160 bits, and no two are alike", () => {
  const [one, two] = [newTotpSecret(), newTotpSecret()];
  expect(fromBase32(one)).toHaveLength(20);
  expect(one).not.toBe(two);
});

test("the address for the app names the product, the account and the secret", () => {
  const uri = new URL(totpUri(SECRET, "mira+pay@harbour.example"));
  expect(decodeURIComponent(uri.pathname)).toContain("PayeeProof:mira+pay@harbour.example");
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: SECRET,
    issuer: "PayeeProof",
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});
