import { organizationPolicies, verificationCalls, verifications } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect } from "vitest";
import { routeOf } from "~/api/calls.server";
import { DAY_MS } from "~/kernel/dates";
import type { ApprovalEvidence } from "~/kernel/enums";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import * as verificationPage from "~/routes/_app+/verifications.$id";
import type { Actor, Services } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { aColleague, anAddedPayee, peek, refusal } from "../../../../tests/support/payees";
import { routeArgs } from "../../../../tests/support/requests";
import { testServices } from "../../../../tests/support/services";
import { test } from "../../../../tests/support/signed-in";

const detail = routeOf("/api/verifications/{id}");
const calls = routeOf("/api/verifications/{id}/calls");

const OLD = "+61293744000";
const NEW = "+61295550000";
const CONFIRMED = { source: "on_file", spokeTo: "Ana Silva", outcome: "confirmed" } as const;

/** A payee with a pending verification that has had its phone number for a year. */
async function aKnownPayee(services: ReturnType<typeof testServices>, actor: Actor) {
  const added = await anAddedPayee(services, actor, { phone: OLD });
  services.clock.advance(365 * DAY_MS);
  return added;
}

async function callApi(services: Services, actor: Actor, id: string, json: unknown, headers = {}) {
  const response = await calls.action(await routeArgs(services, actor, "/", { id }, { json, headers }));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const storedCalls = (verificationId: string) =>
  peek.select().from(verificationCalls).where(eq(verificationCalls.verificationId, verificationId));

const findPending = ({ organizationId }: Actor, payeeId: string) =>
  peek
    .select()
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        eq(verifications.payeeId, payeeId),
        eq(verifications.status, "pending"),
      ),
    );

const decideBy = (services: Services, actor: Actor, approvalEvidence: ApprovalEvidence) =>
  services.db
    .insert(organizationPolicies)
    .values({ organizationId: actor.organizationId, approvalEvidence, updatedAt: 1 });

const approve = { approved: true, addToGlobalWhitelist: false } as const;

test("a call to a number that was long on file is proof, stands in history, and lets an approval go without a reason", async ({
  services,
  actor,
}) => {
  const { payeeId, verificationId } = await aKnownPayee(services, actor);
  await services.db.insert(organizationPolicies).values({
    organizationId: actor.organizationId,
    approvalEvidence: "always_reason",
    updatedAt: 1,
  });
  const refused = await refusal(reviewVerification(services, actor, { verificationId, review: approve }));
  expect(refused).toMatchObject({ code: "REASON_REQUIRED", status: 409, extra: { flags: [] } });
  const caller = await aColleague(services, actor);
  for (const outcome of ["not_confirmed", "no_answer"]) {
    await callApi(services, caller, verificationId, { number: OLD, ...CONFIRMED, outcome });
    const again = await refusal(reviewVerification(services, actor, { verificationId, review: approve }));
    expect(again).toMatchObject({ code: "REASON_REQUIRED" });
  }
  expect(await callApi(services, caller, verificationId, { number: "02 9374 4000", ...CONFIRMED })).toMatchObject({
    status: 201,
    body: { call: { number: OLD, countsAsProof: true, noProof: null, calledBy: "Mira Okafor" } },
  });
  const args = await routeArgs(services, actor, "/", { id: verificationId });
  const shown = (await (await detail.loader(args)).json()) as { calls: unknown[]; timeline: { action: string }[] };
  expect(shown.calls).toMatchObject([
    { outcome: "not_confirmed" },
    { outcome: "no_answer" },
    { spokeTo: "Ana Silva", outcome: "confirmed" },
  ]);
  expect(shown.timeline.map(({ action }) => action)).toContain("verification.call_recorded");
  const decided = await reviewVerification(services, actor, { verificationId, review: approve });
  expect(decided).toMatchObject({ status: "verified", payee: { id: payeeId } });
});

test("attack: a call to the number that the fraud brought proves nothing, wherever it is said to be from", async ({
  services,
  actor,
}) => {
  const { payeeId } = await aKnownPayee(services, actor);
  await editPayee(services, actor, { payeeId, patch: { phone: NEW } });
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { accountNumber: "55667788" } });
  const [pending] = await findPending(actor, payeeId);
  const verificationId = pending?.id ?? "";
  await decideBy(services, actor, "check_or_call_back");
  for (const source of ["on_file", "website", "contract"]) {
    const { body } = await callApi(services, actor, verificationId, { number: NEW, ...CONFIRMED, source });
    expect(body).toMatchObject({ call: { countsAsProof: false, noProof: { code: "recently_changed" } } });
  }
  const refused = await refusal(
    reviewVerification(services, actor, { verificationId, review: { ...approve, reason: "They told me" } }),
  );
  expect(refused).toMatchObject({ code: "REASON_REQUIRED", extra: { requires: "check_or_call_back" } });
  const page = await verificationPage.loader(await routeArgs(services, actor, "/", { id: verificationId }));
  expect(page.view).toMatchObject({
    approving: { bar: { title: "A bank check or a call-back comes first" } },
    callBacks: {
      phones: [
        { said: expect.stringMatching(/^now, /), warning: expect.stringContaining("30 days") },
        { warning: null },
      ],
    },
  });
  const own = await callApi(services, actor, verificationId, { number: OLD, ...CONFIRMED });
  expect(own.body).toMatchObject({ call: { countsAsProof: false, noProof: { code: "own_work" } } });
  await callApi(services, await aColleague(services, actor), verificationId, { number: OLD, ...CONFIRMED });
  const decided = await reviewVerification(services, actor, { verificationId, review: approve });
  expect(decided.status).toBe("verified");
});

test.each([
  [{ ...CONFIRMED, number: "12" }, "number"],
  [{ ...CONFIRMED, number: OLD, spokeTo: " " }, "spokeTo"],
  [{ number: OLD, source: "other", outcome: "no_answer" }, "note"],
  [{ number: OLD, source: "psychic", outcome: "no_answer" }, "source"],
  [{ number: OLD, source: "website" }, "outcome"],
  [{ number: OLD, source: "website", outcome: "no_answer", note: "x".repeat(501) }, "note"],
])("a call of %j is refused beside its field and writes nothing", async (json, field) => {
  const services = testServices();
  const actor = await aMember(services);
  const { verificationId } = await anAddedPayee(services, actor);
  const { status, body } = await callApi(services, actor, verificationId, json);
  expect(status).toBe(400);
  expect(body).toHaveProperty(`fieldErrors.${field}`);
  expect(await storedCalls(verificationId)).toEqual([]);
});

test("the same key records one call, a decided verification takes none, and a stranger's is not there", async ({
  services,
  actor,
}) => {
  const stranger = await aMember(services);
  const { verificationId } = await aKnownPayee(services, actor);
  const json = { number: OLD, ...CONFIRMED };
  const keyed = { "Idempotency-Key": "call-1" };
  const first = await callApi(services, actor, verificationId, json, keyed);
  const again = await callApi(services, actor, verificationId, json, keyed);
  expect(again.body).toEqual(first.body);
  expect(await storedCalls(verificationId)).toHaveLength(1);
  expect((await callApi(services, stranger, verificationId, json)).status).toBe(404);
  await reviewVerification(services, actor, { verificationId, review: { approved: false, reason: "Not ours" } });
  expect(await callApi(services, actor, verificationId, json)).toMatchObject({
    status: 409,
    body: { code: "ALREADY_DECIDED" },
  });
});

test("the form records a call without a script, and keeps what was typed when it is refused", async ({
  services,
  actor,
}) => {
  const caller = await aColleague(services, actor);
  const { verificationId: id } = await aKnownPayee(services, actor);
  const post = async (form: Record<string, string>) => {
    const init = { form: { intent: "record-call", ...form }, headers: { Accept: "text/html" } };
    return (await verificationPage.action(await routeArgs(services, caller, "/", { id }, init))) as unknown;
  };
  expect(await post({ number: "02 9374 4000", source: "on_file", outcome: "confirmed", spokeTo: "" })).toMatchObject({
    data: {
      title: "The call was not recorded",
      errors: { spokeTo: ["Say who you spoke to"] },
      values: { number: "02 9374 4000" },
    },
    init: { status: 400 },
  });
  const done = await post({ number: "02 9374 4000", source: "on_file", outcome: "confirmed", spokeTo: "Ana Silva" });
  expect(done).toMatchObject({ status: 303 });
  expect((await getVerification(services, actor, id)).status).toBe("pending");
  expect(await storedCalls(id)).toMatchObject([{ number: OLD, noProof: null }]);
});

test("a clerk changes an account, calls a number of their own choice and approves: nobody is confirmed by that", async ({
  services,
  actor: clerk,
}) => {
  const { payeeId } = await aKnownPayee(services, clerk);
  const colleague = await aColleague(services, clerk);
  await decideBy(services, clerk, "check_or_call_back");
  await editPayee(services, clerk, { payeeId, patch: { accountNumber: "55667788" } });
  const [pending] = await findPending(clerk, payeeId);
  const verificationId = pending?.id ?? "";
  const shown = await verificationPage.loader(await routeArgs(services, clerk, "/", { id: verificationId }));
  expect(shown.view.callBacks.ownWork).toContain("another person has to call");
  const callOf = async (caller: Actor, number: string) =>
    (await callApi(services, caller, verificationId, { number, ...CONFIRMED, source: "contract" })).body;
  expect(await callOf(clerk, OLD)).toMatchObject({ call: { noProof: { code: "own_work" } } });
  expect(await callOf(colleague, "+61355501234")).toMatchObject({ call: { noProof: { code: "not_on_file" } } });
  const approving = reviewVerification(services, colleague, { verificationId, review: approve });
  expect(await refusal(approving)).toMatchObject({ extra: { requires: "check_or_call_back" } });
  expect(await callOf(colleague, OLD)).toMatchObject({ call: { countsAsProof: true } });
  const decided = await reviewVerification(services, colleague, { verificationId, review: approve });
  expect(decided.status).toBe("verified");
});
