import { DAY_MS } from "~/kernel/dates";
import type { CallOutcome, CallSource, NoProof } from "~/kernel/enums";
import { CONTACT_AND_BANK_WINDOW_DAYS } from "~/kernel/payee";
import type { StoredChange } from "~/modules/payees/change-story";
import type { listCalls } from "./call-back.server";

/** Calls to a payee about their bank details, and what such a call proves. Pure: no database, no clock. */

export const SOURCE_LABELS: Readonly<Record<CallSource, string>> = {
  on_file: "On file before the change",
  website: "The payee's own website",
  contract: "A contract or an earlier invoice",
  other: "Somewhere else (say where in the note)",
};

export const CALL_OUTCOME_LABELS: Readonly<Record<CallOutcome, string>> = {
  confirmed: "Confirmed the details",
  not_confirmed: "Did not confirm them",
  no_answer: "No answer",
};

export type CallBack = Awaited<ReturnType<typeof listCalls>>[number];

/** One change of a payee's phone number. */
type PhoneChange = Omit<StoredChange, "field">;

/** A number that the payee has or had. */
export type KnownPhone = {
  /** E.164. */
  number: string;
  /** When it was first on file. */
  setAt: number;
  /** Null: the system set it. */
  setBy: string | null;
  isCurrent: boolean;
  /** It replaced another number, or was added after the payee was created. */
  isChange: boolean;
};

/**
 * Every number that the payee has or had, the present one first, with when and by whom it was set. A number that was
 * set again counts from its last setting: restoring an old number is also a change.
 *
 * @param changes of the payee's phone, oldest first
 */
export function listPhones(
  payee: { phone: string | null; createdAt: number; createdBy: string | null },
  changes: readonly PhoneChange[],
): KnownPhone[] {
  const [first] = changes;
  const original = first ? first.oldValue : payee.phone;
  const settings = [
    { number: original, setAt: payee.createdAt, setBy: payee.createdBy, isChange: false },
    ...changes.map((change) => ({
      number: change.newValue,
      setAt: change.createdAt,
      setBy: change.userName,
      isChange: true,
    })),
  ];
  const newest = new Map<string, Omit<KnownPhone, "isCurrent">>();
  for (const { number, ...setting } of settings) if (number !== null) newest.set(number, { number, ...setting });
  return [...newest.values()].reverse().map((phone) => ({ ...phone, isCurrent: phone.number === payee.phone }));
}

export const NO_PROOF: Readonly<Record<NoProof, string>> = {
  recently_changed: `This number was itself changed within the last ${CONTACT_AND_BANK_WINDOW_DAYS} days, so the person who changed it may have answered.`,
  recently_entered: `This number came with the payee less than ${CONTACT_AND_BANK_WINDOW_DAYS} days ago, so it proves no more than the details themselves.`,
  not_on_file:
    "This number was not on file for the payee before these bank details, so whoever sent them may have answered.",
  own_work:
    "The person who called entered these bank details or connected the system they came from. A call by another person would count.",
};

/** When a verification's details replaced earlier ones; null: it is not about that, or they are trusted. */
export function changeToConfirm(verification: {
  createdAt: number;
  payee: { bankDetailsChangedAt: number | null; whitelisted: boolean };
}): number | null {
  const { bankDetailsChangedAt: changedAt, whitelisted } = verification.payee;
  return changedAt !== null && verification.createdAt >= changedAt && !whitelisted ? changedAt : null;
}

type Called = {
  number: string;
  source: CallSource;
  /** The caller entered the bank details that are being verified (`bankDetailsEditors`). */
  isOwnWork: boolean;
  /** When the bank details being verified replaced earlier ones; null: they are the payee's first. */
  changedAt: number | null;
};

/**
 * Why this call does not count as proof; undefined when it does. Nobody can prove their own work. A recently changed
 * number never counts, whatever its stated source. For changed details, only a number that was on file before the
 * change counts, because whoever sent the details could also have planted a number where people look.
 */
export function whyNoProof(
  { number, source, isOwnWork, changedAt }: Called,
  phones: readonly KnownPhone[],
  now: number,
): NoProof | undefined {
  const known = phones.find((phone) => phone.number === number);
  const isRecent = known !== undefined && known.setAt > now - CONTACT_AND_BANK_WINDOW_DAYS * DAY_MS;
  if (isRecent && known.isChange) return "recently_changed";
  if (changedAt !== null && (!known || known.setAt >= changedAt)) return "not_on_file";
  if (source === "on_file") {
    if (!known) return "not_on_file";
    if (isRecent) return "recently_entered";
  }
  return isOwnWork ? "own_work" : undefined;
}
