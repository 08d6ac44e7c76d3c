import { payees, verifications } from "@db/database";
import { QUEUE_RANKS } from "@db/schema/verifications";
import { and, eq } from "drizzle-orm";
import { expect } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { addPayee } from "~/modules/payees/add-payee.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { findReviewFlags, flagFactsOf, hasRedFlag } from "~/modules/payees/verifications/review-flags";
import { headlineOf } from "~/modules/payees/verifications/verdict";
import type { Lookalike } from "~/modules/payees/verifications/verification";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import type { Actor } from "~/services-and-actor";
import { peek } from "../../../../tests/support/payees";
import { aTrustedPayee } from "../../../../tests/support/payments";
import type { TestServices } from "../../../../tests/support/services";
import { test } from "../../../../tests/support/signed-in";
import { aPendingVerification, changeVerification, NO_EVIDENCE } from "../../../../tests/support/verifications";
import { listPendingVerifications } from "./pending.server";

/** The order of the queue and the headlines of its rows are based on the same facts. */

const rankOf = async (verificationId: string) => {
  const [row] = await peek
    .select({ rank: verifications.queueRank })
    .from(verifications)
    .where(eq(verifications.id, verificationId));
  return row?.rank;
};

const flagsOf = async (services: TestServices, actor: Actor, verificationId: string) =>
  findReviewFlags(flagFactsOf(await getVerification(services, actor, verificationId)));

const queueOf = async (services: TestServices, actor: Actor) => {
  const { verifications: rows } = await listPendingVerifications(services, actor, { order: "risk" });
  return rows.map(({ payee }) => payee.name);
};

const dispute = (services: TestServices, payeeId: string) =>
  peek.update(payees).set({ disputedAt: services.clock.now() }).where(eq(payees.id, payeeId));

const MATCH = { outcome: "match", nameMatchScore: 100, matchType: "exact" } as const;

test("a payee that disputed its details and is edited by a clerk stands first in the queue, whatever the bank says of the new ones", async ({
  services,
  actor,
}) => {
  const { payeeId } = await aTrustedPayee(services, actor, { name: "Disputed", accountName: "Disputed Pty Ltd" });
  await dispute(services, payeeId);
  await editPayee(services, actor, { payeeId, patch: { bsb: "633000", accountNumber: "117204336" } });
  await peek
    .update(verifications)
    .set(MATCH)
    .where(and(eq(verifications.payeeId, payeeId), eq(verifications.status, "pending")));
  await aPendingVerification(services, actor, {
    payee: { name: "Closed", accountName: "Closed" },
    checked: { outcome: "account_closed" },
  });
  expect(await queueOf(services, actor)).toEqual(["Disputed", "Closed"]);
});

test("a dispute that arrives while another verification waits moves it to the top, and the decision about it moves it back", async ({
  services,
  actor,
}) => {
  const { payeeId, verificationId } = await aPendingVerification(services, actor, { checked: MATCH });
  expect(await rankOf(verificationId)).toBe(QUEUE_RANKS.match);
  await dispute(services, payeeId);
  expect(await rankOf(verificationId)).toBe(QUEUE_RANKS.disputed);
  expect(await flagsOf(services, actor, verificationId)).toEqual(["disputed_before"]);
  await peek.update(payees).set({ disputedAt: null }).where(eq(payees.id, payeeId));
  expect(await rankOf(verificationId)).toBe(QUEUE_RANKS.match);
});

test("a payee added with an account in another name stands above everything that nothing speaks against", async ({
  services,
  actor,
}) => {
  const details = { abn: null, email: null, phone: null, address: null, bsb: "062000" };
  const added = async (name: string, accountName: string, accountNumber: string) =>
    addPayee(services, actor, { details: { ...details, name, accountName, accountNumber } });
  const { verificationId } = await added("Borealis Mining", "K J Sparrow", "11112222");
  await added("Coastline Timber", "Coastline Timber Pty Ltd", "33334444");
  await aPendingVerification(services, actor, {
    payee: { name: "Closely", accountName: "Closely" },
    checked: { outcome: "close_match", nameMatchScore: 86 },
  });
  expect(await queueOf(services, actor)).toEqual(["Borealis Mining", "Closely", "Coastline Timber"]);
  expect(await rankOf(verificationId)).toBe(QUEUE_RANKS.payeeNameDiffers);
  expect(await flagsOf(services, actor, verificationId)).toContain("name_of_payee_differs");
});

test("a trusted payee renamed after somebody else stands among changes with a further sign", async ({
  services,
  actor,
}) => {
  const { payeeId } = await aTrustedPayee(services, actor, { name: "K J Sparrow", accountName: "K J Sparrow" });
  await editPayee(services, actor, { payeeId, patch: { name: "Borealis Mining" } });
  const [opened] = await peek
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.payeeId, payeeId), eq(verifications.status, "pending")));
  expect(await rankOf(opened?.id ?? "")).toBe(QUEUE_RANKS.changeWithOneSign);
});

test("a payee spelt otherwise while it waits is compared with the account's name again", async ({
  services,
  actor,
}) => {
  const { payeeId, verificationId } = await aPendingVerification(services, actor, { checked: MATCH });
  await changeVerification(services, { ...actor, verificationId }, { payeeNameDiffers: true });
  expect(await rankOf(verificationId)).toBe(QUEUE_RANKS.payeeNameDiffers);
  await editPayee(services, actor, { payeeId, patch: { name: "RIVERBEND TIMBER" } });
  expect(await rankOf(verificationId)).toBe(QUEUE_RANKS.match);
});

const FORMER = { payeeId: "q", name: "Cassowary", until: "2026-10-01T00:00:00.000Z", isArchived: false };
const either = <T>(...values: T[]) => values;

const alikeBy = (reason: Lookalike["reason"]) => ({
  payeeId: "p",
  name: "Another",
  reason,
  detail: "It looks like it.",
});

test("what looks like another payee stands by what looks like what, whatever else was seen before it", async ({
  services,
  actor,
}) => {
  const ranks = [
    [["similar_name", "email_domain"], QUEUE_RANKS.lookalikeDomain],
    [["former_email_domain"], QUEUE_RANKS.lookalikeDomain],
    [["similar_name", "account_number_slip"], QUEUE_RANKS.numberSlip],
    [["same_name", "similar_name"], QUEUE_RANKS.sameName],
    [["similar_name"], QUEUE_RANKS.similarName],
  ] as [Lookalike["reason"][], number][];
  for (const [reasons, rank] of ranks) {
    const { verificationId } = await aPendingVerification(services, actor, {
      payee: { name: "Riverbend Timber" },
      evidence: { ...NO_EVIDENCE, lookalikes: reasons.map(alikeBy) },
      checked: MATCH,
    });
    expect([reasons, await rankOf(verificationId)]).toEqual([reasons, rank]);
  }
});

test("of every state that can wait, those with a red verdict stand at the top and no others but changes", async ({
  services,
  actor,
}) => {
  const now = services.clock.now();
  const states = either({}, { formerHolders: [FORMER] }, { lookalikes: [alikeBy("similar_name")] }).flatMap((seen) =>
    either({ outcome: null }, MATCH, { ...MATCH, nameMatchScore: 40 }).flatMap((checked) =>
      either(null, now - 45 * DAY_MS, now - 20 * DAY_MS).flatMap((bank) =>
        either(null, now - 50 * DAY_MS, now - 10 * DAY_MS).flatMap((contact) =>
          either(
            { disputedAt: null, name: "Riverbend Timber" },
            { disputedAt: now - DAY_MS, name: "Riverbend Timber" },
            { disputedAt: null, name: "Borealis Mining" },
          ).map((payee) => ({ seen, checked, bank, contact, payee })),
        ),
      ),
    ),
  );
  for (const { seen, checked, bank, contact, payee } of states) {
    const { payeeId, verificationId } = await aPendingVerification(services, actor, {
      payee: { name: payee.name },
      evidence: { ...NO_EVIDENCE, ...seen },
      checked,
    });
    // The change was decided about, so the verification is not about a change.
    const whitelisted = bank !== null;
    await peek
      .update(payees)
      .set({ ...payee, whitelisted, bankDetailsChangedAt: bank, contactChangedAt: contact })
      .where(eq(payees.id, payeeId));
    const flags = await flagsOf(services, actor, verificationId);
    const rank = (await rankOf(verificationId)) ?? 0;
    const outcome = checked.outcome;
    const headline = headlineOf({ status: "pending", reasonCode: null, isWaiting: false, check: null, outcome, flags });
    const state = JSON.stringify({ seen, checked, bank, contact, payee, flags });
    expect(rank <= QUEUE_RANKS.sameName, state).toBe(hasRedFlag(flags));
    const named = rank === QUEUE_RANKS.payeeNameDiffers;
    expect(named, state).toBe(!hasRedFlag(flags) && flags.includes("name_of_payee_differs"));
    expect(headline.name === "name_of_payee_differs", state).toBe(named);
  }
});
