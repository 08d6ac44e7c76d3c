import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import { pageOf, type TenantGate, xeroError } from "./answers";
import { type Bill, dueOf, type Payment, type XeroBooks } from "./books";
import type { XeroState } from "./state";

const READS_INVOICES = ["accounting.invoices.read", "accounting.invoices"];
const READS_PAYMENTS = ["accounting.payments.read", "accounting.payments"];
const WRITES_CONTACTS = ["accounting.contacts"];

const dollars = (cents: number) => cents / 100;
const dateOf = (ms: number) => `/Date(${ms}+0000)/`;

const isSince = ({ updatedAt }: { updatedAt: number }, { request }: SimulatedCall): boolean => {
  const since = Date.parse(request.headers.get("if-modified-since") ?? "");
  return Number.isNaN(since) || updatedAt >= since;
};

type Books = { state: XeroState; books: XeroBooks };

/** Bills, payments of bills, and notes in the history of a contact. */
export function booksRoutes({ state, books }: Books, context: SimulatorContext, admit: TenantGate): Route[] {
  return [
    route("GET", "/api/api.xro/2.0/Invoices", (call) => listBills({ state, books }, call, admit)),
    route("GET", "/api/api.xro/2.0/Payments", (call) => listPayments({ state, books }, call, admit)),
    route("PUT", "/api/api.xro/2.0/Contacts/:id/History", (call, { id = "" }) => {
      const tenantId = admit(call, WRITES_CONTACTS);
      return tenantId instanceof Response ? tenantId : addNote({ state, books }, context, { call, tenantId, id });
    }),
  ];
}

function listBills({ state, books }: Books, call: SimulatedCall, admit: TenantGate): Response {
  const tenantId = admit(call, READS_INVOICES);
  if (tenantId instanceof Response) return tenantId;
  const query = call.url.searchParams;
  if (query.get("where") !== 'Type=="ACCPAY"') return xeroError(400, "QueryParseException", "where");
  const statuses = query.get("Statuses")?.split(",");
  const found = books.bills
    .filter((bill) => bill.tenantId === tenantId && isSince(bill, call))
    .filter(({ status }) => statuses?.includes(status) ?? true)
    .sort((a, b) => (a.invoiceId < b.invoiceId ? -1 : 1));
  const { items, pagination } = pageOf(found, query);
  const nameOf = (id: string) => state.contacts.find(({ contactId }) => contactId === id)?.name ?? "";
  return Response.json({ Invoices: items.map((bill) => showBill(bill, nameOf(bill.contactId))), pagination });
}

const showBill = (bill: Bill, name: string) => ({
  Type: "ACCPAY",
  InvoiceID: bill.invoiceId,
  InvoiceNumber: bill.number,
  Contact: { ContactID: bill.contactId, Name: name },
  Status: bill.status,
  Total: dollars(bill.total),
  AmountDue: dollars(dueOf(bill)),
  AmountPaid: dollars(bill.amountPaid),
  CurrencyCode: "AUD",
  UpdatedDateUTC: dateOf(bill.updatedAt),
});

function listPayments({ books }: Books, call: SimulatedCall, admit: TenantGate): Response {
  const tenantId = admit(call, READS_PAYMENTS);
  if (tenantId instanceof Response) return tenantId;
  const query = call.url.searchParams;
  if (query.get("where") !== 'PaymentType=="ACCPAYPAYMENT"') return xeroError(400, "QueryParseException", "where");
  const billOf = (payment: Payment) => books.bills.find(({ invoiceId }) => invoiceId === payment.invoiceId);
  const found = books.payments
    .filter((payment) => billOf(payment)?.tenantId === tenantId && isSince(payment, call))
    .sort((a, b) => (a.paymentId < b.paymentId ? -1 : 1));
  const { items, pagination } = pageOf(found, query);
  return Response.json({ Payments: items.map((payment) => showPayment(payment, billOf(payment))), pagination });
}

const showPayment = (payment: Payment, bill: Bill | undefined) => ({
  PaymentID: payment.paymentId,
  PaymentType: "ACCPAYPAYMENT",
  Status: payment.status,
  Date: dateOf(payment.date),
  Amount: dollars(payment.amount),
  CurrencyRate: 1,
  IsReconciled: payment.isReconciled,
  BankAccountNumber: payment.bankAccount,
  Invoice: {
    InvoiceID: payment.invoiceId,
    InvoiceNumber: bill?.number ?? "",
    Contact: { ContactID: bill?.contactId ?? "" },
  },
  UpdatedDateUTC: dateOf(payment.updatedAt),
});

type Noting = { call: SimulatedCall; tenantId: string; id: string };

/** The same Idempotency-Key again is answered as the first time, and writes nothing. */
function addNote({ state, books }: Books, context: SimulatorContext, { call, tenantId, id }: Noting): Response {
  const contact = state.contacts.find((each) => each.contactId === id && each.tenantId === tenantId);
  if (!contact) return xeroError(404, "Not Found", "The resource you're looking for cannot be found");
  const body = JSON.parse(call.body) as { HistoryRecords?: { Details?: string }[] };
  const details = body.HistoryRecords?.[0]?.Details ?? "";
  if (details === "" || details.length > 2_500) return xeroError(400, "ValidationException", "Details");
  const key = call.request.headers.get("idempotency-key");
  if (key === null || books.noteKeys[key] === undefined) {
    contact.history.push({ changes: "Note", user: "PayeeProof", at: context.now(), details });
    if (key !== null) books.noteKeys[key] = details;
    context.save();
  }
  return Response.json({ HistoryRecords: [{ Changes: "Note", Details: details, DateUTC: dateOf(context.now()) }] });
}
