import { formatBsb } from "~/kernel/bsb";
import type { Rule } from "./facts";

/** Holds a payment to an unknown account under the name of a payee: the mark of a changed invoice. */
export const knownNameNewAccount: Rule = {
  id: "known_name_new_account",
  label: "An unknown account under the name of a payee",
  version: 1,
  defaultLevel: "hold",
  find({ payee, namesakes }) {
    const [namesake] = namesakes ?? [];
    if (payee || !namesake) return undefined;
    const { payeeId, name, bsb, maskedAccountNumber } = namesake;
    return {
      message: `You know ${name} with another account, ${formatBsb(bsb)} ${maskedAccountNumber}. Call them on a number you knew before.`,
      evidence: { payeeId, name, bsb, accountNumber: maskedAccountNumber },
    };
  },
};
