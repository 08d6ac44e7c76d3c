import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { CHECK_OUTCOMES } from "~/kernel/enums";
import { findReviewFlags, flagFactsOf } from "./review-flags";
import { showVerdict } from "./shown-verdict";
import { openVerdictOf, type Standing, wordsOfVerification } from "./standing";
import { changeOf, lookOf } from "./verdict";

const NOW = Date.UTC(2026, 10, 20);
const OPENED = NOW - 40 * DAY_MS;
const BANK = { accountName: "Coastline Timber", bsb: "062000", accountNumber: "12345678" };
const ALIKE = { payeeId: "p", name: "Coast One", reason: "similar_name", detail: "The name is close." } as const;
const KNOWN = { institution: null, unusualAccountLength: false, vouching: { exact: 0, close: 0, different: 0 } };

type Open = Standing & { id: string };

const either = <T>(...values: T[]) => values;

/** Every open state that a list, the payee, the payment and the verification itself can show. */
const STATES: Open[] = either(null, ...CHECK_OUTCOMES).flatMap((outcome) =>
  either(null, 40, 86, 100).flatMap((nameMatchScore) =>
    either(null, OPENED + 1).flatMap((disputedByPayeeAt) =>
      either([], [ALIKE]).flatMap((lookalikes) =>
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
              evidence: { ...KNOWN, lookalikes: [...lookalikes] },
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
    const own = wordsOfVerification(state, flags, NOW).verdict;
    const row = {
      ...state,
      lookalikes: state.evidence?.lookalikes.length ?? 0,
      isCheckRunning: state.runningCheck !== null,
    };
    const { change, name, ...look } = showVerdict(row, NOW);
    const open = openVerdictOf(state, NOW);
    const said = { name: own.name, look: lookOf(own.name), next: own.next, change: changeOf(flags) };
    expect({ name, look, change }).toEqual({ name: said.name, look: said.look, change: said.change });
    expect(open).toEqual({ ...said.look, next: said.next, change: said.change, verificationId: "v" });
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
  const payee = { bankDetailsChangedAt, renamedAt: null, contactChangedAt, disputedAt: null, whitelisted: false };
  const facts = { outcome: null, nameMatchScore: null, disputedByPayeeAt: null, lookalikes: 0, resultData: null };
  expect(changeOf(findReviewFlags({ ...facts, createdAt: OPENED, payee }))?.word).toBe(word);
});
