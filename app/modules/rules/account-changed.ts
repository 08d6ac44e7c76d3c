import { toIso } from "~/kernel/dates";
import { detailsChanged } from "./details-changed";
import type { Rule } from "./facts";
import { tellChange } from "./last-change";

/** Says of a new account about which a decision was made who verified it, and who verified the one before. */
export const accountChanged: Rule = {
  id: "account_changed",
  label: "The account is new, and the payee had another one before",
  version: 1,
  defaultLevel: "warn",
  find(facts) {
    const { payee, lastChange } = facts;
    const message = tellChange(facts);
    // Of a change that nobody has decided about, the other rule says the same.
    if (!payee || !lastChange || message === undefined || detailsChanged.find(facts)) return undefined;
    const { changedAt, standing, former } = lastChange;
    return {
      message,
      evidence: {
        payeeId: payee.id,
        changedAt: toIso(changedAt),
        standing: standing.state,
        formerBsb: former.bsb,
        formerAccountNumber: former.maskedAccountNumber,
        formerStanding: former.standing.state,
      },
    };
  },
};
