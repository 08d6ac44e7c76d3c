import type { payeeChanges } from "@db/database";
import { sameAccountNumber } from "~/kernel/bank-account";
import { BANK_FIELDS, type BankDetails, type DetailsOrigin } from "~/kernel/payee";
import { isAnotherName, scoreNames } from "~/modules/name-match";

/**
 * Who may not approve a payee's details, or a payment to it, when the organisation requires a second person. Pure: no
 * database, no clock.
 */

type BankField = (typeof BANK_FIELDS)[number];

/** One change of a bank field; `userId` null: the system. */
export type BankDetailChange = Pick<typeof payeeChanges.$inferSelect, "field" | "oldValue" | "newValue" | "userId">;

type Account = Omit<BankDetails, "accountName">;

/** Where the payee's accounts were imported from; null: members entered all of them. */
type Origins = { accountingOrigins: readonly DetailsOrigin[] | null };

/** The fields for which the product records who entered the present value. */
export const ENTERED_FIELDS = [...BANK_FIELDS, "name"] as const;

/**
 * Everybody who ever entered any of the payee's present bank details or its present name. Later or earlier edits by
 * others remove nobody from this list while one of their values is still in use. An imported account is the work of
 * whoever edited the supplier in the accounting system, as far as that is known, and of whoever connected the system.
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

/** Where the payee's present account was imported from, most recently; undefined: it was not imported. */
export const originOf = (payee: Account & Origins): DetailsOrigin | undefined => originsOf(payee).at(-1);

/** True if the account was imported and not everybody who edited the supplier in the accounting system is known. */
export const hasUnknownEditor = (payee: Account & Origins): boolean =>
  originsOf(payee).some(({ isEditorKnown }) => !isEditorKnown);

const originsOf = ({ accountingOrigins, bsb, accountNumber }: Account & Origins) =>
  (accountingOrigins ?? []).filter(
    (origin) => origin.bsb === bsb && sameAccountNumber(origin.accountNumber, accountNumber),
  );

/**
 * True if one person alone is responsible for a payment to an account with an unknown editor: the person recording it
 * also trusted the payee. That person may be the unknown editor, so somebody else has to check.
 *
 * @param trustedById whose decision made the payee trusted with its present account; null: a rule's. Undefined: it is
 * not trusted, which holds payments anyway
 * @param recordedById who recorded the payment or uploaded its file; null: no person
 */
export const isOnePerson = (trustedById: string | null | undefined, recordedById: string | null): boolean =>
  recordedById !== null && trustedById === recordedById;

/**
 * Everybody who gave the payee its present name, or a similar one, when it had a different name. Changing only the
 * spelling does not count, and a colleague's correction removes nobody.
 */
const givers = (name: string, changes: readonly BankDetailChange[]): (string | null)[] =>
  changes.flatMap(({ field, oldValue, newValue, userId }) => {
    if (field !== "name" || oldValue === null || newValue === null) return [];
    return isAnotherName(oldValue, newValue) && scoreNames(newValue, name).matchType !== "none" ? [userId] : [];
  });

const isSameValue = (field: BankField, a: string, b: string) =>
  field === "accountNumber" ? sameAccountNumber(a, b) : a === b;

/** What a person is about to approve: a payee's verification, a payment to the payee, or the payee itself. */
export type Approval = {
  /** The result of `bankDetailsEditors`. */
  enteredBy: ReadonlySet<string>;
  /** Who requested the payee's newest verification. */
  requestedById: string | null;
  /** Who recorded the payment; for a verification, everybody who recorded a payment that waits for a decision. */
  recordedBy: readonly (string | null)[];
};

/** True if the person would approve their own work. */
export function isOwnWork({ enteredBy, requestedById, recordedBy }: Approval, userId: string): boolean {
  return enteredBy.has(userId) || requestedById === userId || recordedBy.includes(userId);
}
