import { formatDate, toIso } from "~/kernel/dates";
import type { Rule } from "./facts";

/**
 * Holds money for an account of which a bank said that it has another name, is closed or is not there, whichever payee it
 * was asked for. A later answer, or a person who approves the account knowing this one, ends it.
 */
export const bankAnswer: Rule = {
  id: "bank_answer",
  label: "The bank's answer speaks against the account",
  version: 1,
  defaultLevel: "hold",
  isDecidedSingly: () => true,
  find({ bankAnswer: answer, timeZone }) {
    if (!answer) return undefined;
    const { askedName, said, bankName, answeredAt, outcome, verificationId } = answer;
    const has = bankName === null ? "" : ` It has it as “${bankName}”.`;
    return {
      message: `On ${formatDate(answeredAt, timeZone)} the bank was asked about this account under the name “${askedName}”. ${said}${has}`,
      evidence: { verificationId, outcome, answeredAt: toIso(answeredAt) },
    };
  },
};
