import { formatAbn } from "~/kernel/abn";
import { findAccountNumberSlip, maskAccountNumber, sameAccountNumber } from "~/kernel/account-number";
import { formatBsb } from "~/kernel/bsb";
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
import { scoreNames } from "~/modules/name-match";

/** What an edit changes, and what follows from it. Pure: the dangerous moment is decided here. */

export type FieldChange = { field: PayeeField; from: string | null; to: string | null };

export type EditDecision = {
  changes: FieldChange[];
  /** BSB, account number or account name. */
  bankDetailsChanged: boolean;
  /** Another name, in the sense in which a bank compares names: spelling it otherwise ("Pty. Limited", capitals) is none. */
  renamed: boolean;
  /** What was verified has changed: trust ends, verification starts again, people are told. */
  endsTrust: boolean;
  /** Email or phone. */
  contactChanged: boolean;
  /** The edit points at another account: it may belong to another payee. */
  accountChanged: boolean;
};

const isOneOf = (fields: readonly PayeeField[], changes: readonly FieldChange[]) =>
  changes.some((change) => fields.includes(change.field));

/** Compares what is stored with what was typed, both normalised. */
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

/** Whether a payee's new name is another one. A bank that confirmed the account confirmed it for the payee of that name. */
export const isAnotherName = (from: string, to: string): boolean =>
  from !== to && scoreNames(from, to).matchType !== "exact";

/** A change as logs and the audit trail may show it: account numbers masked. */
export function maskChange(change: FieldChange): FieldChange {
  if (change.field !== "accountNumber") return change;
  const mask = (value: string | null) => (value === null ? null : maskAccountNumber(value));
  return { ...change, from: mask(change.from), to: mask(change.to) };
}

/** A sentence where a new account number is one digit or one exchange away from one that the payee has or had; else null. */
export function describeSlip(typed: string, known: readonly string[]): string | null {
  for (const number of known) {
    const slip = findAccountNumberSlip(typed, number);
    if (!slip) continue;
    const which = number === known[0] ? "the number there is now" : "a former number of this payee";
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

/** The words beside a stored field name; an unknown one stands for itself. */
export const labelOf = (field: string): string => (field in FIELD_LABELS ? FIELD_LABELS[field as PayeeField] : field);

/** A change as people read it: the field by its label, numbers as they are written. */
export function showChange({ field, from, to }: ShownChange): ShownChange {
  const show = (value: string | null) => (value === null ? null : (SHOWN[field]?.(value) ?? value));
  return { field: labelOf(field), from: show(from), to: show(to) };
}

/** Each edit tells at most this many addresses and as many mobiles. */
export const MAX_TOLD = 10;

export type Contacts = { emails: string[]; mobiles: string[] };

type Reachable = { email: string | null; phone: string | null };
/** A change of email or phone. */
export type ContactChange = { field: string; oldValue: string | null; createdAt: number };

/** When the time begins within which a former contact is still told. Epoch milliseconds. */
export const contactsSince = (now: number): number => now - CONTACT_AND_BANK_WINDOW_DAYS * DAY_MS;

/**
 * Everyone who was a contact of the payee within the last `CONTACT_AND_BANK_WINDOW_DAYS` days: a person who changes the
 * contact first and the bank details second must not be the only one who is told. The present contact comes first, then
 * the oldest of the former ones: a row of quick changes does not push the real payee out.
 *
 * @param changes of email and phone within that time, oldest first
 */
export function recentContacts(payee: Reachable, changes: readonly ContactChange[]): Contacts {
  const former = (field: keyof Reachable) => changes.filter((change) => change.field === field);
  const all = (field: keyof Reachable) => [payee[field], ...former(field).map(({ oldValue }) => oldValue)];
  return { emails: firstFew(all("email")), mobiles: firstFew(all("phone")).filter(isMobile) };
}

function firstFew(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))].slice(0, MAX_TOLD);
}
