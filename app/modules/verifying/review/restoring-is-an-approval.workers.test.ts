import { auditLogs, organizationPolicies, payees, verifications } from "@db/database";
import { and, asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import type { FormAnswer } from "~/components/forms/form";
import { formatBsb, maskAccountNumber } from "~/kernel/bank-account";
import { DAY_MS } from "~/kernel/dates";
import { archivePayee, restorePayee } from "~/modules/payees/archive-payee.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { startVerification } from "~/modules/payees/open-verification.server";
import { unwhitelistByHand } from "~/modules/payees/whitelist-by-hand.server";
import { action as payeeAction, loader as payeePage } from "~/routes/_app+/payees.$id";
import { action as reviewAction, loader as reviewPage } from "~/routes/_app+/verifications.$id";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { aColleague, alertsAbout, interrupted, peek, readPayee, refusal } from "../../../../tests/support/payees";
import { aPayment, aTrustedPayee } from "../../../../tests/support/payments";
import { routeArgs } from "../../../../tests/support/requests";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { changeVerification } from "../../../../tests/support/verifications";
import { restoreFormerDetails } from "./restore-former.server";
import { reviewVerification } from "./review.server";

const { action: whitelistByApi } = routeOf("/api/payees/{id}/whitelist");
const { action: reviewByApi } = routeOf("/api/verifications/{id}/review");

/** "Reject and restore the former details" is an approval, so the rules for approvals apply to it. */

const BOREALIS = { name: "Borealis Mining", accountName: "Borealis Mining Pty Ltd" };
const RESTORE = { reason: "Invoice fraud, called Borealis on their old number" };

/** Una entered the payee and Ava approved it; then Eve changed its account. */
async function aChangedPayee(policy: Partial<typeof organizationPolicies.$inferInsert> = {}) {
  const services = testServices();
  const una = await aMember(services, { firstName: "Una" });
  const ava = await aColleague(services, una, { firstName: "Ava" });
  const eve = await aColleague(services, una, { firstName: "Eve" });
  const { payeeId, details } = await aTrustedPayee(services, una, BOREALIS);
  await peek.insert(organizationPolicies).values({ organizationId: una.organizationId, updatedAt: 1, ...policy });
  const before = await readPayee(payeeId);
  services.clock.advance(DAY_MS);
  await editPayee(services, eve, { payeeId, patch: { bsb: "033001", accountNumber: "99887766" } });
  return { services, una, ava, eve, payeeId, details, before };
}

const pendingOf = async (payeeId: string) => {
  const rows = await peek
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.payeeId, payeeId), eq(verifications.status, "pending")));
  return rows[0]?.id ?? "";
};

const restored = async (payeeId: string) => {
  const [entry] = await peek
    .select({ userId: auditLogs.userId, details: auditLogs.details })
    .from(auditLogs)
    .where(and(eq(auditLogs.entityId, payeeId), eq(auditLogs.action, "payee.details_restored")));
  return entry;
};

const restoreAs = async (services: TestServices, actor: Actor, payeeId: string, reason: string = RESTORE.reason) =>
  restoreFormerDetails(services, actor, { verificationId: await pendingOf(payeeId), reason });

/** The payee opens a link and answers that the details are not theirs. */
async function dispute(services: TestServices, { organizationId }: Actor, payeeId: string, isOfThese: boolean) {
  const at = services.clock.now();
  const verificationId = await pendingOf(payeeId);
  if (isOfThese) await changeVerification(services, { organizationId, verificationId }, { disputedByPayeeAt: at });
  const { version } = await readPayee(payeeId);
  await peek
    .update(payees)
    .set({ disputedAt: at, version: version + 1 })
    .where(eq(payees.id, payeeId));
}

const viewOf = async (services: TestServices, actor: Actor, payeeId: string) =>
  (await reviewPage(await routeArgs(services, actor, "/", { id: await pendingOf(payeeId) }))).view;

test("second person: the person who edited cannot restore, is told so before the form, and may reject without it", async () => {
  const { services, una, ava, eve, payeeId } = await aChangedPayee({ secondPersonRequired: true });
  for (const own of [eve, una]) {
    const { former } = await viewOf(services, own, payeeId);
    expect(former?.bar?.title).toBe("A second person restores the former details");
    expect(former?.bar?.text).toContain("Ava Okafor can restore them. You can reject without restoring.");
    const error = await refusal(restoreAs(services, own, payeeId));
    expect(error).toMatchObject({ code: "SECOND_PERSON_REQUIRED", status: 403 });
    const json = { approved: false, restoreFormer: true };
    const id = await pendingOf(payeeId);
    const answer = await reviewByApi(await routeArgs(services, own, "/", { id }, { method: "POST", json }));
    expect((answer as Response).status).toBe(403);
  }
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false, bsb: "033001" });
  expect((await viewOf(services, ava, payeeId)).former).toMatchObject({ bar: null, note: null });
  await restoreAs(services, ava, payeeId);
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: true, bsb: "062000" });
});

test("second person: whoever recorded a payment that waits, or asked for the newest verification, cannot restore either", async () => {
  const { services, ava, payeeId } = await aChangedPayee({ secondPersonRequired: true });
  await aPayment(services, ava, payeeId);
  expect(await refusal(restoreAs(services, ava, payeeId))).toMatchObject({ code: "SECOND_PERSON_REQUIRED" });
});

test("without a second person it is allowed, said beside the box, and the trail says whose work it was", async () => {
  const { services, eve, ava, payeeId, before } = await aChangedPayee();
  const { former } = await viewOf(services, eve, payeeId);
  expect(former).toMatchObject({
    bar: null,
    note: "You would trust your own work again. The audit trail will say so.",
  });
  await restoreAs(services, eve, payeeId);
  const { version: _, updatedAt: __, ...trust } = before;
  expect(await readPayee(payeeId)).toMatchObject(trust);
  expect(await restored(payeeId)).toMatchObject({
    userId: eve.userId,
    details: { isTrusted: true, selfApproval: true, reason: RESTORE.reason, noTrust: null },
  });
  const alerts = await alertsAbout(services, eve.organizationId, "bank_details_changed");
  const told = alerts.filter(({ userId }) => userId === ava.userId).map(({ title, body }) => [title, body]);
  expect(told).toContainEqual([
    "Former bank details restored: Borealis Mining",
    `Eve Okafor rejected the new details and put back the former ones: from 033-001 •••••766 to ${formatBsb(before.bsb)} ${maskAccountNumber(before.accountNumber)}. The payee is trusted with them again. A notice to the former contact is on its way; another alert tells you if it cannot be sent.`,
  ]);
});

test.each([
  ["the new details", true],
  ["details that it had before", false],
])("a dispute of %s stays on record, and the former details come back without trust", async (_, isOfThese) => {
  const { services, ava, eve, payeeId, details } = await aChangedPayee();
  await dispute(services, eve, payeeId, isOfThese);
  const at = (await readPayee(payeeId)).disputedAt;
  expect((await viewOf(services, ava, payeeId)).former?.hint).toContain("The payee is not trusted again: it disputed");
  await restoreAs(services, ava, payeeId);
  expect(await readPayee(payeeId)).toMatchObject({
    whitelisted: false,
    disputedAt: at,
    formerTrust: null,
    bsb: details.bsb,
    accountNumber: details.accountNumber,
    bankDetailsChangedAt: services.clock.now(),
  });
  expect(await restored(payeeId)).toMatchObject({ details: { isTrusted: false, noTrust: "disputed" } });
  const payment = await aPayment(services, ava, payeeId);
  expect([payment.status, payment.reasons.map(({ rule }) => rule)]).toEqual([
    "held",
    expect.arrayContaining(["payee_disputed", "payee_not_trusted", "details_changed"]),
  ]);
  // The former details are pending now, and approving them must explain how the dispute was resolved.
  const verificationId = await pendingOf(payeeId);
  const approve = { approved: true, addToGlobalWhitelist: false } as const;
  const refused = await refusal(reviewVerification(services, ava, { verificationId, review: approve }));
  expect(refused).toMatchObject({ code: "REASON_REQUIRED", extra: { flags: ["disputed_before"] } });
  expect((await readPayee(payeeId)).disputedAt).toBe(at);
  await reviewVerification(services, eve, { verificationId, review: { ...approve, reason: "Called them" } });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: true, disputedAt: null });
});

test("attack: a disputed account, changed away and restored, is neither trusted nor cleared of the dispute", async () => {
  const services = testServices();
  const eve = await aMember(services);
  const { payeeId } = await aTrustedPayee(services, eve, BOREALIS);
  await startVerification(services, eve, payeeId);
  await dispute(services, eve, payeeId, true);
  const at = (await readPayee(payeeId)).disputedAt;
  await editPayee(services, eve, { payeeId, patch: { accountNumber: "99887766" } });
  await restoreAs(services, eve, payeeId);
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false, disputedAt: at });
});

test("attack: a plain rejection of other details does not answer the dispute of the former ones", async () => {
  const services = testServices();
  const eve = await aMember(services);
  const { payeeId, details } = await aTrustedPayee(services, eve, BOREALIS);
  await startVerification(services, eve, payeeId);
  await dispute(services, eve, payeeId, true);
  const at = (await readPayee(payeeId)).disputedAt;
  await editPayee(services, eve, { payeeId, patch: { accountNumber: "99887766" } });
  const reject = { approved: false, reason: "Manual rejection" } as const;
  await reviewVerification(services, eve, { verificationId: await pendingOf(payeeId), review: reject });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false, disputedAt: at });
  await editPayee(services, eve, { payeeId, patch: { accountNumber: details.accountNumber } });
  const approve = { approved: true, addToGlobalWhitelist: false } as const;
  const error = await refusal(
    reviewVerification(services, eve, { verificationId: await pendingOf(payeeId), review: approve }),
  );
  expect(error).toMatchObject({ code: "REASON_REQUIRED", extra: { flags: ["disputed_before"] } });
});

test("attack: a second person is required from the very moment of the decision: nobody's own work is approved or restored", async () => {
  const review = { approved: true, addToGlobalWhitelist: true, reason: "Called" } as const;
  for (const decide of [
    (...[services, actor, input]: Parameters<typeof restoreFormerDetails>) =>
      reviewVerification(services, actor, { ...input, review }),
    restoreFormerDetails,
  ]) {
    const { services, eve, payeeId } = await aChangedPayee();
    const { organizationId } = eve;
    const require = () =>
      peek
        .update(organizationPolicies)
        .set({ secondPersonRequired: true, updatedAt: 2 })
        .where(eq(organizationPolicies.organizationId, organizationId));
    const late = { ...services, db: interrupted(services.db, require) };
    const verificationId = await pendingOf(payeeId);
    const error = await refusal(decide(late, eve, { verificationId, ...RESTORE }));
    expect(error).toMatchObject({ status: 409, code: "VERIFICATION_CHANGED" });
    expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false, whitelistGlobal: false });
    expect(await pendingOf(payeeId)).toBe(verificationId);
  }
});

test("restoring is not ticked by itself, and the page says that it is an approval", async () => {
  const { services, ava, payeeId } = await aChangedPayee();
  const { former } = await viewOf(services, ava, payeeId);
  expect(former?.hint).toMatch(/^Restoring is an approval of the former details: tick it only if you know/);
  expect(former?.more).toContain(
    "If you leave this unticked, the payee keeps its present details without being trusted",
  );
  const id = await pendingOf(payeeId);
  const form = { intent: "reject", reason: "Fraud" };
  await reviewAction(await routeArgs(services, ava, "/", { id }, { form }));
  expect(await pendingOf(payeeId)).toBe("");
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false, accountNumber: "99887766" });
});

test("taking off a payee that is off already says so and forgets the former trust: nothing brings it back", async () => {
  const { services, ava, eve, payeeId } = await aChangedPayee();
  const reason = "We never dealt with them";
  const { payee } = await payeePage(await routeArgs(services, ava, "/", { id: payeeId }));
  expect(payee.trust).toMatchObject({
    whitelisted: false,
    former: expect.stringMatching(/^062-000 •••••\d{3}, Borealis/),
  });
  const json = { reason };
  const off = async () => {
    const args = await routeArgs(services, ava, "/", { id: payeeId }, { method: "DELETE", json });
    return (await ((await whitelistByApi(args)) as Response).json()) as { notice: string };
  };
  expect((await off()).notice).toContain("It was already off the whitelist. Its former details are forgotten too");
  expect((await off()).notice).toBe("It was already off the whitelist. Nothing was changed.");
  expect(await readPayee(payeeId)).toMatchObject({ formerTrust: null, takenOffWhitelistAt: services.clock.now() });
  const entries = await peek
    .select({ userId: auditLogs.userId, details: auditLogs.details })
    .from(auditLogs)
    .where(and(eq(auditLogs.entityId, payeeId), eq(auditLogs.action, "payee.unwhitelisted")))
    .orderBy(asc(auditLogs.position));
  expect(entries.at(-1)).toMatchObject({ userId: ava.userId, details: { reason, wasOff: true } });
  expect((await viewOf(services, eve, payeeId)).former).toBeNull();
  expect(await refusal(restoreAs(services, eve, payeeId))).toMatchObject({ code: "NOTHING_TO_RESTORE", status: 409 });
});

test("on the page, forgetting the former details asks for a reason and says what was done", async () => {
  const { services, ava, payeeId } = await aChangedPayee();
  const { version } = await readPayee(payeeId);
  const post = async (form: Record<string, string>) =>
    (await payeeAction(
      await routeArgs(
        services,
        ava,
        "/",
        { id: payeeId },
        { form: { intent: "unwhitelist", version: String(version), ...form } },
      ),
    )) as Response | { data: FormAnswer };
  const refused = (await post({ reason: "" })) as { data: FormAnswer };
  expect(refused.data.errors.reason?.[0]).toBeTruthy();
  expect(((await post({ reason: "Not a supplier" })) as Response).status).toBe(303);
  expect((await readPayee(payeeId)).formerTrust).toBeNull();
});

test("archiving forgets the former trust: put back into use, the payee has nothing to go back to", async () => {
  const { services, eve, payeeId } = await aChangedPayee();
  await archivePayee(services, eve, payeeId);
  expect((await readPayee(payeeId)).formerTrust).toBeNull();
  await restorePayee(services, eve, payeeId);
  await startVerification(services, eve, payeeId);
  expect(await refusal(restoreAs(services, eve, payeeId))).toMatchObject({ code: "NOTHING_TO_RESTORE" });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false, bsb: "033001" });
});

test("attack: kept before removals were asked, the former trust of a payee that was taken off comes back without trust", async () => {
  const { services, eve, payeeId } = await aChangedPayee();
  await peek.update(payees).set({ takenOffWhitelistAt: 5 }).where(eq(payees.id, payeeId));
  await restoreAs(services, eve, payeeId);
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false, bsb: "062000", takenOffWhitelistAt: 5 });
});

test("the name goes back too: a renamed payee is not trusted under another name by restoring its account", async () => {
  const { services, eve, payeeId } = await aChangedPayee();
  await editPayee(services, eve, { payeeId, patch: { name: "Zephyr Freight" } });
  expect((await viewOf(services, eve, payeeId)).former?.hint).toContain("under the name Borealis Mining");
  await restoreAs(services, eve, payeeId);
  expect(await readPayee(payeeId)).toMatchObject({ name: "Borealis Mining", renamedAt: null, whitelisted: true });
});

test("a payee that was only renamed gets its name back by the rejection", async () => {
  const services = testServices();
  const eve = await aMember(services);
  const { payeeId } = await aTrustedPayee(services, eve, { name: "B Miller", accountName: "B Miller" });
  await editPayee(services, eve, { payeeId, patch: { name: "Borealis Mining" } });
  await restoreAs(services, eve, payeeId);
  expect(await readPayee(payeeId)).toMatchObject({ name: "B Miller", whitelisted: true });
  expect((await aPayment(services, eve, payeeId)).status).toBe("authorised");
});

test("where an approval always gives a reason, restoring gives one of its own, and the page keeps what was typed", async () => {
  const { services, ava, payeeId } = await aChangedPayee({ approvalEvidence: "always_reason" });
  const id = await pendingOf(payeeId);
  expect((await viewOf(services, ava, payeeId)).former?.hint).toContain("Say in the reason how you confirmed");
  const post = async (reason: string) =>
    (await reviewAction(
      await routeArgs(
        services,
        ava,
        `/verifications/${id}`,
        { id },
        { form: { intent: "reject", reason, restoreFormer: "yes" } },
      ),
    )) as Response | { data: FormAnswer; init: { status: number } };
  const refused = (await post("Manual rejection")) as { data: FormAnswer; init: { status: number } };
  expect(refused.init.status).toBe(409);
  expect(refused.data.errors.reason?.[0]).toContain("restoring them approves them");
  expect(refused.data.values).toMatchObject({ reason: "Manual rejection", restoreFormer: "yes" });
  expect(await pendingOf(payeeId)).toBe(id);
  await post("Called Dana at Borealis");
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: true });
});

test("where only a bank or a call-back counts, details that neither confirmed come back without trust", async () => {
  const { services, ava, payeeId } = await aChangedPayee({ approvalEvidence: "check_or_call_back" });
  await restoreAs(services, ava, payeeId);
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false, bsb: "062000" });
  for (const [outcome, nameMatchScore] of [
    ["no_match", 12],
    ["match", 100],
  ] as const) {
    const answered = await aChangedPayee({ approvalEvidence: "check_or_call_back" });
    const { organizationId } = answered.una;
    await peek
      .update(verifications)
      .set({ outcome, nameMatchScore })
      .where(and(eq(verifications.organizationId, organizationId), eq(verifications.status, "verified")));
    await restoreAs(answered.services, answered.ava, answered.payeeId);
    expect(await readPayee(answered.payeeId)).toMatchObject({ whitelisted: outcome === "match" });
  }
});

test.each<[string, (of: Awaited<ReturnType<typeof aChangedPayee>>) => Promise<unknown>]>([
  ["disputed", ({ services, eve, payeeId }) => dispute(services, eve, payeeId, true)],
  [
    "taken off the whitelist",
    ({ services, una, payeeId }) => unwhitelistByHand(services, una, { payeeId, reason: "No" }),
  ],
  ["renamed", ({ services, eve, payeeId }) => editPayee(services, eve, { payeeId, patch: { name: "Zephyr" } })],
  [
    "given another contact",
    ({ services, eve, payeeId }) => editPayee(services, eve, { payeeId, patch: { email: "b.miller@mailbox.example" } }),
  ],
  ["edited again", ({ services, eve, payeeId }) => editPayee(services, eve, { payeeId, patch: { bsb: "082001" } })],
])(
  "attack: %s in the moment in which it is restored, it is not trusted, and nothing is decided on what was not seen",
  async (_, meanwhile) => {
    const of = await aChangedPayee();
    const { services, ava, payeeId } = of;
    const verificationId = await pendingOf(payeeId);
    const late = { ...services, db: interrupted(services.db, () => meanwhile(of)) };
    const error = await refusal(restoreFormerDetails(late, ava, { verificationId, ...RESTORE }));
    expect(error.status).toBe(409);
    expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
  },
);

test("attack: restored in the moment of another edit, the edit takes the trust away again", async () => {
  const { services, ava, eve, payeeId } = await aChangedPayee();
  const late = { ...services, db: interrupted(services.db, () => restoreAs(services, ava, payeeId)) };
  await editPayee(late, eve, { payeeId, patch: { accountNumber: "11112222" } });
  expect(await readPayee(payeeId)).toMatchObject({ accountNumber: "11112222", whitelisted: false });
});

test("attack: the same form sent twice restores once, and after a dispute its key is answered with the first decision", async () => {
  const { services, ava, eve, payeeId } = await aChangedPayee();
  const input = { verificationId: await pendingOf(payeeId), ...RESTORE, idempotencyKey: "restore-once" };
  await Promise.all([1, 2, 3].map(() => restoreFormerDetails(services, ava, input)));
  await editPayee(services, eve, { payeeId, patch: { accountNumber: "11112222" } });
  const again = await restoreFormerDetails(services, ava, input);
  expect(again.status).toBe("rejected");
  expect(await readPayee(payeeId)).toMatchObject({ accountNumber: "11112222", whitelisted: false });
});

test("what the reviewer had before them is what counts: a dispute that arrived since asks them to look again", async () => {
  const { services, ava, eve, payeeId } = await aChangedPayee();
  const id = await pendingOf(payeeId);
  const { basis } = await reviewPage(await routeArgs(services, ava, "/", { id }));
  await dispute(services, eve, payeeId, true);
  const form = { intent: "reject", reason: "Fraud", restoreFormer: "yes", basis };
  const answer = (await reviewAction(await routeArgs(services, ava, `/verifications/${id}`, { id }, { form }))) as {
    init: { status: number };
    data: FormAnswer;
  };
  expect([answer.init.status, answer.data.code]).toEqual([409, "VERIFICATION_CHANGED"]);
  expect(await readPayee(payeeId)).toMatchObject({ bsb: "033001", whitelisted: false });
});
