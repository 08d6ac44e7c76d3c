import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { CHECK_OUTCOMES, VERIFICATION_METHODS, VERIFICATION_STATUSES } from "~/kernel/enums";
import { GRADE_NAMES, type GradeFacts, gradeFactsOf, gradeOf, gradeOfPayee, type NewestApproval } from "./outcomes";
import { RESULT_SOURCES } from "./verification";

const APPROVED: GradeFacts = {
  status: "verified",
  method: "manual",
  outcome: null,
  source: null,
  institutionDiffers: false,
  isCalledBack: false,
  decider: "person",
};
const ASKED = { method: "basiq", source: "basiq" } as const;

test.each<[string, Partial<GradeFacts>, string, string]>([
  [
    "a bank confirmed it by consent",
    { ...ASKED, outcome: "match" },
    "bank_consent",
    "Confirmed by the bank, with the payee's consent",
  ],
  [
    "a bank confirmed it at once",
    { ...ASKED, outcome: "match", source: "cop" },
    "bank_instant",
    "Confirmed by the bank, by Confirmation of Payee",
  ],
  [
    "a bank's match approved by a rule",
    { ...ASKED, outcome: "match", decider: "rule" },
    "bank_consent",
    "Confirmed by the bank, with the payee's consent",
  ],
  [
    "a match at another institution",
    { ...ASKED, outcome: "match", institutionDiffers: true },
    "person",
    "Approved by a person, the account is at a different institution from its BSB",
  ],
  [
    "a match of which nobody knows who gave it",
    { outcome: "match" },
    "person",
    "Approved by a person, no bank answer is on record",
  ],
  [
    "a match on a whitelist",
    { outcome: "match", source: "whitelist" },
    "person",
    "Approved by a person, no bank answer is on record",
  ],
  ["a call that counts, no bank", { isCalledBack: true }, "call_back", "Called back, no bank was asked"],
  [
    "a call that counts, and a bank",
    { ...ASKED, outcome: "match", isCalledBack: true },
    "bank_consent",
    "Confirmed by the bank, with the payee's consent",
  ],
  [
    "a call against the bank's answer",
    { ...ASKED, outcome: "no_match", isCalledBack: true },
    "call_back",
    "Called back, the bank did not confirm the name",
  ],
  [
    "what others vouch for",
    { method: "whitelist", decider: "rule" },
    "vouched",
    "Vouched for by other organisations, no bank was asked",
  ],
  ["a person without anything", {}, "person", "Approved by a person, no bank was asked"],
  [
    "a person while the payee had not answered",
    { method: "basiq" },
    "person",
    "Approved by a person, no bank answered",
  ],
  [
    "a person after a close match",
    { ...ASKED, outcome: "close_match" },
    "person",
    "Approved by a person, the name at the bank is close, not the same",
  ],
  [
    "a person against a no match",
    { ...ASKED, outcome: "no_match", source: "cop" },
    "person",
    "Approved by a person, the bank did not confirm the name",
  ],
  [
    "a person against a closed account",
    { ...ASKED, outcome: "account_closed" },
    "person",
    "Approved by a person, the bank said that the account is closed",
  ],
  [
    "a person, the account not shared",
    { ...ASKED, outcome: "account_not_shared" },
    "person",
    "Approved by a person, the payee did not share this account at the bank",
  ],
  [
    "a person, consent refused",
    { ...ASKED, outcome: "consent_refused" },
    "person",
    "Approved by a person, the payee did not consent at the bank",
  ],
  [
    "a person after a check that said nothing",
    { ...ASKED, outcome: "unable" },
    "person",
    "Approved by a person, no bank gave a usable answer",
  ],
  ["a rule without a bank", { decider: "rule" }, "rule", "Approved by a rule, no bank was asked"],
  ["nobody on record", { decider: null }, "unknown", "Approved, no bank was asked"],
])("%s", (_, facts, name, text) => {
  expect(gradeOf({ ...APPROVED, ...facts })).toEqual({ name, text });
});

/** Every combination of stored values. */
function* everything(): Generator<GradeFacts> {
  for (const status of VERIFICATION_STATUSES)
    for (const method of VERIFICATION_METHODS)
      for (const outcome of [null, ...CHECK_OUTCOMES])
        for (const source of [null, ...RESULT_SOURCES])
          for (const institutionDiffers of [true, false])
            for (const isCalledBack of [true, false])
              for (const decider of ["person", "rule", null] as const)
                yield { status, method, outcome, source, institutionDiffers, isCalledBack, decider };
}

test("in every combination: only what is verified has a grade, and none claims what is not on record", () => {
  const found = new Set<string>();
  for (const facts of everything()) {
    const grade = gradeOf(facts);
    expect(grade === null).toBe(facts.status !== "verified");
    if (!grade) continue;
    const { name, text } = grade;
    found.add(name);
    const isOfBank = facts.outcome === "match" && !facts.institutionDiffers;
    expect(text.startsWith("Confirmed by the bank")).toBe(isOfBank && ["basiq", "cop"].includes(facts.source ?? ""));
    if (name === "bank_consent") expect(facts).toMatchObject({ source: "basiq", outcome: "match" });
    if (name === "bank_instant") expect(facts).toMatchObject({ source: "cop", outcome: "match" });
    if (name === "call_back") expect(facts.isCalledBack).toBe(true);
    if (name === "vouched") expect(facts).toMatchObject({ method: "whitelist", decider: "rule", isCalledBack: false });
    if (name === "person" || name === "rule") expect(facts.decider).toBe(name);
    if (name === "unknown") expect(facts.decider).toBeNull();
    if (text.includes("no bank was asked")) {
      expect(facts.outcome).toBeNull();
      expect(facts.method).not.toBe("basiq");
    }
    expect(facts.outcome === null && facts.method !== "basiq").toBe(text.endsWith("no bank was asked"));
  }
  expect([...found].sort()).toEqual(
    GRADE_NAMES.filter((name) => !["payments", "by_hand", "restored"].includes(name)).sort(),
  );
});

test("the stored columns are read as they are", () => {
  const row = { status: "verified", method: "basiq", outcome: "match", isCalledBack: 1, decider: "person" } as const;
  expect(gradeFactsOf({ ...row, resultData: null })).toEqual({
    ...{ status: "verified", method: "basiq", outcome: "match", decider: "person" },
    ...{ source: null, institutionDiffers: false, isCalledBack: true },
  });
  const resultData = { source: "cop", institutionDiffers: true } as const;
  expect(gradeFactsOf({ ...row, isCalledBack: 0, resultData })).toMatchObject({
    ...{ source: "cop", institutionDiffers: true, isCalledBack: false },
  });
});

const NOW = Date.UTC(2026, 10, 20);
const OWN = { accountName: "Acme Timber Pty Ltd", bsb: "062000", accountNumber: "12345678" };
const OTHER = { ...OWN, accountNumber: "87654321" };
const PAYEE = {
  ...OWN,
  ...{ whitelisted: true, whitelistedAt: NOW, whitelistedById: "u1" },
  ...{ disputedAt: null, bankDetailsChangedAt: null, renamedAt: null, takenOffWhitelistAt: null },
};
const BY_BANK: NewestApproval = { ...OWN, ...APPROVED, ...ASKED, outcome: "match", completedAt: NOW };
const latest = (more: object) => ({ ...OWN, status: "verified" as const, createdAt: NOW, completedAt: NOW, ...more });

const PROMOTED = { ...PAYEE, whitelistedById: null };
const LONG_AGO = NOW - 30 * DAY_MS;
const REJECTED = latest({ ...OTHER, status: "rejected" });
const NOTHING_APPROVED = "without an approved verification";

test.each<[string, ...Parameters<typeof gradeOfPayee>, string | null]>([
  ["approved", PAYEE, latest({}), BY_BANK, "Confirmed by the bank, with the payee's consent"],
  [
    "approved, the trust some milliseconds later",
    { ...PAYEE, whitelistedAt: NOW + 12 },
    latest({}),
    BY_BANK,
    "Confirmed by the bank, with the payee's consent",
  ],
  [
    "approved without the whitelist on record",
    { ...PAYEE, whitelisted: false, whitelistedAt: null, whitelistedById: null },
    latest({}),
    BY_BANK,
    "Confirmed by the bank, with the payee's consent",
  ],
  [
    "approved at a time that is not on record",
    PAYEE,
    latest({}),
    { ...BY_BANK, completedAt: null },
    "Confirmed by the bank, with the payee's consent",
  ],
  [
    "approved, and a new verification waits",
    PAYEE,
    latest({ status: "pending" }),
    BY_BANK,
    "Confirmed by the bank, with the payee's consent",
  ],
  ["whitelisted by hand", PAYEE, null, null, `Whitelisted by hand, ${NOTHING_APPROVED}`],
  [
    "whitelisted by hand, other details approved before",
    PAYEE,
    null,
    { ...BY_BANK, ...OTHER },
    `Whitelisted by hand, ${NOTHING_APPROVED}`,
  ],
  [
    "approved, taken off, whitelisted by hand",
    PAYEE,
    null,
    { ...BY_BANK, completedAt: LONG_AGO },
    "Whitelisted by hand",
  ],
  [
    "approved, given another name, whitelisted by hand",
    { ...PAYEE, renamedAt: NOW },
    latest({ status: "pending" }),
    { ...BY_BANK, completedAt: NOW - 1 },
    `Whitelisted by hand, ${NOTHING_APPROVED}`,
  ],
  [
    "approved under the name that it was given",
    { ...PAYEE, renamedAt: NOW - 1 },
    latest({}),
    BY_BANK,
    "Confirmed by the bank, with the payee's consent",
  ],
  [
    "promoted after payments",
    PROMOTED,
    latest({ status: "pending" }),
    null,
    `Whitelisted after successful payments, ${NOTHING_APPROVED}`,
  ],
  [
    "approved, taken off, promoted",
    PROMOTED,
    latest({}),
    { ...BY_BANK, completedAt: LONG_AGO },
    "Whitelisted after successful payments",
  ],
  [
    "approved by a rule",
    PROMOTED,
    latest({}),
    { ...BY_BANK, decider: "rule" },
    "Confirmed by the bank, with the payee's consent",
  ],
  [
    "restored",
    { ...PAYEE, whitelistedAt: LONG_AGO },
    REJECTED,
    { ...BY_BANK, completedAt: LONG_AGO },
    "Former details restored, confirmed by the bank, with the payee's consent",
  ],
  [
    "restored, by hand before",
    { ...PAYEE, whitelistedAt: LONG_AGO },
    REJECTED,
    null,
    `Former details restored, whitelisted by hand, ${NOTHING_APPROVED}`,
  ],
  [
    "rejected, then whitelisted by hand",
    { ...PAYEE, whitelistedAt: NOW + DAY_MS },
    REJECTED,
    null,
    `Whitelisted by hand, ${NOTHING_APPROVED}`,
  ],
  ["disputed", { ...PAYEE, disputedAt: NOW }, latest({}), BY_BANK, null],
  ["taken off the whitelist", { ...PAYEE, whitelisted: false, takenOffWhitelistAt: NOW }, latest({}), BY_BANK, null],
  [
    "changed",
    { ...PAYEE, whitelisted: false, bankDetailsChangedAt: NOW + 1 },
    latest(OTHER),
    { ...BY_BANK, ...OTHER },
    null,
  ],
  ["waiting", { ...PAYEE, whitelisted: false }, latest({ status: "pending" }), null, null],
])("a payee that is %s", (_, payee, newest, approval, text) => {
  expect(gradeOfPayee(payee, newest, approval)?.text ?? null).toBe(text);
});
