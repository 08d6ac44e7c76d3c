import type { FileFormat } from "~/kernel/enums";
import type { ProblemList } from "~/kernel/file-problem";
import { formatAud, MAX_AMOUNT_CENTS, parseAud } from "~/kernel/money";
import { cleanLine, formatCount } from "~/kernel/text";
import { MAX_REFERENCE_LENGTH } from "~/modules/payments/payment";
import {
  type CsvMapping,
  hasNoAccounts,
  NOT_IN_TABLE,
  normalise,
  signatureOf,
} from "~/modules/payments/payment-files/csv/columns";
import { type FileLine, MAX_LINES } from "~/modules/payments/payment-files/payment-file";
import type { BillAccounts, FileReading, Row } from "~/modules/payments/payment-files/read-file";

/**
 * Finds the columns in a list of bills, which an accounting system exports: it says what is owed to whom, but has no
 * bank accounts. Pure.
 *
 * Sources: the headings of Xero's export of bills, and of its templates as published programs write them; "Import and
 * export fields" of MYOB AccountRight, purchases; MYOB Business, list of bills. MYOB's headings come from its
 * documentation, because no export from a MYOB system was available.
 */

const HEADINGS = {
  supplier: ["contactname", "suppliername", "supplier", "colastname"],
  firstName: ["firstname"],
  /** The amount still owed on the whole bill. */
  due: ["invoiceamountdue", "amountdue", "balancedue", "balancedueamount"],
  /** The amount of the whole bill in Xero's import template, whose lines do not say whether they include tax. */
  total: ["total"],
  unitAmount: ["unitamount"],
  /** The amount of one line of a bill, including tax: a bill is the sum of its lines. */
  lineAmount: ["inctaxamount", "incgstamount"],
  freight: ["inctaxfreightamount", "incgstfreightamount"],
  paid: ["amountpaid"],
  /** The supplier's number for the bill. */
  reference: ["supplierinvoiceno", "supplierinvoicenumber", "supplierinvoice", "invoicenumber", "billnumber", "billno"],
  /** The organisation's own number for the bill. */
  ownNumber: ["purchaseno", "purchasenumber", "purchase", "billnumber", "billno", "invoicenumber"],
  /** Only in Xero's template for sales invoices. */
  brandingTheme: ["brandingtheme"],
  type: ["type"],
  status: ["status", "purchasestatus"],
  currency: ["currency", "currencycode"],
} as const satisfies Record<string, readonly string[]>;

type BillField = keyof typeof HEADINGS;
/** Position of each column, from 0; -1: the table does not have it. */
type BillColumns = Readonly<Record<BillField, number>>;

/** The columns of a list of bills; undefined when the table is not one, or has bank accounts. */
function findBillColumns(headings: readonly string[]): BillColumns | undefined {
  const names = headings.map(normalise);
  if (names.some((name) => name.startsWith("bsb"))) return undefined;
  const find = (known: readonly string[]) => {
    for (const name of known) if (names.includes(name)) return names.indexOf(name);
    return -1;
  };
  const columns = Object.fromEntries(Object.entries(HEADINGS).map(([field, known]) => [field, find(known)])) as Record<
    BillField,
    number
  >;
  const hasNumber = columns.reference >= 0 || columns.ownNumber >= 0;
  const isTemplate = columns.unitAmount >= 0 && names.includes("contactname");
  const hasTotal = columns.total >= 0 && columns.unitAmount >= 0;
  return columns.supplier >= 0 && hasNumber && (columns.due >= 0 || columns.lineAmount >= 0 || hasTotal || isTemplate)
    ? columns
    : undefined;
}

/** The columns that a person chose for a table with unknown headings. */
function toBillColumns({ accountName, amount, reference }: CsvMapping): BillColumns {
  const none = Object.fromEntries(Object.keys(HEADINGS).map((field) => [field, NOT_IN_TABLE])) as Record<
    BillField,
    number
  >;
  return { ...none, supplier: accountName, due: amount, reference };
}

type Bill = {
  /** The first line of the text that belongs to the bill, from 1. */
  line: number;
  /** The supplier's name in the accounting system. */
  supplier: string;
  /** Integer cents, above 0. */
  amount: number;
  reference: string;
};

/** Statuses of bills that are not owed, or not yet: drafts, orders and quotes, and those that are paid or void. */
const LEFT_OUT = /^(draft|submitted|awaiting approval|paid|closed|void(ed)?|deleted|o|order|open order|q|quote)$/i;
const SALES = /sales/i;
const CREDIT_NOTE = /credit/i;

type BillTable = {
  columns: BillColumns;
  rows: readonly Row[];
  chosen?: { signature: string; mapping: CsvMapping };
};

/**
 * Finds the bills of a table with these headings; undefined when it is not a list of bills.
 *
 * @param known columns that the organisation chose earlier, by the signature of the headings
 */
export function findBills(all: readonly Row[], known: Readonly<Record<string, CsvMapping>> = {}) {
  const [headings, ...rows] = all;
  if (!headings) return undefined;
  const signature = signatureOf(headings.cells);
  const mapping = known[signature];
  if (mapping) {
    return hasNoAccounts(mapping)
      ? { columns: toBillColumns(mapping), rows, chosen: { signature, mapping } }
      : undefined;
  }
  const columns = findBillColumns(headings.cells);
  return columns && { columns, rows };
}

/**
 * Reads a list of bills as payments to the accounts of the organisation's payees. Without `accounts`, the answer names
 * the suppliers whose accounts are needed, and reads on with them.
 */
export function readListOfBills(
  table: BillTable,
  { format, problems, accounts }: { format: FileFormat; problems: ProblemList; accounts?: BillAccounts },
): FileReading {
  const bills = readBills(table, problems);
  for (const { line, reference } of bills) {
    if (reference.length > MAX_REFERENCE_LENGTH) {
      problems.error(line, `the number of the bill has more than ${MAX_REFERENCE_LENGTH} characters.`);
    }
  }
  const beyond = bills[MAX_LINES];
  if (beyond) problems.error(beyond.line, `the file has more than ${formatCount(MAX_LINES)} bills.`);
  if (problems.hasErrors()) return { ok: false, problems: problems.list() };
  const pay = (found: BillAccounts): FileReading => {
    const lines = payBills(bills, found, problems);
    const columns = { accounts: found, chosen: table.chosen };
    return { ok: true, file: { format, lines, aba: null, problems: problems.list(), columns } };
  };
  if (accounts) return pay(accounts);
  const suppliers = bills.map(({ supplier }) => supplier);
  return { ok: false, problems: problems.list(), unpaid: { suppliers, pay } };
}

/** The bills of a list: one payment a bill, whatever its lines; those with nothing owing are left out and said. */
function readBills({ columns, rows }: BillTable, problems: ProblemList): Bill[] {
  const cell = (row: Row, field: BillField) => cleanLine(row.cells[columns[field]] ?? "");
  const isTemplate = columns.due < 0 && columns.lineAmount < 0;
  const unreadable = isTemplate ? whyUnreadable(columns) : undefined;
  if (unreadable) {
    problems.error(rows[0] ? rows[0].line - 1 : null, unreadable);
    return [];
  }
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify([nameOf(row, cell), cell(row, "ownNumber") || cell(row, "reference")]);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const bills = [...groups.values()].flatMap((group) => readBill(group, cell, problems, isTemplate) ?? []);
  if (bills.length === 0 && !problems.hasErrors()) problems.error(null, "The file has no bill that is to be paid.");
  return bills;
}

/**
 * Turns bills into payments to the accounts of the organisation's payees. Pure. When a supplier does not match exactly
 * one payee, the line has no account and is held (`rules/account-rules.ts`).
 */
function payBills(bills: readonly Bill[], accounts: BillAccounts, problems: ProblemList): FileLine[] {
  const lines = bills.map(({ line, supplier, amount, reference }): FileLine => {
    const [account, another] = Object.hasOwn(accounts, supplier) ? (accounts[supplier] ?? []) : [];
    if (account && !another) {
      const { accountName, bsb, accountNumber } = account;
      return { line, accountName, bsb, accountNumber, amount, reference, newDetails: false };
    }
    problems.warn(line, `${account ? "several payees are" : "no payee is"} called “${supplier}”. The line is held.`);
    return { line, accountName: supplier, bsb: "", accountNumber: "", amount, reference, newDetails: false };
  });
  problems.warn(null, "The file names suppliers and no bank accounts: each payment goes to the account of your payee.");
  return lines;
}

/** Why the amounts of a template's bills cannot be determined; undefined: they can. */
function whyUnreadable({ brandingTheme, total }: BillColumns): string | undefined {
  if (brandingTheme >= 0) return "this is a template for sales invoices, not for bills.";
  if (total >= 0) return undefined;
  return "this is a template for bills without the column Total. Its lines do not say whether they include GST. Add a column Total with what each bill comes to, with GST, or export the bills from Xero.";
}

type Cell = (row: Row, field: BillField) => string;

const nameOf = (row: Row, cell: Cell) => [cell(row, "firstName"), cell(row, "supplier")].filter(Boolean).join(" ");

function readBill(group: readonly Row[], cell: Cell, problems: ProblemList, isTemplate: boolean): Bill | undefined {
  const [first] = group;
  if (!first) return undefined;
  const { line } = first;
  const supplier = nameOf(first, cell);
  const reference = cell(first, "reference") || cell(first, "ownNumber");
  const leftOut = whyLeftOut(first, cell);
  if (leftOut) {
    problems.warn(line, `the bill ${reference} is left out: ${leftOut}.`);
    return undefined;
  }
  if (supplier === "") problems.error(line, "the supplier is blank.");
  if (SALES.test(cell(first, "type"))) problems.error(line, "this is a sales invoice, not a bill.");
  const currency = cell(first, "currency");
  if (currency !== "" && currency.toUpperCase() !== "AUD") {
    problems.error(line, `the bill is in ${currency}. Only Australian dollars can be paid by this file.`);
  }
  const amount = amountOf(group, cell, problems, isTemplate);
  if (amount === undefined || supplier === "") return undefined;
  if (amount <= 0) {
    problems.warn(line, `the bill ${reference} is left out: ${formatAud(amount)} is owed on it.`);
    return undefined;
  }
  if (amount > MAX_AMOUNT_CENTS) problems.error(line, `the bill is for more than ${formatAud(MAX_AMOUNT_CENTS)}.`);
  if (reference === "") problems.warn(line, "the number of the bill is blank.");
  return { line, supplier, amount, reference };
}

function whyLeftOut(row: Row, cell: Cell): string | undefined {
  const status = cell(row, "status");
  if (LEFT_OUT.test(status)) return `its status is “${status}”`;
  return CREDIT_NOTE.test(cell(row, "type")) ? "it is a credit note" : undefined;
}

/** The amount owed on a bill, in cents; undefined when it cannot be read, which is reported as a problem. */
function amountOf(group: readonly Row[], cell: Cell, problems: ProblemList, isTemplate: boolean): number | undefined {
  const [first, ...others] = group;
  if (!first) return undefined;
  const read = (row: Row, field: BillField) => readAmount(row, cell(row, field), problems);
  const whole = (field: "due" | "total", label: string) => {
    const other = others.find((row) => ![cell(first, field), ""].includes(cell(row, field)));
    if (other) problems.error(other.line, `the bill on line ${first.line} has a different ${label}.`);
    return read(first, field);
  };
  if (cell(first, "due") !== "") return whole("due", "amount due");
  if (isTemplate) {
    if (cell(first, "total") !== "") return whole("total", "total");
    problems.error(first.line, "the total of the bill is blank. Fill in the column Total, with GST.");
    return undefined;
  }
  const lines = group.map((row) => read(row, "lineAmount"));
  const [freight, paid] = [read(first, "freight"), read(first, "paid")];
  if (lines.includes(undefined) || freight === undefined || paid === undefined) return undefined;
  return lines.reduce<number>((sum, amount) => sum + (amount ?? 0), freight - paid);
}

/** Integer cents; negative with a minus sign or brackets; zero for a blank cell. */
function readAmount({ line }: Row, text: string, problems: ProblemList): number | undefined {
  if (text === "") return 0;
  const isNegative = text.startsWith("-") || /^\(.*\)$/.test(text);
  const cents = parseAud(text.replace(/[-()]/g, ""));
  if (cents === undefined) problems.error(line, `the amount is “${text}”. It must be dollars, such as 1,250.00.`);
  return cents !== undefined && isNegative ? -cents : cents;
}
