import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { DAY_MS } from "~/kernel/dates";
import type { LinkInput } from "~/modules/payees/payee-links/payee-link.server";
import { sendPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import { loader as toBank } from "~/routes/_payee+/bank-consent.continue";
import { loader as bankReturn } from "~/routes/_payee+/bank-consent.return";
import { action as answerOnPage, loader as openPage } from "~/routes/_payee+/verify.$token";
import {
  aCase,
  aPayeeAtTheBank,
  aStartedCheck,
  type Case,
  linkInMail,
  readChecks,
  readPayee,
  readVerification,
} from "../support/bank-checks";
import { aMember } from "../support/factories";
import { alertsAbout } from "../support/payees";
import { routeArgs } from "../support/requests";
import { aWorld, type World } from "../support/simulators";
import { changePayee, changeVerification } from "../support/verifications";

const { action: answerByApi, loader: readByApi } = routeOf("/api/verify/{token}");

type Sent = Case & { link: LinkInput };

/** A link without a bank check behind it. */
async function aLink(world: World): Promise<Sent> {
  const own = await aCase(world);
  await sendPayeeLink(world, own.actor, own);
  await world.drain();
  return { ...own, link: await linkInMail(world) };
}

const pathOf = ({ token, vid, pid }: LinkInput) => `/verify/${token}?vid=${vid}&pid=${pid}`;

async function get(world: World, link: LinkInput) {
  const answer = await readByApi(await routeArgs(world, null, `/api${pathOf(link)}`, { token: link.token }));
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

async function post(world: World, link: LinkInput, response: string, note?: string) {
  const { token, vid, pid } = link;
  const json = { vid, pid, response, note };
  const answer = await answerByApi(await routeArgs(world, null, `/api/verify/${token}`, { token }, { json }));
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

type Shown = { data: { view: { state: string; message?: string } }; init: { status: number } };

async function open(world: World, link: LinkInput, more = "") {
  const shown = (await openPage(
    await routeArgs(world, null, pathOf(link) + more, { token: link.token }),
  )) as unknown as Shown;
  return { status: shown.init.status, view: shown.data.view };
}

const answer = async (world: World, link: LinkInput, form: Record<string, string>) =>
  (await answerOnPage(await routeArgs(world, null, pathOf(link), { token: link.token }, { form }))) as Response;

test("a link shows what it asks about, in full, and who asks; looking changes nothing", async () => {
  const world = aWorld();
  const { link, details, actor, ...own } = await aLink(world);
  const before = await readVerification(world, { ...own, actor, details });
  const { accountName, bsb, accountNumber } = details;
  expect(await get(world, link)).toEqual({
    status: 200,
    body: { payee: { accountName, bsb, accountNumber }, organization: { name: actor.organizationName } },
  });
  expect(await open(world, link)).toMatchObject({
    status: 200,
    view: { state: "open", details: { accountName, bsb, accountNumber } },
  });
  expect(await readVerification(world, { ...own, actor, details })).toEqual(before);
});

test.each(["vid", "pid"] as const)("a link without its %s lacks a required parameter", async (missing) => {
  const world = aWorld();
  const { link } = await aLink(world);
  const broken = { ...link, [missing]: "" };
  expect(await get(world, broken)).toMatchObject({ status: 400, body: { message: "Missing required parameters" } });
  expect(await open(world, broken)).toMatchObject({
    status: 400,
    view: { state: "failed", message: "Missing required parameters" },
  });
});

test("links that were sent one after the other all work: none cancels another", async () => {
  const world = aWorld();
  const { link: first, ...own } = await aLink(world);
  await sendPayeeLink(world, own.actor, own);
  await world.drain();
  const second = await linkInMail(world);
  expect(second.token).not.toBe(first.token);
  expect((await get(world, second)).status).toBe(200);
  expect((await post(world, first, "confirm")).status).toBe(200);
  expect(await get(world, second)).toMatchObject({ status: 409, body: { code: "ALREADY_VERIFIED" } });
});

test("a bank check counts on the link that the payee holds: no second one is sent, and it leads on to the bank", async () => {
  const world = aWorld();
  const { link, ...own } = await aLink(world);
  await startBankDataCheck(world, own.actor, own);
  await world.drain();
  expect((await world.mails()).filter(({ text }) => text.includes("/verify/"))).toHaveLength(1);
  expect(await open(world, link)).toMatchObject({ status: 200, view: { state: "open", leadsToBank: true } });
});

test("an unknown token, one sent to a former contact and ids of another link are all the same 404", async () => {
  const world = aWorld();
  const first = await aLink(world);
  const other = await aLink(world);
  const strangers: LinkInput[] = [
    { ...first.link, token: "unknown" },
    { ...first.link, vid: other.link.vid },
    { ...first.link, pid: other.link.pid },
    { ...first.link, vid: "not-an-id" },
    { ...first.link, token: "x".repeat(5_000) },
  ];
  world.clock.advance(1);
  await changePayee(world, first, { email: "new@example.com", contactChangedAt: world.clock.now() });
  await sendPayeeLink(world, first.actor, first);
  const bodies = [];
  for (const stranger of [...strangers, first.link]) {
    const { status, body } = await get(world, stranger);
    const { requestId: _, ...rest } = body;
    expect(status).toBe(404);
    bodies.push(JSON.stringify(rest));
    expect(await open(world, stranger)).toMatchObject({ status: 404, view: { state: "failed" } });
    expect((await post(world, stranger, "confirm")).status).toBe(404);
  }
  expect(new Set(bodies).size).toBe(1);
});

test("a payee confirms once; after that the link says so, also when decided or long past its end", async () => {
  const world = aWorld();
  const { link, ...own } = await aLink(world);
  expect(await post(world, link, "confirm")).toEqual({ status: 200, body: { status: "confirmed" } });
  expect(await readVerification(world, own)).toMatchObject({
    verifiedByPayee: true,
    verifiedByPayeeAt: world.clock.now(),
    status: "pending",
  });
  for (const change of [{}, { status: "verified" as const }, { verificationTokenExpiresAt: 1 }]) {
    await changeVerification(world, own, { disputeNote: null, ...change });
    expect(await get(world, link)).toMatchObject({
      status: 409,
      body: { code: "ALREADY_VERIFIED", message: expect.stringContaining("already been verified") },
    });
    expect((await post(world, link, "dispute")).status).toBe(409);
  }
});

test("a payee disputes once; all people who can act are told, payments wait, the verification stays open", async () => {
  const world = aWorld();
  const { link, ...own } = await aLink(world);
  const organization = { id: own.organizationId, name: own.actor.organizationName };
  const colleague = await aMember(world, { organization });
  const reader = await aMember(world, { organization, role: "read_only" });
  expect(await post(world, link, "dispute", "  I closed this account \u200b last year ")).toEqual({
    status: 200,
    body: { status: "disputed" },
  });
  await world.drain();
  expect(await readVerification(world, own)).toMatchObject({
    status: "pending",
    disputedByPayeeAt: world.clock.now(),
    disputeNote: "I closed this account  last year",
  });
  expect((await readPayee(world, own)).disputedAt).toBe(world.clock.now());
  const told = await alertsAbout(world, own.organizationId, "payee_disputed");
  expect(told.map(({ userId }) => userId).sort()).toEqual([own.actor.userId, colleague.userId].sort());
  expect(told.map(({ userId }) => userId)).not.toContain(reader.userId);
  expect(told[0]?.body).toContain("They wrote: I closed this account  last year");
  expect(await get(world, link)).toMatchObject({
    status: 409,
    body: {
      message: `You told us these are not your details; ${own.actor.organizationName} has been told.`,
    },
  });
  expect((await post(world, link, "confirm")).status).toBe(409);
});

const ENDED: [string, (world: World, own: Sent) => Promise<unknown>][] = [
  ["seven days old", async (world) => world.clock.advance(7 * DAY_MS)],
  ["decided", (world, own) => Promise.resolve(changeVerification(world, own, { status: "rejected" }))],
  ["about details edited since", (world, own) => Promise.resolve(changePayee(world, own, { bsb: "062999" }))],
];

test.each(ENDED)("a link that is %s has expired, and answers nothing any more", async (_, end) => {
  const world = aWorld();
  const own = await aLink(world);
  await end(world, own);
  expect(await get(world, own.link)).toMatchObject({
    status: 410,
    body: { code: "LINK_EXPIRED", message: expect.stringContaining("expired") },
  });
  expect((await open(world, own.link)).status).toBe(410);
  expect((await post(world, own.link, "confirm")).status).toBe(410);
  expect((await post(world, own.link, "dispute")).status).toBe(410);
  expect((await readVerification(world, own)).verifiedByPayee).toBe(false);
});

test("of many answers at once exactly one counts", async () => {
  const world = aWorld();
  const { link, ...own } = await aLink(world);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => post(world, link, i % 2 ? "confirm" : "dispute")),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(11);
  const { verifiedByPayee, disputedByPayeeAt } = await readVerification(world, own);
  expect(verifiedByPayee).toBe(disputedByPayeeAt === null);
});

test("an answer that is none, or a note too long, is refused", async () => {
  const world = aWorld();
  const { link, ...own } = await aLink(world);
  expect((await post(world, link, "perhaps")).status).toBe(400);
  expect(await post(world, link, "dispute", "x".repeat(501))).toMatchObject({
    status: 400,
    body: { fieldErrors: { note: ["Keep the note to 500 characters."] } },
  });
  expect((await readVerification(world, own)).disputedByPayeeAt).toBeNull();
});

test("on the page, yes leads to our own page with the way to the bank, also when pressed twice", async () => {
  const world = aWorld();
  const own = await aStartedCheck(world);
  const link = await linkInMail(world);
  for (const _ of [1, 2]) {
    const leads = await answer(world, link, { response: "confirm" });
    expect([leads.status, leads.headers.get("Location")]).toEqual([303, "/bank-consent/continue"]);
    const cookie = leads.headers.get("Set-Cookie")?.split(";")[0] ?? "";
    const args = await routeArgs(world, null, "/bank-consent/continue", {}, { headers: { Cookie: cookie } });
    const shown = (await toBank(args)) as unknown as { data: { handover: { consentUrl: string } } };
    expect(shown.data.handover.consentUrl).toMatch(/\/basiq\/consent\/home\?token=client-.+&state=.+/);
  }
  expect((await readChecks(world, own))[0]).toMatchObject({ step: "at_bank", returnedAt: null });
});

test("the way to the bank is shown to nobody who was not sent there", async () => {
  const world = aWorld();
  for (const Cookie of [
    "",
    "bank-consent=forged",
    "bank-consent=eyJjb25zZW50VXJsIjoiaHR0cHM6Ly9ldmlsLmV4YW1wbGUifQ==",
  ]) {
    const args = await routeArgs(world, null, "/bank-consent/continue", {}, { headers: { Cookie } });
    expect(await toBank(args)).toMatchObject({ data: { handover: null }, init: { status: 404 } });
  }
});

test("a provider that is down keeps the answer, and continuing works once it is back", async () => {
  const world = aWorld();
  const own = await aStartedCheck(world);
  const link = await linkInMail(world);
  await world.fault({ party: "basiq", fault: "503", times: 1, path: "/token" });
  const first = await answer(world, link, { response: "confirm" });
  expect(first.headers.get("Location")).toBe(`${pathOf(link)}&answered=yes&bank=unavailable`);
  expect((await readVerification(world, own)).verifiedByPayee).toBe(true);
  expect(await open(world, link)).toMatchObject({ status: 409, view: { state: "confirmed", leadsToBank: true } });
  const second = await answer(world, link, { response: "continue" });
  expect(second.headers.get("Location")).toBe("/bank-consent/continue");
});

test("without a bank check, yes is the end of it", async () => {
  const world = aWorld();
  const { link } = await aLink(world);
  const first = await answer(world, link, { response: "confirm" });
  expect([first.status, first.headers.get("Location")]).toEqual([303, `${pathOf(link)}&answered=yes`]);
  expect(await open(world, link, "&answered=yes")).toMatchObject({
    status: 200,
    view: { state: "confirmed", leadsToBank: false },
  });
});

test("continuing is no answer: it confirms nothing", async () => {
  const world = aWorld();
  const own = await aStartedCheck(world);
  const link = await linkInMail(world);
  await answer(world, link, { response: "continue" });
  expect((await readVerification(world, own)).verifiedByPayee).toBe(false);
});

test("no on the page comes back to the link, and a note too long keeps what was typed", async () => {
  const world = aWorld();
  const { link, ...own } = await aLink(world);
  const note = "y".repeat(501);
  expect(await answer(world, link, { response: "dispute", note })).toMatchObject({
    data: { values: { note }, errors: { note: ["Keep the note to 500 characters."] } },
    init: { status: 400 },
  });
  const leads = await answer(world, link, { response: "dispute", note: "Not mine" });
  expect([leads.status, leads.headers.get("Location")]).toEqual([303, `${pathOf(link)}&answered=no`]);
  expect((await readVerification(world, own)).disputeNote).toBe("Not mine");
});

test("back from the bank every visitor reads the same thanks; only a known state names who asked", async () => {
  const world = aWorld();
  const person = await aPayeeAtTheBank(world);
  const back = async (query: string) => bankReturn(await routeArgs(world, null, `/bank-consent/return${query}`));
  expect(await back("")).toEqual({ organizationName: null });
  expect(await back("?state=guess&jobId=1")).toEqual({ organizationName: null });
  expect(await back(`?state=${"x".repeat(5_000)}`)).toEqual({ organizationName: null });
  expect(await back(`?jobId=1&jobIds=1&state=${person.state}`)).toEqual({
    organizationName: person.actor.organizationName,
  });
});

test("an address that asks too often is told to wait", async () => {
  const world = aWorld();
  world.config.rateLimitScale = 1;
  const { link } = await aLink(world);
  const args = await routeArgs(world, null, `/api${pathOf(link)}`, { token: link.token });
  const origin = { ...args.context.origin, ipAddress: "192.0.2.77" };
  const ask = () => readByApi({ ...args, context: { ...args.context, origin } });
  const statuses = [];
  for (let i = 0; i < 61; i++) statuses.push((await ask()).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
});
