import { formatDate } from "~/kernel/dates";
import { isForCurrentDetails } from "~/kernel/payee";
import type { PayeeFacts, Rule } from "./facts";

/** A person approved the account that the payee has, with whose it was before them; a rule never approves such a one. */
export const isApprovedAsItIs = (payee: PayeeFacts): boolean =>
  payee.latestDecided?.status === "verified" && isForCurrentDetails(payee, payee.latestDecided);

/** Holds money for a payee whose account was another payee's, until a person approves that. Of an account that is no payee's `payee_not_trusted` says it. */
export const formerAccount: Rule = {
  id: "former_account",
  label: "The payee's account was another payee's before",
  version: 1,
  defaultLevel: "hold",
  find({ payee, formerHolder, timeZone }) {
    if (!payee || !formerHolder || isApprovedAsItIs(payee)) return undefined;
    const until = formatDate(formerHolder.changedAt, timeZone);
    return {
      message: `This account was ${formerHolder.name}'s until ${until}, and no one has approved it for ${payee.name}. Compare the two payees, and ask why the account is the same, on a contact you already had.`,
      evidence: { payeeId: payee.id, formerPayeeId: formerHolder.payeeId },
    };
  },
};
