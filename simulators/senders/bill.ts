import { formatAbn } from "~/kernel/abn";
import { formatBsb } from "~/kernel/bank-account";
import { DAY_MS, formatDay, isoDay } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import { html, Markup } from "../html";

/** What a supplier's invoice says, whatever it is written in. */
export type Bill = {
  accountName: string;
  abn?: string | null;
  bsb: string;
  accountNumber: string;
  number: string;
  what: string;
  /** Integer cents, GST included. */
  total: number;
  customer?: { name: string; abn: string };
  /** Epoch milliseconds. */
  at: number;
};

const TERMS_MS = 14 * DAY_MS;
const SYDNEY = "Australia/Sydney";
const gstOf = ({ total }: Bill) => Math.round(total / 11);

/** One line below the other; an empty one leaves space. */
export function writeLines(bill: Bill): string[] {
  const { accountName, abn, number, what, total, customer, at } = bill;
  const gst = gstOf(bill);
  return [
    ...[accountName, ...(abn ? [`ABN ${formatAbn(abn)}`] : []), ""],
    ...[`Tax invoice ${number}`, `Invoice date: ${dayOf(at)}`, `Due date: ${dayOf(at + TERMS_MS)}`],
    ...[...(customer ? [`Bill to: ${customer.name}`] : []), ""],
    ...[`${what}: ${formatAud(total - gst)}`, `GST (10%): ${formatAud(gst)}`, `Total due: ${formatAud(total)}`, ""],
    ...["Please pay to", `Account name: ${accountName}`],
    ...[`BSB: ${formatBsb(bill.bsb)}`, `Account number: ${bill.accountNumber}`],
  ];
}

const dayOf = (at: number): string => formatDay(isoDay(at, SYDNEY)) ?? "";

const PINT = "urn:peppol:pint:billing-1@aunz-1";
const NAMES = "urn:oasis:names:specification:ubl:schema:xsd";

/** What a test may write otherwise. */
type Otherwise = { root?: "Invoice" | "CreditNote"; customization?: string; before?: string; means?: string };

/** As Peppol carries it in Australia and New Zealand. */
export function writeUbl(bill: Bill, { root = "Invoice", customization = PINT, before = "", means }: Otherwise = {}) {
  const { accountName, abn, number, what, total, customer, at } = bill;
  const dollars = (cents: number) => (cents / 100).toFixed(2);
  const gst = gstOf(bill);
  const party = (role: string, its: { name: string; abn?: string | null } | undefined) =>
    its?.abn
      ? html`<cac:${role}><cac:Party><cbc:EndpointID schemeID="0151">${its.abn}</cbc:EndpointID><cac:PartyLegalEntity><cbc:RegistrationName>${its.name}</cbc:RegistrationName><cbc:CompanyID schemeID="0151">${its.abn}</cbc:CompanyID></cac:PartyLegalEntity></cac:Party></cac:${role}>`
      : undefined;
  const transfer = html`<cac:PaymentMeans><cbc:PaymentMeansCode name="Credit transfer">30</cbc:PaymentMeansCode><cbc:PaymentID>${number}</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>${bill.accountNumber}</cbc:ID><cbc:Name>${accountName}</cbc:Name><cac:FinancialInstitutionBranch><cbc:ID>${bill.bsb}</cbc:ID></cac:FinancialInstitutionBranch></cac:PayeeFinancialAccount></cac:PaymentMeans>`;
  return html`<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="${NAMES}:${root}-2" xmlns:cac="${NAMES}:CommonAggregateComponents-2" xmlns:cbc="${NAMES}:CommonBasicComponents-2"><cbc:CustomizationID>${customization}</cbc:CustomizationID><cbc:ID>${number}</cbc:ID><cbc:IssueDate>${isoDay(at, SYDNEY)}</cbc:IssueDate><cbc:DueDate>${isoDay(at + TERMS_MS, SYDNEY)}</cbc:DueDate><cbc:${root}TypeCode>${root === "Invoice" ? 380 : 381}</cbc:${root}TypeCode><cbc:DocumentCurrencyCode>AUD</cbc:DocumentCurrencyCode>${new Markup(before)}${party("AccountingSupplierParty", { name: accountName, abn })}${party("AccountingCustomerParty", customer)}${means === undefined ? transfer : new Markup(means)}<cac:TaxTotal><cbc:TaxAmount currencyID="AUD">${dollars(gst)}</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="AUD">${dollars(total)}</cbc:PayableAmount></cac:LegalMonetaryTotal><cac:${root}Line><cbc:ID>1</cbc:ID><cbc:LineExtensionAmount currencyID="AUD">${dollars(total - gst)}</cbc:LineExtensionAmount><cac:Item><cbc:Name>${what}</cbc:Name></cac:Item></cac:${root}Line></${root}>`
    .text;
}
