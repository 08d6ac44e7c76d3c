import {
  accountingBills,
  accountingPayments,
  auditLogs,
  organizationIntegrations,
  outbox,
  verifications,
} from "@db/database";
import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "~/kernel/dates";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { promoteEarnedPayees } from "~/modules/payees/whitelist/promotion.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import type { NewPayment } from "~/modules/payments/payment";
import { recordPayment } from "~/modules/payments/record-payment.server";
import { replayPayment } from "~/modules/payments/replay.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { Actor } from "~/services-and-actor";
import {
  actOnBill,
  actOnPayment,
  addBillInXero,
  connectMyob,
  connectXero,
  XERO_CONTACTS,
} from "../../../tests/support/accounting";
import { aMember } from "../../../tests/support/factories";
import { leaveWhatOthersLeft } from "../../../tests/support/left-by-others";
import { alertsAbout, anAddedPayee, peek, readPayee } from "../../../tests/support/payees";
import { aNewPayment, aTrustedPayee, readPayment, stepsOf } from "../../../tests/support/payments";
import { aWorld, type World } from "../../../tests/support/simulators";
import { disconnectSystem, requestSync } from "./connect.server";
import { stopNotes } from "./notes.server";
import { pollAccounting } from "./sync.server";

/** Approved bills and payments from accounting systems, over the real wire format. */

beforeEach(leaveWhatOthersLeft);

const KOOKABURRA = {
  name: "Kookaburra Couriers",
  accountName: "Kookaburra Couriers",
  bsb: "033002",
  accountNumber: "445566",
};

/** A trusted payee that is a supplier in Xero, with an approved bill of $1,250.00 there. */
async function anOfficeWithABill(addPayee: typeof anAddedPayee = aTrustedPayee) {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  const { payeeId } = await addPayee(world, admin, KOOKABURRA);
  const contactId = XERO_CONTACTS.kookaburra;
  const billId = await addBillInXero(world, { contactId, number: "KC-77", amount: "1250.00" });
  await connectXero(world, admin);
  await world.drain();
  return { world, admin, payeeId, billId };
}

const billsOf = ({ organizationId }: Actor) =>
  peek
    .select()
    .from(accountingBills)
    .where(eq(accountingBills.organizationId, organizationId))
    .orderBy(accountingBills.number);

const seenOf = ({ organizationId }: Actor) =>
  peek.select().from(accountingPayments).where(eq(accountingPayments.organizationId, organizationId));

const entriesOf = ({ organizationId }: Actor, action: string) =>
  peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.action, action)));

async function check(world: World, admin: Actor, to: NewPayment["to"], given: Partial<NewPayment>) {
  const { decision, reasons } = await recordPayment(world, admin, { payment: aNewPayment(to, given) });
  return [decision, ...reasons.map(({ rule }) => rule)];
}

test("a payment is compared with approved bills: what fits passes, another amount or account is a reason", async () => {
  const { world, admin, payeeId } = await anOfficeWithABill();
  expect((await billsOf(admin)).map(({ number, status, amountDue }) => [number, status, amountDue])).toEqual([
    ["IB-2207", "open", 88_050],
    ["KC-77", "open", 125_000],
    ["WS-5501", "open", 540_000],
  ]);
  const to = { payeeId };
  expect(await check(world, admin, to, { reference: "kc 77", amount: 125_000 })).toEqual(["authorised"]);
  expect(await check(world, admin, to, { reference: "KC-77", amount: 126_000 })).toEqual([
    "held",
    "bill_amount_differs",
  ]);
  expect(await check(world, admin, to, { reference: "Freight", amount: 99_000 })).toEqual([
    "held",
    "bill_amount_differs",
  ]);
  expect(await check(world, admin, to, { reference: "WS-5501", amount: 540_000 })).toEqual([
    "held",
    "bill_account_differs",
    "bill_amount_differs",
  ]);
  const stranger = { accountName: "Wattle Stationary", bsb: "063001", accountNumber: "76543210" };
  expect(await check(world, admin, stranger, { reference: "WS-5501", amount: 1 })).toContain("bill_account_differs");
  expect(
    await check(world, admin, { ...stranger, accountName: "Q Ltd" }, { reference: "WS-5501", amount: 1 }),
  ).not.toContain("bill_account_differs");
});

test("the facts of a bill are kept with the decision, which answers the same when it is run again", async () => {
  const { world, admin, payeeId, billId } = await anOfficeWithABill();
  const payment = aNewPayment({ payeeId }, { reference: "KC-77", amount: 126_000 });
  const { payment: recorded } = await recordPayment(world, admin, { payment });
  await actOnBill(world, billId, { amount: "1260.00" });
  await world.drain();
  expect((await billsOf(admin)).find(({ number }) => number === "KC-77")).toMatchObject({ amountDue: 126_000 });
  expect(await replayPayment(world, admin, recorded.id)).toMatchObject({ isKept: true, different: [] });
  expect(await check(world, admin, { payeeId }, { reference: "KC-77", amount: 126_000 })).not.toContain(
    "bill_amount_differs",
  );
});

test("a bill that is voided in Xero is followed; without a connection nothing is said of bills", async () => {
  const { world, admin, payeeId, billId } = await anOfficeWithABill();
  await actOnBill(world, billId, { intent: "void" });
  await world.drain();
  const again = { reference: "KC-77", amount: 125_000 };
  expect(await check(world, admin, { payeeId }, again)).toEqual(["held", "bill_amount_differs"]);
  await disconnectSystem(world, admin, "xero");
  expect(await billsOf(admin)).toEqual([]);
  expect(await check(world, admin, { payeeId }, { ...again, reference: "KC-77 again" })).toEqual(["authorised"]);
});

test("a payment that Xero has reconciled is the outcome of the one recorded here, once, however often it is read", async () => {
  const { world, admin, payeeId, billId } = await anOfficeWithABill();
  const payment = aNewPayment({ payeeId }, { reference: "KC-77" });
  const { payment: recorded } = await recordPayment(world, admin, { payment });
  world.clock.advance(DAY_MS);
  await actOnBill(world, billId, { intent: "pay" });
  await world.drain();
  expect((await readPayment(recorded.id)).status).toBe("authorised");
  await actOnPayment(world, billId, "reconcile");
  await world.drain();
  for (const all of [true, false]) {
    await requestSync(world, admin, { system: "xero", all });
    await world.drain();
  }
  expect((await readPayment(recorded.id)).status).toBe("successful");
  expect(await stepsOf(recorded.id)).toMatchObject([{ toStatus: "successful", userId: null }]);
  expect((await readPayee(payeeId)).paymentCount).toBe(1);
  expect(await seenOf(admin)).toMatchObject([{ state: "outcome", recordId: recorded.id, billNumber: "KC-77" }]);
});

test("a payment to another account, or one not recorded here, is no outcome and counts for nothing", async () => {
  const { world, admin, payeeId, billId } = await anOfficeWithABill();
  const { payment: recorded } = await recordPayment(world, admin, {
    payment: aNewPayment({ payeeId }, { reference: "KC-77" }),
  });
  await actOnBill(world, billId, { intent: "pay", amount: "1250", bankAccount: "063-001 99887766", reconciled: "on" });
  const other = await addBillInXero(world, { contactId: XERO_CONTACTS.kookaburra, number: "KC-90", amount: "20" });
  await actOnBill(world, other, { intent: "pay", reconciled: "on" });
  await world.drain();
  expect((await readPayment(recorded.id)).status).toBe("authorised");
  expect(await seenOf(admin)).toMatchObject([{ state: "seen", recordId: null, amount: 2_000 }]);
  expect((await readPayee(payeeId)).paymentCount).toBe(0);
});

test("three reconciled payments whitelist a payee by themselves; one that is deleted there earns nothing and is told of", async () => {
  const { world, admin, payeeId } = await anOfficeWithABill(anAddedPayee);
  const contactId = XERO_CONTACTS.kookaburra;
  const pay = async (nth: number) => {
    const [number, amount] = [`KC-8${nth}`, `${nth}00`];
    const billId = await addBillInXero(world, { contactId, number, amount });
    await world.drain();
    const payment = aNewPayment({ payeeId }, { reference: number, amount: nth * 10_000 });
    const { payment: recorded } = await recordPayment(world, admin, { payment });
    const approval = { paymentId: recorded.id, decision: "approve", reason: "Called them" } as const;
    await decidePayment(world, admin, approval);
    world.clock.advance(DAY_MS);
    await actOnBill(world, billId, { intent: "pay", reconciled: "on" });
    await world.drain();
    expect((await readPayment(recorded.id)).status).toBe("successful");
    return billId;
  };
  await pay(1);
  await pay(2);
  await actOnPayment(world, await pay(3), "delete");
  await world.drain();
  expect(await alertsAbout(world, admin.organizationId, "payment_returned")).toMatchObject([
    { title: "Deleted in Xero: $300.00 to Kookaburra Couriers" },
  ]);
  expect(await entriesOf(admin, "payment.accounting_deleted")).toHaveLength(1);
  const isTrusted = async () => {
    await promoteEarnedPayees(world);
    return (await readPayee(payeeId)).whitelisted;
  };
  expect(await isTrusted()).toBe(false);
  await pay(4);
  expect(await isTrusted()).toBe(true);
});

test("open bills of MYOB are listed whole: one that is gone is open no more, and an unchanged list is not read again", async () => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  await connectMyob(world, admin);
  await world.drain();
  const BILL = "e0000000-0000-4000-8000-000000000001";
  const statuses = async () => (await billsOf(admin)).map(({ number, status }) => [number, status]);
  expect(await statuses()).toEqual([["BP-310", "open"]]);
  const poll = async () => {
    world.clock.advance(16 * MINUTE_MS);
    await pollAccounting(world);
    await world.drain();
  };
  const [before] = await billsOf(admin);
  await poll();
  expect(await billsOf(admin)).toEqual([before]);
  const calls = (await (await world.visit("/ledger.json?party=myob")).json()) as { path: string; status: number }[];
  expect(calls.filter(({ path }) => path.includes("/Purchase/Bill")).map(({ status }) => status)).toEqual([304, 200]);
  await world.visit(`/myob/bills/${BILL}`, { intent: "delete" });
  await poll();
  expect(await statuses()).toEqual([["BP-310", "gone"]]);
});

test("consent that does not cover bills leaves suppliers to be read, and the page says so", async () => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  const withoutScopes = ["accounting.invoices.read", "accounting.payments.read"];
  await connectXero(world, admin, undefined, { withoutScopes });
  await world.drain();
  const [connection] = await peek
    .select()
    .from(organizationIntegrations)
    .where(eq(organizationIntegrations.organizationId, admin.organizationId));
  expect(connection).toMatchObject({ status: "connected", counts: { added: 3 } });
  expect(connection?.lastError).toContain("does not allow PayeeProof to read bills");
});

test("an approved verification is noted in Xero once, where an admin allowed it, and with nothing more than the mask", async () => {
  const world = aWorld();
  const admin = await aMember(world, { role: "admin" });
  const history = async () => await (await world.visit(`/xero/contacts/${XERO_CONTACTS.kookaburra}`)).text();
  const approve = async (payee: Awaited<ReturnType<typeof anAddedPayee>>) => {
    const review = { approved: true, addToGlobalWhitelist: false, reason: "Called them" } as const;
    await reviewVerification(world, admin, { verificationId: payee.verificationId, review });
    world.clock.advance(16 * MINUTE_MS);
    await pollAccounting(world);
    await world.drain();
  };
  const { payeeId, ...payee } = await anAddedPayee(world, admin, KOOKABURRA);
  await connectXero(world, admin);
  await world.drain();
  await approve({ payeeId, ...payee });
  expect(await history()).not.toContain("PayeeProof");

  await connectXero(world, admin, undefined, { writesNotes: true });
  await world.drain();
  await editPayee(world, admin, { payeeId, patch: { accountName: "Kookaburra Couriers Ltd" } });
  const [open] = await peek
    .select()
    .from(verifications)
    .where(and(eq(verifications.payeeId, payeeId), eq(verifications.status, "pending")));
  for (const fault of ["401", "429", "lost_acknowledgement"]) {
    await world.fault({ party: "xero", fault, times: 1, path: "/History" });
  }
  await approve({ payeeId, ...payee, verificationId: open?.id ?? "" });
  await world.pass(5 * MINUTE_MS);
  const notes = (await history()).match(/Bank details verified by PayeeProof on [^<]*/g);
  expect(notes).toEqual([expect.stringMatching(/: account [^0-9]+566\. Approved by a person, no bank was asked\.$/)]);
  await stopNotes(world, admin, "xero");
  await expect(stopNotes(world, admin, "xero")).rejects.toMatchObject({ status: 404 });
});

const nextPoll = async (world: World) => {
  world.clock.advance(16 * MINUTE_MS);
  await pollAccounting(world);
  await world.drain();
};

test("a payment recorded here only after Xero reconciled it is matched at the next sync, once, if it was within a day", async () => {
  const { world, admin, payeeId, billId } = await anOfficeWithABill();
  const late = await addBillInXero(world, { contactId: XERO_CONTACTS.kookaburra, number: "KC-91", amount: "20" });
  for (const each of [billId, late]) await actOnBill(world, each, { intent: "pay", reconciled: "on" });
  await world.drain();
  await nextPoll(world);
  expect((await seenOf(admin)).map(({ state }) => state)).toEqual(["seen", "seen"]);
  const record = async (reference: string, amount: number) => {
    const payment = aNewPayment({ payeeId }, { reference, amount });
    return (await recordPayment(world, admin, { payment })).payment.id;
  };
  const first = await record("KC-77", 125_000);
  const twin = await record("KC-77 B", 125_000);
  for (let sync = 1; sync <= 2; sync++) await nextPoll(world);
  world.clock.advance(2 * DAY_MS);
  const tooLate = await record("KC-91", 2_000);
  for (let sync = 1; sync <= 2; sync++) await nextPoll(world);
  const statuses = await Promise.all([first, twin, tooLate].map(async (id) => (await readPayment(id)).status));
  expect(statuses).toEqual(["successful", "authorised", "authorised"]);
  expect(await stepsOf(first)).toHaveLength(1);
  expect((await readPayee(payeeId)).paymentCount).toBe(1);
});

/** A paid and reconciled bill that the next sync will read; its payment is recorded here. */
async function aPaidBill() {
  const { billId, ...office } = await anOfficeWithABill();
  const { world, admin, payeeId } = office;
  const { payment } = await recordPayment(world, admin, { payment: aNewPayment({ payeeId }, { reference: "KC-77" }) });
  world.clock.advance(16 * MINUTE_MS);
  await actOnBill(world, billId, { intent: "pay", reconciled: "on" });
  await requestSync(world, admin, { system: "xero", all: false });
  const isOwn = and(eq(outbox.organizationId, admin.organizationId), eq(outbox.kind, "accounting_sync"));
  const [job] = await peek
    .select()
    .from(outbox)
    .where(and(isOwn, eq(outbox.status, "pending")));
  const calls = async (path: string) => {
    const entries = (await (await world.visit("/ledger.json?party=xero")).json()) as { path: string }[];
    return entries.filter((entry) => entry.path.includes(path)).length;
  };
  return { ...office, recordId: payment.id, jobId: job?.id ?? "", calls };
}

type PaidBill = Awaited<ReturnType<typeof aPaidBill>>;

/** Everything was imported exactly once. */
async function expectTakenOnce({ admin, payeeId, recordId }: PaidBill) {
  expect((await billsOf(admin)).find(({ number }) => number === "KC-77")).toMatchObject({ status: "paid" });
  expect((await readPayment(recordId)).status).toBe("successful");
  expect(await stepsOf(recordId)).toHaveLength(1);
  expect((await readPayee(payeeId)).paymentCount).toBe(1);
  expect(await entriesOf(admin, "integration.synced")).toHaveLength(2);
}

test.each([
  ["/Invoices", "401"],
  ["/Invoices", "429"],
  ["/Invoices", "truncated"],
  ["/Payments", "401"],
  ["/Payments", "429"],
  ["/Payments", "503"],
])("a sync that meets trouble at %s (%s) goes on there, and takes everything over once", async (path, fault) => {
  const office = await aPaidBill();
  const before = await office.calls("/Contacts");
  await office.world.fault({ party: "xero", fault, times: 1, path });
  await office.world.pass(5 * MINUTE_MS);
  await expectTakenOnce(office);
  expect((await office.calls("/Contacts")) - before).toBe(1);
});

/** A consumer whose writes stop reaching the database before or after one of its commits. */
function dyingAtCommit({ db }: World, nth: number, when: "before" | "after"): World["db"] {
  let commits = 0;
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Error("died");
  };
  const batch = async (statements: Parameters<World["db"]["batch"]>[0]) => {
    commits += 1;
    if (commits === nth && when === "before") die();
    const results = await db.batch(statements);
    return commits === nth ? die() : results;
  };
  return new Proxy(db, {
    get(target, name) {
      if (isDead) throw new Error("died");
      return name === "batch" ? batch : Reflect.get(target, name, target);
    },
  });
}

test.each([
  ["after", 1],
  ["before", 2],
] as const)(
  "a consumer that dies %s each commit (%i) and is delivered again takes everything over once",
  async (when, nth) => {
    const office = await aPaidBill();
    const { world, jobId } = office;
    let deaths = 0;
    for (let delivery = 1; delivery <= 12; delivery++) {
      const dying = { ...world, db: dyingAtCommit(world, nth, when) };
      deaths += (await world.deliver("jobs", { jobId, v: 1 }, dying)).retried;
      world.clock.advance(5 * MINUTE_MS);
    }
    expect(deaths).toBeGreaterThanOrEqual(3);
    await world.drain();
    await expectTakenOnce(office);
  },
);

test("consent that is withdrawn between bills and payments ends the sync with an alert; connected again, it is made up for", async () => {
  const office = await aPaidBill();
  const { world, admin, recordId } = office;
  const [, grantId] = /\/xero\/grants\/([^/]+)\/revoke/.exec(await (await world.visit("/xero")).text()) ?? [];
  const { xero } = world.accounting;
  if (!xero?.listBills) throw new Error("no Xero");
  const listBills: typeof xero.listBills = async (...asked) => {
    const bills = await xero.listBills(...asked);
    await world.visit(`/xero/grants/${grantId}/revoke`, {});
    return bills;
  };
  await world.drain({ ...world, accounting: { ...world.accounting, xero: { ...xero, listBills } } });
  expect((await readPayment(recordId)).status).toBe("authorised");
  expect(await alertsAbout(world, admin.organizationId, "connection_broken")).toHaveLength(1);
  await connectXero(world, admin);
  await world.drain();
  await expectTakenOnce(office);
});
