import { expect, test } from "vitest";
import { compareDetails, type VerifiedDetails } from "./review-known";

const submitted = {
  accountName: "Coastline Timber Pty Ltd",
  bsb: "062000",
  accountNumber: "012345678",
  institution: "Commonwealth Bank of Australia",
};

const wordsOf = (verified: VerifiedDetails | null) =>
  compareDetails(submitted, verified).map((row) => [row.verified, row.verdict?.word ?? null]);

test.each<[string, VerifiedDetails | null, (readonly [string | null, string | null])[]]>([
  [
    "nothing from the bank",
    null,
    [
      [null, null],
      [null, null],
      [null, null],
    ],
  ],
  [
    "the same account, leading zeros aside",
    { bsb: "062000", accountNumber: "12345678", institution: "CommBank", institutionDiffers: false },
    [
      ["062-000", "Same"],
      ["12345678", "Same"],
      ["CommBank", "Same"],
    ],
  ],
  [
    "another institution",
    { bsb: "062000", accountNumber: "12345678", institution: "Riverbend Mutual", institutionDiffers: true },
    [
      ["062-000", "Same"],
      ["12345678", "Same"],
      ["Riverbend Mutual", "Different"],
    ],
  ],
  [
    "an institution that cannot be compared",
    { visibleDigits: "678", institution: "Riverbend Mutual" },
    [
      [null, null],
      ["•••••678", "Ends the same"],
      ["Riverbend Mutual", null],
    ],
  ],
  [
    "another BSB and number",
    { bsb: "063000", accountNumber: "87654321" },
    [
      ["063-000", "Different"],
      ["87654321", "Different"],
      [null, null],
    ],
  ],
  [
    "a masked number that ends the same",
    { visibleDigits: "678" },
    [
      [null, null],
      ["•••••678", "Ends the same"],
      [null, null],
    ],
  ],
  [
    "a masked number that ends differently",
    { visibleDigits: "999" },
    [
      [null, null],
      ["•••••999", "Ends differently"],
      [null, null],
    ],
  ],
])("%s", (_, verified, words) => {
  expect(wordsOf(verified)).toEqual(words);
});
