import { organizationPolicies, payeeRequests, payees, verifications } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { archivePayee } from "~/modules/payees/archive-payee.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import { action as listAction, loader as listPage } from "~/routes/_app+/payees.requests";
import { action as answerPage, loader as openPage } from "~/routes/_payee+/details.$token";
import type { Actor } from "~/services-and-actor";
import { readChecks } from "../support/bank-checks";
import { aMember } from "../support/factories";
import { alertsAbout, anAddedPayee, details, peek } from "../support/payees";
import { aNewPayment } from "../support/payments";
import { routeArgs } from "../support/requests";
import { aWorld, type World } from "../support/simulators";

/** A payee sends its own details: from the organisation's question to the draft in the review desk. */

const PAGE = "/payees/requests";
const post = async (world: World, actor: Actor, form: Record<string, string>) =>
  listAction(await routeArgs(world, actor, PAGE, {}, { form }));

async function askedPayee(world: World, form: Record<string, string> = {}) {
  const actor = await aMember(world, { role: "admin" });
  const to = { name: "Tallowwood Timber", email: `asked-${world.ids.next()}@tallowwood.example`, ...form };
  await post(world, actor, { intent: "ask", ...to });
  await world.drain();
  return { actor, email: to.email, token: await newestToken(world) };
}

async function newestToken(world: World): Promise<string> {
  const [mail] = await world.mails();
  return /\/details\/([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
}

const requestOf = async ({ organizationId }: Actor) => {
  const [row] = await peek.select().from(payeeRequests).where(eq(payeeRequests.organizationId, organizationId));
  if (!row) throw new Error("no request");
  return row;
};
const payeesOf = ({ organizationId }: Actor) =>
  peek.select().from(payees).where(eq(payees.organizationId, organizationId));

type Shown = { data: { view: Record<string, unknown> }; init: { status: number } | null };
const open = async (world: World, token: string) => {
  const shown = (await openPage(await routeArgs(world, null, `/details/${token}`, { token }))) as unknown as Shown;
  return { status: shown.init?.status, view: shown.data.view };
};

const typed = (given: Record<string, string> = {}) => {
  const { accountName, bsb, accountNumber } = details({ name: "Tallowwood" });
  return { name: "Tallowwood Timber", accountName, bsb, accountNumber, abn: "", phone: "0412 345 678", ...given };
};
const send = async (world: World, token: string, form: Record<string, string>) =>
  (await answerPage(await routeArgs(world, null, `/details/${token}`, { token }, { form }))) as unknown as Response & {
    data?: { values: Record<string, string>; errors: Record<string, string[]> };
    init?: { status: number };
  };

test("looking at the link changes nothing; what is wrong is said beside the field, and nothing typed is lost", async () => {
  const world = aWorld();
  const { actor, token } = await askedPayee(world, { note: "Order 1042" });
  const before = await requestOf(actor);
  expect(await open(world, token)).toMatchObject({
    status: 200,
    view: { state: "open", organizationName: actor.organizationName, note: "Order 1042" },
  });
  const refused = await send(world, token, typed({ bsb: "06", accountNumber: "12345678" }));
  expect(refused.init?.status).toBe(400);
  expect(refused.data?.errors.bsb).toEqual(["A BSB has 6 digits, such as 062-000"]);
  expect(refused.data?.values).toMatchObject({ accountNumber: "12345678", phone: "0412 345 678" });
  expect(await requestOf(actor)).toEqual(before);
  expect(await payeesOf(actor)).toEqual([]);
});

test("the details become a draft with its verification, and the payee goes on to its bank; nothing trusts it by itself", async () => {
  const world = aWorld();
  const { actor, email, token } = await askedPayee(world);
  const { organizationId } = actor;
  const zone = { timeZone: "Australia/Sydney", updatedAt: 0 };
  await peek.insert(organizationPolicies).values({
    ...{ organizationId, ...zone, autoApproveExact: true, ruleLevels: { payee_not_trusted: "off" } },
  });
  const form = typed();
  const sent = await send(world, token, form);
  expect([sent.status, sent.headers.get("Location")]).toEqual([303, "/bank-consent/continue"]);
  const [payee] = await payeesOf(actor);
  if (!payee) throw new Error("no draft");
  expect(payee).toMatchObject({ email, phone: "+61412345678", draftSince: world.clock.now(), whitelisted: false });
  const [opened] = await peek.select().from(verifications).where(eq(verifications.payeeId, payee.id));
  expect(opened).toMatchObject({ status: "pending", verifiedByPayee: true, requestedById: actor.userId });
  expect(await alertsAbout(world, organizationId, "details_received")).toMatchObject([
    { userId: actor.userId, title: "Bank details received: Tallowwood Timber" },
  ]);
  expect(await alertsAbout(world, organizationId, "verification_waiting")).toEqual([]);

  const again = await send(world, token, typed({ accountNumber: "55555555" }));
  expect(again.status).toBe(303);
  expect(await payeesOf(actor)).toHaveLength(1);

  const verificationId = opened?.id ?? "";
  await world.completeAtBank(verificationId, "match");
  await world.drain();
  const [compared] = await peek.select().from(verifications).where(eq(verifications.id, verificationId));
  expect(compared).toMatchObject({ status: "pending", outcome: "match" });
  const paid = await recordPayment(world, actor, { payment: aNewPayment({ payeeId: payee.id }) });
  expect(paid).toMatchObject({ decision: "held", reasons: [{ rule: "payee_not_trusted", level: "hold" }] });

  const review = { approved: true, addToGlobalWhitelist: false, reason: "Called them" } as const;
  await reviewVerification(world, actor, { verificationId, review });
  expect((await payeesOf(actor))[0]).toMatchObject({ draftSince: null, whitelisted: true });
});

test("without an email address the link goes to the mobile, which stays the payee's contact", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  await post(world, actor, { intent: "ask", name: "Tallowwood Timber", email: "", phone: "0412 345 678" });
  await world.drain();
  const [text] = await world.texts();
  expect(text).toMatchObject({ to: "+61412345678", body: expect.stringContaining(actor.organizationName) });
  const token = /\/details\/([\w-]+)/.exec(text?.body ?? "")?.[1] ?? "";
  const sent = await send(world, token, typed({ phone: "0499 999 999", email: "accounts@tallowwood.example" }));
  expect(sent.status).toBe(303);
  expect(await payeesOf(actor)).toMatchObject([{ phone: "+61412345678", email: "accounts@tallowwood.example" }]);
  expect(await requestOf(actor)).toMatchObject({ channel: "sms", status: "answered" });
});

test("two presses at once make one draft and one bank check", async () => {
  const world = aWorld();
  const { actor, token } = await askedPayee(world);
  const form = typed();
  const answers = await Promise.all([send(world, token, form), send(world, token, form)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  const [payee, ...more] = await payeesOf(actor);
  expect(more).toEqual([]);
  const { verificationId } = await requestOf(actor);
  const of = { actor, organizationId: actor.organizationId, payeeId: payee?.id ?? "", details: details() };
  expect(await readChecks(world, { ...of, verificationId: verificationId ?? "" })).toHaveLength(1);
});

test("when the bank cannot be reached the details are kept, and the step can be taken later", async () => {
  const world = aWorld();
  const { actor, token } = await askedPayee(world);
  await world.fault({ party: "basiq", fault: "500", times: 20 });
  const sent = await send(world, token, typed());
  expect(sent.headers.get("Location")).toBe(`/details/${token}?sent=yes&bank=unavailable`);
  expect(await payeesOf(actor)).toHaveLength(1);
  expect((await open(world, token)).view).toMatchObject({ state: "closed", leadsToBank: true });
  await world.clearFaults();
  const later = await send(world, token, { intent: "continue" });
  expect(later.headers.get("Location")).toBe("/bank-consent/continue");
});

test.each([false, true])(
  "an account that is a payee's already makes no second payee (archived: %s)",
  async (isArchived) => {
    const world = aWorld();
    const { actor, token } = await askedPayee(world);
    const known = await anAddedPayee(world, actor, { accountNumber: "00123456" });
    if (isArchived) await archivePayee(world, actor, known.payeeId);
    const sent = await send(world, token, typed({ bsb: known.details.bsb, accountNumber: "123456" }));
    expect(sent.headers.get("Location")).toBe(`/details/${token}?sent=yes`);
    expect(await payeesOf(actor)).toHaveLength(1);
    expect(await requestOf(actor)).toMatchObject({ status: "answered", isDuplicate: true, payeeId: known.payeeId });
    const [told] = await alertsAbout(world, actor.organizationId, "details_received");
    expect(told?.body).toContain("already one of your payees");
  },
);

test("a link ends when another is sent, with the request, and after a week; none of them takes details", async () => {
  const world = aWorld();
  const { actor, token } = await askedPayee(world);
  const { id: requestId } = await requestOf(actor);
  await post(world, actor, { intent: "resend", requestId });
  await world.drain();
  const newest = await newestToken(world);
  expect((await open(world, token)).status).toBe(404);
  expect((await open(world, newest)).status).toBe(200);
  world.clock.advance(7 * DAY_MS);
  expect(await open(world, newest)).toMatchObject({ status: 410, view: { title: "Link Expired" } });
  await send(world, newest, typed());
  await post(world, actor, { intent: "cancel", requestId });
  expect(await open(world, newest)).toMatchObject({ status: 410, view: { title: "This request was cancelled" } });
  await send(world, newest, typed());
  expect(await payeesOf(actor)).toEqual([]);
});

test("requests are an organisation's own: others neither see nor end them", async () => {
  const world = aWorld();
  const { actor } = await askedPayee(world);
  const { id: requestId } = await requestOf(actor);
  const other = await aMember(world);
  const list = async (who: Actor) =>
    (await listPage(await routeArgs(world, who, PAGE))) as unknown as { rows: { id: string; state: string }[] };
  expect((await list(actor)).rows).toMatchObject([{ id: requestId, state: "open" }]);
  expect((await list(other)).rows).toEqual([]);
  for (const intent of ["resend", "cancel"]) {
    const refused = await post(world, other, { intent, requestId }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ init: { status: 404 } });
  }
});

test.each([
  [{ name: "Visit bank-safe.com", email: "a@b.example" }, "name", "A name cannot contain a web address"],
  [{ name: "Acme", email: "" }, "email", "Enter an email address or a mobile number"],
  [{ name: "Acme", email: "", phone: "02 9374 4000" }, "phone", "A text message needs a mobile number"],
  [{ name: "Acme", email: "a@b.example", note: "see www.x.example" }, "note", "The note cannot contain a web address"],
] as const)("%j is refused beside the field %s", async (form, field, sentence) => {
  const world = aWorld();
  const actor = await aMember(world);
  const refused = (await post(world, actor, { intent: "ask", ...form })) as unknown as {
    data: { errors: Record<string, string[]> };
    init: { status: number };
  };
  expect(refused.init.status).toBe(400);
  expect(refused.data.errors[field]?.[0]).toContain(sentence);
});
