import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { PAYMENT_STATUSES, type PaymentStatus } from "~/kernel/enums";
import {
  basisOf,
  canEnd,
  canMove,
  currentReasons,
  type DecisionCase,
  formerPayeeOf,
  hasOtherAccount,
  isHeldAgain,
  isOpenPayment,
  latestProcessedAt,
  noonOf,
  processedAtProblem,
  refuseDecision,
} from "./payment";
import { PAYMENT_FILTERS, statusOf } from "./payment-list";

test("a payment moves only along the status table", () => {
  const moves = PAYMENT_STATUSES.flatMap((from) =>
    PAYMENT_STATUSES.filter((to) => canMove(from, to)).map((to) => `${from} > ${to}`),
  );
  expect(moves.sort()).toEqual([
    "authorised > failed",
    "authorised > held",
    "authorised > successful",
    "held > authorised",
    "held > rejected",
    "held > verification_requested",
    "verification_requested > held",
  ]);
});

test("money may still leave while a payment is held, waits or is authorised", () => {
  expect(PAYMENT_STATUSES.filter(isOpenPayment).sort()).toEqual(["authorised", "held", "verification_requested"]);
});

test("every status has a filter and every filter but all a status", () => {
  expect(PAYMENT_FILTERS.map(statusOf).filter(Boolean).sort()).toEqual([...PAYMENT_STATUSES].sort());
});

const ACCOUNT = { bsb: "062000", accountNumber: "12345678" };
const held: DecisionCase = { ...ACCOUNT, status: "held", amount: 50_000, payee: ACCOUNT };
const alone = { isOwn: true, secondPersonRequired: false, approvalLimitCents: null };
const ownWork = { ...alone, secondPersonRequired: true };
const another = { ...ownWork, isOwn: false };
const limited = { ...another, approvalLimitCents: 49_999 };

test.each([
  ["anybody may approve their own payment unless a second person is required", held, "approve", alone, undefined],
  [
    "nobody may approve their own work where a second person is required",
    held,
    "approve",
    ownWork,
    "second_person_required",
  ],
  ["another person may", held, "approve", another, undefined],
  ["but not above their limit", held, "approve", limited, "above_limit"],
  ["up to their limit they may", held, "approve", { ...limited, approvalLimitCents: 50_000 }, undefined],
  [
    "nor above it with what was authorised to the payee today",
    held,
    "approve",
    { ...limited, approvalLimitCents: 60_000, sameDayCents: 10_001 },
    "above_limit",
  ],
  [
    "up to it with what was authorised today they may",
    held,
    "approve",
    { ...limited, approvalLimitCents: 60_000, sameDayCents: 10_000 },
    undefined,
  ],
  [
    "who approves their own work above their limit is told of the limit, which another person has to lift too",
    held,
    "approve",
    { ...limited, isOwn: true },
    "above_limit",
  ],
  [
    "their own work is theirs whatever account the payee has by now",
    { ...held, payee: { ...ACCOUNT, bsb: "062001" } },
    "approve",
    ownWork,
    "second_person_required",
  ],
  ["above their limit they may reject", held, "reject", limited, undefined],
  ["they may reject it", held, "reject", ownWork, undefined],
  ["above their limit they may ask for verification", held, "request_verification", limited, undefined],
  ["they may ask for verification", held, "request_verification", ownWork, undefined],
  [
    "an account that the payee no longer has is not approved",
    { ...held, payee: { ...ACCOUNT, accountNumber: "12345679" } },
    "approve",
    another,
    "account_changed",
  ],
  [
    "nor verified: the verification would be of another account",
    { ...held, payee: { ...ACCOUNT, bsb: "062001" } },
    "request_verification",
    another,
    "account_changed",
  ],
  ["but it is rejected", { ...held, payee: { ...ACCOUNT, bsb: "062001" } }, "reject", another, undefined],
  ["an unknown account is approved by a person", { ...held, payee: null }, "approve", another, undefined],
  ["but there is nobody to verify", { ...held, payee: null }, "request_verification", another, "payee_required"],
] as const)("%s", (_, subject, decision, person, refusal) => {
  expect(refuseDecision(subject, decision, person)).toBe(refusal);
});

test("only a held payment is decided", () => {
  const others = PAYMENT_STATUSES.filter((status): status is PaymentStatus => status !== "held");
  for (const status of others) {
    for (const decision of ["approve", "reject", "request_verification"] as const) {
      expect(refuseDecision({ ...held, status }, decision, another)).toBe("not_held");
    }
  }
});

test("only a payment that was authorised before may be ended while it is held", () => {
  const step = (fromStatus: PaymentStatus, toStatus: PaymentStatus) => ({ fromStatus, toStatus });
  expect(canEnd({ status: "authorised", lastStep: null })).toBe(true);
  expect(canEnd({ status: "held", lastStep: null })).toBe(false);
  expect(canEnd({ status: "held", lastStep: step("verification_requested", "held") })).toBe(false);
  expect(canEnd({ status: "held", lastStep: step("authorised", "held") })).toBe(true);
  expect(isHeldAgain({ status: "authorised", lastStep: step("held", "authorised") })).toBe(false);
  expect(isHeldAgain({ status: "rejected", lastStep: step("authorised", "held") })).toBe(false);
});

test("a leading zero makes no other account", () => {
  expect(hasOtherAccount({ ...held, payee: { bsb: "062000", accountNumber: "012345678" } })).toBe(false);
});

test("a decision rests on the payment and on how its payee stands: each of them makes it another", () => {
  const basis = { version: 1, payee: { version: 2, disputedAt: null }, latest: { id: "v1", status: "pending" } };
  const others = [
    { ...basis, version: 2 },
    { ...basis, payee: { version: 3, disputedAt: null } },
    { ...basis, payee: { version: 2, disputedAt: 7 } },
    { ...basis, payee: null },
    { ...basis, latest: { id: "v2", status: "pending" } },
    { ...basis, latest: { id: "v1", status: "verified" } },
    { ...basis, latest: null },
    { ...basis, version: 12, payee: { version: 0, disputedAt: null } },
    { ...basis, version: 1, payee: { version: 20, disputedAt: null } },
  ];
  expect(new Set([basis, ...others].map(basisOf)).size).toBe(1 + others.length);
});

test.each([
  ["2026-11-20", Date.UTC(2026, 10, 20, 12)],
  [" 2026-11-20 ", Date.UTC(2026, 10, 20, 12)],
  ["2028-02-29", Date.UTC(2028, 1, 29, 12)],
  ["2026-02-29", undefined],
  ["2026-13-01", undefined],
  ["20/11/2026", undefined],
  ["", undefined],
])("the day %s is read as noon, or not at all", (day, noon) => {
  expect(noonOf(day)).toBe(noon);
});

test("a payment was processed neither before it was recorded nor in the future", () => {
  const recorded = Date.UTC(2026, 10, 20, 22);
  const now = recorded + 2 * DAY_MS;
  expect(processedAtProblem(recorded - DAY_MS, recorded, now)).toBeUndefined();
  expect(processedAtProblem(recorded - DAY_MS - 1, recorded, now)).toContain("before it was recorded");
  expect(processedAtProblem(now + DAY_MS, recorded, now)).toBeUndefined();
  expect(processedAtProblem(now + DAY_MS + 1, recorded, now)).toContain("future");
  expect(latestProcessedAt(now + 1, now)).toBe(now);
  expect(latestProcessedAt(now - 1, now)).toBe(now - 1);
});

test("what happened after a payment was authorised is the first reason of one that is held again, and of no other", () => {
  const reasons = [{ rule: "unusual_amount", level: "warn", message: "Large.", evidence: {} }] as const;
  const createdAt = Date.UTC(2026, 10, 20);
  const lastStep = { fromStatus: "authorised", toStatus: "held", reason: "It disputes them.", createdAt } as const;
  const told = (given: object) => currentReasons({ status: "held", reasons: [...reasons], lastStep, ...given });
  const since = {
    ...{ rule: "details_changed_since", level: "hold", message: "It disputes them." },
    evidence: { heldAgainAt: "2026-11-20T00:00:00.000Z" },
  };
  expect(told({})).toEqual([since, ...reasons]);
  expect(told({ lastStep: { ...lastStep, reason: null } })[0]?.message).toBe(
    "Something happened to the payee after this payment was authorised.",
  );
  expect(told({ lastStep: null })).toEqual(reasons);
  expect(told({ status: "authorised" })).toEqual(reasons);
});

test("whose an unknown account was is told by the rule about unknown accounts alone", () => {
  const [other, unknown] = ["bank_answer", "payee_not_trusted"].map((rule) => ({
    rule,
    evidence: { formerPayeeId: rule },
  }));
  expect(formerPayeeOf([other, unknown].flatMap((reason) => reason ?? []))).toBe("payee_not_trusted");
  expect(formerPayeeOf([{ rule: "payee_not_trusted", evidence: { formerPayeeId: 7 } }])).toBeNull();
  expect(formerPayeeOf([])).toBeNull();
});
