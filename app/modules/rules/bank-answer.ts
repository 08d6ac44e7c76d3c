import { formatDate, toIso } from "~/kernel/dates";
import type { BankAnswerFact, Rule } from "./facts";

/** What a bank said of an account, under which name it was asked, and when. */
export function tellAnswer({ askedName, said, bankName, answeredAt }: BankAnswerFact, timeZone: string): string {
  const has = bankName === null ? "" : ` It has it as “${bankName}”.`;
  return `On ${formatDate(answeredAt, timeZone)} the bank was asked about this account under the name “${askedName}”. ${said}${has}`;
}

/**
 * Holds money for an account of which a bank said that it has another name, is closed or is not there, whichever payee it
 * was asked for. A later answer, or a person who approves the account knowing this one, ends it.
 */
export const bankAnswer: Rule = {
  id: "bank_answer",
  label: "The bank's answer speaks against the account",
  version: 1,
  defaultLevel: "hold",
  decidedSingly: "always",
  find({ bankAnswer: answer, timeZone }) {
    if (!answer) return undefined;
    const { answeredAt, outcome, verificationId } = answer;
    return {
      message: tellAnswer(answer, timeZone),
      evidence: { verificationId, outcome, answeredAt: toIso(answeredAt) },
    };
  },
};
