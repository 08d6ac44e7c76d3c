import type { TableKind } from "~/kernel/enums";

/** Finds which column of a payee table holds which field. Pure. */

export const IMPORT_FIELDS = [
  "name",
  "firstName",
  "accountName",
  "bsb",
  "accountNumber",
  "abn",
  "email",
  "phone",
  "address",
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

export const IMPORT_FIELD_LABELS: Readonly<Record<ImportField, string>> = {
  name: "Payee name",
  firstName: "First name",
  accountName: "Account name",
  bsb: "BSB",
  accountNumber: "Account number",
  abn: "ABN",
  email: "Email",
  phone: "Phone",
  address: "Address",
};

/** Field -> positions of its columns, from 0. Of several, the first non-empty one counts; an address joins all. */
export type ColumnMapping = Readonly<Partial<Record<ImportField, readonly number[]>>>;

const normalise = (heading: string) => heading.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The headings of a table as one string: tables with the same headings have the same columns. */
export const signatureOf = (headings: readonly string[]): string => headings.map(normalise).join("|");

type Synonyms = Readonly<Partial<Record<ImportField, readonly string[]>>>;

/** Headings of a Xero contacts export. Its `AccountNumber` is a code for the contact, not a bank account. */
const XERO: Synonyms = {
  name: ["contactname", "name"],
  accountName: ["bankaccountname"],
  accountNumber: ["bankaccountnumber", "accountnumberbank"],
  abn: ["taxnumber"],
  email: ["emailaddress"],
  phone: ["phonenumber", "mobilenumber", "ddinumber"],
  address: [
    "poaddressline1",
    "poaddressline2",
    "poaddressline3",
    "poaddressline4",
    "pocity",
    "poregion",
    "popostalcode",
  ],
};

/** Headings of a MYOB card export. Its `Account` is a ledger account, not a bank account. */
const MYOB: Synonyms = {
  name: ["colastname"],
  firstName: ["firstname"],
  accountName: ["bankaccountname", "accountname", "nameonaccount"],
  bsb: ["bsb", "bsbnumber", "bankbsb"],
  accountNumber: ["bankaccountnumber", "accountnumber", "bankaccountno"],
  abn: ["abn"],
  email: ["email", "addr1email"],
  phone: ["phone1", "addr1phone1", "phoneno1", "addr1phoneno1"],
  address: [
    "addr1line1",
    "line2",
    "line3",
    "line4",
    "city",
    "state",
    "postcode",
    "addr1city",
    "addr1state",
    "addr1postcode",
  ],
};

const OTHERS: Synonyms = {
  name: [
    "payeename",
    "suppliername",
    "vendorname",
    "creditorname",
    "contactname",
    "companyname",
    "company",
    "businessname",
    "tradingname",
    "legalname",
    "supplier",
    "vendor",
    "creditor",
    "payee",
    "contact",
    "beneficiaryname",
    "beneficiary",
    "name",
    "colastname",
    "fullname",
    "surname",
    "lastname",
  ],
  firstName: ["firstname", "givenname"],
  accountName: [
    "accountname",
    "bankaccountname",
    "accounttitle",
    "nameofaccount",
    "accountholder",
    "accountholdername",
    "nameonaccount",
    "banktitle",
    "bankaccounttitle",
  ],
  bsb: [
    "bsb",
    "bsbnumber",
    "bsbno",
    "bsbcode",
    "bankstatebranch",
    "bankbsb",
    "bankbranch",
    "branchnumber",
    "bankcode",
    "payeebsb",
  ],
  accountNumber: [
    "bankaccountnumber",
    "accountnumber",
    "bankaccountno",
    "accountno",
    "accno",
    "accnumber",
    "acctno",
    "acctnumber",
    "bankaccount",
    "bankacct",
    "account",
    "payeeaccountnumber",
  ],
  abn: ["abn", "abnnumber", "abnno", "australianbusinessnumber", "taxnumber", "taxid", "taxidno", "businessnumber"],
  email: ["email", "emailaddress", "contactemail", "remittanceemail", "remittanceadviceemail", "accountsemail"],
  phone: [
    "phone",
    "phonenumber",
    "phoneno",
    "telephone",
    "mobile",
    "mobilenumber",
    "mobilephone",
    "contactphone",
    "phone1",
  ],
  address: [
    "address",
    "streetaddress",
    "postaladdress",
    "address1",
    "addressline1",
    "street",
    "address2",
    "addressline2",
    "suburb",
    "city",
    "state",
    "postcode",
  ],
};

const SYNONYMS: Readonly<Record<TableKind, Synonyms>> = { xero: XERO, myob: MYOB, table: OTHERS };

/** For these fields all matching columns are joined; for the others the first match counts. */
const JOINED: ReadonlySet<ImportField> = new Set(["address", "phone"]);

/** Recognises the program that wrote the table by headings that no other program uses. */
export function kindOf(headings: readonly string[]): TableKind {
  const names = new Set(headings.map(normalise));
  if (names.has("contactname") && (names.has("bankaccountparticulars") || names.has("poattentionto"))) return "xero";
  return names.has("colastname") && names.has("cardid") ? "myob" : "table";
}

/** Finds the columns by their headings where recognised: the first synonym wins, and each column is used once. */
export function guessColumns(headings: readonly string[]): ColumnMapping {
  const names = headings.map(normalise);
  const taken = new Set<number>();
  const found: Partial<Record<ImportField, number[]>> = {};
  for (const field of [
    "bsb",
    "accountNumber",
    "accountName",
    "abn",
    "email",
    "firstName",
    "name",
    "phone",
    "address",
  ] as const) {
    const columns = findColumns(SYNONYMS[kindOf(headings)][field] ?? [], names, taken);
    const kept = JOINED.has(field) ? columns : columns.slice(0, 1);
    for (const column of kept) taken.add(column);
    if (kept.length > 0) found[field] = kept;
  }
  return found;
}

function findColumns(synonyms: readonly string[], names: readonly string[], taken: ReadonlySet<number>): number[] {
  return synonyms.flatMap((synonym) => {
    const at = names.findIndex((name, index) => name === synonym && !taken.has(index));
    return at === -1 ? [] : [at];
  });
}

/** How many fields the columns cover: the row that covers the most is the row of headings. */
export const recognised = (mapping: ColumnMapping): number => Object.keys(mapping).length;

/** What is missing before the rows can be read, as a sentence; undefined when nothing is. */
export function missingColumns({ name, accountName, accountNumber }: ColumnMapping): string | undefined {
  if (!accountNumber) return "Choose the column of the account number";
  return name || accountName ? undefined : "Choose the column of the payee name or of the account name";
}
