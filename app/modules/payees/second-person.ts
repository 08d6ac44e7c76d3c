import { sameAccountNumber } from "~/kernel/account-number";
import { BANK_FIELDS, type BankDetails } from "~/kernel/payee";
import { scoreNames } from "~/modules/name-match";
import { isAnotherName } from "./payee-edit";

/**
 * Who may not approve a payee's details or a payment to it where the organisation requires a second person. Pure: no
 * database, no clock.
 */

type BankField = (typeof BANK_FIELDS)[number];

/** One change of a bank field; `userId` null: the system. */
export type BankDetailChange = {
  field: string;
  oldValue: string | null;
  newValue: string | null;
  userId: string | null;
};

/** The fields of which it is kept who entered what the payee has now. */
export const ENTERED_FIELDS = [...BANK_FIELDS, "name"] as const;

/**
 * Every person who ever entered any of the bank details that the payee has now, or gave it the name that it has now. Edits
 * by others, before or after, take nobody off this list while one of the values they entered still stands.
 *
 * @param changes every change of the payee's `ENTERED_FIELDS`, oldest first
 */
export function bankDetailsEditors(
  payee: BankDetails & { name: string; createdById: string | null },
  changes: readonly BankDetailChange[],
): ReadonlySet<string> {
  const people = BANK_FIELDS.flatMap((field) => {
    const ofField = changes.filter((change) => change.field === field);
    const [first] = ofField;
    const isSame = (value: string | null) => value !== null && isSameValue(field, value, payee[field]);
    const isAsCreated = first === undefined || isSame(first.oldValue);
    const editors = ofField.filter(({ newValue }) => isSame(newValue)).map(({ userId }) => userId);
    return isAsCreated ? [payee.createdById, ...editors] : editors;
  });
  return new Set([...people, ...givers(payee.name, changes)].filter((person) => person !== null));
}

/**
 * Who gave the payee the name that it has now, or one that is like it, where it had another one. Who only spelled it
 * otherwise gave it none, and a colleague who corrects a given name takes nobody off.
 */
const givers = (name: string, changes: readonly BankDetailChange[]): (string | null)[] =>
  changes.flatMap(({ field, oldValue, newValue, userId }) => {
    if (field !== "name" || oldValue === null || newValue === null) return [];
    return isAnotherName(oldValue, newValue) && scoreNames(newValue, name).matchType !== "none" ? [userId] : [];
  });

const isSameValue = (field: BankField, a: string, b: string) =>
  field === "accountNumber" ? sameAccountNumber(a, b) : a === b;

/** What a person is about to approve: the payee's verification, a payment to it, or the payee itself. */
export type Approval = {
  /** `bankDetailsEditors` */
  enteredBy: ReadonlySet<string>;
  /** Who asked for the payee's newest verification. */
  requestedById: string | null;
  /** Who recorded the payment; for a verification, every person who recorded a payment that waits for a decision. */
  recordedBy: readonly (string | null)[];
};

/** True if the person would approve their own work. */
export function isOwnWork({ enteredBy, requestedById, recordedBy }: Approval, userId: string): boolean {
  return enteredBy.has(userId) || requestedById === userId || recordedBy.includes(userId);
}
