import { payees, paymentRecords, verifications } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { archivePayee, restorePayee } from "~/modules/payees/archive-payee.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { recordOutcome } from "~/modules/payments/record-outcome.server";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { anAddedPayee, peek } from "../../../../tests/support/payees";
import { aPayment, aTrustedPayee } from "../../../../tests/support/payments";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { aPendingVerification } from "../../../../tests/support/verifications";
import { listMostDangerous } from "./pending.server";
import { reviewVerification } from "./review.server";

/** The order of danger, from the payments themselves: each payee's waiting payments added up again. */
async function addedUp({ organizationId }: Actor) {
  const open = await peek
    .select()
    .from(verifications)
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.status, "pending")));
  const payments = await peek.select().from(paymentRecords).where(eq(paymentRecords.organizationId, organizationId));
  const waits = (payeeId: string) =>
    payments
      .filter((payment) => payment.payeeId === payeeId && ["held", "verification_requested"].includes(payment.status))
      .reduce((sum, { amount }) => sum + amount, 0);
  return open
    .map(({ id, payeeId, queueRank }) => ({ id, rank: queueRank ?? 0, heldCents: waits(payeeId) }))
    .sort((a, b) => a.rank - b.rank || b.heldCents - a.heldCents || (a.id < b.id ? -1 : 1))
    .map(({ id, heldCents }) => ({ id, heldCents }));
}

const listed = async (services: TestServices, actor: Actor, most = 100) =>
  (await listMostDangerous(services, actor, most)).map(({ id, heldCents }) => ({ id, heldCents }));

const APPROVED = { approved: true, addToGlobalWhitelist: false, reason: "Called the number in the contract" } as const;
const REJECTED = { approved: false, reason: "Not their account", restoreFormer: false } as const;

test("whatever happens to payments and payees, reviews stand in the order of what waits of their payees", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const [small, large, gone, decided] = [
    await anAddedPayee(services, actor),
    await anAddedPayee(services, actor),
    await anAddedPayee(services, actor),
    await anAddedPayee(services, actor),
  ];
  const trusted = await aTrustedPayee(services, actor);
  const pay = async ({ payeeId }: { payeeId: string }, amount: number) =>
    (await aPayment(services, actor, payeeId, { amount })).id;
  const decide = (paymentId: string, decision: "approve" | "reject" | "request_verification") =>
    decidePayment(services, actor, { paymentId, decision, reason: "Looked at it" });
  const kept: Record<string, string> = {};
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["a payment is held", async () => (kept.first = await pay(small, 5_000))],
    ["another is", () => pay(large, 90_000)],
    ["a second of the same payee", async () => (kept.second = await pay(small, 90_001))],
    ["one is approved", () => decide(kept.second ?? "", "approve")],
    ["one is asked about", () => decide(kept.first ?? "", "request_verification")],
    ["a third is rejected", async () => decide(await pay(small, 400_000), "reject")],
    ["a payment that nothing holds", async () => (kept.paid = await pay(trusted, 700_000))],
    [
      "its payee's account changes, so that it waits with a new review",
      () => editPayee(services, actor, { payeeId: trusted.payeeId, patch: { accountNumber: "117204336" } }),
    ],
    [
      "the approved one is paid",
      () =>
        recordOutcome(services, actor, {
          paymentId: kept.second ?? "",
          status: "successful",
          reason: null,
          processedAt: null,
        }),
    ],
    [
      "a payee is archived when what waited of it is rejected",
      async () => {
        await decide(await pay(gone, 800_000), "reject");
        await archivePayee(services, actor, gone.payeeId);
      },
    ],
    ["and is restored", () => restorePayee(services, actor, gone.payeeId)],
    [
      "a review is approved, which releases its payments",
      async () =>
        pay(decided, 600_000).then(() =>
          reviewVerification(services, actor, { verificationId: decided.verificationId, review: APPROVED }),
        ),
    ],
    [
      "its account changes again with a payment that waits",
      async () => {
        await editPayee(services, actor, { payeeId: decided.payeeId, patch: { accountNumber: "117204337" } });
        await pay(decided, 1);
      },
    ],
    [
      "a review is rejected",
      () => reviewVerification(services, actor, { verificationId: large.verificationId, review: REJECTED }),
    ],
    [
      "the rejected payee's account changes",
      () => editPayee(services, actor, { payeeId: large.payeeId, patch: { accountNumber: "117204338" } }),
    ],
  ];
  const orders = new Set<string>();
  for (const [step, happen] of steps) {
    services.clock.advance(DAY_MS / 24);
    await happen();
    const expected = await addedUp(actor);
    expect(await listed(services, actor), step).toEqual(expected);
    orders.add(JSON.stringify(expected));
  }
  expect(orders.size).toBeGreaterThan(8);
});

test("beyond a hundred reviews of one danger the order is exact, and costs the rows of what is shown", async () => {
  let rows = 0;
  const services = testServices({ meter: (_, meta) => (rows += meta.rowsRead) });
  const actor = await aMember(services);
  for (let index = 0; index < 130; index++) {
    const { payeeId } = await aPendingVerification(services, actor);
    // The newest have the most waiting, and several the same amount.
    await peek
      .update(payees)
      .set({ waitingCents: Math.floor(index / 3) * 100 })
      .where(eq(payees.id, payeeId));
  }
  const all = await peek
    .select({ id: verifications.id, cents: verifications.waitingCents })
    .from(verifications)
    .where(eq(verifications.organizationId, actor.organizationId));
  const inOrder = all.sort((a, b) => b.cents - a.cents || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
  rows = 0;
  const first = await listMostDangerous(services, actor, 10);
  expect(first.map(({ id }) => id)).toEqual(inOrder.slice(0, 10));
  expect(rows).toBeLessThanOrEqual(50);
});

test("another organisation's money moves nothing", async () => {
  const services = testServices();
  const [actor, stranger] = [await aMember(services), await aMember(services)];
  const { verificationId } = await aPendingVerification(services, actor);
  const theirs = await aPendingVerification(services, stranger);
  await aPayment(services, stranger, theirs.payeeId, { amount: 77_000 });
  expect(await listed(services, actor)).toEqual([{ id: verificationId, heldCents: 0 }]);
  expect(await listed(services, stranger)).toEqual([{ id: theirs.verificationId, heldCents: 77_000 }]);
});
