import { expect, test } from "vitest";
import { action as sendLink } from "~/routes/api+/verifications.$id_.send-link";
import { action as verifyBasiq } from "~/routes/api+/verifications.$id_.verify-basiq";
import { aCase } from "../support/bank-checks";
import { aMember } from "../support/factories";
import { routeArgs } from "../support/requests";
import { aWorld } from "../support/simulators";

const CALLS = [
  { name: "verify-basiq", call: verifyBasiq, json: {} },
  { name: "send-link", call: sendLink, json: { channel: "email" } },
];

test.each(CALLS)("$name answers 202 with the verification, and again with the same", async ({ call, json, name }) => {
  const world = aWorld();
  const { actor, verificationId: id } = await aCase(world);
  for (const _ of [1, 2]) {
    const args = await routeArgs(world, actor, `/api/verifications/${id}/${name}`, { id }, { json });
    const answer = await call(args);
    expect(answer.status).toBe(202);
    expect(await answer.json()).toMatchObject({ verification: { id, status: "pending" } });
  }
});

test("a check is started without a body as with an empty one", async () => {
  const world = aWorld();
  const { actor, verificationId: id } = await aCase(world);
  const args = await routeArgs(world, actor, `/api/verifications/${id}/verify-basiq`, { id }, { method: "POST" });
  expect((await verifyBasiq(args)).status).toBe(202);
});

test.each(CALLS)("$name needs somebody who may change things, of this organisation", async ({ call, json, name }) => {
  const world = aWorld();
  const { actor, organizationId, verificationId: id } = await aCase(world);
  const organization = { id: organizationId, name: actor.organizationName };
  const reader = await aMember(world, { organization, role: "read_only" });
  const pending = await aMember(world, { organization, status: "pending" });
  const stranger = await aMember(world);
  const statuses = [];
  for (const who of [null, reader, pending, stranger]) {
    const args = await routeArgs(world, who, `/api/verifications/${id}/${name}`, { id }, { json });
    statuses.push((await call(args)).status);
  }
  expect(statuses).toEqual([401, 403, 403, 404]);
  const odd = await routeArgs(world, actor, `/api/verifications/x/${name}`, { id: "x" }, { json });
  expect((await call(odd)).status).toBe(404);
});

test("a link goes out by the channel asked for, which the payee must have", async () => {
  const world = aWorld();
  const { actor, verificationId: id } = await aCase(world);
  const post = async (json: unknown) => {
    const answer = await sendLink(
      await routeArgs(world, actor, `/api/verifications/${id}/send-link`, { id }, { json }),
    );
    return [answer.status, ((await answer.json()) as { code?: string }).code];
  };
  expect(await post({ channel: "sms" })).toEqual([409, "PAYEE_CONTACT_REQUIRED"]);
  expect(await post({ channel: "pigeon" })).toEqual([400, "INVALID_INPUT"]);
});

test("a payee is not flooded with links", async () => {
  const world = aWorld();
  const { actor, verificationId: id } = await aCase(world);
  const statuses = [];
  for (let i = 0; i < 11; i++) {
    const args = await routeArgs(world, actor, `/api/verifications/${id}/send-link`, { id }, { json: {} });
    statuses.push((await sendLink(args)).status);
  }
  expect(statuses).toEqual([...Array(10).fill(202), 429]);
});
