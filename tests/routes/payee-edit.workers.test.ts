import { payeeChanges, payees } from "@db/database";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import type { FormAnswer } from "~/components/forms/form";
import { type EditExtra, editPayee } from "~/modules/payees/edit-payee.server";
import { detailsOf } from "~/modules/payees/payee.server";
import { toFormValues } from "~/modules/payees/payee-form.server";
import { action } from "~/routes/_app+/payees.$id_.edit";
import type { Actor, Services } from "~/services-and-actor";
import { aColleague, anAddedPayee, peek, readPayee } from "../support/payees";
import { routeArgs } from "../support/requests";
import { test } from "../support/signed-in";

/** The form as a browser posts it: what the payee says now, with what was typed over it. */
async function post(
  services: Services,
  actor: Actor,
  payeeId: string,
  typed: Record<string, string>,
  version?: number,
): Promise<Answered | Response> {
  const payee = await readPayee(payeeId);
  const form = { ...toFormValues(detailsOf(payee)), version: String(version ?? payee.version), ...typed };
  const args = await routeArgs(services, actor, `/payees/${payeeId}/edit`, { id: payeeId }, { form });
  return (await action(args)) as Answered | Response;
}

type Answered = { data: FormAnswer; init: { status?: number } | null };

/** The form that came back, with its status. */
function answerOf(outcome: Answered | Response): FormAnswer & EditExtra & { status: number } {
  if (outcome instanceof Response) throw new Error("the edit was made");
  return { ...outcome.data, ...outcome.data.extra, status: outcome.init?.status ?? 200 };
}

const isMade = (outcome: Answered | Response) => outcome instanceof Response && outcome.status === 303;

const changesOf = (payeeId: string) => peek.select().from(payeeChanges).where(eq(payeeChanges.payeeId, payeeId));

test("a change of bank details is first shown with everything that follows, and nothing is written", async ({
  services,
  actor,
}) => {
  await aColleague(services, actor);
  const { payeeId, details } = await anAddedPayee(services, actor);
  await peek.update(payees).set({ whitelisted: true }).where(eq(payees.id, payeeId));
  const answer = answerOf(await post(services, actor, payeeId, { bsb: "033 001", email: "new@saltbush.example" }));
  expect(answer.status).toBe(200);
  expect(answer.confirm).toEqual({
    changes: [
      { field: "BSB", from: "062-000", to: "033-001" },
      { field: "Email", from: details.email, to: "new@saltbush.example" },
    ],
    of: "bank details",
    isWhitelisted: true,
    hasPendingVerification: true,
    possibleTypo: null,
    othersTold: 1,
    payeeTold: { emails: [details.email], mobiles: [] },
    isContactChangedToo: true,
  });
  expect(answer.values).toMatchObject({ bsb: "033 001", email: "new@saltbush.example" });
  expect(await changesOf(payeeId)).toEqual([]);
});

test("confirmed, it is made; back, it is the form again with everything typed", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const typed = { bsb: "033001" };
  const back = answerOf(await post(services, actor, payeeId, { ...typed, intent: "back" }));
  expect(back).toMatchObject({
    status: 200,
    code: "NEXT_STEP",
    values: { bsb: "033001", version: "1" },
    formErrors: [],
  });
  const outcome = await post(services, actor, payeeId, { ...typed, intent: "confirm" });
  expect(isMade(outcome)).toBe(true);
  expect(await readPayee(payeeId)).toMatchObject({ bsb: "033001", version: 2 });
});

test("a confirmation of wrong details is no way around the checks", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const answer = answerOf(await post(services, actor, payeeId, { bsb: "12", intent: "confirm" }));
  expect(answer).toMatchObject({
    status: 400,
    errors: { bsb: ["A BSB has 6 digits, such as 062-000"] },
    values: { bsb: "12" },
  });
});

test("other changes are made at once, and none at all says so", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  expect(isMade(await post(services, actor, payeeId, {}))).toBe(true);
  expect(await readPayee(payeeId)).toMatchObject({ version: 1 });
  expect(isMade(await post(services, actor, payeeId, { name: "Wattle Creek  ELECTRICAL" }))).toBe(true);
  expect(await readPayee(payeeId)).toMatchObject({ name: "Wattle Creek ELECTRICAL", version: 2 });
});

test("a stale form comes back with what is there now, nothing typed lost, and saving again works", async ({
  services,
  actor,
}) => {
  const { payeeId } = await anAddedPayee(services, actor);
  await editPayee(services, actor, { payeeId, patch: { name: "Theirs" } });
  const typed = { name: "Mine", address: "1 King St" };
  const answer = answerOf(await post(services, actor, payeeId, typed, 1));
  expect(answer).toMatchObject({
    status: 409,
    version: 2,
    values: typed,
    conflict: [
      { field: "Payee name", from: "Theirs", to: "Mine" },
      { field: "Address", from: null, to: "1 King St" },
    ],
  });
  expect(await readPayee(payeeId)).toMatchObject({ name: "Theirs", address: null });
  await post(services, actor, payeeId, { ...typed, intent: "confirm" }, answer.version ?? 0);
  expect(await readPayee(payeeId)).toMatchObject(typed);
});

test("a confirmation that became stale is not carried out", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  await editPayee(services, actor, { payeeId, patch: { email: "crook@saltbush.example" } });
  const answer = answerOf(await post(services, actor, payeeId, { bsb: "033001", intent: "confirm" }, 1));
  expect(answer).toMatchObject({ status: 409, code: "EDIT_CONFLICT" });
  expect((await readPayee(payeeId)).bsb).toBe("062000");
});

test("of two confirmations at once one is carried out, the other sees what it would change now", async ({
  services,
  actor,
}) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const outcomes = await Promise.all(
    ["033001", "083170"].map((bsb) => post(services, actor, payeeId, { bsb, intent: "confirm" })),
  );
  const refused = outcomes.filter((outcome) => !isMade(outcome)).map(answerOf);
  expect(refused).toHaveLength(1);
  expect(refused[0]).toMatchObject({ status: 409, version: 2, conflict: [{ field: "BSB" }] });
  expect(await changesOf(payeeId)).toHaveLength(1);
});

test("an account that another payee has is told before anything is confirmed", async ({ services, actor }) => {
  const other = await anAddedPayee(services, actor);
  const { payeeId } = await anAddedPayee(services, actor);
  const answer = answerOf(await post(services, actor, payeeId, { accountNumber: other.details.accountNumber }));
  expect(answer).toMatchObject({
    status: 409,
    code: "DUPLICATE_PAYEE",
    extra: { payeeId: other.payeeId, payeeName: other.details.name },
  });
});
