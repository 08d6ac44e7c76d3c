import { type CheckFields, type ReadRow, readPayeeRow } from "~/modules/payees/imports/read-payee";
import type { ColumnMapping } from "~/modules/payees/imports/table/columns";
import type { AccountingContact } from "~/ports/accounting";

/** A supplier of an accounting system, read by the rules for rows of an import. Pure. */

const MAPPING: ColumnMapping = {
  name: [0],
  accountName: [1],
  bsb: [2],
  accountNumber: [3],
  abn: [4],
  email: [5],
  phone: [6],
  address: [7],
};

/** People typed the number, no spreadsheet did: it has its zeros. */
const ZERO_COLUMNS = [3];

/** @param line tells the row of this contact from the others of its page */
export function readContact(contact: AccountingContact, line: number, check: CheckFields): ReadRow {
  const { name, accountName, account, abn, email, phone, address } = contact;
  const bsb = account && "bsb" in account ? account.bsb : "";
  const number = account && "text" in account ? account.text : (account?.accountNumber ?? "");
  const cells = [name, accountName, bsb, number, abn, email, phone, address].map((cell) => cell ?? "");
  return readPayeeRow({ line, cells }, { mapping: MAPPING, zeroColumns: ZERO_COLUMNS, check });
}
