import type { payeeChanges } from "@db/schema";
import { sameAccountNumber } from "~/kernel/account-number";
import { BANK_FIELDS, type BankDetails, type DetailsOrigin } from "~/kernel/payee";
import { scoreNames } from "~/modules/name-match";
import { isAnotherName } from "./payee-edit";

/**
 * Who may not approve a payee's details or a payment to it where the organisation requires a second person. Pure: no
 * database, no clock.
 */

type BankField = (typeof BANK_FIELDS)[number];

/** One change of a bank field; `userId` null: the system. */
export type BankDetailChange = Pick<typeof payeeChanges.$inferSelect, "field" | "oldValue" | "newValue" | "userId">;

type Account = Omit<BankDetails, "accountName">;

/** Where the accounts of a payee came in from an accounting system; null: people here entered all of them. */
type Origins = { accountingOrigins: readonly DetailsOrigin[] | null };

/** The fields of which it is kept who entered what the payee has now. */
export const ENTERED_FIELDS = [...BANK_FIELDS, "name"] as const;

/**
 * Every person who ever entered any of the bank details that the payee has now, or gave it the name that it has now. Edits
 * by others, before or after, take nobody off this list while one of the values they entered still stands. An account that
 * came in from an accounting system is the work of whoever edited the supplier there, as far as that is known, and of
 * whoever had connected the system.
 *
 * @param changes every change of the payee's `ENTERED_FIELDS`, oldest first
 */
export function bankDetailsEditors(
  payee: BankDetails & Origins & { name: string; createdById: string | null },
  changes: readonly BankDetailChange[],
): ReadonlySet<string> {
  const here = BANK_FIELDS.flatMap((field) => {
    const ofField = changes.filter((change) => change.field === field);
    const [first] = ofField;
    const isSame = (value: string | null) => value !== null && isSameValue(field, value, payee[field]);
    const isAsCreated = first === undefined || isSame(first.oldValue);
    const editors = ofField.filter(({ newValue }) => isSame(newValue)).map(({ userId }) => userId);
    return isAsCreated ? [payee.createdById, ...editors] : editors;
  });
  const there = (payee.accountingOrigins ?? []).filter(
    (origin) => origin.bsb === payee.bsb || sameAccountNumber(origin.accountNumber, payee.accountNumber),
  );
  const people = [
    ...here,
    ...there.flatMap(({ editorIds, connectedById }) => [...editorIds, connectedById]),
    ...givers(payee.name, changes),
  ];
  return new Set(people.filter((person) => person !== null));
}

/** Where the account that the payee has now came in from an accounting system, the newest time; undefined: from none. */
export const originOf = (payee: Account & Origins): DetailsOrigin | undefined => originsOf(payee).at(-1);

/** True if the account came in from an accounting system, and not everybody who edited the supplier there is known. */
export const hasUnknownEditor = (payee: Account & Origins): boolean =>
  originsOf(payee).some(({ isEditorKnown }) => !isEditorKnown);

const originsOf = ({ accountingOrigins, bsb, accountNumber }: Account & Origins) =>
  (accountingOrigins ?? []).filter(
    (origin) => origin.bsb === bsb && sameAccountNumber(origin.accountNumber, accountNumber),
  );

/**
 * True if one person alone stands behind a payment to an account whose editor is not known: whoever records it also trusted
 * the payee. That person may be the unknown editor, so a second one has to look.
 *
 * @param trustedById by whose decision the payee is trusted with the account it has now; null: a rule's. Undefined: it is
 * not trusted, which holds payments by itself
 * @param recordedById who recorded the payment or uploaded its file; null: no person
 */
export const isOnePerson = (trustedById: string | null | undefined, recordedById: string | null): boolean =>
  recordedById !== null && trustedById === recordedById;

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
