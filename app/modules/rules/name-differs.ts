import { scoreNames, toMatchBadge } from "~/modules/name-match";
import type { Rule } from "./facts";

/** True if the name given is the beginning of the payee's, as much of it as the field of a file carries. */
const isCutAtWidth = (given: string, accountName: string, width: number): boolean =>
  scoreNames(given, accountName.slice(0, width)).matchType === "exact";

/** Most names are the payee's letter by letter: nothing needs to be compared then. */
const isSameText = (given: string, accountName: string) => given.toLowerCase() === accountName.toLowerCase();

/** Holds a payment whose account name is not exactly the payee's, in the sense in which a bank compares names. */
export const nameDiffers: Rule = {
  id: "name_differs",
  label: "The name given with the payment is not exactly the payee's",
  version: 1,
  defaultLevel: "hold",
  find({ payee, givenName, nameWidth }) {
    if (!payee || givenName === null || isSameText(givenName, payee.accountName)) return undefined;
    const { matchType, score } = scoreNames(givenName, payee.accountName);
    if (matchType === "exact" || isCutAtWidth(givenName, payee.accountName, nameWidth ?? 0)) return undefined;
    const how = matchType === "fuzzy" ? "is only similar to" : "is not";
    return {
      message: `The account name given with the payment, “${givenName}”, ${how} the one you hold for ${payee.name}, “${payee.accountName}”.`,
      evidence: { payeeId: payee.id, givenName, accountName: payee.accountName, score, matchType },
    };
  },
  note: ({ score }) => (typeof score === "number" ? `Name match ${score}% (${toMatchBadge(score)})` : undefined),
};
