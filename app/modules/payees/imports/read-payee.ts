import type { FieldErrors } from "~/kernel/app-error";
import { PAYEE_FIELDS, type PayeeDetails, type PayeeField } from "~/kernel/payee";
import { clip } from "~/kernel/text";
import { repairNumber, unwrapCell } from "~/modules/payees/imports/table/account";
import { readAccount, shownNumberSentences, textOf } from "./table/account";
import type { ColumnMapping } from "./table/columns";
import type { TableRow } from "./table/read-table";

/** Reads one table row as a payee. Pure. */

export type ReadRow = {
  line: number;
  /** The name, if the row gives one; for the list of results. */
  name: string;
  /** Sentences about what was repaired or left out. */
  notes: string[];
} & ({ details: PayeeDetails } | { refused: "no_account" | "refused"; message: string });

/** Checks typed fields by the rules for payees: returns the normalised details, or sentences beside the fields. */
export type CheckFields = (
  fields: Record<PayeeField, string>,
) => { ok: true; details: PayeeDetails } | { ok: false; errors: FieldErrors };

export type RowRules = {
  mapping: ColumnMapping;
  /** Columns whose numbers keep their leading zeros. */
  zeroColumns: readonly number[];
  check: CheckFields;
};

/** Fields that a payee may lack. */
const OPTIONAL: readonly PayeeField[] = ["abn", "email", "phone", "address"];
const SHOWN_CHARACTERS = 40;
const MAX_NAME = 140;

/** Reads a row: repairs what a spreadsheet damaged and says so, leaves out what cannot be used, and never guesses. */
export function readPayeeRow(row: TableRow, rules: RowRules): ReadRow {
  const names = readNames(row, rules.mapping);
  const notes = shownNumberSentences(row, rules.mapping);
  const known = { line: row.line, name: clip(names.name, MAX_NAME), notes };
  const account = readAccount(row, rules);
  if (account === undefined) return { ...known, refused: "no_account", message: "The row has no bank account." };
  if ("problem" in account) return { ...known, refused: "refused", message: account.problem };
  notes.push(...account.notes);
  const abn = repairNumber(textOf(row, rules.mapping, "abn"), "ABN");
  if (abn.problem) notes.push(`${abn.problem} The ABN was left out.`);
  else if (abn.note) notes.push(abn.note);
  return checked(known, rules.check, {
    ...names,
    bsb: account.bsb,
    accountNumber: account.accountNumber,
    abn: abn.problem ? "" : abn.text,
    email: textOf(row, rules.mapping, "email"),
    phone: textOf(row, rules.mapping, "phone"),
    address: joined(row, rules.mapping.address, ", "),
  });
}

type Known = { line: number; name: string; notes: string[] };

/** Leaves out an invalid optional field with a note; any other invalid field refuses the row. */
function checked(known: Known, check: CheckFields, fields: Record<PayeeField, string>): ReadRow {
  const first = check(fields);
  if (first.ok) return { ...known, details: first.details };
  const unusable = OPTIONAL.filter((field) => first.errors[field]);
  const again =
    unusable.length === 0 ? first : check({ ...fields, ...Object.fromEntries(unusable.map((f) => [f, ""])) });
  if (!again.ok) return { ...known, refused: "refused", message: sentenceOf(again.errors, fields) };
  for (const field of unusable) {
    const sentence = (first.errors[field]?.[0] ?? "").replace(/\.?$/, ".");
    known.notes.push(`${sentence} “${clip(fields[field], SHOWN_CHARACTERS)}” was left out.`);
  }
  return { ...known, details: again.details };
}

const sentenceOf = (errors: FieldErrors, fields: Record<PayeeField, string>): string =>
  PAYEE_FIELDS.flatMap((field) => {
    const [sentence] = errors[field] ?? [];
    if (!sentence) return [];
    return fields[field] === ""
      ? [`${sentence}.`]
      : [`${sentence}; the row has “${clip(fields[field], SHOWN_CHARACTERS)}”.`];
  }).join(" ");

/** The payee name and the account name; a row's only one serves as both. A person's two names are joined. */
function readNames(row: TableRow, mapping: ColumnMapping): { name: string; accountName: string } {
  const last = textOf(row, mapping, "name");
  const first = textOf(row, mapping, "firstName");
  const given = first && last ? `${first} ${last}` : last || first;
  const accountName = textOf(row, mapping, "accountName");
  return { name: given || accountName, accountName: accountName || given };
}

const joined = ({ cells }: TableRow, columns: readonly number[] | undefined, separator: string): string =>
  (columns ?? [])
    .map((column) => unwrapCell(cells[column] ?? "").replace(/\s*\n\s*/g, separator))
    .filter(Boolean)
    .join(separator);
