import { sameAccountNumber } from "~/kernel/account-number";
import { formatBsb } from "~/kernel/bsb";

/** Submitted details beside verified ones, ready to read. Pure. */

export type SubmittedDetails = {
  accountName: string;
  /** Six digits. */
  bsb: string;
  /** Digits, in full. */
  accountNumber: string;
  /** Name of the institution that the BSB belongs to; null where the directory does not know it. */
  institution: string | null;
};

export type VerifiedDetails = {
  accountName?: string | null;
  bsb?: string | null;
  accountNumber?: string | null;
  /** The digits that could be seen where the bank masks the number. */
  visibleDigits?: string | null;
  institution?: string | null;
  /** The institution that answered is not the one the BSB belongs to; absent where one of the two is not known. */
  institutionDiffers?: boolean;
  /** Names of the other holders of a joint account. */
  otherHolders?: readonly string[];
};

/** One line. `verdict` is null where there is nothing to compare; a null value stands for one that is not known. */
export type ComparedRow = {
  label: string;
  submitted: string | null;
  verified: string | null;
  verdict: { same: boolean; word: string } | null;
};

const judge = (same: boolean) => ({ same, word: same ? "Same" : "Different" });

/** Every line but the name, which is judged by its score. */
export function compareDetails(submitted: SubmittedDetails, verified: VerifiedDetails | null): ComparedRow[] {
  const bsb = verified?.bsb ?? null;
  return [
    {
      label: "BSB",
      submitted: formatBsb(submitted.bsb),
      verified: bsb && formatBsb(bsb),
      verdict: bsb ? judge(bsb === submitted.bsb) : null,
    },
    { label: "Account number", submitted: submitted.accountNumber, ...compareNumbers(submitted, verified) },
    {
      label: "Institution",
      submitted: submitted.institution,
      verified: verified?.institution ?? null,
      verdict: verified?.institutionDiffers === undefined ? null : judge(!verified.institutionDiffers),
    },
  ];
}

function compareNumbers(
  { accountNumber }: SubmittedDetails,
  verified: VerifiedDetails | null,
): Pick<ComparedRow, "verified" | "verdict"> {
  const { accountNumber: held, visibleDigits } = verified ?? {};
  if (held) return { verified: held, verdict: judge(sameAccountNumber(accountNumber, held)) };
  if (!visibleDigits) return { verified: null, verdict: null };
  const same = accountNumber.endsWith(visibleDigits);
  return { verified: `•••••${visibleDigits}`, verdict: { same, word: same ? "Ends the same" : "Ends differently" } };
}
