import { walkCursors } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { changePolicy } from "~/modules/accounts/organizations/policy.server";
import { getPayee } from "~/modules/payees/payee.server";
import { decideInvoice, verifyNewDetails } from "~/modules/payments/invoices/decide-invoice.server";
import { downloadInvoice, getInvoice } from "~/modules/payments/invoices/invoice.server";
import { readInvoicePage } from "~/modules/payments/invoices/invoice-page.server";
import { keepDocumentsFor, removeOldDocuments } from "~/modules/payments/invoices/invoice-settings.server";
import { readNewPaymentPage, recordPayment } from "~/modules/payments/record-payment.server";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../support/factories";
import { anAccount, anInvoice } from "../support/invoices";
import { peek } from "../support/payees";
import { anUploadedFile, linesOf } from "../support/payment-files";
import { aTrustedPayee } from "../support/payments";
import { type TestServices, testServices } from "../support/services";

const OTHER = anAccount({ bsb: "083170", accountNumber: "55120412" });

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  const payee = await aTrustedPayee(services, actor);
  return { services, actor, ...payee };
}

const pay = async (services: TestServices, actor: Actor, payeeId: string, reference: string, amount = 125_000) => {
  const { decision, reasons } = await recordPayment(services, actor, {
    payment: { to: { payeeId }, amount, reference, description: null },
  });
  return { decision, rules: reasons.map(({ rule, level }) => `${rule} ${level}`) };
};

test("a payment of an invoice with the payee's own account is not held for it", async () => {
  const { services, actor, payeeId, details } = await anOffice();
  await anInvoice(services, actor, { accounts: [anAccount(details)], invoiceNumber: "INV-7", totalCents: 125_000 });
  expect(await pay(services, actor, payeeId, "inv 007")).toEqual({ decision: "authorised", rules: [] });
  const again = await pay(services, actor, payeeId, "INV-7");
  expect(again.rules).toContain("invoice_paid_before warn");
});

test("a payment is held while the invoice with its number or its amount is stopped, and after a person stopped it", async () => {
  const { services, actor, payeeId, details } = await anOffice();
  const read = { accounts: [OTHER], supplierName: details.name, invoiceNumber: "INV-8", totalCents: 99_000 };
  const invoiceId = await anInvoice(services, actor, read);
  expect((await pay(services, actor, payeeId, "INV-8", 99_000)).rules).toContain("invoice_account_differs hold");
  expect((await pay(services, actor, payeeId, "another", 99_000)).rules).toContain("invoice_account_differs hold");
  await decideInvoice(services, actor, { invoiceId, decision: "reject", reason: "Not theirs" });
  expect((await pay(services, actor, payeeId, "INV-8", 1_000)).rules).toEqual([
    "invoice_account_differs hold",
    "invoice_paid_before warn",
    "invoice_amount_differs warn",
  ]);
});

test("another account than the invoice's is held however the invoice was decided", async () => {
  const { services, actor, payeeId, details } = await anOffice();
  const accounts = [OTHER];
  const invoiceId = await anInvoice(services, actor, { accounts, supplierName: details.name, invoiceNumber: "INV-9" });
  await decideInvoice(services, actor, { invoiceId, decision: "accept", reason: "They confirmed it on the phone" });
  expect((await pay(services, actor, payeeId, "INV-9")).rules).toContain("invoice_account_differs hold");
});

test("however many invoices with its number name the account that is paid, the one that names another holds the payment", async () => {
  const { services, actor, payeeId, details } = await anOffice();
  const other = await aTrustedPayee(services, actor);
  const read = { invoiceNumber: "INV-11", totalCents: 125_000 };
  await anInvoice(services, actor, { ...read, accounts: [anAccount(other.details)] });
  services.clock.advance(1_000);
  for (let at = 0; at < 3; at++) await anInvoice(services, actor, { ...read, accounts: [anAccount(details)] });
  expect((await pay(services, actor, payeeId, "INV-11")).rules).toContain("invoice_account_differs hold");
  // The same for one that was paid already.
  const again = { invoiceNumber: "INV-12", totalCents: 125_000, accounts: [anAccount(details)] };
  await anInvoice(services, actor, again);
  await pay(services, actor, payeeId, "INV-12");
  services.clock.advance(1_000);
  for (let at = 0; at < 3; at++) await anInvoice(services, actor, { ...again, totalCents: 1_000 + at });
  expect((await pay(services, actor, payeeId, "INV-12", 2_000)).rules).toContain("invoice_paid_before warn");
});

test("an account that is hidden in an invoice is none that may be paid for it", async () => {
  const { services, actor, payeeId, details } = await anOffice();
  const seen = anAccount({ bsb: "083170", accountNumber: "55120413" });
  const hidden = anAccount({ ...details, certain: false });
  const read = { accounts: [seen, hidden], supplierName: details.name, invoiceNumber: "INV-10" };
  const invoiceId = await anInvoice(services, actor, read);
  await decideInvoice(services, actor, { invoiceId, decision: "accept", reason: "They confirmed it on the phone" });
  expect((await pay(services, actor, payeeId, "INV-10")).rules).toContain("invoice_account_differs hold");
});

test("nothing is verified of an invoice that a person stopped", async () => {
  const { services, actor, details } = await anOffice();
  const other = anAccount({ bsb: "083170", accountNumber: "55120414" });
  const invoiceId = await anInvoice(services, actor, { accounts: [other], supplierName: details.name });
  await decideInvoice(services, actor, { invoiceId, decision: "reject", reason: "Not theirs" });
  await expect(verifyNewDetails(services, actor, { invoiceId })).rejects.toMatchObject({ code: "ALREADY_DECIDED" });
});

test("a line of a payment file is compared with the invoice that has its reference", async () => {
  const { services, actor, details } = await anOffice();
  const other = await aTrustedPayee(services, actor);
  const reference = "INV-LINE-1";
  const file = await anUploadedFile(services, actor, [{ ...details, reference }]);
  const [line] = await linesOf(file.fileId);
  expect(line?.reasons).toEqual([]);
  const read = { accounts: [anAccount(other.details)], supplierName: details.name, invoiceNumber: reference };
  await anInvoice(services, actor, read);
  const second = await anUploadedFile(services, actor, [{ ...details, reference }, other.details]);
  const [held] = await linesOf(second.fileId);
  expect(held?.reasons.map(({ rule }) => rule)).toContain("invoice_account_differs");
});

test("an organisation that checks every invoice may hold what has none", async () => {
  const { services, actor, payeeId } = await anOffice();
  expect(await pay(services, actor, payeeId, "NONE-1")).toMatchObject({ rules: [] });
  const policy = { ...DEFAULT_POLICY, ruleLevels: { no_invoice_seen: "hold" as const } };
  await changePolicy(services, actor, { version: 0, policy });
  expect(await pay(services, actor, payeeId, "NONE-2")).toMatchObject({ rules: ["no_invoice_seen hold"] });
});

test("the payment form is filled from an invoice of the organisation, and from no other", async () => {
  const { services, actor, payeeId, details } = await anOffice();
  const invoice = await anInvoice(services, actor, {
    accounts: [anAccount(details)],
    invoiceNumber: "INV-3",
    totalCents: 423_500,
    dueDate: "2026-12-07",
  });
  // The link of the invoice's own page, as a person presses it.
  const { payHref } = await readInvoicePage(services, actor, invoice);
  const params = new URL(payHref ?? "", "https://payeeproof.example").searchParams;
  expect(params.get("payeeId")).toBe(payeeId);
  expect(await readNewPaymentPage(services, actor, params)).toMatchObject({
    values: { amount: "4,235.00", reference: "INV-3", description: "Due 7 Dec 2026" },
  });
  const stranger = await anOffice();
  const foreign = new URLSearchParams({ payeeId: stranger.payeeId, invoice });
  expect(await readNewPaymentPage(services, stranger.actor, foreign)).toMatchObject({ values: {} });
});

test("the page of an invoice links to the payment that was recorded for it, and offers no second one", async () => {
  const { services, actor, payeeId, details } = await anOffice();
  const read = { accounts: [anAccount(details)], invoiceNumber: "INV-4", totalCents: 125_000 };
  const invoice = await anInvoice(services, actor, read);
  await pay(services, actor, payeeId, "INV-5");
  expect(await readInvoicePage(services, actor, invoice)).toMatchObject({ recorded: null });
  await pay(services, actor, payeeId, "inv 004");
  const view = await readInvoicePage(services, actor, invoice);
  expect(view).toMatchObject({ payHref: null, recorded: { to: expect.stringMatching(/^\/payments\/[\w-]+$/) } });
});

test("a credit note is not offered for payment", async () => {
  const { services, actor, details } = await anOffice();
  const invoice = await anInvoice(services, actor, {
    ...{ accounts: [anAccount(details)], invoiceNumber: "CN-1", totalCents: 125_000 },
    findings: [{ code: "credit_note" }],
  });
  const view = await readInvoicePage(services, actor, invoice);
  expect(view).toMatchObject({ verdict: "same_account", payHref: null, isCreditNote: true });
});

test("digits that may be half of a number are not offered to be verified", async () => {
  const { services, actor, details } = await anOffice();
  const half = anAccount({ ...OTHER, accountNumber: "12345", certain: false, doubts: ["half_an_account"] });
  const invoiceId = await anInvoice(services, actor, { accounts: [half], supplierName: details.name });
  expect(await readInvoicePage(services, actor, invoiceId)).toMatchObject({ offersPayee: false });
  await expect(verifyNewDetails(services, actor, { invoiceId })).rejects.toMatchObject({ status: 400 });
});

test("one press opens a verification of the new account, and the verified payee stays as it is", async () => {
  const { services, actor, payeeId, details } = await anOffice();
  const before = await getPayee(services, actor, payeeId);
  const invoiceId = await anInvoice(services, actor, { accounts: [OTHER], supplierName: details.name });
  const made = await verifyNewDetails(services, actor, { invoiceId });
  expect(await getPayee(services, actor, payeeId)).toEqual(before);
  const added = await getPayee(services, actor, made.payeeId);
  expect(added).toMatchObject({
    bsb: OTHER.bsb,
    accountNumber: OTHER.accountNumber,
    whitelisted: false,
    email: before.email,
  });
  expect(await getInvoice(services, actor, invoiceId)).toMatchObject({ addedPayeeId: made.payeeId });
  await expect(verifyNewDetails(services, actor, { invoiceId })).rejects.toMatchObject({ code: "DUPLICATE_PAYEE" });
});

test.each([
  ["what stops", true],
  ["a new way to pay", false],
])("a second person accepts %s, where the organisation requires one", async (_, isStopped) => {
  const { services, actor, details } = await anOffice();
  await changePolicy(services, actor, { version: 0, policy: { ...DEFAULT_POLICY, secondPersonRequired: true } });
  const biller = (billerCode: string) => ({ billerCode, page: 1, lines: [], certain: true, doubts: [] });
  const read = (billerCode: string) =>
    isStopped ? { accounts: [OTHER] } : { accounts: [anAccount(details)], bpay: [biller(billerCode)] };
  const invoiceId = await anInvoice(services, actor, { ...read("918273"), supplierName: details.name });
  const input = { invoiceId, decision: "accept" as const, reason: "Called them" };
  await expect(decideInvoice(services, actor, input)).rejects.toMatchObject({ code: "SECOND_PERSON_REQUIRED" });
  expect(await readInvoicePage(services, actor, invoiceId)).toMatchObject({ needsAnother: true });
  const second = await aMember(services, { organization: { id: actor.organizationId, name: actor.organizationName } });
  expect(await readInvoicePage(services, second, invoiceId)).toMatchObject({ needsAnother: false });
  expect(await decideInvoice(services, second, input)).toMatchObject({
    decision: "accept",
    decidedById: second.userId,
  });
  // Whoever entered the payee's bank details may say that another way to pay is the payee's, not that a stop is wrong.
  const uploaded = await anInvoice(services, second, { ...read("918274"), supplierName: details.name });
  const byActor = decideInvoice(services, actor, { ...input, invoiceId: uploaded });
  await (isStopped
    ? expect(byActor).rejects.toMatchObject({ code: "SECOND_PERSON_REQUIRED" })
    : expect(byActor).resolves.toMatchObject({ decidedById: actor.userId }));
});

/** As many nights as it takes to look at every organisation: those of other tests are in the same database. */
async function removeEverywhere(services: TestServices): Promise<void> {
  const walk = eq(walkCursors.name, "invoice documents");
  await peek.delete(walkCursors).where(walk);
  for (let night = 0; night < 100; night++) {
    await removeOldDocuments(services);
    const [stands] = await peek.select().from(walkCursors).where(walk);
    if (!stands || stands.finishedAt !== null) return;
  }
  throw new Error("the walk has no end");
}

test("documents are removed when their time is over, and what was read stays", async () => {
  const { services, actor, details } = await anOffice();
  const id = await anInvoice(services, actor, { accounts: [anAccount(details)], invoiceNumber: "INV-1" });
  expect((await downloadInvoice(services, actor, id)).bytes.length).toBeGreaterThan(10);
  await keepDocumentsFor(services, actor, 2);
  services.clock.advance(40 * 86_400_000);
  await removeEverywhere(services);
  expect(await getInvoice(services, actor, id)).toMatchObject({ bytesRemovedAt: null });
  services.clock.advance(40 * 86_400_000);
  await removeEverywhere(services);
  expect(await getInvoice(services, actor, id)).toMatchObject({ invoiceNumber: "INV-1", verdict: "same_account" });
  await expect(downloadInvoice(services, actor, id)).rejects.toMatchObject({ status: 404 });
});
