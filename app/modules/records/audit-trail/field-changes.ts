import { formatAbn } from "~/kernel/abn";
import { formatBsb } from "~/kernel/bsb";
import { FIELD_LABELS, type PayeeField } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { joined, listOf, textOf } from "./details";

/** Old and new values of a payee as a sentence says them. Account numbers arrive masked. Pure. */

type Change = { field: PayeeField; from: string; to: string };

const isField = (field: string): field is PayeeField => Object.hasOwn(FIELD_LABELS, field);

function toChange(value: unknown): Change[] {
  if (typeof value !== "object" || value === null || !("field" in value)) return [];
  const { field, from, to } = value as Record<string, unknown>;
  const name = textOf(field);
  return isField(name) ? [{ field: name, from: shown(name, from), to: shown(name, to) }] : [];
}

function shown(field: PayeeField, value: unknown): string {
  const text = textOf(value);
  if (field === "bsb") return formatBsb(text);
  if (field === "phone") return text && formatPhone(text);
  return field === "abn" ? text && formatAbn(text) : text;
}

/** How a field is called within a sentence. */
const nounOf = (field: PayeeField): string =>
  field === "bsb" || field === "abn" ? FIELD_LABELS[field] : FIELD_LABELS[field].toLowerCase();

function sayChange({ field, from, to }: Change): string {
  if (!from) return `${nounOf(field)} set to ${to}`;
  return to ? `${nounOf(field)} from ${from} to ${to}` : `${nounOf(field)} ${from} removed`;
}

/**
 * "from 062-000 •••••678 to 082-001 •••••999 and account name from Acme to Acme Pty Ltd": BSB and account number are said
 * together where both changed. Empty where the details hold no change.
 */
export function sayChanges(details: unknown): string {
  const changes = listOf(details).flatMap(toChange);
  const bsb = changes.find(({ field }) => field === "bsb");
  const number = changes.find(({ field }) => field === "accountNumber");
  if (!bsb?.from || !number?.from) return joined(changes.map(sayChange));
  const rest = changes.filter((change) => change !== bsb && change !== number);
  return joined([`from ${bsb.from} ${number.from} to ${bsb.to} ${number.to}`, ...rest.map(sayChange)]);
}

/** "062-000 •••••678 in the name of Acme Pty Ltd"; empty where the account is not known. */
export function sayAccount({ bsb, accountNumber, accountName }: Readonly<Record<string, unknown>>): string {
  const account = [formatBsb(textOf(bsb)), textOf(accountNumber)].filter(Boolean).join(" ");
  return [account, textOf(accountName) && `in the name of ${textOf(accountName)}`].filter(Boolean).join(" ");
}
