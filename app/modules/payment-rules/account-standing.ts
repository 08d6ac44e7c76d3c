import { formatBsb } from "~/kernel/bsb";
import { formatDate } from "~/kernel/dates";

/** What is known of one account of a payee: who said that it is the payee's, and when. Pure. Instants in epoch milliseconds. */

/**
 * - `bank`: the bank confirmed the account under the payee's name
 * - `call`: the payee confirmed it in a call that counts
 * - `person`: a person approved it without either
 * - `vouched`: accepted because other organisations trust it
 * - `rejected`: the last decision about it
 * - `disputed`: the payee said that it is not theirs, and no person has decided since
 * - `none`: nobody has verified it
 */
export type AccountStanding =
  | { grade: "bank" | "call" | "vouched" | "rejected" | "disputed"; at: number }
  | { grade: "person"; at: number; bank: BankSaid }
  | { grade: "none" };

/** What a bank had said of an account that a person approved. `unasked`: no bank gave any result. */
export type BankSaid = "unasked" | "no_answer" | "close" | "against" | "confirmed";

/** An account as people recognise it, with what is known of it. */
export type KnownAccount = { bsb: string; maskedAccountNumber: string; standing: AccountStanding };

export const isVerified = ({ grade }: { grade?: unknown }): boolean =>
  grade === "bank" || grade === "call" || grade === "person" || grade === "vouched";

const WHAT_THE_BANK_SAID: Readonly<Record<BankSaid, string>> = {
  unasked: "no bank was asked",
  no_answer: "the bank gave no answer",
  close: "the bank has it under a similar name",
  against: "although the bank's answer spoke against it",
  confirmed: "the bank had confirmed it",
};

/** What is known of an account, as the end of a sentence that names it: "..., which nobody has verified". */
export function whichIs(standing: AccountStanding, timeZone: string): string {
  if (standing.grade === "none") return ", which nobody has verified";
  const on = formatDate(standing.at, timeZone);
  switch (standing.grade) {
    case "bank":
      return `, which the bank confirmed on ${on}`;
    case "call":
      return `, which the payee confirmed in a call on ${on}`;
    case "person":
      return `, which a person approved on ${on} (${WHAT_THE_BANK_SAID[standing.bank]})`;
    case "vouched":
      return `, which was accepted on ${on} because other organisations trust it (no bank was asked)`;
    case "rejected":
      return `, which was rejected on ${on}`;
    case "disputed":
      return `, which the payee disputed on ${on}`;
  }
}

/** "062-000 •••••788, which nobody has verified" */
export const sayAccount = ({ bsb, maskedAccountNumber, standing }: KnownAccount, timeZone: string): string =>
  `${formatBsb(bsb)} ${maskedAccountNumber}${whichIs(standing, timeZone)}`;
