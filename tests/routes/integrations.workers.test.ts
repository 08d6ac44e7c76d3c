import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { openD1, organizationIntegrations, payees } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { loader as listLoader } from "~/routes/_app+/integrations._index";
import { loader as connectLoader } from "~/routes/_app+/integrations.$system_.connect";
import { loader as returnLoader } from "~/routes/_app+/integrations.$system_.return";
import { action as payeeAction, loader as payeeLoader } from "~/routes/_app+/payees.$id_.accounting";
import { action as xeroWebhook } from "~/routes/webhooks+/xero";
import type { Actor } from "~/services-and-actor";
import { FIRST_TENANT, SECOND_TENANT } from "../../simulators/xero/state";
import { connectXero, editInXero, XERO_CONTACTS } from "../support/accounting";
import { aMember } from "../support/factories";
import { peek } from "../support/payees";
import { routeArgs } from "../support/requests";
import { aWorld, type World } from "../support/simulators";
import { countWaits } from "../support/waits";

const XERO = { system: "xero" };

async function anOffice() {
  const world = aWorld();
  return { world, admin: await aMember(world, { role: "admin" }) };
}

/** A browser at the page that leads to Xero: what it keeps, and where it goes. */
async function begin(world: World, admin: Actor) {
  const answer = await connectLoader(await routeArgs(world, admin, "/integrations/xero/connect", XERO));
  const { data, init } = answer as unknown as { data: { address: string }; init: ResponseInit };
  const cookie = new Headers(init.headers).get("Set-Cookie")?.split(";")[0] ?? "";
  return { address: data.address, cookie };
}

async function consent(world: World, address: string, answer: "allow" | "cancel") {
  const body = new URLSearchParams({ tenantId: FIRST_TENANT, answer });
  const back = await world.ask(new Request(address, { method: "POST", body }));
  return new URL(back.headers.get("location") ?? "").search;
}

async function comeBack(world: World, actor: Actor, search: string, cookie: string) {
  const args = await routeArgs(world, actor, `/integrations/xero/return${search}`, XERO);
  const headers = { Cookie: `${args.request.headers.get("Cookie")}; ${cookie}` };
  const answer = await returnLoader({ ...args, request: new Request(args.request.url, { headers }) }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(answer instanceof Response)) throw answer;
  const { integrations } = await listLoader(await routeArgs(world, actor, "/integrations"));
  return { location: answer.headers.get("Location"), status: integrations[0]?.status };
}

test("an admin connects Xero through its consent page and comes back connected", async () => {
  const { world, admin } = await anOffice();
  const { address, cookie } = await begin(world, admin);
  expect(new URL(address).searchParams.get("code_challenge_method")).toBe("S256");
  const search = await consent(world, address, "allow");
  expect(await comeBack(world, admin, search, cookie)).toEqual({ location: "/integrations/xero", status: "connected" });
});

test.each(["no cookie", "another person", "another state", "not allowed"])(
  "nothing is connected with %s",
  async (what) => {
    const { world, admin } = await anOffice();
    const { address, cookie } = await begin(world, admin);
    const search = await consent(world, address, what === "not allowed" ? "cancel" : "allow");
    const actor = what === "another person" ? await aMember(world, { role: "admin" }) : admin;
    const shown = what === "another state" ? search.replace(/state=[^&]*/, "state=forged") : search;
    const { status } = await comeBack(world, actor, shown, what === "no cookie" ? "" : cookie);
    expect(status).toBe("none");
  },
);

test("Xero's check of the intent to receive gets 200 for the good signature and 401 for the bad ones", async () => {
  const { world } = await anOffice();
  await world.visit("/xero/intent", {});
  await world.drain();
  const page = await (await world.visit("/xero")).text();
  const answers = [...page.matchAll(/intent to receive, (good|bad)[^<]*<\/td><td>(\d+)/g)].map(
    ([, kind, status]) => `${kind} ${status}`,
  );
  expect(answers.sort()).toEqual(["bad 401", "bad 401", "bad 401", "good 200"]);
});

test("an event that nobody signed changes nothing and is answered 401", async () => {
  const { world } = await anOffice();
  const headers = { "x-xero-signature": btoa("forged") };
  const json = { events: [{ tenantId: FIRST_TENANT, eventCategory: "CONTACT" }] };
  const answer = await xeroWebhook(await routeArgs(world, null, "/webhooks/xero", {}, { json, headers }));
  expect(answer.status).toBe(401);
  expect(world.sent).toEqual([]);
});

test("no answer to a webhook of Xero has a body or a cookie, or its webhooks can never be switched on", async () => {
  const { world } = await anOffice();
  for (const [sent, status] of [
    [{ json: { events: 1 } }, 401],
    [{ json: "x".repeat(1024 * 1024) }, 413],
    [{}, 405],
  ] as const) {
    const answer = await xeroWebhook(await routeArgs(world, null, "/webhooks/xero", {}, sent));
    expect([answer.status, await answer.text()]).toEqual([status, ""]);
    expect(["content-type", "set-cookie"].filter((name) => answer.headers.has(name))).toEqual([]);
  }
});

/** An event for each of these books, signed. */
async function anEvent(world: World, tenantIds: readonly string[]) {
  const events = tenantIds.map((tenantId) => ({ tenantId, eventCategory: "CONTACT" }));
  const text = JSON.stringify({ events });
  const [key = ""] = world.config.xeroWebhookKeys;
  const signature = createHmac("sha256", key).update(text).digest("base64");
  const headers = { "x-xero-signature": signature, "Content-Type": "application/json" };
  return routeArgs(world, null, "/webhooks/xero", {}, { text, headers });
}

const isWanted = async ({ organizationId }: Actor) => {
  const isOwn = eq(organizationIntegrations.organizationId, organizationId);
  return (await peek.select().from(organizationIntegrations).where(isOwn))[0]?.wantedAt !== null;
};

test("an event of several books with several customers of ours waits for the database twice, and their reading for a queue", async () => {
  const { world, admin } = await anOffice();
  const colleagues = [await aMember(world, { role: "admin" }), await aMember(world, { role: "admin" })];
  await connectXero(world, admin);
  for (const each of colleagues) await connectXero(world, each, [SECOND_TENANT]);
  await world.drain();
  const args = await anEvent(world, [FIRST_TENANT, SECOND_TENANT, FIRST_TENANT]);
  const { binding, count } = countWaits((env as unknown as { DB: D1Database }).DB);
  world.db = openD1(binding);
  expect((await xeroWebhook(args)).status).toBe(200);
  expect(count()).toBe(2);
  expect(await Promise.all([admin, ...colleagues].map(isWanted))).toEqual([true, true, true]);
  await world.drain();
  expect(await Promise.all([admin, ...colleagues].map(isWanted))).toEqual([false, false, false]);
});

test("Xero is answered within five seconds by an app whose database does not answer, and sends the event again", async () => {
  const { world, admin } = await anOffice();
  await connectXero(world, admin);
  await world.drain();
  const { db } = world;
  const args = await anEvent(world, [FIRST_TENANT]);
  const silent = () => new Promise<never>(() => {});
  const statement = { bind: () => statement, all: silent, raw: silent };
  world.db = openD1({ prepare: () => statement, batch: silent } as unknown as D1Database);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let answer: Response | undefined;
  try {
    const asked = xeroWebhook(args).then((given) => {
      answer = given;
    });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(answer).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_999);
    await asked;
  } finally {
    vi.useRealTimers();
  }
  expect([answer?.status, await answer?.text(), answer?.headers.get("Retry-After")]).toEqual([503, "", "5"]);
  expect(["content-type", "set-cookie"].filter((name) => answer?.headers.has(name))).toEqual([]);
  world.db = db;
  expect(await isWanted(admin)).toBe(false);
  expect((await xeroWebhook(await anEvent(world, [FIRST_TENANT]))).status).toBe(200);
  expect(await isWanted(admin)).toBe(true);
});

async function aChangedSupplier() {
  const { world, admin } = await anOffice();
  await connectXero(world, admin);
  await world.drain();
  await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: "063-001 99887766" });
  await world.drain();
  const isIt = and(eq(payees.organizationId, admin.organizationId), eq(payees.name, "Kookaburra Couriers"));
  const read = async () => (await peek.select().from(payees).where(isIt))[0];
  const id = (await read())?.id ?? "";
  const path = `/payees/${id}/accounting`;
  const look = async () => payeeLoader(await routeArgs(world, admin, path, { id }));
  const post = async (form: Record<string, string>) =>
    payeeAction(await routeArgs(world, admin, path, { id }, { form }));
  return { look, post, read };
}

test("a person sees both accounts and takes the new one over", async () => {
  const { look, post, read } = await aChangedSupplier();
  const { changes } = await look();
  expect(changes).toMatchObject([
    { ours: { accountNumber: "445566" }, theirs: { bsb: "063-001", accountNumber: "99887766" } },
  ]);
  expect(await post({ intent: "use", key: changes[0]?.key ?? "" })).toMatchObject({ status: 303 });
  expect(await read()).toMatchObject({ bsb: "063001", accountNumber: "99887766", whitelisted: false });
  expect((await look()).changes).toEqual([]);
});

test("keeping the details needs a reason; a change that moved on is not decided", async () => {
  const { look, post, read } = await aChangedSupplier();
  const key = (await look()).changes[0]?.key ?? "";
  expect(await post({ intent: "keep", key, reason: "" })).toMatchObject({ init: { status: 400 } });
  expect(await post({ intent: "use", key: `${key}x` })).toMatchObject({ init: { status: 409 } });
  expect(await post({ intent: "keep", key, reason: "Called them on the old number" })).toMatchObject({ status: 303 });
  expect(await read()).toMatchObject({ bsb: "033002", accountNumber: "445566" });
  expect((await look()).changes).toEqual([]);
});
