import { organizationPolicies, payees, verifications } from "@db/database";
import { and, eq, type SQL } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { MINUTE_MS } from "~/kernel/dates";
import { requestSync } from "~/modules/connections/connect.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import { unwhitelistByHand, whitelistByHand } from "~/modules/payees/whitelist-by-hand.server";
import { factsHold, gatherFacts } from "~/modules/payments/payment-facts/facts.server";
import { clearFile } from "~/modules/payments/payment-files/clear-file.server";
import { decideLines } from "~/modules/payments/payment-files/decide-lines.server";
import { findApprovalOfVerification } from "~/modules/verifying/review/review.server";
import { loader as payeePage } from "~/routes/_app+/payees.$id";
import { action as takeOver } from "~/routes/_app+/payees.$id_.accounting";
import { loader as paymentPage } from "~/routes/_app+/payments.$id";
import { loader as verificationPage } from "~/routes/_app+/verifications.$id";
import type { Actor } from "~/services-and-actor";
import { addInXero, connectMyob, connectXero, editInXero, XERO_CONTACTS } from "../support/accounting";
import { aMember } from "../support/factories";
import { aColleague, alertsAbout, peek, readPayee, refusal } from "../support/payees";
import { anUploadedFile, linesOf } from "../support/payment-files";
import { readPayment } from "../support/payments";
import { routeArgs } from "../support/requests";
import { aWorld, type World } from "../support/simulators";

const { action: whitelist } = routeOf("/api/payees/{id}/whitelist");
const { action: record } = routeOf("/api/payments");
const { action: decide } = routeOf("/api/payments/{id}/decision");
const { action: review } = routeOf("/api/verifications/{id}/review");

/**
 * "A supplier from the accounting system is nobody's own work": a clerk enters an account as a supplier in Xero, approves
 * it here and pays $9,900, and nobody is told. Played through the routes, with the simulated Xero.
 */

const SUPPLIER = { name: "Borealis Freight", bankAccount: "063-001 99887766" };
const NINE_THOUSAND_NINE_HUNDRED = 990_000;
const APPROVAL = { approved: true, addToGlobalWhitelist: false, reason: "Compared with the invoice" };

type Answer = { status: number; body: Record<string, unknown> & { code?: string } };

const call = async (response: unknown): Promise<Answer> => {
  if (!(response instanceof Response)) throw new Error("not a response");
  return { status: response.status, body: await response.json() };
};

/** An organisation that requires a second person. The boss has connected Xero; everybody has a different name. */
type Setting = { secondPersonRequired?: boolean; connect?: (world: World, actor: Actor) => Promise<unknown> };

async function anOffice({ secondPersonRequired = true, connect = connectXero }: Setting = {}) {
  const world = aWorld();
  const boss = await aMember(world, { role: "admin", firstName: "Bea" });
  const clerk = await aColleague(world, boss, { role: "admin", firstName: "Clem" });
  const colleague = await aColleague(world, boss, { firstName: "Cora" });
  const { organizationId } = boss;
  await peek.insert(organizationPolicies).values({ organizationId, secondPersonRequired, updatedAt: 1 });
  await connect(world, boss);
  await world.drain();
  world.clock.advance(MINUTE_MS);
  return { world, boss, clerk, colleague, organizationId };
}

type Office = Awaited<ReturnType<typeof anOffice>>;

/** The payee and its verification, as the sync made them. */
async function theSupplier({ organizationId }: { organizationId: string }, name = SUPPLIER.name) {
  const [payee] = await peek
    .select()
    .from(payees)
    .where(and(eq(payees.organizationId, organizationId), eq(payees.name, name)));
  if (!payee) throw new Error(`no payee ${name}`);
  return { payeeId: payee.id, payee, verificationId: await openVerification(payee.id) };
}

async function openVerification(payeeId: string) {
  const [open] = await peek
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.payeeId, payeeId), eq(verifications.status, "pending")));
  return open?.id ?? "";
}

/** A supplier is entered in Xero under this name, and read. */
async function entered(office: Office, user: string) {
  await addInXero(office.world, { ...SUPPLIER, user });
  await office.world.drain();
  return theSupplier(office);
}

const nameOf = ({ firstName, lastName }: Actor) => `${firstName} ${lastName}`;

const approve = async (world: World, actor: Actor, id: string) =>
  call(await review(await routeArgs(world, actor, "/api", { id }, { json: APPROVAL })));

const pay = async (world: World, actor: Actor, payeeId: string, amount = NINE_THOUSAND_NINE_HUNDRED) =>
  call(
    await record(
      await routeArgs(world, actor, "/api/payments", {}, { json: { payeeId, amount, reference: `BF-${amount}` } }),
    ),
  );

const decideAs = async (world: World, actor: Actor, id: string) =>
  call(
    await decide(
      await routeArgs(world, actor, "/api", { id }, { json: { decision: "approve", reason: "Looks right" } }),
    ),
  );

const rulesOf = ({ body }: Answer) => (body.reasons as { rule: string }[]).map(({ rule }) => rule);
const paymentIdOf = ({ body }: Answer) => (body.payment as { id: string }).id;
const told = async ({ world, organizationId }: Office) =>
  (await alertsAbout(world, organizationId, "first_payment_from_accounting")).map(({ userId, title, body }) => ({
    userId,
    said: `${title}. ${body}`,
  }));

test("a clerk enters an account as a supplier in Xero, approves it here and pays $9,900: refused at the approval", async () => {
  const office = await anOffice();
  const { world, boss, clerk, colleague } = office;
  const { payeeId, payee, verificationId } = await entered(office, nameOf(clerk));
  expect(payee.accountingOrigins).toMatchObject([
    {
      system: "xero",
      editedBy: nameOf(clerk),
      editorIds: [clerk.userId],
      isEditorKnown: true,
      connectedById: boss.userId,
    },
  ]);

  const refused = await approve(world, clerk, verificationId);
  expect(refused).toMatchObject({ status: 403, body: { code: "SECOND_PERSON_REQUIRED" } });
  const byHand = await whitelist(
    await routeArgs(world, clerk, "/api", { id: payeeId }, { json: { reason: "Known for years" } }),
  );
  expect(await call(byHand)).toMatchObject({ status: 403, body: { code: "SECOND_PERSON_REQUIRED" } });

  const held = await pay(world, clerk, payeeId);
  expect([held.body.decision, rulesOf(held)]).toEqual(["held", ["payee_not_trusted"]]);
  expect(await decideAs(world, clerk, paymentIdOf(held))).toMatchObject({ status: 403 });
  expect(await told(office)).toEqual([]);

  // The boss connected Xero, so they are not a second person either. A colleague is.
  expect(await approve(world, boss, verificationId)).toMatchObject({ status: 403 });
  expect(await decideAs(world, boss, paymentIdOf(held))).toMatchObject({ status: 403 });
  expect(await approve(world, colleague, verificationId)).toMatchObject({ status: 200 });
  const paid = await pay(world, clerk, payeeId, 990_100);
  expect(paid.body).toMatchObject({ decision: "authorised", reasons: [] });
  const alerts = await told(office);
  expect(alerts.map(({ userId }) => userId).sort()).toEqual([boss.userId, colleague.userId].sort());
  expect(alerts[0]?.said).toBe(
    `First payment: $9,901.00 to Borealis Freight. Its bank details came from Xero, last edited there by ${nameOf(clerk)}. ${nameOf(clerk)} recorded the payment, and it was authorised. Check it before it is paid.`,
  );
});

test("a clerk who also connected Xero approves what came from there: refused, whoever edited it there", async () => {
  const office = await anOffice();
  const { world, boss } = office;
  const { payeeId, verificationId } = await entered(office, nameOf(office.colleague));
  expect(await approve(world, boss, verificationId)).toMatchObject({ status: 403 });
  const refused = await refusal(whitelistByHand(world, boss, { payeeId, reason: "Known for years" }));
  expect(refused).toMatchObject({ code: "SECOND_PERSON_REQUIRED" });
  // If another person connects Xero again, whoever connected it before still counts for what came in before.
  await connectXero(world, office.clerk);
  await world.drain();
  expect(await approve(world, boss, verificationId)).toMatchObject({ status: 403 });
});

test("the clerk has another name in Xero, approves and pays alone: the payment waits for another person", async () => {
  const office = await anOffice();
  const { world, clerk, colleague, boss } = office;
  const { payeeId, payee, verificationId } = await entered(office, "Ledger Admin");
  expect(payee.accountingOrigins).toMatchObject([{ editedBy: "Ledger Admin", editorIds: [], isEditorKnown: false }]);
  expect(await approve(world, clerk, verificationId)).toMatchObject({ status: 200 });

  const held = await pay(world, clerk, payeeId);
  expect([held.body.decision, rulesOf(held)]).toEqual(["held", ["one_person"]]);
  expect(await decideAs(world, clerk, paymentIdOf(held))).toMatchObject({ status: 403 });
  expect(await told(office)).toEqual([]);
  expect(await decideAs(world, boss, paymentIdOf(held))).toMatchObject({
    status: 403,
    body: { code: "SECOND_PERSON_REQUIRED" },
  });
  expect(await decideAs(world, colleague, paymentIdOf(held))).toMatchObject({ status: 200 });
  const alerts = await told(office);
  expect(alerts.map(({ userId }) => userId).sort()).toEqual([boss.userId, clerk.userId].sort());
  expect(alerts[0]?.said).toContain("it is not known who entered them there (the last edit is by Ledger Admin).");
  expect(alerts[0]?.said).toContain(`${nameOf(colleague)} approved the payment`);

  // The next one waits as well, and is not a first payment.
  const next = await pay(world, clerk, payeeId, 990_200);
  expect(rulesOf(next)).toEqual(["one_person"]);
  // Another person pays what the clerk approved: two have looked.
  expect((await pay(world, colleague, payeeId, 990_300)).body.decision).toBe("authorised");
  expect(await told(office)).toHaveLength(2);
});

test("MYOB keeps no history, so nothing that comes from there is paid by one person", async () => {
  const office = await anOffice({ connect: connectMyob });
  const { world, clerk, colleague, organizationId } = office;
  const all = await peek.select().from(payees).where(eq(payees.organizationId, organizationId));
  expect(all.length).toBeGreaterThan(0);
  expect(all.every(({ accountingOrigins }) => accountingOrigins?.[0]?.isEditorKnown === false)).toBe(true);
  const payeeId = all[0]?.id ?? "";
  expect(await approve(world, clerk, await openVerification(payeeId))).toMatchObject({ status: 200 });
  // The bills that MYOB has are of other amounts, which is a reason of its own.
  const byColleague = rulesOf(await pay(world, colleague, payeeId));
  expect(byColleague).not.toContain("one_person");
  expect(rulesOf(await pay(world, clerk, payeeId, 990_100)).sort()).toEqual([...byColleague, "one_person"].sort());
});

test("a first reading of many suppliers asks for no history, and nobody is known to have entered them", async () => {
  const world = aWorld();
  const boss = await aMember(world, { role: "admin" });
  for (let nth = 0; nth < 9; nth++) {
    await addInXero(world, { name: `Supplier ${nth}`, bankAccount: `062-000 4455660${nth}`, user: nameOf(boss) });
  }
  await connectXero(world, boss);
  await world.drain();
  const { payee } = await theSupplier(boss, "Supplier 3");
  expect(payee.accountingOrigins).toMatchObject([{ editorIds: [], isEditorKnown: false, editedBy: null }]);
});

test("without the rule of a second person nobody is refused, and the first payment is told all the same", async () => {
  const office = await anOffice({ secondPersonRequired: false });
  const { world, boss, clerk, colleague } = office;
  const { payeeId, verificationId } = await entered(office, "Ledger Admin");
  expect(await approve(world, clerk, verificationId)).toMatchObject({ status: 200 });
  expect((await pay(world, clerk, payeeId)).body.decision).toBe("authorised");
  const alerts = await told(office);
  expect(alerts.map(({ userId }) => userId).sort()).toEqual([boss.userId, colleague.userId].sort());
});

test("a clerk changes an account in Xero, a colleague takes it over here, the clerk approves: refused", async () => {
  const office = await anOffice();
  const { world, boss, clerk, colleague } = office;
  const { payeeId, verificationId } = await theSupplier(office, "Kookaburra Couriers");
  expect(await approve(world, colleague, verificationId)).toMatchObject({ status: 200 });
  // It is read once more with its former account: who created it there long ago did not change it.
  world.clock.advance(10 * MINUTE_MS);
  await requestSync(world, boss, { system: "xero", all: false });
  await world.drain();
  await editInXero(world, XERO_CONTACTS.kookaburra, { ...SUPPLIER, name: "Kookaburra Couriers", user: nameOf(clerk) });
  await world.drain();

  const [there] = (await readPayee(payeeId)).accountingOrigins ?? [];
  const { key } = await shownChange(world, colleague, payeeId);
  const form = { intent: "use", key };
  await takeOver(await routeArgs(world, colleague, "/", { id: payeeId }, { form, headers: { Accept: "text/html" } }));
  expect((await readPayee(payeeId)).accountingOrigins).toMatchObject([
    there,
    { accountNumber: "99887766", editedBy: nameOf(clerk), editorIds: [clerk.userId], isEditorKnown: true },
  ]);
  const open = await openVerification(payeeId);
  expect(await approve(world, clerk, open)).toMatchObject({ status: 403 });
  expect(await approve(world, colleague, open)).toMatchObject({ status: 403 });
  const third = await aColleague(world, clerk, { firstName: "Tess" });
  expect(await approve(world, third, open)).toMatchObject({ status: 200 });
});

test("typing the account again instead of taking it over hides nobody who entered it in Xero", async () => {
  const office = await anOffice();
  const { world, clerk, colleague } = office;
  const { payeeId, verificationId } = await theSupplier(office, "Kookaburra Couriers");
  await approve(world, colleague, verificationId);
  await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: SUPPLIER.bankAccount, user: nameOf(clerk) });
  await world.drain();
  await editPayee(world, colleague, { payeeId, patch: { bsb: "063001", accountNumber: "0099887766".slice(1) } });
  const open = await getVerification(world, clerk, await openVerification(payeeId));
  const { enteredBy } = await findApprovalOfVerification(world, clerk, open);
  expect(enteredBy.has(clerk.userId)).toBe(true);
  // A number that a person found elsewhere is that person's work alone.
  await editPayee(world, colleague, { payeeId, patch: { bsb: "082001", accountNumber: "5550123" } });
  expect(await approve(world, clerk, await openVerification(payeeId))).toMatchObject({ status: 200 });
});

async function shownChange(world: World, actor: Actor, id: string) {
  const { accountChanges } = await payeePage(await routeArgs(world, actor, "/", { id }));
  const [change] = accountChanges;
  if (!change) throw new Error("no change is shown");
  return change;
}

test("in a payment file: who approved the account and uploaded the file waits for another person, line by line and in bulk", async () => {
  const office = await anOffice();
  const { world, boss, clerk, colleague } = office;
  const { payeeId, payee, verificationId } = await entered(office, "Ledger Admin");
  await approve(world, clerk, verificationId);
  const line = { accountName: payee.accountName, bsb: payee.bsb, accountNumber: payee.accountNumber, amount: 990_000 };
  const { fileId } = await anUploadedFile(world, clerk, [line]);
  const [stored] = await linesOf(fileId);
  expect([stored?.status, stored?.reasons.map(({ rule }) => rule)]).toEqual(["held", ["one_person"]]);

  const deciding = (actor: Actor, choice: Parameters<typeof decideLines>[2]["choice"]) =>
    decideLines(world, actor, { fileId, choice, decision: "approve", reason: "Checked" });
  for (const choice of [{ lines: [stored?.line ?? 0] }, { rule: "one_person" }, { payeeId }]) {
    for (const actor of [clerk, boss]) {
      expect(await refusal(deciding(actor, choice))).toMatchObject({ code: "SECOND_PERSON_REQUIRED" });
    }
  }
  await deciding(colleague, { rule: "one_person" });
  await clearFile(world, clerk, { fileId });
  const alerts = await told(office);
  expect(alerts.map(({ userId }) => userId).sort()).toEqual([boss.userId, colleague.userId].sort());
  expect(alerts[0]?.said).toContain("First payment: $9,900.00 to Borealis Freight.");
  expect(alerts[0]?.said).toContain(`${nameOf(clerk)} cleared the payment file.`);
});

test("a file that a colleague's approval let through is held again at clearing when the uploader has approved since", async () => {
  const office = await anOffice();
  const { world, clerk, colleague } = office;
  const { payeeId, payee, verificationId } = await entered(office, "Ledger Admin");
  await approve(world, colleague, verificationId);
  const line = { accountName: payee.accountName, bsb: payee.bsb, accountNumber: payee.accountNumber };
  const { fileId } = await anUploadedFile(world, clerk, [line]);
  expect((await linesOf(fileId))[0]?.status).toBe("authorised");
  await unwhitelistByHand(world, clerk, { payeeId, reason: "To put it on again" });
  await whitelistByHand(world, clerk, { payeeId, reason: "It is fine" });
  expect(await refusal(clearFile(world, clerk, { fileId }))).toMatchObject({ code: "LINES_HELD_AGAIN" });
  expect((await linesOf(fileId))[0]).toMatchObject({
    status: "held",
    reasons: [{ rule: "one_person", level: "hold" }],
  });
});

test("whose approval it rests on is proved once more when a payment commits", async () => {
  const office = await anOffice();
  const { world, clerk, colleague, organizationId } = office;
  const { payeeId, verificationId } = await entered(office, "Ledger Admin");
  await approve(world, colleague, verificationId);
  const context = { organizationId, recordedById: clerk.userId, nameWidth: null };
  const { facts } = await gatherFacts(world, context, [{ to: { payeeId }, amount: 990_000, reference: "BF-1" }]);
  expect(facts[0]?.accountingOrigin).toMatchObject({ isOnePerson: false, isFirstPayment: true });
  const holds = async () => {
    const [asSeen] = factsHold({ organizationId }, facts);
    return asSeen ? (await peek.all(asSeen.found as SQL)).length > 0 : undefined;
  };
  expect(await holds()).toBe(true);
  await unwhitelistByHand(world, clerk, { payeeId, reason: "To put it on again" });
  await whitelistByHand(world, clerk, { payeeId, reason: "It is fine" });
  expect(await holds()).toBe(false);
  const held = await pay(world, clerk, payeeId);
  expect(rulesOf(held)).toEqual(["one_person"]);
  expect((await readPayment(paymentIdOf(held))).status).toBe("held");
});

test("the pages of payee, verification and payment say where the details came from and who has to approve them", async () => {
  const office = await anOffice();
  const { world, boss, clerk, colleague } = office;
  const { payeeId, verificationId } = await entered(office, "Ledger Admin");
  const waiting = {
    title: "These bank details came from Xero",
    text: `They arrived on 20 Nov 2026. It is not known who entered them there (the last edit is by Ledger Admin), so two people have to check: someone other than ${nameOf(boss)}, who connected Xero, has to approve them, and a payment that the same person records waits for another person.`,
  };
  const onPayee = async () => (await payeePage(await routeArgs(world, boss, "/", { id: payeeId }))).payee.origin;
  expect(await onPayee()).toEqual(waiting);
  const seen = await verificationPage(await routeArgs(world, boss, "/", { id: verificationId }));
  expect(seen.view.origin).toEqual(waiting);
  expect(seen.view.approving.bar?.text).toContain("connected that system");
  expect(seen.view.approving.bar?.text).toMatch(/C(lem|ora) .*, C(lem|ora) .* can approve this/);

  const held = await pay(world, clerk, payeeId);
  const onPayment = async () =>
    (await paymentPage(await routeArgs(world, boss, "/", { id: paymentIdOf(held) }))) as {
      view: { origin: unknown };
      approvers: string | null;
    };
  expect((await onPayment()).view.origin).toEqual(waiting);
  expect((await onPayment()).approvers).toBe(`${nameOf(colleague)} may approve it.`);

  await approve(world, colleague, verificationId);
  const approved = {
    title: waiting.title,
    text: "They arrived on 20 Nov 2026. It is not known who entered them there (the last edit is by Ledger Admin), so two people have to check: whoever approved them cannot pay them alone.",
  };
  expect(await onPayee()).toEqual(approved);
  expect((await onPayment()).view.origin).toEqual(approved);
  await editPayee(world, colleague, { payeeId, patch: { bsb: "082001", accountNumber: "5550123" } });
  expect(await onPayee()).toBeNull();
});

test("a colleague who edits the phone in Xero afterwards takes nobody off", async () => {
  const office = await anOffice();
  const { world, clerk, colleague } = office;
  world.lose.webhooks = true;
  const answer = await addInXero(world, { ...SUPPLIER, user: nameOf(clerk) });
  const contactId = (answer.headers.get("location") ?? "").split("/").at(-1) ?? "";
  world.clock.advance(MINUTE_MS);
  await editInXero(world, contactId, { email: "pay@borealis.example", user: nameOf(colleague) });
  world.lose.webhooks = false;
  await editInXero(world, contactId, { user: nameOf(colleague) });
  await world.drain();
  const { payee, verificationId } = await theSupplier(office);
  expect(payee.accountingOrigins).toMatchObject([{ editedBy: nameOf(colleague), isEditorKnown: true }]);
  expect(await approve(world, clerk, verificationId)).toMatchObject({ status: 403 });
  expect(await approve(world, colleague, verificationId)).toMatchObject({ status: 403 });
});

test("a Xero that does not answer who edited a supplier leaves it unknown, and the supplier comes in all the same", async () => {
  const office = await anOffice();
  await office.world.fault({ party: "xero", fault: "503", times: 3, path: "/History" });
  const { payee } = await entered(office, nameOf(office.clerk));
  expect(payee.accountingOrigins).toMatchObject([{ editorIds: [], isEditorKnown: false }]);
});
