import { systemName } from "~/kernel/accounting-system";
import { formatBsb } from "~/kernel/bsb";
import { formatDateTime, toIso } from "~/kernel/dates";
import type { Rule } from "./facts";

/**
 * Holds money for a payee while its accounting system has another bank account for it: either is wrong, and nobody has
 * said which.
 */
export const accountingAccountDiffers: Rule = {
  id: "accounting_account_differs",
  label: "The accounting system has another bank account",
  version: 2,
  defaultLevel: "hold",
  find({ payee, accountingChange, timeZone }) {
    if (!payee || !accountingChange) return undefined;
    const { system, noticedAt, editedBy, bsb, maskedAccountNumber } = accountingChange;
    const name = systemName(system);
    const edited = editedBy === null ? "" : ` The last edit there is by ${editedBy}.`;
    if (bsb === null) {
      return {
        message: `The bank account of ${payee.name} was replaced in ${name} by something that cannot be read, noticed on ${formatDateTime(noticedAt, timeZone)}.${edited} No one has decided what is right.`,
        evidence: { payeeId: payee.id, system, noticedAt: toIso(noticedAt) },
      };
    }
    return {
      message: `${name} has another bank account for ${payee.name}, noticed on ${formatDateTime(noticedAt, timeZone)}: ${formatBsb(bsb)} ${maskedAccountNumber}.${edited} No one has decided which is right.`,
      evidence: { payeeId: payee.id, system, noticedAt: toIso(noticedAt), bsb, maskedAccountNumber },
    };
  },
};
