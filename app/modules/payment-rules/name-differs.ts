import { scoreNames, toMatchBadge } from "~/modules/name-match";
import type { Rule } from "./facts";

/** Holds a payment whose account name is not exactly the payee's, in the sense in which a bank compares names. */
export const nameDiffers: Rule = {
  id: "name_differs",
  defaultLevel: "hold",
  find({ payee, givenName }) {
    if (!payee || givenName === null) return undefined;
    const { matchType, score } = scoreNames(givenName, payee.accountName);
    if (matchType === "exact") return undefined;
    const how = matchType === "fuzzy" ? "is only similar to" : "is not";
    return {
      message: `The account name given with the payment, “${givenName}”, ${how} the one you hold for ${payee.name}, “${payee.accountName}”.`,
      evidence: { payeeId: payee.id, givenName, accountName: payee.accountName, score, matchType },
    };
  },
  note: ({ score }) => (typeof score === "number" ? `Name match ${score}% (${toMatchBadge(score)})` : undefined),
};
