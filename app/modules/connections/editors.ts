import type { ContactEdit } from "~/ports/accounting";

/** Who of the people here edited a supplier in an accounting system, as far as its history says. Pure. */

export type Editors = {
  ids: string[];
  /** Everybody who edited it there is one of them. */
  isKnown: boolean;
};

export type Member = { userId: string; firstName: string; lastName: string; email: string };

/**
 * A history names people as they wrote their name there, so a name is compared with the members' names and addresses: case,
 * marks above letters, punctuation and the order of first and last name mean nothing. A name that fits no member, or more than
 * one, leaves unknown who it was; everybody it fits counts as an editor all the same.
 *
 * @param edits everything that the history says; none: it says nothing
 */
export function findEditors(edits: readonly ContactEdit[], members: readonly Member[]): Editors {
  const behind = edits.map(({ by }) => membersNamed(by, members));
  return {
    ids: [...new Set(behind.flat())],
    isKnown: edits.length > 0 && behind.every((ids) => ids.length === 1),
  };
}

function membersNamed(name: string | null, members: readonly Member[]): string[] {
  const key = keyOf(name ?? "");
  if (key === "") return [];
  const isNamed = ({ firstName, lastName, email }: Member) =>
    keyOf(email) === key || keyOf(`${firstName} ${lastName}`) === key;
  return members.filter(isNamed).map(({ userId }) => userId);
}

/** The words of a name, in one order however they were written. */
const keyOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}@.+_-]+/u)
    .filter(Boolean)
    .sort()
    .join(" ");

/**
 * The edits by which a supplier can have got the account that it has now: those since it was last read with another one.
 * Where none is that new the clocks differ, and all of them count.
 *
 * @param edits in any order
 * @param readTo what changed there since then had not been read; null: nothing had been
 */
export function editsSince(edits: readonly ContactEdit[], readTo: number | null): readonly ContactEdit[] {
  const newer = readTo === null ? edits : edits.filter(({ at }) => at >= readTo);
  return newer.length > 0 ? newer : edits;
}

export const newestOf = (edits: readonly ContactEdit[]): ContactEdit | null =>
  edits.reduce<ContactEdit | null>((newest, edit) => (newest && newest.at >= edit.at ? newest : edit), null);
