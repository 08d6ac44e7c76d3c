import { parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import { parseAud } from "~/kernel/money";

/** Finds which column of a table of payments holds which field. Pure. */

export const CSV_FIELDS = ["accountName", "bsb", "accountNumber", "amount", "reference"] as const;
export type CsvField = (typeof CSV_FIELDS)[number];

export const CSV_FIELD_LABELS: Readonly<Record<CsvField, string>> = {
  accountName: "Account name",
  bsb: "BSB",
  accountNumber: "Account number",
  amount: "Amount",
  reference: "Reference",
};

/** Field -> position of its column, from 0. In a table without accounts, both account fields have `NOT_IN_TABLE`. */
export type CsvMapping = Readonly<Record<CsvField, number>>;

export const NOT_IN_TABLE = -1;
/** The form's value for a missing column. */
export const NO_COLUMN = "none";
/** The fields that a table may lack: each payment then goes to the account of the payee that the table names. */
export const ACCOUNT_FIELDS: readonly CsvField[] = ["bsb", "accountNumber"];

/** True if the table names payees but no accounts: it is a list of bills. */
export const hasNoAccounts = (mapping: CsvMapping): boolean =>
  ACCOUNT_FIELDS.every((field) => mapping[field] === NOT_IN_TABLE);

/** The headings that accounting systems and banks use for the fields, in the form that `normalise` gives. */
const HEADINGS: Readonly<Record<CsvField, readonly string[]>> = {
  accountName: [
    "accountname",
    "accounttitle",
    "nameofaccount",
    "bankaccountname",
    "payeename",
    "beneficiaryname",
    "recipientname",
    "payee",
    "recipient",
    "beneficiary",
    "contactname",
    "suppliername",
    "supplier",
    "name",
    "to",
  ],
  bsb: ["bsb", "bsbnumber", "bsbno", "bankstatebranch", "branch", "branchnumber", "bankbsb", "payeebsb"],
  accountNumber: [
    "accountnumber",
    "bankaccountnumber",
    "accountno",
    "accno",
    "accnumber",
    "acctno",
    "bankaccount",
    "account",
    "payeeaccountnumber",
  ],
  amount: ["amount", "amountaud", "paymentamount", "amounttopay", "total", "value", "creditamount", "netamount", "net"],
  reference: [
    "reference",
    "lodgementreference",
    "paymentreference",
    "lodgmentreference",
    "invoicenumber",
    "invoiceno",
    "invoice",
    "particulars",
    "description",
    "details",
    "statementtext",
    "narrative",
  ],
};

export const normalise = (heading: string) => heading.toLowerCase().replace(/[^a-z]/g, "");

/** The headings of a table as one string: tables with the same headings have the same columns. */
export const signatureOf = (headings: readonly string[]): string => headings.map(normalise).join("|");

/** Finds the columns by their headings; undefined unless every field has one. The first matching synonym wins. */
export function mapByHeadings(headings: readonly string[]): CsvMapping | undefined {
  const names = headings.map(normalise);
  const taken = new Set<number>();
  const find = (field: CsvField): number => {
    for (const heading of HEADINGS[field]) {
      const at = names.findIndex((name, index) => name === heading && !taken.has(index));
      if (at !== -1) {
        taken.add(at);
        return at;
      }
    }
    return -1;
  };
  return toMapping({
    bsb: find("bsb"),
    accountNumber: find("accountNumber"),
    amount: find("amount"),
    accountName: find("accountName"),
    reference: find("reference"),
  });
}

/** Finds the columns of a table without headings from the contents of one row; the name comes before the reference. */
export function mapByContent(row: readonly string[]): CsvMapping | undefined {
  const bsb = row.findIndex((cell) => parseBsb(cell) !== undefined && /^\d{3}/.test(cell.trim()));
  const accountNumber = row.findIndex((cell, index) => index !== bsb && parseAccountNumber(cell) !== undefined);
  const rest = row.flatMap((_, index) => (index === bsb || index === accountNumber ? [] : [index]));
  const amount = rest.find((index) => isAmount(row[index]));
  const texts = rest.filter((index) => index !== amount && (row[index] ?? "").trim() !== "");
  const named = texts.find((index) => /[a-z]{2}/i.test(row[index] ?? ""));
  const reference = texts.find((index) => index !== named);
  return toMapping({ accountName: named ?? -1, bsb, accountNumber, amount: amount ?? -1, reference: reference ?? -1 });
}

const isAmount = (cell = "") => /[.$]/.test(cell) && (parseAud(cell) ?? 0) > 0;

const toMapping = (mapping: CsvMapping): CsvMapping | undefined =>
  CSV_FIELDS.every((field) => mapping[field] >= 0) ? mapping : undefined;
