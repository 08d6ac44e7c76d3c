import { type CsvMapping, NOT_IN_TABLE } from "../csv/columns";

/**
 * Which column is which in a list of bills. An accounting system exports what is owed to whom and no bank account. Pure.
 *
 * Sources: the headings of Xero's export of bills; "Import and export fields" of MYOB AccountRight, purchases; MYOB
 * Business, list of bills. MYOB's headings come from its documentation: no export of a MYOB system was at hand.
 */

const HEADINGS = {
  supplier: ["contactname", "suppliername", "supplier", "colastname"],
  firstName: ["firstname"],
  /** What is still owed on the whole bill. */
  due: ["invoiceamountdue", "amountdue", "balancedue", "balancedueamount"],
  /** One line of a bill, tax included: its bill is what its lines add up to. */
  lineAmount: ["inctaxamount", "incgstamount"],
  freight: ["inctaxfreightamount", "incgstfreightamount"],
  paid: ["amountpaid"],
  /** The number that the supplier gave the bill. */
  reference: ["supplierinvoiceno", "supplierinvoicenumber", "supplierinvoice", "invoicenumber", "billnumber", "billno"],
  /** The number that the organisation gave it. */
  ownNumber: ["purchaseno", "purchasenumber", "purchase", "billnumber", "billno", "invoicenumber"],
  type: ["type"],
  status: ["status", "purchasestatus"],
  currency: ["currency", "currencycode"],
} as const satisfies Record<string, readonly string[]>;

export type BillField = keyof typeof HEADINGS;
/** Position of the column, from 0; -1: the table has no such column. */
export type BillColumns = Readonly<Record<BillField, number>>;

const normalise = (heading: string) => heading.toLowerCase().replace(/[^a-z]/g, "");

/** The columns of a list of bills; undefined when the table is none, or names bank accounts itself. */
export function findBillColumns(headings: readonly string[]): BillColumns | undefined {
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
  return columns.supplier >= 0 && hasNumber && (columns.due >= 0 || columns.lineAmount >= 0) ? columns : undefined;
}

/** The columns that a person chose for a table with headings of its own. */
export function toBillColumns({ accountName, amount, reference }: CsvMapping): BillColumns {
  const none = Object.fromEntries(Object.keys(HEADINGS).map((field) => [field, NOT_IN_TABLE])) as Record<
    BillField,
    number
  >;
  return { ...none, supplier: accountName, due: amount, reference };
}
