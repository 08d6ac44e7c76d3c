import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { CHECK_OUTCOMES } from "~/kernel/enums";
import { findReviewFlags, flagFactsOf } from "./review-flags";
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

/** Every open state that a list, the payee, the payment and the verification itself can show. */
const STATES: Open[] = either(null, ...CHECK_OUTCOMES).flatMap((outcome) =>
  either(null, 40, 86, 100).flatMap((nameMatchScore) =>
    either(null, OPENED + 1).flatMap((disputedByPayeeAt) =>
      either({ lookalikes: [] }, { lookalikes: [ALIKE] }, { lookalikes: [], formerHolders: [FORMER] }).flatMap((seen) =>
        either(null, OPENED).flatMap((bankDetailsChangedAt) =>
          either(null, OPENED - 31 * DAY_MS, OPENED - DAY_MS, NOW).flatMap((contactChangedAt) =>
            either(null, { step: "awaiting_payee" as const, returnedAt: null }).map((runningCheck) => ({
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
            })),
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
      lookalikes: state.evidence?.lookalikes.length ?? 0,
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
    ...{ createdAt: OPENED, lookalikes: 0, formerHolders: 0, accountName: "Coastline Timber" },
    payee,
  };
  const shown = showVerdict(row, NOW);
  expect(shown.changed ?? undefined).toBe(word);
  // Beside the verdict it stands only where the verdict's own word does not say it.
  expect(shown.change?.word).toBe(shown.name === "contact_and_bank_changed" ? undefined : word);
});
