import { expect, test } from "vitest";
import { appPaths } from "~/kernel/paths/app";
import { decideInvoice } from "~/modules/payments/invoices/decide-invoice.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import { aMember } from "../../../tests/support/factories";
import { anAccount, anInvoice } from "../../../tests/support/invoices";
import { anAddedPayee, details } from "../../../tests/support/payees";
import { aTrustedPayee } from "../../../tests/support/payments";
import { testServices } from "../../../tests/support/services";
import { readInboxItems, showInbox } from "./inbox/inbox.server";
import { searchEverything } from "./search.server";

test("the search finds an invoice of the organisation by its number, and no other organisation's", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const stranger = await aMember(services);
  const id = await anInvoice(services, actor, { invoiceNumber: "QUOLL-77", supplierName: "Quoll Plant Hire" });
  const [group] = await searchEverything(services, actor, "quoll-77");
  expect(group).toMatchObject({ label: "Invoices", rows: [{ key: id, title: "QUOLL-77" }] });
  expect(await searchEverything(services, stranger, "quoll-77")).toEqual([]);
});

test("an invoice that is stopped waits in the Inbox until somebody has decided about it", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { details } = await aTrustedPayee(services, actor);
  const accounts = [anAccount({ bsb: "083170", accountNumber: "55120415" })];
  const read = { accounts, supplierName: details.name, invoiceNumber: "INV-11" };
  const invoiceId = await anInvoice(services, actor, read);
  const find = async () => {
    const { items } = showInbox(services, actor, await readInboxItems(services, actor), {});
    return items.find(({ id }) => id === invoiceId);
  };
  expect(await find()).toMatchObject({ tab: "payments", group: "call", what: "invoice INV-11", cents: null });
  expect((await find())?.href).toContain(appPaths.supplierInvoice(invoiceId));
  await decideInvoice(services, actor, { invoiceId, decision: "reject", reason: "Not theirs" });
  expect(await find()).toBeUndefined();
});

test("the money of a stopped invoice is counted once: with a payment of it that waits, or a copy of it", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const cents = async () => showInbox(services, actor, await readInboxItems(services, actor), {}).cents;
  const { details: known } = await aTrustedPayee(services, actor);
  const account = { bsb: "083170", accountNumber: "055120417" };
  const read = {
    accounts: [anAccount(account)],
    supplierName: known.name,
    invoiceNumber: "INV-12",
    totalCents: 70_000,
  };
  await anInvoice(services, actor, read);
  await anInvoice(services, actor, read);
  expect(await cents()).toBe(70_000);
  await anInvoice(services, actor, { ...read, invoiceNumber: "INV-13", totalCents: 80_000 });
  expect(await cents()).toBe(150_000);
  // Somebody added the account as another payee, without the invoice, and its payment is held.
  const { payeeId } = await anAddedPayee(services, actor, { ...details(), ...account, accountNumber: "55120417" });
  await recordPayment(services, actor, {
    payment: { to: { payeeId }, amount: 70_000, reference: "Timber", description: "Timber" },
  });
  expect(await cents()).toBe(150_000);
});
