import { accountingContacts, auditLogs, organizationIntegrations, organizations, payees } from "@db/database";
import { takeTurn } from "@db/lease";
import { and, eq, type SQL } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "~/kernel/dates";
import { closeDueOrganizations } from "~/modules/accounts/organizations/close-organization.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { factsHold, gatherFacts } from "~/modules/payments/payment-facts/facts.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import type { Actor } from "~/services-and-actor";
import { FIRST_TENANT, SECOND_TENANT } from "../../../simulators/xero/state";
import {
  actOnBill,
  addBillInXero,
  addInXero,
  connectMyob,
  connectXero,
  editInXero,
  XERO_CONTACTS,
} from "../../../tests/support/accounting";
import { aMember } from "../../../tests/support/factories";
import { leaveWhatOthersLeft } from "../../../tests/support/left-by-others";
import { alertsAbout, peek } from "../../../tests/support/payees";
import { aNewPayment, aPayment, aTrustedPayee, readPayment } from "../../../tests/support/payments";
import { aWorld, type World } from "../../../tests/support/simulators";
import { keepOwnDetails } from "./account-change.server";
import { disconnectSystem, endConnections, requestSync } from "./connect.server";
import { listChangesOfPayee } from "./integration.server";
import { pollAccounting } from "./sync.server";

/** Xero suppliers become payees, over the real wire format, and what can go wrong on the way. */

beforeEach(leaveWhatOthersLeft);

async function anOffice() {
  const world = aWorld();
  return { world, admin: await aMember(world, { role: "admin" }) };
}

/** A connection whose suppliers have been read. */
async function aConnectedOffice() {
  const office = await anOffice();
  await connectXero(office.world, office.admin);
  await office.world.drain();
  return office;
}

async function connectionOf({ organizationId }: Actor) {
  const [row] = await peek
    .select()
    .from(organizationIntegrations)
    .where(eq(organizationIntegrations.organizationId, organizationId));
  if (!row) throw new Error("not connected");
  return row;
}

const payeesOf = ({ organizationId }: Actor) =>
  peek.select().from(payees).where(eq(payees.organizationId, organizationId)).orderBy(payees.name);

const contactsOf = ({ organizationId }: Actor) =>
  peek.select().from(accountingContacts).where(eq(accountingContacts.organizationId, organizationId));

const trailOf = ({ organizationId }: Actor, action: string) =>
  peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.action, action)));

async function payeeNamed(actor: Actor, name: string) {
  const found = (await payeesOf(actor)).find((payee) => payee.name === name);
  if (!found) throw new Error(`no payee ${name}`);
  return found;
}

async function xeroCalls(world: World, path = "") {
  const entries = (await (await world.visit("/ledger.json?party=xero")).json()) as { path: string }[];
  return entries.filter((entry) => entry.path.includes(path));
}

/** A supplier that the organisation trusts, with an authorised payment, before Xero is connected. */
async function aTrustedSupplier() {
  const office = await anOffice();
  const { world, admin } = office;
  const account = { name: "Kookaburra Couriers", accountName: "Kookaburra Couriers", bsb: "033002" };
  const { payeeId } = await aTrustedPayee(world, admin, { ...account, accountNumber: "445566" });
  const payment = await aPayment(world, admin, payeeId);
  expect((await readPayment(payment.id)).status).toBe("authorised");
  await connectXero(world, admin);
  await world.drain();
  return { ...office, payeeId, paymentId: payment.id };
}

test("suppliers with a bank account become payees that wait for verification; the others are counted", async () => {
  const { admin } = await aConnectedOffice();
  expect(
    (await payeesOf(admin)).map(({ name, bsb, accountNumber, whitelisted }) => [name, bsb, accountNumber, whitelisted]),
  ).toEqual([
    ["Ironbark Timber Pty Ltd", "082001", "987654321", false],
    ["Kookaburra Couriers", "033002", "445566", false],
    ["Wattle Stationery Pty Ltd", "062000", "11223344", false],
  ]);
  const { counts, lastSyncAt, status } = await connectionOf(admin);
  expect({ counts, status }).toMatchObject({ status: "connected", counts: { read: 4, added: 3, noAccount: 1 } });
  expect(lastSyncAt).not.toBeNull();
  expect(await trailOf(admin, "integration.synced")).toHaveLength(1);
});

test("tokens are stored encrypted, and no trail or answer holds them", async () => {
  const { admin } = await aConnectedOffice();
  const { credentials } = await connectionOf(admin);
  expect(credentials).toMatch(/^e1\./);
  const trail = await peek.select().from(auditLogs).where(eq(auditLogs.organizationId, admin.organizationId));
  expect(JSON.stringify([credentials, trail])).not.toMatch(/access-|refresh-/);
});

test("a supplier whose account is a payee already is that payee, and it stays trusted", async () => {
  const { admin, payeeId } = await aTrustedSupplier();
  const all = (await payeesOf(admin)).filter(
    ({ bsb, accountNumber }) => bsb === "033002" && accountNumber === "445566",
  );
  expect(all.map(({ id, whitelisted }) => [id, whitelisted])).toEqual([[payeeId, true]]);
});

test("a bank account changed in Xero: payments are held, all is told, and the payee keeps its details", async () => {
  const { world, admin, payeeId, paymentId } = await aTrustedSupplier();
  world.clock.advance(MINUTE_MS);
  await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: "063-001 99887766", user: "Jo Nguyen" });
  await world.drain();

  expect(await payeeNamed(admin, "Kookaburra Couriers")).toMatchObject({
    bsb: "033002",
    accountNumber: "445566",
    whitelisted: true,
  });
  expect((await readPayment(paymentId)).status).toBe("held");
  const [open, ...more] = await listChangesOfPayee(world, admin, payeeId);
  expect(more).toEqual([]);
  expect(open?.contact).toMatchObject({ seenBsb: "063001", seenAccountNumber: "99887766", editedBy: "Jo Nguyen" });
  const [entry] = await trailOf(admin, "payee.accounting_differs");
  expect(JSON.stringify(entry?.details)).not.toContain("99887766");
  const [alert] = await alertsAbout(world, admin.organizationId, "bank_details_changed");
  expect(alert).toMatchObject({ title: "Different bank details in Xero: Kookaburra Couriers" });
  expect(alert?.body).toContain("The last edit there was by Jo Nguyen.");

  const recorded = await recordPayment(world, admin, { payment: aNewPayment({ payeeId }) });
  expect(recorded.decision).toBe("held");
  expect(recorded.reasons.map(({ rule }) => rule)).toEqual(["accounting_account_differs"]);
});

test("a payment that was looked at before a change was noticed is not authorised by what it saw", async () => {
  const { world, admin, payeeId } = await aTrustedSupplier();
  const { organizationId } = admin;
  const context = { organizationId, recordedById: admin.userId, nameWidth: null };
  const { facts } = await gatherFacts(world, context, [{ to: { payeeId }, amount: 12_500, reference: "Freight" }]);
  const holds = async () => {
    const [payees] = factsHold({ organizationId }, facts);
    return payees ? (await peek.all(payees.found as SQL)).length > 0 : undefined;
  };
  expect(await holds()).toBe(true);
  await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: "063-001 99887766" });
  await world.drain();
  expect(await holds()).toBe(false);
});

test("whoever only entered a bill of the supplier is not named as the one who changed its account", async () => {
  const { world, admin } = await aConnectedOffice();
  world.clock.advance(MINUTE_MS);
  await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: "063-001 99887766", user: "Jo Nguyen" });
  world.clock.advance(MINUTE_MS);
  const billId = await addBillInXero(world, { contactId: XERO_CONTACTS.kookaburra, number: "KC-9", amount: "10" });
  await actOnBill(world, billId, { intent: "pay" });
  await world.drain();
  const [entry] = await trailOf(admin, "payee.accounting_differs");
  expect(entry?.details).toMatchObject({ editedBy: "Jo Nguyen" });
});

test("a change is told of once, however often it is read", async () => {
  const { world, admin } = await aTrustedSupplier();
  await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: "063-001 99887766" });
  await world.drain();
  for (const all of [false, true]) {
    await requestSync(world, admin, { system: "xero", all });
    await world.drain();
  }
  expect(await trailOf(admin, "payee.accounting_differs")).toHaveLength(1);
  expect(await xeroCalls(world, `${XERO_CONTACTS.kookaburra}/History`)).toHaveLength(1);
});

test("taking the new account over is an edit; afterwards nothing waits for a decision", async () => {
  const { world, admin, payeeId } = await aTrustedSupplier();
  await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: "063-001 99887766" });
  await world.drain();
  await editPayee(world, admin, { payeeId, patch: { bsb: "063001", accountNumber: "99887766" } });
  expect(await listChangesOfPayee(world, admin, payeeId)).toEqual([]);
  const recorded = await recordPayment(world, admin, { payment: aNewPayment({ payeeId }) });
  expect(recorded.reasons.map(({ rule }) => rule)).toEqual(["details_changed", "payee_not_trusted"]);
});

test("keeping the payee's details settles this account, and not the next one", async () => {
  const { world, admin, payeeId } = await aTrustedSupplier();
  await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: "063-001 99887766" });
  await world.drain();
  const [open] = await listChangesOfPayee(world, admin, payeeId);
  const noticedAt = open?.contact.noticedAt ?? 0;
  const keeping = { payeeId, system: "xero", contactId: XERO_CONTACTS.kookaburra, reason: "Called them" } as const;
  await keepOwnDetails(world, admin, { ...keeping, noticedAt });
  expect((await recordPayment(world, admin, { payment: aNewPayment({ payeeId }) })).decision).toBe("authorised");
  await requestSync(world, admin, { system: "xero", all: true });
  await world.drain();
  expect(await listChangesOfPayee(world, admin, payeeId)).toEqual([]);

  await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: "484-799 12121212" });
  await world.drain();
  expect(await listChangesOfPayee(world, admin, payeeId)).toHaveLength(1);
  await expect(keepOwnDetails(world, admin, { ...keeping, noticedAt: 1 })).rejects.toMatchObject({ status: 409 });
});

test("an account that is put back in Xero ends the question", async () => {
  const { world, admin, payeeId } = await aTrustedSupplier();
  for (const bankAccount of ["063-001 99887766", "033-002 445566"]) {
    await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount });
    await world.drain();
  }
  expect(await listChangesOfPayee(world, admin, payeeId)).toEqual([]);
  expect(await trailOf(admin, "payee.accounting_agrees")).toHaveLength(1);
});

test("details that a person changed here first are not questioned by the former ones in Xero", async () => {
  const { world, admin, payeeId } = await aTrustedSupplier();
  await editPayee(world, admin, { payeeId, patch: { accountNumber: "778899" } });
  await requestSync(world, admin, { system: "xero", all: true });
  await world.drain();
  expect(await listChangesOfPayee(world, admin, payeeId)).toEqual([]);
});

test("a supplier with a payee's ABN and name and another account is a change of that payee", async () => {
  const { world, admin } = await anOffice();
  const { payeeId } = await aTrustedPayee(world, admin, {
    name: "Wattle Stationery Pty Ltd",
    accountName: "Wattle Stationery Pty Ltd",
    abn: "53004085616",
    accountNumber: "55554444",
  });
  await connectXero(world, admin);
  await world.drain();
  expect((await payeesOf(admin)).filter(({ abn }) => abn === "53004085616")).toHaveLength(1);
  expect(await listChangesOfPayee(world, admin, payeeId)).toHaveLength(1);
});

test("while an account differs, nothing else of the supplier is taken over", async () => {
  const { world, admin } = await aConnectedOffice();
  await editInXero(world, XERO_CONTACTS.kookaburra, { email: "", bankAccount: "033-002 445566" });
  await peek.update(payees).set({ email: null }).where(eq(payees.organizationId, admin.organizationId));
  await editInXero(world, XERO_CONTACTS.kookaburra, { email: "new@fraud.example", bankAccount: "063-001 99887766" });
  await editInXero(world, XERO_CONTACTS.wattle, { email: "new@wattle.example" });
  await world.drain();
  const emails = (await payeesOf(admin)).map(({ name, email }) => [name, email]);
  expect(emails).toContainEqual(["Kookaburra Couriers", null]);
  expect(emails).toContainEqual(["Wattle Stationery Pty Ltd", "new@wattle.example"]);
});

test("an account that cannot be read is listed with the reason, and no payee is made of it", async () => {
  const { world, admin } = await aConnectedOffice();
  await addInXero(world, { name: "Muddle & Sons", bankAccount: "see the invoice" });
  await world.drain();
  const refused = (await contactsOf(admin)).filter(({ state }) => state === "refused");
  expect(refused).toMatchObject([{ name: "Muddle & Sons", payeeId: null }]);
  expect(refused[0]?.note).toContain("see the invoice");
});

test("an account that is replaced by something that cannot be read holds payments and says so, until it is put back", async () => {
  const { world, admin, payeeId, paymentId } = await aTrustedSupplier();
  for (let time = 1; time <= 2; time++) {
    world.clock.advance(MINUTE_MS);
    await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: "see the new invoice", user: "Jo Nguyen" });
    await world.drain();
  }
  expect((await readPayment(paymentId)).status).toBe("held");
  const { reasons } = await recordPayment(world, admin, { payment: aNewPayment({ payeeId }) });
  expect(reasons).toMatchObject([
    { rule: "accounting_account_differs", message: expect.stringContaining("replaced in Xero by something") },
  ]);
  expect(await trailOf(admin, "payee.accounting_differs")).toHaveLength(1);
  expect(await listChangesOfPayee(world, admin, payeeId)).toMatchObject([{ contact: { editedBy: "Jo Nguyen" } }]);
  await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: "033-002 445566" });
  await world.drain();
  expect(await listChangesOfPayee(world, admin, payeeId)).toEqual([]);
  expect((await recordPayment(world, admin, { payment: aNewPayment({ payeeId }) })).decision).toBe("authorised");
});

test("what is archived or merged in Xero stays a payee here, and is not brought up", async () => {
  const { world, admin } = await aConnectedOffice();
  const before = await payeesOf(admin);
  await editInXero(world, XERO_CONTACTS.wattle, { intent: "archive" });
  await editInXero(world, XERO_CONTACTS.ironbark, { intent: "merge", mergedTo: XERO_CONTACTS.wattle });
  await world.drain();
  expect(await payeesOf(admin)).toEqual(before);
  const states = (await contactsOf(admin)).filter(({ state }) => state === "archived").map(({ name }) => name);
  expect(states.sort()).toEqual(["Ironbark Timber Pty Ltd", "Wattle Stationery Pty Ltd"]);
});

test("the same account at two suppliers there is one payee here", async () => {
  const { world, admin } = await aConnectedOffice();
  await addInXero(world, { name: "Kookaburra Express", bankAccount: "033-002 445566" });
  await world.drain();
  const linked = (await contactsOf(admin)).filter(({ seenAccountNumber }) => seenAccountNumber === "445566");
  expect(new Set(linked.map(({ payeeId }) => payeeId)).size).toBe(1);
  expect(linked).toHaveLength(2);
});

test("an access token that ends in the middle of a sync is renewed once, and the sync goes on", async () => {
  const { world, admin } = await anOffice();
  await connectXero(world, admin);
  world.clock.advance(31 * MINUTE_MS);
  await world.drain();
  expect(await payeesOf(admin)).toHaveLength(3);
  expect(await xeroCalls(world, "/identity/connect/token")).toHaveLength(2);
});

test("a token that Xero refuses before its time is renewed, and the call is made again", async () => {
  const { world, admin } = await aConnectedOffice();
  await world.fault({ party: "xero", fault: "401", times: 1, path: "/Contacts" });
  await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: "063-001 99887766" });
  await world.drain();
  expect(await trailOf(admin, "payee.accounting_differs")).toHaveLength(1);
  expect((await connectionOf(admin)).status).toBe("connected");
});

test("a limit is waited out as long as Xero asks, and uses up no tries", async () => {
  const { world, admin } = await anOffice();
  await world.fault({ party: "xero", fault: "429", times: 8, path: "/Contacts", retryAfter: 90 });
  await connectXero(world, admin);
  await world.drain();
  expect((await connectionOf(admin)).lastError).toBe(
    "Xero limits how often it may be asked. The sync continues in about 2 minutes.",
  );
  await world.pass(8 * 90_000);
  expect(await payeesOf(admin)).toHaveLength(3);
  expect(await connectionOf(admin)).toMatchObject({ lastError: null, status: "connected" });
});

test("a Xero that fails is tried again; given up, it is asked again by itself and goes on", async () => {
  const { world, admin } = await anOffice();
  await world.fault({ party: "xero", fault: "503", times: 6, path: "/Contacts" });
  await connectXero(world, admin);
  await world.pass(10 * MINUTE_MS);
  expect((await connectionOf(admin)).lastError).toContain("could not be read from Xero after several tries");
  world.clock.advance(20 * MINUTE_MS);
  expect(await pollAccounting(world)).toBeGreaterThan(0);
  await world.drain();
  expect(await payeesOf(admin)).toHaveLength(3);
  expect((await connectionOf(admin)).lastError).toBeNull();
});

test.each([
  ["grants", "revoke", "consent was withdrawn"],
  ["connections", "remove", "disconnected in Xero"],
])(
  "access that was ended there (%s) breaks the connection, says so and alerts the admins",
  async (what, act, words) => {
    const { world, admin } = await aConnectedOffice();
    const page = await (await world.visit("/xero")).text();
    const [, id] = new RegExp(`/xero/${what}/([^/]+)/${act}`).exec(page) ?? [];
    await world.visit(`/xero/${what}/${id}/${act}`, {});
    await requestSync(world, admin, { system: "xero", all: false });
    await world.drain();
    const connection = await connectionOf(admin);
    expect(connection.status).toBe("broken");
    expect(connection.lastError).toContain(words);
    expect(await alertsAbout(world, admin.organizationId, "connection_broken")).toHaveLength(1);
    expect(await payeesOf(admin)).toHaveLength(3);

    await connectXero(world, admin);
    await world.drain();
    expect(await connectionOf(admin)).toMatchObject({ status: "connected", lastError: null });
  },
);

test("of several organisations the person chooses the one that is read", async () => {
  const { world, admin } = await anOffice();
  await connectXero(world, admin, [SECOND_TENANT, FIRST_TENANT]);
  await world.drain();
  expect(await connectionOf(admin)).toMatchObject({ status: "connected", ledgerName: "Alpha Property (Xero)" });
  expect(await payeesOf(admin)).toEqual([]);
});

test("disconnecting ends the access there and keeps the payees", async () => {
  const { world, admin } = await aConnectedOffice();
  expect(await disconnectSystem(world, admin, "xero")).toBe(true);
  expect(await connectionOf(admin)).toMatchObject({ status: "disconnected", credentials: null });
  expect(await payeesOf(admin)).toHaveLength(3);
  expect(await (await world.visit("/xero")).text()).not.toContain("Withdraw consent");
  await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: "063-001 99887766" });
  await world.drain();
  expect(await trailOf(admin, "payee.accounting_differs")).toEqual([]);
});

test("a Xero that does not answer is disconnected here all the same", async () => {
  const { world, admin } = await aConnectedOffice();
  await world.fault({ party: "xero", fault: "503", times: 5 });
  expect(await disconnectSystem(world, admin, "xero")).toBe(false);
  expect((await connectionOf(admin)).status).toBe("disconnected");
});

test("an organisation that closes is no longer listed at Xero, and a Xero that does not answer keeps none open", async () => {
  const { world, admin } = await aConnectedOffice();
  const silent = await aConnectedOffice();
  const close = async ({ world, admin }: typeof silent) => {
    await peek
      .update(organizations)
      .set({ closesAt: world.clock.now() - 1 })
      .where(eq(organizations.id, admin.organizationId));
    expect(await closeDueOrganizations(world, endConnections)).toBe(1);
    expect(await connectionOf(admin)).toMatchObject({ status: "disconnected", credentials: null });
  };
  await close({ world, admin });
  expect(await (await world.visit("/xero")).text()).not.toContain("Withdraw consent");
  const revoked = async (of: Actor) =>
    (await trailOf(of, "integration.disconnected")).map(({ details }) => details?.isRevoked);
  expect(await revoked(admin)).toEqual([true]);
  await silent.world.fault({ party: "xero", fault: "503", times: 50 });
  await close(silent);
  expect(await revoked(silent.admin)).toEqual([false]);
});

test("without a live subscription nothing is read, and the page says why", async () => {
  const { world, admin } = await aConnectedOffice();
  const ended = { trialEndsAt: world.clock.now() - DAY_MS };
  await peek.update(organizations).set(ended).where(eq(organizations.id, admin.organizationId));
  await addInXero(world, { name: "Late Supplier", bankAccount: "062-000 76543210" });
  await world.drain();
  expect((await connectionOf(admin)).lastError).toContain("subscription has ended");
  expect(await payeesOf(admin)).toHaveLength(3);
});

test("a suspended organisation is not polled, and what was asked for before is not read", async () => {
  const { world, admin } = await aConnectedOffice();
  await peek.update(organizations).set({ active: false }).where(eq(organizations.id, admin.organizationId));
  await addInXero(world, { name: "Late Supplier", bankAccount: "062-000 76543210" });
  world.clock.advance(16 * MINUTE_MS);
  await pollAccounting(world);
  await world.drain();
  expect(await payeesOf(admin)).toHaveLength(3);
  expect((await connectionOf(admin)).lastError).toContain("suspended");
});

test("another organisation with the same books has payees of its own", async () => {
  const { world, admin } = await aConnectedOffice();
  const other = await aMember(world, { role: "admin" });
  await connectXero(world, other);
  await world.drain();
  await editInXero(world, XERO_CONTACTS.kookaburra, { bankAccount: "063-001 99887766" });
  await world.drain();
  for (const actor of [admin, other]) expect(await trailOf(actor, "payee.accounting_differs")).toHaveLength(1);
  const ids = (await payeesOf(other)).map(({ id }) => id);
  for (const { payeeId } of await contactsOf(admin)) expect(ids).not.toContain(payeeId);
});

test("two consumers at once take each supplier over once", async () => {
  const { world, admin } = await anOffice();
  await connectXero(world, admin);
  await requestSync(world, admin, { system: "xero", all: true });
  const jobs = world.sent.splice(0);
  await Promise.all(jobs.map(({ queue, jobId }) => world.deliver(queue, { jobId, v: 1 })));
  await world.pass(MINUTE_MS);
  expect(await payeesOf(admin)).toHaveLength(3);
  expect(await contactsOf(admin)).toHaveLength(3);
});

test("suppliers of MYOB become payees by the same way; a change is found by asking, and disconnecting says what stays", async () => {
  const { world, admin } = await anOffice();
  await connectMyob(world, admin);
  await world.drain();
  expect((await payeesOf(admin)).map(({ name, bsb, accountNumber }) => [name, bsb, accountNumber])).toEqual([
    ["Banksia Plumbing Pty Ltd", "062000", "22334455"],
    ["Magpie Freight", "033002", "998877"],
  ]);
  world.clock.advance(16 * MINUTE_MS);
  await world.visit("/myob/suppliers/d0000000-0000-4000-8000-000000000002", { accountNumber: "112233" });
  expect(await pollAccounting(world)).toBeGreaterThan(0);
  await world.drain();
  const { id } = await payeeNamed(admin, "Magpie Freight");
  const [open] = await listChangesOfPayee(world, admin, id);
  expect(open?.contact).toMatchObject({ system: "myob", seenAccountNumber: "112233", editedBy: null });
  expect(await disconnectSystem(world, admin, "myob")).toBe(false);
});

test.each([
  [
    "over its limit",
    { intent: "activate" },
    "429",
    "MYOB limits how often it may be asked. The sync continues within a minute.",
  ],
  ["from a key that MYOB has switched off", { intent: "deactivate" }, null, null],
])("a call %s breaks no connection: it waits, and goes on", async (_, key, fault, sentence) => {
  const { world, admin } = await anOffice();
  await connectMyob(world, admin);
  if (fault) await world.fault({ party: "myob", fault, times: 1, path: "/Contact/Supplier" });
  await world.visit("/myob/key", key);
  await world.drain();
  expect(await connectionOf(admin)).toMatchObject({ status: "connected", lastError: sentence });
  expect(await trailOf(admin, "integration.broken")).toEqual([]);
  const alarms = world.log.lines.filter(({ level, event }) => level === "error" && event === "myob.key_refused");
  expect(alarms.length > 0).toBe(fault === null);
  await world.visit("/myob/key", { intent: "activate" });
  await world.pass(MINUTE_MS);
  expect((await payeesOf(admin)).map(({ name }) => name)).toEqual(["Banksia Plumbing Pty Ltd", "Magpie Freight"]);
});

test("while other customers take every turn of MYOB, a sync waits for one", async () => {
  const { world, admin } = await anOffice();
  await connectMyob(world, admin);
  const turn = { name: "accounting-turns:myob", everyMs: 60_000, withinMs: 2_000, now: world.clock.now() };
  await takeTurn(world.db, turn);
  await world.drain();
  expect(await connectionOf(admin)).toMatchObject({ status: "connected", lastSyncAt: null });
  expect((await connectionOf(admin)).lastError).toContain("MYOB limits how often it may be asked");
  await world.pass(2 * MINUTE_MS);
  expect(await payeesOf(admin)).toHaveLength(2);
  expect((await connectionOf(admin)).lastError).toBeNull();
});

test("the same account in Xero and in MYOB is one payee", async () => {
  const { world, admin } = await aConnectedOffice();
  await world.visit("/myob/suppliers", { name: "Kookaburra Couriers", bsb: "033-002", accountNumber: "445566" });
  await connectMyob(world, admin);
  await world.drain();
  const same = (await payeesOf(admin)).filter(({ accountNumber }) => accountNumber === "445566");
  expect(same).toHaveLength(1);
  const linked = (await contactsOf(admin)).filter(({ payeeId }) => payeeId === same[0]?.id);
  expect(linked.map(({ system }) => system).sort()).toEqual(["myob", "xero"]);
});
