import type { ProblemList } from "~/kernel/file-problem";
import type { BankDetails } from "~/kernel/payee";
import type { FileLine } from "../payment-file";
import type { Bill } from "./read-bills";

/** The accounts of the payees that bear a supplier's name, by that name: one, unless none or several payees bear it. */
export type BillAccounts = Readonly<Record<string, readonly BankDetails[]>>;

/** Bills as payments to the accounts of the organisation's payees. Pure. A supplier who is not exactly one payee is an error. */
export function payBills(bills: readonly Bill[], accounts: BillAccounts, problems: ProblemList): FileLine[] {
  const lines = bills.flatMap(({ line, supplier, amount, reference }) => {
    const [account, another] = Object.hasOwn(accounts, supplier) ? (accounts[supplier] ?? []) : [];
    if (!account) {
      problems.error(line, `no payee is called “${supplier}”. Add the payee, then upload the file again.`);
      return [];
    }
    if (another) {
      problems.error(
        line,
        `several payees are called “${supplier}”. Give each a name of its own, then upload the file again.`,
      );
      return [];
    }
    const { accountName, bsb, accountNumber } = account;
    return [{ line, accountName, bsb, accountNumber, amount, reference, newDetails: false }];
  });
  if (!problems.hasErrors())
    problems.warn(
      null,
      "The file names suppliers and no bank accounts: each payment goes to the account of your payee.",
    );
  return lines;
}
