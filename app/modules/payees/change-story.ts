import { maskAccountNumber } from "~/kernel/account-number";
import { formatBsb } from "~/kernel/bsb";
import { DAY_MS, type ShownTime, showTime } from "~/kernel/dates";
import { BANK_FIELDS, CONTACT_AND_BANK_WINDOW_DAYS, CONTACT_FIELDS } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { describeInstitution } from "~/modules/directories/directory";
import { isAnotherName, labelOf } from "./payee-edit";

/** How a payee came to its present bank details or its name: old and new, who changed them and when, and whether the contact changed too. Pure. */

/** One changed field, as it was stored. Instants in epoch milliseconds. */
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
  /** Changes of email or phone within 30 days of the bank details: the sign of a planned fraud. */
  contact: { lines: StoryLine[]; by: string; at: ShownTime } | null;
};

type Zone = { timeZone: string; now: number };

/** Changes of one person at one time are one edit; the fields of an edit are stored at the same instant. */
const isSameEdit = (a: StoredChange, b: StoredChange) => a.createdAt === b.createdAt && a.userName === b.userName;

const isOneOf = (fields: readonly string[]) => (change: StoredChange) => fields.includes(change.field);

const isRenaming = ({ field, oldValue, newValue }: StoredChange): boolean =>
  field === "name" && oldValue !== null && newValue !== null && isAnotherName(oldValue, newValue);

/** A change of what is verified of a payee: of its bank details, or to another name. */
export const isOfVerified = (change: StoredChange): boolean => isOneOf(BANK_FIELDS)(change) || isRenaming(change);

/**
 * The story of the last time the payee was renamed; undefined when it never was, or when its bank details were
 * changed by the same edit, whose story says both.
 * @param changes of the payee, newest first
 */
export function describeRenaming(changes: readonly StoredChange[], zone: Zone): ChangeStory | undefined {
  const last = changes.find(isRenaming);
  if (!last || changes.some((change) => isOneOf(BANK_FIELDS)(change) && isSameEdit(change, last))) return undefined;
  return { of: "name", ...tellEdit([last], last, zone), contact: null };
}

/** The story of whichever came last, the bank details or the name. @param changes of the payee, newest first */
export function describeLastChange(changes: readonly StoredChange[], zone: Zone): ChangeStory | undefined {
  const last = changes.find(isOfVerified);
  if (!last) return undefined;
  return (isRenaming(last) && describeRenaming(changes, zone)) || describeChange(changes, zone);
}

/**
 * The story of the last change of bank details, with the name where that was changed with them; undefined when they were
 * never changed.
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
