import { bankChecks, healthRuns, payeeFindings, payees } from "@db/database";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import type { FormAnswer } from "~/components/forms/form";
import { archivePayee } from "~/modules/payees/archive-payee.server";
import type { RiskView } from "~/modules/payees/payee-health/health";
import { keepAnswer } from "~/modules/payees/verifications/account-questions.server";
import * as list from "~/routes/_app+/payees._index";
import * as one from "~/routes/_app+/payees.$id";
import * as known from "~/routes/_app+/payees.known";
import * as adding from "~/routes/_app+/payees.verify";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../support/factories";
import { aColleague, anAddedPayee, peek, readPayee } from "../support/payees";
import { aPayment } from "../support/payments";
import { routeArgs } from "../support/requests";
import { type TestServices, testServices } from "../support/services";
import { test } from "../support/signed-in";

type Answered<T> = { data: T; init: { status: number } };

/** What an action refused with. */
const answered = <T>(result: unknown) => result as Answered<T>;

/** What a loader or action threw, as pages throw it. */
async function thrown(promise: Promise<unknown>): Promise<{ status: number; code: string }> {
  const error = (await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )) as Answered<{ code: string }> | undefined;
  if (!error) throw new Error("nothing was thrown");
  return { status: error.init.status, code: error.data.code };
}

let accounts = 51_000_000;
const typed = (given: Record<string, string> = {}) => ({
  name: "Spinifex Print",
  accountName: "Spinifex Print Pty Ltd",
  bsb: "062 000",
  accountNumber: String(accounts++),
  abn: "",
  email: "",
  phone: "",
  address: "",
  ...given,
});

test("adding on the page leads to the verification with a message", async ({ services, actor }) => {
  const submissionId = services.ids.next();
  const form = { ...typed(), submissionId };
  const add = async () =>
    (await adding.action(await routeArgs(services, actor, "/payees/verify", {}, { form }))) as Response;
  const first = await add();
  expect(first.status).toBe(303);
  expect(first.headers.get("Location")).toMatch(/^\/verifications\/[0-9a-f-]{36}$/);
  expect(first.headers.get("Set-Cookie")).toMatch(/^flash=/);
  expect((await add()).headers.get("Location")).toBe(first.headers.get("Location"));
  expect(await peek.select().from(payees).where(eq(payees.organizationId, actor.organizationId))).toHaveLength(1);
});

test("a wrong form comes back with everything typed and a sentence by each field", async ({ services, actor }) => {
  const form = typed({ bsb: "062 00", abn: "51 824 753 557", address: "1 King St" });
  const result = await adding.action(await routeArgs(services, actor, "/payees/verify", {}, { form }));
  const { data, init } = answered<FormAnswer>(result);
  expect(init.status).toBe(400);
  expect(data.values).toEqual(form);
  expect(Object.keys(data.errors).sort()).toEqual(["abn", "bsb"]);
});

test("an account that is there already comes back with the payee that has it", async ({ services, actor }) => {
  const { payeeId, details } = await anAddedPayee(services, actor);
  const form = typed({ accountNumber: details.accountNumber });
  const result = await adding.action(await routeArgs(services, actor, "/payees/verify", {}, { form }));
  const { data, init } = answered<FormAnswer>(result);
  expect(init.status).toBe(409);
  expect(data).toMatchObject({ code: "DUPLICATE_PAYEE", extra: { payeeId, payeeName: details.name }, values: form });
});

test("the list carries masked numbers only", async ({ services, actor }) => {
  const { details } = await anAddedPayee(services, actor);
  const page = await list.loader(await routeArgs(services, actor, "/payees"));
  expect(JSON.stringify(page)).not.toContain(details.accountNumber);
  expect(page.rows[0]?.maskedAccountNumber.endsWith(details.accountNumber.slice(-3))).toBe(true);
  expect(page.counts).toMatchObject({ all: 1, pending: 1 });
});

test("the payee's page whitelists by hand, and says what is missing", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const post = async (form: Record<string, string>) =>
    one.action(await routeArgs(services, actor, `/payees/${payeeId}`, { id: payeeId }, { form }));
  const refused = answered<FormAnswer>(await post({ intent: "whitelist", reason: " ", version: "1" }));
  expect(refused).toMatchObject({
    init: { status: 400 },
    data: { intent: "whitelist", formErrors: [], values: { reason: " " } },
  });
  const done = (await post({ intent: "whitelist", reason: "Confirmed by phone", version: "1" })) as Response;
  expect(done.headers.get("Location")).toBe(`/payees/${payeeId}`);
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: true });
  const stale = answered(await post({ intent: "unwhitelist", reason: "No longer needed", version: "1" }));
  expect(stale.init.status).toBe(409);
});

test("the payee's page starts a new verification only while none waits", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const form = { intent: "verify" };
  const result = await one.action(await routeArgs(services, actor, `/payees/${payeeId}`, { id: payeeId }, { form }));
  expect(answered(result).init.status).toBe(409);
});

test("read_only people see the pages and change nothing; strangers find nothing", async ({
  services,
  actor: owner,
}) => {
  const reader = await aColleague(services, owner, { role: "read_only" });
  const stranger = await aMember(services);
  const { payeeId } = await anAddedPayee(services, owner);
  const at = (who: typeof owner, form?: Record<string, string>) =>
    routeArgs(services, who, `/payees/${payeeId}`, { id: payeeId }, form ? { form } : {});
  expect((await one.loader(await at(reader))).canWrite).toBe(false);
  expect(await thrown(one.action(await at(reader, { intent: "verify" })))).toEqual({ status: 403, code: "READ_ONLY" });
  const refused = answered<FormAnswer>(await adding.action(await at(reader, typed())));
  expect([refused.init.status, refused.data.code]).toEqual([403, "READ_ONLY"]);
  expect(await thrown(one.loader(await at(stranger)))).toEqual({ status: 404, code: "NOT_FOUND" });
  expect(await thrown(one.action(await at(stranger, { intent: "verify" })))).toEqual({
    status: 404,
    code: "NOT_FOUND",
  });
});

test("the form says who has the account or ABN already, as a step and while it is typed, and to its own organisation only", async () => {
  const services = testServices();
  const [actor, other] = [await aMember(services), await aMember(services)];
  const { payeeId } = await anAddedPayee(services, actor, { accountNumber: "00778812", abn: "51824753556" });
  await archivePayee(services, actor, payeeId);
  const form = typed({ bsb: "062-000", accountNumber: "778812", abn: "53 004 085 616" });
  const asking = await routeArgs(services, actor, "/payees/verify", {}, { form: { ...form, intent: "known" } });
  const { data } = answered<FormAnswer>(await adding.action(asking));
  const sentence = "already has this account. It is archived; restore it instead.";
  expect(data).toMatchObject({ code: "NEXT_STEP", extra: { known: [{ href: `/payees/${payeeId}`, sentence }] } });
  expect(data.values.accountNumber).toBe("778812");

  const look = async (who: Actor, typing: Record<string, string>) =>
    (await known.action(await routeArgs(services, who, "/payees/known", {}, { form: typing }))).json();
  expect(await look(actor, { abn: "51 824 753 556" })).toMatchObject({ known: [{ href: `/payees/${payeeId}` }] });
  for (const [who, typing] of [
    [actor, { ...form, payeeId }],
    [actor, { bsb: "06", accountNumber: "778812", abn: "51" }],
    [other, { ...form, abn: "51824753556" }],
  ] as const) {
    expect(await look(who, typing)).toEqual({ known: [] });
  }
});

test("several payees are archived and restored at once; each that stays says why, and of another organisation's nothing is said", async () => {
  const services = testServices();
  const [actor, other] = [await aMember(services), await aMember(services)];
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push((await anAddedPayee(services, actor)).payeeId);
  const foreign = (await anAddedPayee(services, other)).payeeId;
  await aPayment(services, actor, ids[2] ?? "");
  const post = (intent: string) => postChosen(services, actor, intent, [...ids, foreign]);
  const areArchived = () => Promise.all([...ids, foreign].map(async (id) => (await readPayee(id)).archivedAt !== null));

  const answer = await readAnswer(await post("archive"));
  expect(answer.extra?.acted).toMatchObject({
    title: "2 payees archived, 2 stayed as they were",
    kept: [{ payeeId: ids[2], sentence: expect.stringContaining("A payment to this payee is held") }],
  });
  expect(await areArchived()).toEqual([true, true, false, false]);
  expect(((await postChosen(services, actor, "restore", ids)) as Response).status).toBe(303);
  expect(await areArchived()).toEqual([false, false, false, false]);
  expect(await readAnswer(await postChosen(services, actor, "archive", []))).toMatchObject({
    errors: { payeeId: ["Tick the payees first"] },
  });
});

test("ticked payees are counted for a bulk check, and nobody is asked", async ({ services, actor }) => {
  const { payeeId } = await anAddedPayee(services, actor);
  const answer = (await postChosen(services, actor, "check", [payeeId])) as Response;
  expect(answer.headers.get("Location")).toMatch(/^\/payees\/checks\/[-0-9a-f]{36}$/);
  expect(await peek.select().from(bankChecks).where(eq(bankChecks.organizationId, actor.organizationId))).toEqual([]);
  const stranger = await aMember(services);
  expect(await readAnswer(await postChosen(services, stranger, "check", [payeeId]))).toMatchObject({
    errors: { payeeIds: [`Your organisation has no payee ${payeeId}`] },
  });
});

test("each row says its risk in a word: what the last health report found, less what was done since", async () => {
  const services = testServices();
  const admin = await aMember(services, { role: "admin" });
  const { payeeId, details } = await anAddedPayee(services, admin, { email: null });
  const riskFor = async (actor: Actor) => {
    const { rows } = (await list.loader(await routeArgs(services, actor, "/payees?index", {}))) as unknown as {
      rows: { risk: RiskView }[];
    };
    return rows[0]?.risk;
  };
  expect(await riskFor(admin)).toMatchObject({ word: "Medium", note: null });
  const run = { id: services.ids.next(), organizationId: admin.organizationId, status: "finished" as const };
  const totals = {
    never_verified: { count: 1, cents: 0 },
    no_contact: { count: 1, cents: 0 },
    staff_account: { count: 1, cents: 0 },
  };
  await peek.insert(healthRuns).values({ ...run, totals, startedAt: services.clock.now() + 1 });
  const finding = { organizationId: admin.organizationId, runId: run.id, payeeId, detail: "", paidCents: 0 };
  const kinds = ["never_verified", "no_contact", "staff_account"] as const;
  await peek.insert(payeeFindings).values(kinds.map((kind) => ({ ...finding, kind })));
  expect(await riskFor(admin)).toMatchObject({ word: "High", note: "Staff account +1" });
  const member = await aColleague(services, admin);
  expect(await riskFor(member)).toMatchObject({ word: "Medium", title: "Never verified. No contact." });
  await peek.update(payees).set({ whitelisted: true, whitelistedAt: 1 }).where(eq(payees.id, payeeId));
  expect(await riskFor(member)).toMatchObject({ word: "Low", title: "No contact." });
  const said = { outcome: "account_closed", reasonCode: null, resultData: null, verificationId: null } as const;
  await keepAnswer(services, admin.organizationId, details, said);
  expect(await riskFor(member)).toMatchObject({ word: "Medium", title: "Not confirmed by the bank. No contact." });
});

async function postChosen(services: TestServices, actor: Actor, intent: string, ids: readonly string[]) {
  const body = new URLSearchParams([["intent", intent], ...ids.map((id) => ["payeeId", id])]);
  const args = await routeArgs(services, actor, "/payees?index", {}, { form: {} });
  const headers = new Headers(args.request.headers);
  const request = new Request(args.request.url, { method: "POST", headers, body: body.toString() });
  return list.action({ ...args, request });
}

const readAnswer = async (answer: unknown) => (answer as { data: FormAnswer }).data;
