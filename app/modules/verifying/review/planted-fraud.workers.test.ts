import { payees, verifications } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { findReviewFlags, flagFactsOf } from "~/modules/payees/verifications/review-flags";
import { wordsOfVerification } from "~/modules/payees/verifications/standing";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { readDashboardPage, showDashboard } from "~/modules/records/dashboard.server";
import type { Actor, Services } from "~/services-and-actor";

import { aMember } from "../../../../tests/support/factories";
import { peek } from "../../../../tests/support/payees";
import { aPayment, aTrustedPayee } from "../../../../tests/support/payments";
import { testServices } from "../../../../tests/support/services";
import { aPendingVerification, NO_EVIDENCE } from "../../../../tests/support/verifications";
import { listPendingVerifications } from "./pending.server";
import { toPendingRow } from "./pending-page.server";
import { listVerificationsOf, toListedRow } from "./verification-list.server";

/** Forty payees changed their bank details for forty reasons; one change is a fraud. */

type Kind = { payee: { contactChangedAt?: number }; lookalikes: typeof NO_EVIDENCE.lookalikes; outcome?: "no_match" };

/**
 * What applies to every tenth, eleventh and thirteenth of them: a new contact, a lookalike name, a different name at
 * the bank.
 */
const kindOf = (index: number, now: number): Kind => ({
  payee: index % 10 === 0 ? { contactChangedAt: now - DAY_MS } : {},
  lookalikes:
    index % 11 === 5 ? [{ payeeId: "p", name: "Another", reason: "same_name", detail: "The name is the same." }] : [],
  outcome: index % 13 === 7 ? "no_match" : undefined,
});

async function fortyChanges(services: Services, actor: Actor) {
  const now = services.clock.now();
  for (let index = 0; index < 40; index++) {
    const { payee, lookalikes, outcome } = kindOf(index, now);
    const { payeeId } = await aPendingVerification(services, actor, {
      payee: { name: `Supplier ${index}`, accountName: `Supplier ${index}` },
      evidence: { ...NO_EVIDENCE, lookalikes },
      checked: { isOfChange: true, ...(outcome ? { outcome, nameMatchScore: 40 } : {}) },
    });
    await changePayee(payeeId, { bankDetailsChangedAt: now, ...payee });
  }
}

const changePayee = (payeeId: string, change: Partial<typeof payees.$inferInsert>) =>
  peek.update(payees).set(change).where(eq(payees.id, payeeId));

/**
 * A known supplier asks by email to be paid elsewhere; a week before, its address was replaced with one that looks the
 * same.
 */
async function aFraud(services: ReturnType<typeof testServices>, actor: Actor): Promise<string> {
  const known = { name: "Coastline Timber", accountName: "Coastline Timber Pty Ltd" };
  const { payeeId } = await aTrustedPayee(services, actor, { ...known, email: "pay@coastlinetimber.example" });
  await aPayment(services, actor, payeeId, { amount: 4_812_000 });
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { email: "pay@coast1inetimber.example" } });
  services.clock.advance(7 * DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { bsb: "633000", accountNumber: "117204336" } });
  const [opened] = await peek
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.payeeId, payeeId), eq(verifications.status, "pending")));
  return opened?.id ?? "";
}

test("of forty changed accounts the planted fraud stands first everywhere, with the words that say why", async () => {
  const services = testServices();
  const actor = await aMember(services);
  await fortyChanges(services, actor);
  const fraudId = await aFraud(services, actor);
  const reader = { timeZone: actor.timeZone, now: services.clock.now() };

  const queue = await listPendingVerifications(services, actor, { order: "risk" });
  expect(queue.verifications).toHaveLength(41);
  const [first, ...others] = queue.verifications;
  const row = first && toPendingRow(first, reader);
  expect(row).toMatchObject({
    id: fraudId,
    payeeName: "Coastline Timber",
    heldCents: 4_812_000,
    verdict: { word: "Look-alike", change: { word: "Changed, contact too" } },
  });
  // After the fraud come those with two warning signs besides the change, then those with one; the longest waiting come
  // first in each group.
  expect(others.slice(0, 3).map(({ payee }) => payee.name)).toEqual(["Supplier 20", "Supplier 0", "Supplier 5"]);

  const subject = await getVerification(services, actor, fraudId);
  const { verdict } = wordsOfVerification(subject, findReviewFlags(flagFactsOf(subject)), reader);
  expect(verdict.evidence.join(" ")).toContain(
    "moved from coastlinetimber.example to coast1inetimber.example, which is easily mistaken for it",
  );
  expect(verdict.evidence.join(" ")).toContain("The payee's email or phone was changed in the 30 days before");

  const listed = await listVerificationsOf(services, actor, { filter: {}, timeZone: actor.timeZone, limit: 100 });
  const shown = listed.verifications.find(({ id }) => id === fraudId);
  const providerName = "Basiq";
  expect(shown && toListedRow(shown, { ...reader, providerName }).verdict).toEqual(row?.verdict);

  const { view } = showDashboard(services, actor, await readDashboardPage(services, actor));
  const { tone, icon, word, change } = row?.verdict ?? {};
  expect(view.inbox[0]).toMatchObject({ title: "Coastline Timber", tone, icon, word, cents: 4_812_000 });
  expect(view.inbox[0]?.what).toBe(change?.word.toLowerCase());
});

test("the newest of many reviews of one danger, with the most money, is among the few that the dashboard reads", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const add = (name: string) => aPendingVerification(services, actor, { payee: { name } });
  for (let index = 0; index < 14; index++) await add(`Small ${index}`);
  const { payeeId } = await add("Large and last");
  await aPayment(services, actor, payeeId, { amount: 9_500_000 });

  const { view } = showDashboard(services, actor, await readDashboardPage(services, actor));
  expect(view.inbox).toHaveLength(10);
  expect(view.inbox[0]).toMatchObject({ title: "Large and last", cents: 9_500_000 });
});

test("a review that somebody asked for because of the largest payment stays among the few that the dashboard reads", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const add = (name: string) => aPendingVerification(services, actor, { payee: { name } });
  for (let index = 0; index < 14; index++) {
    const { payeeId } = await add(`Small ${index}`);
    await aPayment(services, actor, payeeId, { amount: 1_000 });
  }
  const { payeeId } = await add("Asked for");
  const { id } = await aPayment(services, actor, payeeId, { amount: 9_500_000 });
  await decidePayment(services, actor, { paymentId: id, decision: "request_verification", reason: "A new account" });

  const { view } = showDashboard(services, actor, await readDashboardPage(services, actor));
  expect(view.inbox[0]).toMatchObject({ title: "Asked for", cents: 9_500_000 });
});
