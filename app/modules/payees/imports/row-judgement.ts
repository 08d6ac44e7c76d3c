import { maskAccountNumber } from "~/kernel/account-number";
import { formatBsb } from "~/kernel/bsb";
import type { RowOutcome } from "~/kernel/enums";
import { FIELD_LABELS, type PayeeDetails, type PayeeField } from "~/kernel/payee";
import { cleanLine, foldDiacritics } from "~/kernel/text";
import { isExactMatch, prepareName } from "~/modules/name-match";

/** What becomes of a row that could be read. Pure. */

/** A payee that the organisation has already. */
export type KnownPayee = PayeeDetails & { id: string; isArchived: boolean };

/** Fields that a row may fill where the payee has none. */
export const FILLABLE = ["abn", "email", "phone", "address"] as const satisfies readonly PayeeField[];
export type Fillable = (typeof FILLABLE)[number];

export type Judgement =
  | { outcome: "added" }
  | {
      outcome: Exclude<RowOutcome, "added" | "no_account" | "refused">;
      known: KnownPayee;
      message: string;
      /** What is filled in; empty where nothing is. */
      fills: Partial<Record<Fillable, string>>;
    };

/** Bank details are never changed by a file: a person who knows one supplier's ABN could move its payments. */
const ELSEWHERE =
  "already has other bank details. Nothing was changed. If they are right, change them on the payee's page, where the change is checked.";

/**
 * Compares a row with what the organisation has: first by account, then by ABN where the name is the same. Only fields
 * that are empty are filled; what differs is listed for a person.
 */
export function judgeRow(
  row: PayeeDetails,
  known: { byAccount: KnownPayee | undefined; byAbn: readonly KnownPayee[] },
): Judgement {
  if (known.byAccount) return compareWith(known.byAccount, row);
  const own = prepareName(row.name);
  const same = known.byAbn.find(({ name }) => isExactMatch(own, name));
  if (!same) return { outcome: "added" };
  const account = `${formatBsb(same.bsb)} ${maskAccountNumber(same.accountNumber)}`;
  return {
    outcome: "differs",
    known: same,
    fills: {},
    message: `${same.name} (same ABN, account ${account}) ${ELSEWHERE}`,
  };
}

function compareWith(known: KnownPayee, row: PayeeDetails): Judgement {
  const fills: Partial<Record<Fillable, string>> = {};
  for (const field of FILLABLE) {
    const value = row[field];
    if (known[field] === null && value !== null) fills[field] = value;
  }
  const differing = (["name", "accountName", ...FILLABLE] as const).filter((field) =>
    differs(known[field], row[field]),
  );
  const filled = Object.keys(fills) as Fillable[];
  const message = [
    known.isArchived ? "This payee is archived." : "",
    filled.length > 0 ? `Filled in: ${filled.map((field) => FIELD_LABELS[field]).join(", ")}.` : "",
    ...differing.map(
      (field) => `${FIELD_LABELS[field]} differs: we have “${known[field]}”, the file has “${row[field]}”.`,
    ),
  ];
  const outcome = filled.length > 0 ? "filled" : differing.length > 0 ? "differs" : "unchanged";
  return { outcome, known, fills, message: message.filter(Boolean).join(" ") };
}

/** Compared without case, accents and spaces. An empty cell of the file differs from nothing. */
const differs = (held: string | null, given: string | null): boolean =>
  held !== null && given !== null && plain(held) !== plain(given);

const plain = (text: string) => foldDiacritics(cleanLine(text));
