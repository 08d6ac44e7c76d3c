import { expect, test } from "vitest";
import { aMember } from "../../../tests/support/factories";
import { anInvoice } from "../../../tests/support/invoices";
import { testServices } from "../../../tests/support/services";
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
