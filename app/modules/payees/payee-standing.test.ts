import { expect, test } from "vitest";
import type { PayeeStatus, RedFlag } from "~/kernel/payee";
import { REVIEW_FLAGS } from "~/modules/payees/verifications/review-flags";
import { type Headline, headlineOf, headlineOfFlag } from "~/modules/payees/verifications/verdict";
import { payeeHeadline } from "./payee-standing";

const STATUSES: PayeeStatus[] = [
  ...(["whitelisted", "verified", "pending", "changed", "disputed", "rejected", "failed", "taken_off"] as const),
];
const FLAGS: RedFlag[] = ["disputed", "details_changed", "former_account", "contact_and_bank_changed"];
const subsets = Array.from({ length: 2 ** FLAGS.length }, (_, bits) => FLAGS.filter((_flag, at) => bits & (2 ** at)));
const VERDICTS: (Headline | null)[] = [
  null,
  headlineOf({ status: "pending", outcome: "match", reasonCode: null, flags: [], isWaiting: false, check: null }),
  ...REVIEW_FLAGS.map(headlineOfFlag),
];

const all = STATUSES.flatMap((status) =>
  VERDICTS.flatMap((verdict) =>
    subsets.map((flags) => ({ status, verdict, flags, said: payeeHeadline(status, verdict, flags) })),
  ),
);

test("whatever is red about a payee is its headline, however far it is trusted", () => {
  for (const { status, verdict, flags, said } of all) {
    const isRed =
      status === "disputed" ||
      verdict?.isRed === true ||
      flags.includes("former_account") ||
      flags.includes("contact_and_bank_changed");
    expect(said.isRed).toBe(isRed);
    // The status itself shows a dispute.
    if (isRed && status !== "disputed") expect(said.verdict?.tone).toBe("review");
    if (!isRed) expect(said.verdict?.tone).not.toBe("review");
  }
});

test.each<[string, PayeeStatus, Headline | null, RedFlag[], string | undefined]>([
  ["trusted, and nothing else", "whitelisted", null, [], undefined],
  [
    "trusted, verified again and the name does not match",
    "whitelisted",
    headlineOfFlag("name_mismatch"),
    [],
    "Does not match",
  ],
  [
    "trusted, contact and bank changed lately",
    "whitelisted",
    null,
    ["contact_and_bank_changed"],
    "Contact and bank changed",
  ],
  [
    "trusted by hand on another payee's account",
    "whitelisted",
    null,
    ["former_account"],
    "Another payee's former account",
  ],
  [
    "new, on another payee's account",
    "pending",
    headlineOfFlag("former_account"),
    ["former_account"],
    "Another payee's former account",
  ],
  ["new and not checked", "pending", headlineOfFlag("unchecked"), [], "Not checked"],
  [
    "changed, and the bank confirms the name",
    "changed",
    headlineOfFlag("changed_details"),
    ["details_changed"],
    undefined,
  ],
  ["rejected on another payee's account", "rejected", null, ["former_account"], "Another payee's former account"],
])("%s", (_, status, verdict, flags, word) => {
  expect(payeeHeadline(status, verdict, flags).verdict?.word).toBe(word);
});
