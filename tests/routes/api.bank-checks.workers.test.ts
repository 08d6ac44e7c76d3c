import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { loader as loadPage, action as page } from "~/routes/_app+/verifications.$id";
import { aCase } from "../support/bank-checks";
import { aMember } from "../support/factories";
import { routeArgs } from "../support/requests";
import { aWorld } from "../support/simulators";

const { action: check } = routeOf("/api/verifications/{id}/check");
const { action: sendLink } = routeOf("/api/verifications/{id}/send-link");
const { action: verifyBasiq } = routeOf("/api/verifications/{id}/verify-basiq");

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

const CHECK = { name: "check", call: check, json: {} };

test.each([...CALLS, CHECK])(
  "$name needs somebody who may change things, of this organisation",
  async ({ call, json, name }) => {
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
  },
);

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

test("the bank is asked at once, with and without a body: 200 and what it said; 409 where it is not set up", async () => {
  const world = aWorld();
  const { actor, verificationId: id } = await aCase(world, { accountNumber: "12345901" });
  for (const init of [{ json: {} }, { method: "POST" }]) {
    const answer = await check(await routeArgs(world, actor, `/api/verifications/${id}/check`, { id }, init));
    expect(answer.status).toBe(200);
    const said = { id, status: "pending", outcome: "close_match", source: "cop", matchType: "fuzzy" };
    expect(await answer.json()).toMatchObject({ verification: said });
  }
  const without = { ...world, instantBankData: undefined };
  const refused = await check(await routeArgs(without, actor, `/api/verifications/${id}/check`, { id }, { json: {} }));
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
    409,
    "INSTANT_CHECK_NOT_CONFIGURED",
  ]);
});

test("the page offers the question while it would bring something new, and the form answers it", async () => {
  const world = aWorld();
  const { actor, verificationId: id } = await aCase(world, { accountNumber: "12345678" });
  const labels = async (services: typeof world) => {
    const { view } = await loadPage(await routeArgs(services, actor, `/verifications/${id}`, { id }));
    return view.checks.map(({ label }) => label);
  };
  expect(await labels(world)).toEqual(["Check with the bank now", "Verify with Basiq"]);
  expect(await labels({ ...world, instantBankData: undefined })).toEqual(["Verify with Basiq"]);
  const form = { intent: "check-now", submissionId: "a-submission-of-the-page" };
  const args = await routeArgs(
    world,
    actor,
    `/verifications/${id}`,
    { id },
    { form, headers: { Accept: "text/html" } },
  );
  expect(await page(args).catch((thrown) => thrown)).toMatchObject({ status: 303 });
  expect(await labels(world)).toEqual(["Verify with Basiq"]);
});
