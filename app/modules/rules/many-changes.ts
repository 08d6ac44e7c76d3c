import type { Rule } from "./facts";

/** So many edits of one payee within a day are unusual. */
const MANY = 3;

/** Holds money for a payee that was edited several times within a day. */
export const manyChanges: Rule = {
  id: "many_changes",
  label: "The payee was edited several times within a day",
  version: 1,
  defaultLevel: "hold",
  find({ payee, editsInLastDay }) {
    if (!payee || editsInLastDay === undefined || editsInLastDay < MANY) return undefined;
    return {
      message: `${payee.name} was edited ${editsInLastDay} times in the last 24 hours.`,
      evidence: { payeeId: payee.id, editsInLastDay },
    };
  },
};
