import { organizationPolicies } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import type { PayeeDetails } from "~/kernel/payee";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { startVerification } from "~/modules/payees/open-verification.server";
import { findPendingVerification } from "~/modules/payees/payee.server";
import { confirmPayeeDetails } from "~/modules/payees/payee-links/payee-link.server";
import { unwhitelistByHand } from "~/modules/payees/whitelist-by-hand.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { InstantBankData } from "~/ports/instant-bank-data";
import type { Actor } from "~/services-and-actor";
import { linkInMail, PAYEE_ORIGIN, readCheckJob, readVerification } from "../../../../tests/support/bank-checks";
import { aMember } from "../../../../tests/support/factories";
import { anAddedPayee, interrupted, readPayee } from "../../../../tests/support/payees";
import { aPayment, aTrustedPayee } from "../../../../tests/support/payments";
import { routeArgs } from "../../../../tests/support/requests";
import { aWorld, type World } from "../../../../tests/support/simulators";
import { changePayee } from "../../../../tests/support/verifications";
import { startBankConsent } from "./bank-consent.server";
import { askConfirmationOfPayee } from "./instant-check.server";
import { startBankDataCheck } from "./start-bank-check.server";

const { loader: readByApi } = routeOf("/api/verifications/{id}");

/** A criminal with the payee's mailbox answers the link: only they are asked, and the bank confirms their own name. */

const BOREALIS = { name: "Borealis Mining", accountName: "Borealis Mining Pty Ltd" } satisfies Partial<PayeeDetails>;
const THEIRS = { accountName: "B Miller", bsb: "033001", accountNumber: "99887761" };

async function anOffice(policy: Partial<typeof organizationPolicies.$inferInsert> = { autoApproveExact: true }) {
  const world = aWorld();
  const actor = await aMember(world);
  await world.db.insert(organizationPolicies).values({ organizationId: actor.organizationId, updatedAt: 1, ...policy });
  return { world, actor };
}

const caseOf = (actor: Actor, payeeId: string, verificationId: string) => ({
  actor,
  organizationId: actor.organizationId,
  payeeId,
  verificationId,
  details: {} as PayeeDetails,
});

/** Whoever reads the payee's mail confirms and goes through their own bank, whose answer waits to be fetched. */
async function answerTheLink(world: World, actor: Actor, verificationId: string) {
  await startBankDataCheck(world, actor, { verificationId });
  await world.drain();
  const link = await linkInMail(world);
  await confirmPayeeDetails(world, PAYEE_ORIGIN, link);
  await startBankConsent(world, PAYEE_ORIGIN, link);
  await world.drain();
  await world.completeAtBank(verificationId, "match");
}

/** Asks by Confirmation of Payee, which involves only the bank. */
async function askByConfirmation(world: World, actor: Actor, verificationId: string) {
  const instantBankData: InstantBankData = {
    party: "cop",
    service: "Zepto",
    lookUp: async ({ accountName }) => ({ verdict: "match", name: accountName }),
  };
  await askConfirmationOfPayee({ ...world, instantBankData }, actor, { verificationId });
}

const WAYS = {
  "the payee's consent": async (world: World, actor: Actor, verificationId: string) => {
    await answerTheLink(world, actor, verificationId);
    await world.drain();
  },
  "Confirmation of Payee": askByConfirmation,
};

const pendingOf = async (world: World, actor: Actor, payeeId: string) =>
  (await findPendingVerification(world, actor, payeeId)) ?? "";

/** The ways in which a payee gets a verification that the bank will confirm, with the criminal behind each. */
const STORIES: Record<string, (world: World, actor: Actor) => Promise<string>> = {
  "a trusted payee's account was changed": async (world, actor) => {
    const { payeeId } = await aTrustedPayee(world, actor, BOREALIS);
    await editPayee(world, actor, { payeeId, patch: THEIRS });
    return payeeId;
  },
  "only its number was changed, to another account of the same name": async (world, actor) => {
    const { payeeId } = await aTrustedPayee(world, actor, BOREALIS);
    await editPayee(world, actor, { payeeId, patch: { accountNumber: THEIRS.accountNumber } });
    return payeeId;
  },
  "a trusted payee was given another name": async (world, actor) => {
    const { payeeId } = await aTrustedPayee(world, actor, { name: "B Miller", accountName: "Boreal Mining" });
    await editPayee(world, actor, { payeeId, patch: { name: "Boreal Mining" } });
    return payeeId;
  },
  "the contact of a new payee was changed": async (world, actor) => {
    const { payeeId } = await anAddedPayee(world, actor, BOREALIS);
    await editPayee(world, actor, { payeeId, patch: { email: "b.miller@mailbox.example" } });
    return payeeId;
  },
  "the account of a new payee is under another name": async (world, actor) =>
    (await anAddedPayee(world, actor, { ...BOREALIS, accountName: "B Miller" })).payeeId,
  "a look-alike of a payee was added": async (world, actor) => {
    await aTrustedPayee(world, actor, BOREALIS);
    return (await anAddedPayee(world, actor, BOREALIS)).payeeId;
  },
  "a person took the payee off the whitelist": async (world, actor) => {
    const { payeeId } = await aTrustedPayee(world, actor, BOREALIS);
    await unwhitelistByHand(world, actor, { payeeId, reason: "Not a supplier of ours" });
    await startVerification(world, actor, payeeId);
    return payeeId;
  },
  "a person rejected these details before": async (world, actor) => {
    const { payeeId, verificationId } = await anAddedPayee(world, actor, BOREALIS);
    await reviewVerification(world, actor, { verificationId, review: { approved: false, reason: "Never heard of" } });
    await startVerification(world, actor, payeeId);
    return payeeId;
  },
};

test.each(
  Object.entries(WAYS).flatMap(([way, ask]) => Object.keys(STORIES).map((story) => [story, way, ask] as const)),
)("a taken-over mailbox: %s, and %s brings an exact match, which a person decides about", async (story, _way, ask) => {
  const { world, actor } = await anOffice();
  const payeeId = (await STORIES[story]?.(world, actor)) ?? "";
  const verificationId = await pendingOf(world, actor, payeeId);
  await ask(world, actor, verificationId);
  const answer = await readByApi(await routeArgs(world, actor, "/", { id: verificationId }));
  expect(await (answer as Response).json()).toMatchObject({ status: "pending", outcome: "match" });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
  expect((await aPayment(world, actor, payeeId)).status).toBe("held");
});

test.each(Object.entries(WAYS))(
  "an unchanged new payee that nothing speaks against is approved by rule: %s",
  async (_, ask) => {
    const { world, actor } = await anOffice();
    const { payeeId, verificationId } = await anAddedPayee(world, actor, BOREALIS);
    await ask(world, actor, verificationId);
    expect(await readVerification(world, caseOf(actor, payeeId, verificationId))).toMatchObject({ status: "verified" });
    expect(await readPayee(payeeId)).toMatchObject({ whitelisted: true, whitelistedById: null });
  },
);

/** What somebody does between the judgement and the write. */
const MEANWHILE: [string, (world: World, actor: Actor, payeeId: string) => Promise<unknown>][] = [
  [
    "the contact is changed",
    (world, actor, payeeId) => editPayee(world, actor, { payeeId, patch: { email: "b.miller@mailbox.example" } }),
  ],
  [
    "the payee turns out to be disputed",
    (world, actor, payeeId) =>
      changePayee(world, { organizationId: actor.organizationId, payeeId }, { disputedAt: 1, version: 2 }).run(),
  ],
  [
    "the organisation asks for a second person",
    (world, { organizationId }) =>
      world.db
        .update(organizationPolicies)
        .set({ secondPersonRequired: true })
        .where(eq(organizationPolicies.organizationId, organizationId))
        .run(),
  ],
];

test.each(MEANWHILE)(
  "attack: %s while a rule approves an answer by consent; it is judged again",
  async (_, meanwhile) => {
    const { world, actor } = await anOffice();
    const { payeeId, verificationId } = await anAddedPayee(world, actor, BOREALIS);
    await answerTheLink(world, actor, verificationId);
    const of = caseOf(actor, payeeId, verificationId);
    const { id } = await readCheckJob(world, of);
    const db = interrupted(world.db, () => meanwhile(world, actor, payeeId));
    // The bank's event wakes the check, which then collects and judges the answer.
    for (let hint = world.sent.shift(); hint; hint = world.sent.shift()) {
      const isCheck = hint.jobId === id;
      await world.deliver(hint.queue, { jobId: hint.jobId, v: 1 }, isCheck ? { ...world, db } : world);
    }
    expect(await readVerification(world, of)).toMatchObject({ status: "pending", outcome: "match" });
    expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
  },
);

test.each(MEANWHILE)("attack: %s while a rule approves an answer at once; it is judged again", async (_, meanwhile) => {
  const { world, actor } = await anOffice();
  const { payeeId, verificationId } = await anAddedPayee(world, actor, BOREALIS);
  const db = interrupted(world.db, () => meanwhile(world, actor, payeeId));
  await askByConfirmation({ ...world, db }, actor, verificationId);
  expect(await readVerification(world, caseOf(actor, payeeId, verificationId))).toMatchObject({
    status: "pending",
    outcome: "match",
  });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
});
