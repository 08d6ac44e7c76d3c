import { auditLogs, organizationPolicies, payees, verifications } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect } from "vitest";
import { routeOf } from "~/api/calls.server";
import type { FormAnswer } from "~/components/forms/form";
import { action as payeeAction } from "~/routes/_app+/payees.$id";
import { aMember } from "../../../tests/support/factories";
import { losingConnection } from "../../../tests/support/lost-connections";
import { aColleague, anAddedPayee, interrupted, peek, readPayee, refusal } from "../../../tests/support/payees";
import { routeArgs } from "../../../tests/support/requests";
import { testServices } from "../../../tests/support/services";
import { test } from "../../../tests/support/signed-in";
import { archivePayee, restorePayee } from "./archive-payee.server";
import { editPayee } from "./edit-payee.server";
import { startVerification } from "./open-verification.server";
import { findPendingVerification } from "./payee.server";
import { unwhitelistByHand, whitelistByHand } from "./whitelist-by-hand.server";

const { action: whitelistByApi } = routeOf("/api/payees/{id}/whitelist");
const { action: verifyByApi } = routeOf("/api/payees/{id}/verifications");

const reason = "Known to us for ten years, confirmed by phone";
const auditOf = (payeeId: string, action: string) =>
  peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.entityId, payeeId), eq(auditLogs.action, action)));

test("whitelisting by hand trusts the payee, keeps the reason and settles a dispute", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  await peek.update(payees).set({ disputedAt: 1 }).where(eq(payees.id, payeeId));
  expect(await whitelistByHand(services, actor, { payeeId, reason })).toBe(true);
  expect(await readPayee(payeeId)).toMatchObject({
    whitelisted: true,
    whitelistedById: actor.userId,
    whitelistedAt: services.clock.now(),
    whitelistedReason: reason,
    whitelistGlobal: false,
    disputedAt: null,
    version: 2,
  });
  expect((await auditOf(payeeId, "payee.whitelisted"))[0]?.details).toEqual({ reason, selfApproval: true });
});

test("whitelisting twice changes nothing the second time", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  await whitelistByHand(services, actor, { payeeId, reason });
  expect(await whitelistByHand(services, actor, { payeeId, reason: "Again" })).toBe(false);
  expect((await readPayee(payeeId)).whitelistedReason).toBe(reason);
  expect(await auditOf(payeeId, "payee.whitelisted")).toHaveLength(1);
});

test("taking a payee off the whitelist takes it off the global one too, with the reason in the trail", async ({
  services,
  actor,
}) => {
  const { payeeId } = await anAddedPayee(services, actor);
  await peek.update(payees).set({ whitelisted: true, whitelistGlobal: true }).where(eq(payees.id, payeeId));
  expect(await unwhitelistByHand(services, actor, { payeeId, reason: "No longer a supplier" })).toBe("taken_off");
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false, whitelistGlobal: false, whitelistedAt: null });
  expect((await auditOf(payeeId, "payee.unwhitelisted"))[0]?.details).toMatchObject({ reason: "No longer a supplier" });
  expect(await unwhitelistByHand(services, actor, { payeeId, reason })).toBe("was_off");
});

test("what was decided on older details is refused", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  await editPayee(services, actor, { payeeId, patch: { accountNumber: "10203040" } });
  const error = await refusal(whitelistByHand(services, actor, { payeeId, reason, version: 1 }));
  expect(error).toMatchObject({ code: "EDIT_CONFLICT", status: 409 });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
});

test("bank details that change between the look and the decision are not trusted", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const edit = () => editPayee(services, actor, { payeeId, patch: { accountNumber: "50607080" } });
  const late = { ...services, db: interrupted(services.db, edit) };
  const error = await refusal(whitelistByHand(late, actor, { payeeId, reason, version: 1 }));
  expect(error).toMatchObject({ code: "EDIT_CONFLICT", status: 409 });
  expect(await readPayee(payeeId)).toMatchObject({ accountNumber: "50607080", whitelisted: false });
});

test("attack: a second person is required from the very moment in which somebody trusts their own payee, and nothing is trusted", async ({
  services,
  actor,
}) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const { organizationId } = actor;
  const require = () =>
    peek.insert(organizationPolicies).values({ organizationId, secondPersonRequired: true, updatedAt: 1 });
  const late = { ...services, db: interrupted(services.db, require) };
  const error = await refusal(whitelistByHand(late, actor, { payeeId, reason }));
  expect(error).toMatchObject({ status: 409, message: expect.stringContaining("policies have just changed") });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
});

test("an archived payee is put on the whitelist neither by page nor by API, and the page says so beside what was typed", async ({
  services,
  actor,
}) => {
  const { payeeId: id } = await anAddedPayee(services, actor);
  await archivePayee(services, actor, id);
  const says = "This payee is archived, so it cannot be put on the whitelist. Restore it first.";
  const form = { intent: "whitelist", reason, version: "2" };
  const posted = (await payeeAction(await routeArgs(services, actor, `/payees/${id}`, { id }, { form }))) as {
    data: FormAnswer;
    init: { status: number };
  };
  expect(posted.init.status).toBe(409);
  expect(JSON.stringify(posted.data)).toContain(says);
  expect(posted.data.values).toMatchObject({ reason });
  const asked = { method: "POST", json: { reason } };
  const answer = (await whitelistByApi(await routeArgs(services, actor, "/", { id }, asked))) as Response;
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ code: "PAYEE_ARCHIVED", message: says });
  expect(await readPayee(id)).toMatchObject({ whitelisted: false });
  await restorePayee(services, actor, id);
  expect(await whitelistByHand(services, actor, { payeeId: id, reason })).toBe(true);
});

test("an archived payee is verified again neither by page nor by API, until it is restored", async ({
  services,
  actor,
}) => {
  const { payeeId: id } = await anAddedPayee(services, actor);
  await archivePayee(services, actor, id);
  const says = "This payee is archived, so it cannot be verified. Restore it first.";
  const form = { intent: "verify" };
  const posted = (await payeeAction(await routeArgs(services, actor, `/payees/${id}`, { id }, { form }))) as {
    data: FormAnswer;
    init: { status: number };
  };
  expect(posted.init.status).toBe(409);
  expect(JSON.stringify(posted.data)).toContain(says);
  const asked = { method: "POST", json: {} };
  const answer = (await verifyByApi(await routeArgs(services, actor, "/", { id }, asked))) as Response;
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ code: "PAYEE_ARCHIVED", message: says });
  expect(await findPendingVerification(services, actor, id)).toBeUndefined();
  await restorePayee(services, actor, id);
  expect(await startVerification(services, actor, id)).toHaveProperty("verificationId");
});

test("an edit made while the payee is being whitelisted takes the trust away again", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const trust = () => whitelistByHand(services, actor, { payeeId, reason });
  const late = { ...services, db: interrupted(services.db, trust) };
  await editPayee(late, actor, { payeeId, patch: { accountNumber: "50607081" } });
  expect(await readPayee(payeeId)).toMatchObject({ accountNumber: "50607081", whitelisted: false });
});

test("where a second person is required, the person who entered the bank details cannot trust them", async ({
  services,
  actor: adder,
}) => {
  const colleague = await aColleague(services, adder);
  const { payeeId } = await anAddedPayee(services, adder);
  await peek
    .insert(organizationPolicies)
    .values({ organizationId: adder.organizationId, secondPersonRequired: true, updatedAt: 0 });
  const error = await refusal(whitelistByHand(services, adder, { payeeId, reason }));
  expect(error).toMatchObject({ code: "SECOND_PERSON_REQUIRED", status: 403 });
  await editPayee(services, colleague, { payeeId, patch: { accountNumber: "60708090" } });
  expect(await refusal(whitelistByHand(services, colleague, { payeeId, reason }))).toMatchObject({ status: 403 });
  // The name and BSB are still those that the first person entered.
  expect(await refusal(whitelistByHand(services, adder, { payeeId, reason }))).toMatchObject({ status: 403 });
  expect(await whitelistByHand(services, await aColleague(services, adder), { payeeId, reason })).toBe(true);
});

const askForEvidence = ({ organizationId }: { organizationId: string }) =>
  peek.insert(organizationPolicies).values({ organizationId, approvalEvidence: "check_or_call_back", updatedAt: 0 });

test("attack: where only a bank check or a call-back approves, a payee that has neither is not whitelisted by hand instead", async ({
  services,
  actor,
}) => {
  await askForEvidence(actor);
  const { payeeId, verificationId } = await anAddedPayee(services, actor);
  const error = await refusal(whitelistByHand(services, actor, { payeeId, reason }));
  expect(error).toMatchObject({ code: "REASON_REQUIRED", status: 409, extra: { requires: "check_or_call_back" } });
  for (const outcome of ["unable", "no_match", "account_closed", "account_not_shared"] as const) {
    await peek.update(verifications).set({ outcome }).where(eq(verifications.id, verificationId));
    expect(await refusal(whitelistByHand(services, actor, { payeeId, reason }))).toMatchObject({ status: 409 });
  }
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
  await peek.update(verifications).set({ outcome: "match" }).where(eq(verifications.id, verificationId));
  expect(await whitelistByHand(services, actor, { payeeId, reason })).toBe(true);
});

test("attack: a bank that confirmed the former details or the former name confirms nothing that is whitelisted by hand", async ({
  services,
  actor,
}) => {
  await askForEvidence(actor);
  for (const patch of [{ accountNumber: "60708091" }, { name: "Borealis Mining" }]) {
    const { payeeId, verificationId } = await anAddedPayee(services, actor);
    await peek.update(verifications).set({ outcome: "match" }).where(eq(verifications.id, verificationId));
    services.clock.advance(1_000);
    await editPayee(services, actor, { payeeId, patch });
    expect(await refusal(whitelistByHand(services, actor, { payeeId, reason }))).toMatchObject({ status: 409 });
  }
});

test.each(["before", "after"] as const)("a connection lost %s the commit whitelists exactly once", async (when) => {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await anAddedPayee(services, actor);
  services.db = losingConnection(services.db, when);
  await whitelistByHand(services, actor, { payeeId, reason });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: true, version: 2 });
  expect(await auditOf(payeeId, "payee.whitelisted")).toHaveLength(1);
});

test("another organisation's payee is as missing as one that never was", async () => {
  const services = testServices();
  const [owner, stranger] = [await aMember(services), await aMember(services)];
  const { payeeId } = await anAddedPayee(services, owner);
  for (const act of [whitelistByHand, unwhitelistByHand]) {
    const foreign = await refusal(act(services, stranger, { payeeId, reason }));
    const missing = await refusal(act(services, stranger, { payeeId: services.ids.next(), reason }));
    expect(foreign).toMatchObject({ status: 404, message: missing.message, code: missing.code });
  }
});
