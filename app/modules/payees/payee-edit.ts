import { formatAbn } from "~/kernel/abn";
import { findAccountNumberSlip, formatBsb, maskAccountNumber, sameAccountNumber } from "~/kernel/bank-account";
import { DAY_MS } from "~/kernel/dates";
import {
  BANK_FIELDS,
  CONTACT_AND_BANK_WINDOW_DAYS,
  CONTACT_FIELDS,
  FIELD_LABELS,
  PAYEE_FIELDS,
  type PayeeDetails,
  type PayeeField,
} from "~/kernel/payee";
import { formatPhone, isMobile } from "~/kernel/phone";
import { isAnotherName } from "~/modules/name-match";

/** What an edit changes, and its consequences. Pure: the decision that guards against fraud is made here. */

export type FieldChange = { field: PayeeField; from: string | null; to: string | null };

export type EditDecision = {
  changes: FieldChange[];
  /** BSB, account number or account name. */
  bankDetailsChanged: boolean;
  /** A different name, compared as a bank compares names: its confirmation was of the old name. */
  renamed: boolean;
  /** Verified details have changed: trust ends, verification starts again, people are told. */
  endsTrust: boolean;
  /** Email or phone. */
  contactChanged: boolean;
  /** The account itself differs, so it may belong to another payee. */
  accountChanged: boolean;
};

const isOneOf = (fields: readonly PayeeField[], changes: readonly FieldChange[]) =>
  changes.some((change) => fields.includes(change.field));

/** Compares the stored details with the typed ones, both normalised. */
export function decideEdit(current: PayeeDetails, next: PayeeDetails): EditDecision {
  const changes = PAYEE_FIELDS.filter((field) => current[field] !== next[field]).map((field) => ({
    field,
    from: current[field],
    to: next[field],
  }));
  const bankDetailsChanged = isOneOf(BANK_FIELDS, changes);
  const renamed = isAnotherName(current.name, next.name);
  return {
    changes,
    bankDetailsChanged,
    renamed,
    endsTrust: bankDetailsChanged || renamed,
    contactChanged: isOneOf(CONTACT_FIELDS, changes),
    accountChanged: current.bsb !== next.bsb || !sameAccountNumber(current.accountNumber, next.accountNumber),
  };
}

export const isBankField = ({ field }: Pick<FieldChange, "field">): boolean =>
  (BANK_FIELDS as readonly string[]).includes(field);

/** A change in the form that logs and the audit trail may show: account numbers masked. */
export function maskChange(change: FieldChange): FieldChange {
  if (change.field !== "accountNumber") return change;
  const mask = (value: string | null) => (value === null ? null : maskAccountNumber(value));
  return { ...change, from: mask(change.from), to: mask(change.to) };
}

/** A sentence if a new number differs by one digit or two swapped ones from one the payee has or had; else null. */
export function describeSlip(typed: string, known: readonly string[]): string | null {
  for (const number of known) {
    const slip = findAccountNumberSlip(typed, number);
    if (!slip) continue;
    const which = number === known[0] ? "the current number" : "a former number of this payee";
    const how =
      slip === "substitution" ? "One digit differs from" : "Two neighbouring digits are swapped compared with";
    return `${how} ${which} (${maskAccountNumber(number)}). Check the source again before you save.`;
  }
  return null;
}

export type ShownChange = { field: string; from: string | null; to: string | null };

const SHOWN: Partial<Record<string, (value: string) => string>> = {
  bsb: formatBsb,
  abn: formatAbn,
  phone: formatPhone,
};

/** The label of a stored field; an unknown field is its own label. */
export const labelOf = (field: string): string => (field in FIELD_LABELS ? FIELD_LABELS[field as PayeeField] : field);

/** A change in readable form: the field's label, and formatted numbers. */
export function showChange({ field, from, to }: ShownChange): ShownChange {
  const show = (value: string | null) => (value === null ? null : (SHOWN[field]?.(value) ?? value));
  return { field: labelOf(field), from: show(from), to: show(to) };
}

/** One edit tells at most this many email addresses, and as many mobiles. */
export const MAX_TOLD = 10;

export type Contacts = { emails: string[]; mobiles: string[] };

type Reachable = { email: string | null; phone: string | null };
/** A change of email or phone. */
export type ContactChange = { field: string; oldValue: string | null; createdAt: number };

/** The start of the period in which former contacts are still told. Epoch milliseconds. */
export const contactsSince = (now: number): number => now - CONTACT_AND_BANK_WINDOW_DAYS * DAY_MS;

/**
 * Everyone who was a contact of the payee in the last `CONTACT_AND_BANK_WINDOW_DAYS` days: somebody who changes the
 * contact first and the bank details second must not be the only person told. The present contact comes first, then the
 * former ones, oldest first, so that a series of quick changes cannot push out the real payee.
 *
 * @param changes of email and phone in that period, oldest first
 */
export function recentContacts(payee: Reachable, changes: readonly ContactChange[]): Contacts {
  const former = (field: keyof Reachable) => changes.filter((change) => change.field === field);
  const all = (field: keyof Reachable) => [payee[field], ...former(field).map(({ oldValue }) => oldValue)];
  return { emails: firstFew(all("email")), mobiles: firstFew(all("phone")).filter(isMobile) };
}

function firstFew(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))].slice(0, MAX_TOLD);
}
