import { expect, test } from "vitest";
import { appPaths } from "~/kernel/paths/app";
import { decideInvoice } from "~/modules/payments/invoices/decide-invoice.server";
import { aMember } from "../../../tests/support/factories";
import { anAccount, anInvoice } from "../../../tests/support/invoices";
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
