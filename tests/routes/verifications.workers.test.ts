import { auditLogs, users } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect } from "vitest";
import { routeOf } from "~/api/calls.server";
import { formatBsb, maskAccountNumber } from "~/kernel/bank-account";
import * as inboxPage from "~/routes/_app+/verifications._index";
import * as verificationPage from "~/routes/_app+/verifications.$id";
import * as pendingPage from "~/routes/_app+/verifications.pending";
import { aMember } from "../support/factories";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";
import { test } from "../support/signed-in";
import { aPendingVerification, changePayee, changeVerification, NO_EVIDENCE } from "../support/verifications";

const detail = routeOf("/api/verifications/{id}");
const review = routeOf("/api/verifications/{id}/review");
const list = routeOf("/api/verifications/pending");

const HTML = { Accept: "text/html,application/xhtml+xml" };

async function asJson(answer: Response | Promise<Response>) {
  const response = await answer;
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** What a page's action gave: a redirect, or data with its status. */
async function outcomeOf(answer: Promise<unknown>) {
  const result = await answer.catch((thrown: unknown) => thrown);
  if (result instanceof Response) {
    const { status, headers } = result;
    return { status, location: headers.get("Location"), cookie: headers.get("Set-Cookie"), data: undefined };
  }
  const { data, init } = result as { data: unknown; init: ResponseInit | null };
  return { status: init?.status ?? 200, location: null, cookie: new Headers(init?.headers).get("Set-Cookie"), data };
}

test("the pending list has the specification's shape, and 401 for nobody", async ({ services, actor }) => {
  const { verificationId, payeeId, details } = await aPendingVerification(services, actor, {
    checked: {
      method: "basiq",
      matchType: "fuzzy",
      nameMatchScore: 86,
      verifiedName: "RIVERBEND TIMBERS P/L",
      nameDifferences: [{ type: "plural", submitted: "Timber", held: "TIMBERS", points: 14 }],
      outcome: "close_match",
      resultData: { source: "basiq", institution: "Commonwealth Bank of Australia", checkedAt: 1 },
    },
  });
  const { status, body } = await asJson(list.loader(await routeArgs(services, actor, "/api/verifications/pending")));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    nextCursor: null,
    truncated: false,
    verifications: [
      {
        id: verificationId,
        status: "pending",
        matchType: "fuzzy",
        nameMatchScore: 86,
        nameDifferences: [{ type: "plural" }],
        verifiedAccountName: "RIVERBEND TIMBERS P/L",
        verificationMethod: "basiq",
        requestedByUser: { name: "Mira Okafor", email: actor.email },
        createdAt: "2026-11-20T03:00:00.000Z",
        payee: {
          id: payeeId,
          name: details.name,
          accountName: details.accountName,
          bsb: details.bsb,
          accountNumber: maskAccountNumber(details.accountNumber),
          whitelistGlobal: false,
          institution: "Commonwealth Bank of Australia",
        },
      },
    ],
  });
  const signedOut = await asJson(list.loader(await routeArgs(services, null, "/api/verifications/pending")));
  expect(signedOut).toMatchObject({ status: 401, body: { code: "SIGNED_OUT" } });
});

test("an unknown filter, a wild cursor and a huge limit are answered with a list", async ({ services, actor }) => {
  await aPendingVerification(services, actor);
  for (const query of [
    "match=huge&order=up",
    "cursor=%00%27--",
    "limit=999999",
    "limit=-1",
    "q=%F0%9F%A6%8A",
    "q=%25",
  ]) {
    const { status } = await asJson(
      list.loader(await routeArgs(services, actor, `/api/verifications/pending?${query}`)),
    );
    expect(status).toBe(200);
  }
});

test("the single verification has outcome, evidence and timeline, and looking at it is audited once", async ({
  services,
  actor,
}) => {
  const { verificationId } = await aPendingVerification(services, actor);
  for (let i = 0; i < 3; i++) {
    const args = await routeArgs(services, actor, `/api/verifications/${verificationId}`, { id: verificationId });
    const { body } = await asJson(detail.loader(args));
    expect(body).toMatchObject({ id: verificationId, outcome: null, reasonCode: null, timeline: [] });
    expect(body).toHaveProperty("evidence.institution.mnemonic", "CBA");
  }
  const looks = await services.db
    .select({ userId: auditLogs.userId })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, actor.organizationId), eq(auditLogs.action, "payee.details_revealed")));
  expect(looks).toEqual([{ userId: actor.userId }]);
  services.clock.advance(16 * 60_000);
  await detail.loader(await routeArgs(services, actor, "/", { id: verificationId }));
  const later = await services.db
    .select({ id: auditLogs.id })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, actor.organizationId), eq(auditLogs.action, "payee.details_revealed")));
  expect(later).toHaveLength(2);
});

test("missing, foreign and malformed ids are answered alike, to reading and to deciding", async ({
  services,
  actor,
}) => {
  const stranger = await aMember(services);
  const { verificationId } = await aPendingVerification(services, actor);
  for (const id of [verificationId, services.ids.next(), "not-an-id"]) {
    const read = await asJson(detail.loader(await routeArgs(services, stranger, "/", { id })));
    const decide = await asJson(
      review.action(await routeArgs(services, stranger, "/", { id }, { json: { approved: true } })),
    );
    for (const { status, body } of [read, decide]) {
      expect(status).toBe(404);
      expect({ ...body, requestId: null }).toEqual({ message: "Not found", code: "NOT_FOUND", requestId: null });
    }
  }
});

test("the review call decides with the specification's payloads, and answers the verification", async ({
  services,
  actor,
}) => {
  const one = await aPendingVerification(services, actor);
  const two = await aPendingVerification(services, actor);
  const send = async (id: string, json: unknown, headers = {}) =>
    asJson(review.action(await routeArgs(services, actor, "/", { id }, { json, headers })));
  expect(await send(one.verificationId, { approved: true, addToGlobalWhitelist: true })).toMatchObject({
    status: 200,
    body: { verification: { id: one.verificationId, status: "verified", payee: { whitelistGlobal: true } } },
  });
  expect(await send(two.verificationId, { approved: false, reason: "Manual rejection" })).toMatchObject({
    status: 200,
    body: { verification: { status: "rejected", rejectedReason: "Manual rejection" } },
  });
  expect(await send(two.verificationId, { approved: true, addToGlobalWhitelist: false })).toMatchObject({
    status: 409,
    body: {
      code: "ALREADY_DECIDED",
      message: "Mira Okafor rejected this verification on 20 Nov 2026, 2:00 pm: Manual rejection",
      decision: { status: "rejected", decidedBy: "Mira Okafor", decidedAt: "2026-11-20T03:00:00.000Z" },
    },
  });
});

test("a repeated call with its Idempotency-Key is answered as the first was", async ({ services, actor }) => {
  const { verificationId: id } = await aPendingVerification(services, actor);
  const call = async () => {
    const init = { json: { approved: true }, headers: { "Idempotency-Key": "k-1" } };
    return asJson(review.action(await routeArgs(services, actor, "/", { id }, init)));
  };
  expect((await call()).status).toBe(200);
  expect((await call()).status).toBe(200);
});

test.each([
  [{}],
  [{ approved: "yes" }],
  [{ approved: false, reason: "" }],
  [{ approved: false, reason: "x".repeat(501) }],
  [{ approved: false, reason: "\u0000" }],
  [{ approved: true, addToGlobalWhitelist: "1" }],
  [[]],
])("a review of %j is refused with 400 and decides nothing", async (json) => {
  const services = testServices();
  const actor = await aMember(services);
  const { verificationId: id } = await aPendingVerification(services, actor);
  expect((await asJson(review.action(await routeArgs(services, actor, "/", { id }, { json })))).status).toBe(400);
  expect((await asJson(detail.loader(await routeArgs(services, actor, "/", { id })))).body.status).toBe("pending");
});

test("read-only people see and do not decide, by call or by form", async ({ services, actor }) => {
  const organization = { id: actor.organizationId, name: actor.organizationName };
  const reader = await aMember(services, { role: "read_only", organization });
  const { verificationId: id } = await aPendingVerification(services, actor);
  expect((await asJson(detail.loader(await routeArgs(services, reader, "/", { id })))).status).toBe(200);
  const call = await asJson(
    review.action(await routeArgs(services, reader, "/", { id }, { json: { approved: true } })),
  );
  expect(call).toMatchObject({ status: 403, body: { code: "READ_ONLY" } });
  const form = await outcomeOf(
    verificationPage.action(await routeArgs(services, reader, "/", { id }, { form: { intent: "approve" } })),
  );
  expect(form.status).toBe(403);
  const { view } = await verificationPage.loader(await routeArgs(services, reader, "/", { id }));
  expect(view.canDecide).toBe(false);
});

test("without JavaScript a decision leads to the list with its message, with JavaScript the page stays", async ({
  services,
  actor,
}) => {
  const one = await aPendingVerification(services, actor);
  const two = await aPendingVerification(services, actor);
  const post = async (id: string, form: Record<string, string>, headers = {}) =>
    outcomeOf(verificationPage.action(await routeArgs(services, actor, "/", { id }, { form, headers })));
  const plain = await post(one.verificationId, { intent: "approve" }, HTML);
  expect(plain).toMatchObject({ status: 303, location: "/verifications/pending" });
  expect(plain.cookie).toContain("flash=");
  const scripted = await post(two.verificationId, { intent: "reject", reason: "Manual rejection" });
  expect(scripted).toMatchObject({ status: 200, data: { isDecided: true } });
  expect(scripted.cookie).toContain("flash=");
});

test("whoever chose to go on after a decision goes on to the next below it, in the Inbox too, with and without JavaScript", async ({
  services,
  actor,
}) => {
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push((await aPendingVerification(services, actor)).verificationId);
  const decide = async (id: string, query: string, headers = {}) => {
    const form = { intent: "reject", reason: "Manual rejection" };
    return outcomeOf(verificationPage.action(await routeArgs(services, actor, `/${query}`, { id }, { form, headers })));
  };
  const { inbox } = await inboxPage.loader(await routeArgs(services, actor, "/verifications?show=reviews"));
  const [first, second, third, last] = inbox.items.map(({ id }) => id);
  if (!first || !second || !third || !last) throw new Error("all four wait");
  expect([first, second, third, last].sort()).toEqual([...ids].sort());
  const view = "?from=inbox&show=reviews";
  expect((await decide(last, view, HTML)).location).toBe("/verifications?show=reviews");
  await services.db.update(users).set({ reviewNext: true }).where(eq(users.id, actor.userId));
  const href = `/verifications/${third}${view}`;
  expect(await decide(second, view)).toMatchObject({ data: { isDecided: true, onwardHref: href } });
  expect((await decide(third, view, HTML)).location).toBe(`/verifications/${first}${view}`);
  expect((await decide(first, view, HTML)).location).toBe("/verifications?show=reviews");
});

test("a form sent twice shows success twice, a second decision shows who decided", async ({ services, actor }) => {
  const { verificationId: id } = await aPendingVerification(services, actor);
  const { basis, submissionId } = await verificationPage.loader(await routeArgs(services, actor, "/", { id }));
  const post = async (form: Record<string, string>) =>
    outcomeOf(verificationPage.action(await routeArgs(services, actor, "/", { id }, { form, headers: HTML })));
  const approve = { intent: "approve", basis, submissionId };
  expect((await post(approve)).status).toBe(303);
  expect((await post(approve)).status).toBe(303);
  expect(await post({ intent: "reject", reason: "No", submissionId: services.ids.next() })).toMatchObject({
    status: 409,
    data: { title: "Error Rejecting Verification", intent: "reject", values: { reason: "No" } },
  });
});

test("a form with too long a reason, or without a button, comes back with 400", async ({ services, actor }) => {
  const { verificationId: id } = await aPendingVerification(services, actor);
  const post = async (form: Record<string, string>) =>
    outcomeOf(verificationPage.action(await routeArgs(services, actor, "/", { id }, { form, headers: HTML })));
  expect(await post({ intent: "reject", reason: "x".repeat(501) })).toMatchObject({
    status: 400,
    data: { title: "Error Rejecting Verification", errors: { reason: ["Keep the reason under 500 characters"] } },
  });
  expect((await post({ intent: "explode" })).status).toBe(400);
});

test.each<Record<string, string>>([{}, { reason: "" }, { reason: "  " }])(
  "a rejection whose reason is left empty is manual: %j",
  async (typed) => {
    const services = testServices();
    const actor = await aMember(services);
    const { verificationId: id } = await aPendingVerification(services, actor);
    const form = { intent: "reject", ...typed };
    const posted = await outcomeOf(verificationPage.action(await routeArgs(services, actor, "/", { id }, { form })));
    expect(posted).toMatchObject({ status: 200, data: { isDecided: true } });
    const { view } = await verificationPage.loader(await routeArgs(services, actor, "/", { id }));
    expect(view).toMatchObject({ status: "rejected", decision: { reason: "Manual rejection" } });
  },
);

test("the page explains each way a verification stands", async ({ services, actor }) => {
  const ids = await aPendingVerification(services, actor);
  const load = async () =>
    (await verificationPage.loader(await routeArgs(services, actor, "/", { id: ids.verificationId }))).view;
  expect(await load()).toMatchObject({
    check: "startable",
    match: null,
    approving: { note: expect.stringContaining("your own work") },
    words: { answer: { icon: "circle" } },
  });
  await changeVerification(services, ids, { outcome: "unable", reasonCode: "provider_unavailable" });
  expect(await load()).toMatchObject({
    check: "repeatable",
    words: { answer: { fact: expect.stringContaining("could not be reached") } },
  });
  await changeVerification(services, ids, { outcome: "unable", reasonCode: "name_withheld" });
  expect((await load()).check).toBe("closed");
  await changeVerification(services, ids, {
    outcome: "close_match",
    reasonCode: null,
    nameMatchScore: 86,
    verifiedName: "RIVERBEND TIMBERS PTY LTD",
    nameDifferences: [{ type: "plural", submitted: "Timber", held: "TIMBERS", points: 14 }],
  });
  const compared = await load();
  expect(compared.match).toMatchObject({ score: 86, reasons: [{ points: 14 }] });
  expect(compared.match?.names.held.some(({ status }) => status !== "same")).toBe(true);
  await changeVerification(services, ids, { disputedByPayeeAt: services.clock.now(), disputeNote: "Not my account" });
  expect(await load()).toMatchObject({ check: "closed", dispute: { note: "Not my account" } });
  await changePayee(services, ids, { email: null, phone: null });
  await changeVerification(services, ids, { disputedByPayeeAt: null });
  expect((await load()).check).toBe("closed");
  await changeVerification(services, ids, { outcome: null });
  expect((await load()).check).toBe("no_contact");
  await changeVerification(services, ids, {
    status: "failed",
    outcome: "account_closed",
    reasonCode: "account_closed",
  });
  expect(await load()).toMatchObject({
    status: "failed",
    canDecide: false,
    words: { ending: { text: expect.stringContaining("closed") } },
  });
});

test("the list page sends masked numbers only, and keeps search and filter in its links", async ({
  services,
  actor,
}) => {
  const made = [];
  for (let i = 0; i < 52; i++) made.push(await aPendingVerification(services, actor));
  const load = async (query: string) =>
    pendingPage.loader(await routeArgs(services, actor, `/verifications/pending${query}`));
  const page = await load("?match=none&q=riverbend");
  expect(page.rows).toHaveLength(50);
  expect(page.nextHref).toContain("q=riverbend&match=none&after=");
  const text = JSON.stringify(page);
  for (const { details } of made) expect(text).not.toContain(details.accountNumber);
  const next = await load(new URL(page.nextHref ?? "", "http://app.test").search);
  expect(next.rows).toHaveLength(2);
  expect(next.previousHref).toContain("before=");
});

test("a look-alike stands beside the payee that it is mistaken for, whose account is masked; another organisation's payee does not", async ({
  services,
  actor,
}) => {
  const known = await aPendingVerification(services, actor, {
    payee: { name: "Karri Floors", email: "pay@karri.example" },
  });
  const foreign = await aPendingVerification(services, await aMember(services), { payee: { name: "Elsewhere" } });
  const alike = (payeeId: string) => ({ payeeId, name: "Karri", reason: "email_domain" as const, detail: "Alike." });
  const evidence = { ...NO_EVIDENCE, lookalikes: [alike(known.payeeId), alike(foreign.payeeId)] };
  const { verificationId: id } = await aPendingVerification(services, actor, { evidence });
  const { view } = await verificationPage.loader(await routeArgs(services, actor, `/verifications/${id}`, { id }));
  const { bsb, accountNumber } = known.details;
  expect(view.compareWith).toEqual([
    {
      name: "Karri Floors",
      href: `/payees/${known.payeeId}`,
      details: `${formatBsb(bsb)} ${maskAccountNumber(accountNumber)}, pay@karri.example`,
    },
  ]);
});
