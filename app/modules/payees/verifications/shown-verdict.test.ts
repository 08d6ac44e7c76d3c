import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { CHECK_OUTCOMES } from "~/kernel/enums";
import { countLookalikes, findReviewFlags, flagFactsOf } from "./review-flags";
import { openVerdictOf, type Standing, showVerdict, wordsOfVerification } from "./standing";

const NOW = Date.UTC(2026, 10, 20);
const OPENED = NOW - 40 * DAY_MS;
const BANK = { accountName: "Coastline Timber", bsb: "062000", accountNumber: "12345678" };
const ALIKE = { payeeId: "p", name: "Coast One", reason: "similar_name", detail: "The name is close." } as const;
const FORMER = { payeeId: "q", name: "Cassowary Cleaning", until: "2026-10-01T00:00:00.000Z", isArchived: false };
const ZONE = { timeZone: "Australia/Sydney", now: NOW };
const KNOWN = { institution: null, unusualAccountLength: false, vouching: { exact: 0, close: 0, different: 0 } };

type Open = Standing & { id: string };

const either = <T>(...values: T[]) => values;

/** Every open state that a list, the payee's page, the payment's page and the verification's own page can show. */
const STATES: Open[] = either(null, ...CHECK_OUTCOMES).flatMap((outcome) =>
  either(null, 40, 86, 100).flatMap((nameMatchScore) =>
    either(null, OPENED + 1).flatMap((disputedByPayeeAt) =>
      either(
        { lookalikes: [] },
        { lookalikes: [ALIKE] },
        { lookalikes: [{ ...ALIKE, reason: "same_name" as const }] },
        { lookalikes: [], formerHolders: [FORMER] },
      ).flatMap((seen) =>
        either(null, OPENED).flatMap((bankDetailsChangedAt) =>
          either(null, OPENED - 31 * DAY_MS, OPENED - DAY_MS, NOW).flatMap((contactChangedAt) =>
            either(null, { step: "awaiting_payee" as const, returnedAt: null, silentSince: null }).map(
              (runningCheck) => ({
                ...BANK,
                id: "v",
                status: "pending" as const,
                outcome,
                reasonCode: null,
                verifiedName: nameMatchScore === null ? null : "Coast One Timber",
                nameMatchScore,
                resultData: null,
                evidence: { ...KNOWN, ...seen },
                disputedByPayeeAt,
                verifiedByPayeeAt: null,
                notificationSentAt: OPENED,
                verificationTokenExpiresAt: NOW + DAY_MS,
                createdAt: OPENED,
                runningCheck,
                decision: null,
                payee: {
                  ...BANK,
                  name: "Coastline Timber",
                  whitelisted: false,
                  bankDetailsChangedAt,
                  renamedAt: null,
                  disputedAt: disputedByPayeeAt,
                  contactChangedAt,
                },
              }),
            ),
          ),
        ),
      ),
    ),
  ),
);

test("one item has one word, icon, colour and next step in the lists, on the dashboard, on the payee, the payment and its own page", () => {
  expect(STATES.length).toBeGreaterThan(1_500);
  for (const state of STATES) {
    const flags = findReviewFlags(flagFactsOf(state));
    const own = wordsOfVerification(state, flags, ZONE).verdict;
    const row = {
      ...state,
      ...countLookalikes(state.evidence?.lookalikes ?? []),
      formerHolders: state.evidence?.formerHolders?.length ?? 0,
      isCheckRunning: state.runningCheck !== null,
    };
    const { next: _, evidence, ...listed } = own;
    expect(showVerdict(row, NOW)).toEqual(listed);
    expect(openVerdictOf(state, ZONE)).toEqual({ ...own, verificationId: "v" });
  }
});

test.each([
  ["details", OPENED, null, "Changed"],
  ["the contact", null, OPENED - DAY_MS, "Contact changed"],
  ["both", OPENED, OPENED - DAY_MS, "Changed, contact too"],
  ["both, the contact while it waits", OPENED, NOW, "Changed, contact too"],
  ["the contact long before", OPENED, OPENED - 31 * DAY_MS, "Changed"],
  ["nothing", null, null, undefined],
])("a change of %s is told in a word", (_, bankDetailsChangedAt, contactChangedAt, word) => {
  const payee = {
    name: "Coastline Timber",
    bankDetailsChangedAt,
    renamedAt: null,
    contactChangedAt,
    disputedAt: null,
    whitelisted: false,
  };
  const row = {
    ...{ status: "pending" as const, outcome: null, nameMatchScore: null, resultData: null, isCheckRunning: false },
    ...{ disputedByPayeeAt: null, verifiedByPayeeAt: null, notificationSentAt: null, verificationTokenExpiresAt: null },
    ...{ createdAt: OPENED, lookalikes: 0, similarNames: 0, formerHolders: 0, accountName: "Coastline Timber" },
    payee,
  };
  const shown = showVerdict(row, NOW);
  expect(shown.changed ?? undefined).toBe(word);
  // The change is shown beside the verdict only when the verdict's own word does not say it.
  expect(shown.change?.word).toBe(shown.name === "contact_and_bank_changed" ? undefined : word);
});

const QUIET = STATES[0] as Open;
const say = (given: Partial<Open>) => {
  const state = { ...QUIET, ...given };
  return wordsOfVerification(state, findReviewFlags(flagFactsOf(state)), ZONE);
};
const knowing = (given: object) => ({ evidence: { ...KNOWN, lookalikes: [], ...given } as Open["evidence"] });

test("a verification that is decided is open nowhere any more, and neither is none", () => {
  expect(openVerdictOf({ ...QUIET, status: "verified" }, ZONE)).toBeNull();
  expect(openVerdictOf(null, ZONE)).toBeNull();
});

test("a look-alike is told with its name, and the payee's own former domain without one", () => {
  const moved = "The payee's email address moved from coast.example to c0ast.example.";
  const lookalikes = [
    { ...ALIKE, reason: "same_name" as const },
    { payeeId: "v", name: "Coastline", reason: "former_email_domain", detail: moved },
  ];
  expect(say(knowing({ lookalikes })).verdict.evidence).toEqual(["Coast One: The name is close.", moved]);
  expect(say(knowing({})).verdict.evidence).toEqual([]);
  expect(say({ evidence: null }).verdict.evidence).toEqual([]);
});

test("three are told by name and the rest counted; beside a grave one those of a similar name are left out", () => {
  const of = (count: number, reason: "same_name" | "similar_name") =>
    Array.from({ length: count }, (_, n) => ({ ...ALIKE, name: `${reason} ${n}`, reason }));
  const told = (...lookalikes: (typeof ALIKE | ReturnType<typeof of>[number])[]) =>
    say(knowing({ lookalikes })).verdict.evidence;
  const three = ["0", "1", "2"].map((n) => `similar_name ${n}: The name is close.`);
  expect(told(...of(3, "similar_name"))).toEqual(three);
  expect(told(...of(4, "similar_name"))).toEqual([...three, "1 more payee looks like it."]);
  expect(told(...of(5, "similar_name"))).toEqual([...three, "2 more payees look like it."]);
  expect(told(...of(5, "similar_name"), ...of(1, "same_name"))).toEqual(["same_name 0: The name is close."]);
});

test("whose account it was, and that the payee went back to its own, is told with the day", () => {
  expect(say(knowing({ formerHolders: [FORMER] })).verdict.evidence).toEqual([
    "This account was Cassowary Cleaning's until 1 Oct 2026.",
  ]);
  expect(say(knowing({ ownUntil: FORMER.until })).verdict.evidence).toEqual([
    "The payee went back to one of its former accounts: it had this one until 1 Oct 2026.",
  ]);
});

test("that the payee confirmed the details is told where it did", () => {
  const confirmed = "The person who opened the payee's link said that the details are theirs.";
  expect(say({ verifiedByPayeeAt: OPENED }).verdict.evidence).toEqual([confirmed]);
  expect(say({ verifiedByPayeeAt: null }).verdict.evidence).toEqual([]);
});

test("the institution that answered stands beside the one that has the BSB, as it was known then or is known today", () => {
  const answered = {
    outcome: "match" as const,
    nameMatchScore: 100,
    resultData: { institution: "Wattle Bank", institutionDiffers: true } as Open["resultData"],
  };
  const told = (given: Partial<Open>) =>
    wordsOfVerification({ ...QUIET, ...answered, ...given }, ["institution_differs"], ZONE).verdict.evidence;
  const sentence = (verified: string, ofBsb: string) =>
    `${verified} says that it holds this account, but the BSB belongs to ${ofBsb}. Some banks also trade under other names.`;
  const then = knowing({ institution: { mnemonic: "OLD", name: "Old Bank" } });
  expect(told(then)).toEqual([sentence("Wattle Bank", "Old Bank")]);
  expect(told({})).toEqual([sentence("Wattle Bank", "Commonwealth Bank of Australia")]);
  expect(told({ evidence: null })).toEqual([sentence("Wattle Bank", "Commonwealth Bank of Australia")]);
  expect(told({ bsb: "999999" })).toEqual([sentence("Wattle Bank", "another institution")]);
  expect(told({ resultData: null })).toEqual([sentence("Another institution", "Commonwealth Bank of Australia")]);
});

test("an approval says whether a payment to these details is authorised unless a rule holds it today", () => {
  const approved = (whitelisted: boolean, accountNumber = BANK.accountNumber) =>
    say({ status: "verified", payee: { ...QUIET.payee, whitelisted, accountNumber } }).ending?.text;
  const left = "Coastline Timber has left the whitelist since, or now has different bank details.";
  expect(approved(true)).toBe(
    "Coastline Timber is on the whitelist: a payment to these details is authorised unless a rule holds it.",
  );
  expect(approved(false)).toBe(left);
  expect(approved(true, "87654321")).toBe(left);
});

test("a rejection says the reason that a person gave", () => {
  expect(say({ status: "rejected", decision: { reason: "Not our supplier" } }).ending?.text).toBe(
    "Reason: Not our supplier",
  );
  expect(say({ status: "rejected", decision: null }).ending?.text).toBeNull();
});
