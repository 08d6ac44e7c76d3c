import { describeInstitution, formatBsb, maskAccountNumber } from "~/kernel/bank-account";
import { DAY_MS, type ShownTime, showTime, type Zone } from "~/kernel/dates";
import { BANK_FIELDS, CONTACT_AND_BANK_WINDOW_DAYS, CONTACT_FIELDS } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { isAnotherName } from "~/modules/name-match";
import { labelOf } from "./payee-edit";

/**
 * How a payee's present bank details or name came about: old and new values, who changed them and when, and whether the
 * contact changed too. Pure.
 */

/** One changed field as stored. Instants in epoch milliseconds. */
export type StoredChange = {
  field: string;
  oldValue: string | null;
  newValue: string | null;
  /** Null: the system. */
  userName: string | null;
  createdAt: number;
};

export type StoryLine = { field: string; from: string; to: string };

export type ChangeStory = {
  /** What was changed. */
  of: "bank details" | "name";
  lines: StoryLine[];
  by: string;
  at: ShownTime;
  /** Changes of email or phone within 30 days of the bank details: a sign of planned fraud. */
  contact: { lines: StoryLine[]; by: string; at: ShownTime } | null;
};

/** True if both changes belong to one edit: the same person at the same instant, stored together. */
const isSameEdit = (a: StoredChange, b: StoredChange) => a.createdAt === b.createdAt && a.userName === b.userName;

const isOneOf = (fields: readonly string[]) => (change: StoredChange) => fields.includes(change.field);

const isRenaming = ({ field, oldValue, newValue }: StoredChange): boolean =>
  field === "name" && oldValue !== null && newValue !== null && isAnotherName(oldValue, newValue);

/** True for a change of verified details: a bank field, or a different name. */
export const isOfVerified = (change: StoredChange): boolean => isOneOf(BANK_FIELDS)(change) || isRenaming(change);

/**
 * The story of the payee's last rename; undefined when there was none, or when the same edit changed its bank details,
 * whose story covers both.
 * @param changes of the payee, newest first
 */
export function describeRenaming(changes: readonly StoredChange[], zone: Zone): ChangeStory | undefined {
  const last = changes.find(isRenaming);
  if (!last || changes.some((change) => isOneOf(BANK_FIELDS)(change) && isSameEdit(change, last))) return undefined;
  return { of: "name", ...tellEdit([last], last, zone), contact: null };
}

/** The story of the last change of bank details or name. @param changes of the payee, newest first */
export function describeLastChange(changes: readonly StoredChange[], zone: Zone): ChangeStory | undefined {
  const last = changes.find(isOfVerified);
  if (!last) return undefined;
  return (isRenaming(last) && describeRenaming(changes, zone)) || describeChange(changes, zone);
}

/**
 * The story of the last change of bank details, including the name if it changed with them; undefined when they never
 * changed.
 * @param changes of the payee, newest first
 */
export function describeChange(changes: readonly StoredChange[], zone: Zone): ChangeStory | undefined {
  const ofBank = changes.filter(isOfVerified);
  const last = ofBank.find(isOneOf(BANK_FIELDS));
  if (!last) return undefined;
  const windowMs = CONTACT_AND_BANK_WINDOW_DAYS * DAY_MS;
  const isNear = ({ createdAt }: StoredChange) => Math.abs(createdAt - last.createdAt) <= windowMs;
  const ofContact = changes.filter(isOneOf(CONTACT_FIELDS)).filter(isNear);
  const [lastContact] = ofContact;
  return {
    of: "bank details",
    ...tellEdit(ofBank, last, zone),
    contact: lastContact ? tellEdit(ofContact, lastContact, zone) : null,
  };
}

/** The order in which people read bank details. */
const ORDER: readonly string[] = ["name", ...BANK_FIELDS, ...CONTACT_FIELDS];

function tellEdit(changes: readonly StoredChange[], of: StoredChange, zone: Zone) {
  return {
    lines: changes
      .filter((change) => isSameEdit(change, of))
      .sort((a, b) => ORDER.indexOf(a.field) - ORDER.indexOf(b.field))
      .map(toLine),
    by: of.userName ?? "PayeeProof",
    at: showTime(of.createdAt, zone),
  };
}

const SHOWN: Readonly<Record<string, (value: string) => string>> = {
  bsb: (bsb) => [formatBsb(bsb), describeInstitution(bsb)?.name].filter(Boolean).join(", "),
  accountNumber: maskAccountNumber,
  phone: formatPhone,
};

function toLine({ field, oldValue, newValue }: StoredChange): StoryLine {
  const show = (value: string | null) => (value === null ? "none" : (SHOWN[field]?.(value) ?? value));
  return { field: labelOf(field), from: show(oldValue), to: show(newValue) };
}
